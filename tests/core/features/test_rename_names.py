"""Titles, aliases and ids in frontmatter, and names of notes that do not exist."""

from __future__ import annotations

import pytest

from core.errors import AlreadyExists, InvalidArguments
from tests.core.features.rename_kit import check

CASES: dict[str, tuple[str, str, str]] = {
    "title": (
        "//- /n.md\n---\ntitle: Old$0 one\n---\n# Old one\n[[#Old one]]\n"
        "//- /b.md\n[[old one]] [[Old one#Old one|Old one]] [[n]] [x](n.md) `[[Old one]]`\n"
        "//- /c.md\n---\ndepends_on: [Old one, \"Old one\"]\n---\n",
        "It's: \"new\"",
        "//- /n.md\n---\ntitle: \"It's: \\\"new\\\"\"\n---\n# Old one\n[[#Old one]]\n"
        "//- /b.md\n[[It's: \"new\"]] [[It's: \"new\"#Old one|Old one]] [[n]] [x](n.md) "
        "`[[Old one]]`\n"
        "//- /c.md\n---\ndepends_on: [\"It's: \\\"new\\\"\", \"It's: \\\"new\\\"\"]\n---\n",
    ),
    "title in quotes": (
        "//- /n.md\n---\ntitle: 'O$0ld'\n---\n//- /b.md\n[[Old]]\n",
        "It's",
        "//- /n.md\n---\ntitle: 'It''s'\n---\n//- /b.md\n[[It's]]\n",
    ),
    "title that no wikilink can hold": (
        "//- /n.md\n---\ntitle: O$0ld\n---\n//- /b.md\n[[Old#H|x]]\n",
        "C# [a]",
        "//- /n.md\n---\ntitle: \"C# [a]\"\n---\n//- /b.md\n[[n#H|x]]\n",
    ),
    "alias in a list": (
        "//- /n.md\n---\naliases:\n  - O$0ld\n  - Other\n---\n//- /b.md\n[[Old|Old]] "
        "[[Other]] ![[old]]\n",
        "New",
        "//- /n.md\n---\naliases:\n  - New\n  - Other\n---\n//- /b.md\n[[New|Old]] "
        "[[Other]] ![[New]]\n",
    ),
    "alias among several in a row": (
        "//- /n.md\n---\nalias: One, Ol$0d one , Two\n---\n//- /b.md\n[[Old one]] [[Two]]\n",
        "New one",
        "//- /n.md\n---\nalias: One, New one , Two\n---\n//- /b.md\n[[New one]] [[Two]]\n",
    ),
    "alias by which another note is meant as well": (
        "//- /n.md\n---\naliases: [O$0ld]\n---\n//- /x/b.md\n[[Old]]\n"
        "//- /x/c.md\n---\naliases: [Old]\n---\n//- /d.md\n[[Old]]\n",
        "New",
        "//- /n.md\n---\naliases: [New]\n---\n//- /d.md\n[[New]]\n",
    ),
    "id": (
        "//- /n.md\n---\nid: ol$0d-1\ntitle: T\n---\n[[old-1]]\n"
        "//- /b.md\n[[old-1]] [[Words|old-1]] [[T|old-1#H]] [x](old-1) [[n]]\n"
        "//- /c.md\n---\nassigned_to: old-1\n---\n",
        "new-2",
        "//- /n.md\n---\nid: new-2\ntitle: T\n---\n[[new-2]]\n"
        "//- /b.md\n[[new-2]] [[Words|new-2]] [[T|new-2#H]] [x](new-2) [[n]]\n"
        "//- /c.md\n---\nassigned_to: new-2\n---\n",
    ),
    "missing note": (
        "//- /n.md\n🚢 [[Go$0ne]] [[gone|x]] [[Gone#H]] [t](Gone.md) [[x/Gone]] [[Gone "
        "too]] `[[Gone]]`\n"
        "//- /b.md\n---\ndepends_on: [Gone, 'gone']\nx: \"[[Gone]]\"\n---\n![[Gone]] "
        "[[rel:k Gone]]\n",
        "Here: now",
        "//- /n.md\n🚢 [[Here: now]] [[Here: now|x]] [[Here: now#H]] "
        "[t](Here%3A%20now.md) [[x/Gone]] "
        "[[Gone too]] `[[Gone]]`\n"
        "//- /b.md\n---\ndepends_on: [\"Here: now\", 'Here: now']\nx: \"[[Here: now]]\"\n---\n"
        "![[Here: now]] [[rel:k Here: now]]\n",
    ),
    "missing note, in table and angles": (
        "//- /n.md\n| [[Go$0ne\\|x]] |\n\n[t](<Gone.md>) [u](Gone.md#h) [r][l]\n\n[l]: Gone.md\n",
        "A b",
        "//- /n.md\n| [[A b\\|x]] |\n\n[t](<A b.md>) [u](A%20b.md#h) [r][l]\n\n[l]: A%20b.md\n",
    ),
    "missing note becomes one that is there": (
        "//- /n.md\n[[Go$0ne]]\n//- /b.md\nx\n", "b", "//- /n.md\n[[b]]\n//- /b.md\nx\n"
    ),
    "missing note in a heading": (
        "//- /n.md\n## See [[Go$0ne]]\n[[#See Gone]]\n",
        "New",
        "//- /n.md\n## See [[New]]\n[[#See New]]\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_names(case: tuple[str, str, str], eol: str) -> None:
    check(*case, eol=eol)


@pytest.mark.parametrize(
    ("source", "name", "error"),
    [
        ("---\nid: o$0ld\n---\n", "taken", AlreadyExists),
        ("---\nid: o$0ld\n---\n", "TAKEN", AlreadyExists),
        ("---\ntitle: o$0ld\n---\n", "Al", AlreadyExists),
        ("---\ntitle: o$0ld\n---\n", "  ", InvalidArguments),
        ("---\naliases: o$0ld\n---\n", "a\nb", InvalidArguments),
        ("---\nalias: one, o$0ld\n---\n", "a, b", InvalidArguments),
        # words on the right are no target any more: the left side would count
        ("---\nid: id$0-1\n---\n# Log\n\n[[Log#Log|id-1]]\n", "Zeta 1", AlreadyExists),
        ("[[Gone$0]]\n", "", InvalidArguments),
        ("[[Gone$0]]\n", "a#b", InvalidArguments),
        ("[[Gone$0]]\n", "rel:a b", InvalidArguments),
    ],
)
def test_refusals(source: str, name: str, error: type[Exception]) -> None:
    other = "//- /t.md\n---\nid: taken\naliases: [Al]\n---\n//- /u.md\n[[Al]]\n"
    with pytest.raises(error):
        check(f"//- /n.md\n{source}{other}", name, "")
