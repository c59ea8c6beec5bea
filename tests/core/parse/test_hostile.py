"""Texts that made parsers hang or fall over.

Times are bounded generously (a busy machine is no error), but tightly enough that anything
that grows with the square of the text is far beyond: 200 KB of it would take minutes.
"""

from __future__ import annotations

import time
import tracemalloc

import pytest

from core.parse import parse_note

SIZE = 200_000
MOST_SECONDS = 2.0
KNOWN = {
    "empty brackets": "[][][]",
    "empty parentheses": "[x](y" + "()" * 60,
    "open wikilinks": "[[" * 5000,
    "open embeds": "![" * 5000,
    "unfinished links": "a[b](c " * (SIZE // 7),
    "deep quotes": "> " * 200 + "[[A]]",
    "deeper and deeper": "".join("> " * depth + "[!a]\n" for depth in range(430)),
    "all lengths of ticks": "".join("`" * count + " " for count in range(630)),
    "all lengths of fences": "".join("`" * n + "\na\n" + "`" * n + "\n" for n in range(3, 440)),
    "blanks in a heading": "# a" + " " * SIZE + "b",
    "closing marks in a heading": "# a" + " #" * (SIZE // 2) + "b",
    "marks in a heading": "# " + "`*_[]()" * (SIZE // 7),
    "fields in fields": "(a:: " * 30_000 + ")" * 30_000,
    "ticks in many headings": ("# " + "a".join("`" * n for n in range(43)) + "\n") * 200,
    "stars in many headings": ("# " + "*a " * 320 + "\n") * 200,
    "a link over all lines": "[" + "a\n" * (SIZE // 2) + "](b)",
    "images in images": "![" * 50_000 + "a\n](b)" * 20_000,
    "images in images, by line": "![\n" * 30_000 + "](b)" * 20_000,
    "deep flow list": "---\na: " + "[" * 50_000 + "\n---\n",
    "deep flow mapping": "---\na: " + "{" * 50_000 + "\n---\n",
    "blanks in frontmatter": "---\na:" + " " * SIZE + "b: c: d\n---\n",
    "blanks in a key": "---\na" + " " * SIZE + "b: c\n---\n",
    "one key for ever": "---\n" + "a: b\n" * 30_000 + "---\n",
    "aliases of aliases": "---\n"
    + "\n".join(
        f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 9) if at else 'x'}]" for at in range(30)
    )
    + "\n---\n",
}
UNITS = (
    "[[", "![", "[", "]", "](", "[a](", "[a](b", "[a](<b", '[a](b "', "[a](b '", "[a](b (",
    "[[a]]", "[[a[b]]", "[[a", "]]", "[[a\n", "[[a|", "[[rel:a ", "![a](b)", "[![a](b)](c)",
    "`", "`` ` ", "``a`", "`a\n\n", "$a ", "$$", "$", "%%", "<!--", "<!-- x\n", "<a ", "<",
    "#", "#a", "# a\n", "\n    a\n\n", "- a\n\n      b\n\n", "> ", "> ```\n\n", "> [!a]\n",
    "> > [!a]\n", "> [!edge] a: [[B]]\n\n", "- ```\n\nx\n", "~~~\n```\n", "x ^a\n", "x ^a ",
    "a::", "a:: ", "a:: b\n", "(a:: b) ", "(a:: ", "[a:: ", "rel:x [", "rel: a [[B]],", "[a]: b\n",
    "[a][b]\n", "[a]", "a\n---\n", "a\n", "=\n", "\\", "*", "_a_", "- - ", "1. - a\n", "ä [[A]] ",
    "🚢[[A]]", "\r", "\t\n", "---\n", "a: b\n", "\u2028", "\ud800", "\0",
)  # fmt: skip


@pytest.mark.parametrize("text", KNOWN.values(), ids=KNOWN.keys())
def test_known(text: str) -> None:
    assert seconds(text) < MOST_SECONDS


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_repeated(unit: str) -> None:
    text = (unit * (SIZE // len(unit) + 1))[:SIZE]
    assert seconds(text) < MOST_SECONDS
    assert seconds(f"{text}]] ) ` $ %% --> \n") < MOST_SECONDS


@pytest.mark.parametrize("text", [KNOWN["unfinished links"], KNOWN["open wikilinks"]])
def test_memory(text: str) -> None:
    tracemalloc.start()
    try:
        parse_note("a.md", text)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def seconds(text: str) -> float:
    """Processor time of the best of two attempts: the first may pay for imports."""
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        parse_note("a.md", text)
        best = min(best, time.process_time() - start)
        if best < MOST_SECONDS:
            break
    return best
