"""What can be folded, as `first-last` lines with the kind."""

from __future__ import annotations

import time

import pytest

from core.features.document import Document
from core.features.folding_range import folding_ranges, limited
from core.features.view_results import Fold
from core.parse import parse_note

CASES = {
    "sections nest and leave trailing blank lines":
        ("# A\n\none\n\n## B\ntwo\n\n\n# C\nthree\n", ["0-5", "4-5", "8-9"]),
    "a heading alone folds nothing": ("# A\n\n# B\n", []),
    "skipped level": ("### A\nx\n# B\ny\n### C\nz\n", ["0-1", "2-5", "4-5"]),
    "underlined heading": ("Titel\n=====\n\nText\n", ["0-3"]),
    "frontmatter": ("---\ntitle: A\ntags: [b]\n---\n# A\nx\n", ["0-3 imports", "4-5"]),
    "no frontmatter but a rule": ("text\n\n---\n\ntext\n", []),
    "fenced code": ("```py\n# no heading\n\nx\n```\ntext\n", ["0-4"]),
    "code that never ends": ("a\n\n~~~\nx\ny", ["2-4"]),
    "code within an item": ("- a\n\n  ```\n  x\n  ```\n- b\n", ["0-4", "2-4"]),
    "indented code": ("a\n\n    x\n    y\n\nb\n", ["2-3"]),
    "flat list folds from its first item": ("a\n\n- x\n- y\n- z\n\nb\n", ["2-4"]),
    "items fold with what is below them":
        ("- x\n  - y\n    - z\n- last\n  more\n", ["0-2", "1-2", "3-4"]),
    "numbers and tasks": ("1. [ ] a\n   text\n2. [x] b\n", ["0-1"]),
    "blank lines between items": ("- a\n\n- b\n\n\ntext\n", ["0-2"]),
    "quote and callout": ("> a\n> b\n\n> [!note]- Titel\n> - x\n>   - y\n", ["0-1", "3-5", "4-5"]),
    "table": ("| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n\ntext\n", ["0-3"]),
    "pipes are no table": ("a | b\nc | d\n", []),
    "comments": ("<!-- a\nb -->\n\n%%\nc\n%%\n", ["0-1 comment", "3-5 comment"]),
    "a comment that begins in a line": ("text <!-- a\nb --> text\n", ["0-1 comment"]),
    "marked regions": ("<!-- #region a -->\nx\n<!-- #region b -->\ny\n<!-- #endregion -->\n"
                       "<!-- endregion -->\n", ["0-5 region", "2-4 region"]),
    "formula": ("$$\nx\n$$\n", ["0-2"]),
    "paragraphs stay": ("a\nb\nc\n", []),
    "nothing": ("", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_folds(text: str, expected: list[str], eol: str) -> None:
    document = _reparsed(text.replace("\n", eol))
    found = folding_ranges(document)
    assert [_short(fold) for fold in found] == expected
    assert all(document.lines.line(fold.last).strip() for fold in found), "ends with text"
    assert len({fold.first for fold in found}) == len(found)


def test_the_limit_keeps_what_matters_most() -> None:
    document = _reparsed("# A\n- x\n  - y\n- z\n  more\n## B\ntext\n```\ncode\n```\n# C\ntext\n")
    found = folding_ranges(document)
    assert [_short(fold) for fold in found] == ["0-9", "1-2", "3-4", "5-9", "7-9", "10-11"]
    assert [_short(fold) for fold in limited(found, 4)] == ["0-9", "5-9", "7-9", "10-11"]
    assert limited(found, 0) == ()
    assert limited(found, None) == found


@pytest.mark.parametrize(
    "text",
    ["> " * 3000 + "x\n" + "> " * 3000 + "y", "- " * 3000 + "x", "  - x\n" * 2000,
     "".join(" " * n + "- x\n" for n in range(600)), "```\n" * 4001, "| a |\n" * 5000,
     "<!--\n" * 3000, "%%\n" * 3001, "1. x\n> y\n" * 2000],
    ids=["quotes", "items in a line", "flat", "steps", "fences", "rows", "comments", "percent",
         "mixed"],
)  # fmt: skip
def test_hostile_texts_cost_little(text: str) -> None:
    begin = time.perf_counter()
    folding_ranges(_reparsed(text))
    assert time.perf_counter() - begin < 2


def _reparsed(text: str) -> Document:
    return Document.of(parse_note("n.md", text), text)


def _short(fold: Fold) -> str:
    return f"{fold.first}-{fold.last}{f' {fold.kind}' if fold.kind else ''}"
