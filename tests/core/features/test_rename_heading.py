"""A heading's new text, and every link that leads to a heading of its note."""

from __future__ import annotations

import pytest

from core.errors import AlreadyExists, InvalidArguments
from tests.core.features.rename_kit import check

CASES: dict[str, tuple[str, str, str]] = {
    "rn 02": (
        "//- /one.md\n[[two#Ol$0d part|see]]\n//- /two.md\n# Two\n\n## Old part\n",
        "New part",
        "//- /one.md\n[[two#New part|see]]\n//- /two.md\n# Two\n\n## New part\n",
    ),
    "each form of link": (
        "//- /n.md\n# N\n\n## O$0ld part ##\n\n[[#Old part]] [x](#old-part) ![[n#old part]]\n"
        "//- /s/o.md\n🚢 [[n#Old part|Old part]] [x](../n.md#old-part 'Old part') "
        "[y](<../n.md#old-part>) [z](../n.md#Old%20part) [[n#old-part]] `[[n#Old part]]` [r][l]\n\n"
        "| [[n#Old part\\|x]] | Old part |\n|---|---|\n\n[l]: ../n.md#old-part\n"
        '//- /f.md\n---\nsee: "[[n#Old part]]"\nx: ["[[n#N#Old part]]"]\n---\n'
        "[[rel:k n#Old part]]\n",
        "Über “A/B”: 50 %",
        "//- /n.md\n# N\n\n## Über “A/B”: 50 % ##\n\n[[#Über “A/B”: 50 %]] [x](#über-ab-50-) "
        "![[n#Über “A/B”: 50 %]]\n"
        "//- /s/o.md\n🚢 [[n#Über “A/B”: 50 %|Old part]] [x](../n.md#über-ab-50- 'Old part') "
        "[y](<../n.md#über-ab-50->) [z](../n.md#Über%20“A/B”:%2050%20%25) [[n#über-ab-50-]] "
        "`[[n#Old part]]` [r][l]\n\n"
        "| [[n#Über “A/B”: 50 %\\|x]] | Old part |\n|---|---|\n\n[l]: ../n.md#über-ab-50-\n"
        '//- /f.md\n---\nsee: "[[n#Über “A/B”: 50 %]]"\nx: ["[[n#N#Über “A/B”: 50 %]]"]\n---\n'
        "[[rel:k n#Über “A/B”: 50 %]]\n",
    ),
    "what a wikilink cannot hold": (
        "//- /n.md\n## O$0ld\n[[#Old]] [x](#old)\n",
        "C# [is] a|b ^ up",
        "//- /n.md\n## C# [is] a|b ^ up\n[[#C is a b up]] [x](#c-is-ab--up)\n",
    ),
    "marks in the text": (
        "//- /n.md\n## O$0ld\n[[#Old]] [x](#old)\n",
        "`code` *and* ==mark==",
        "//- /n.md\n## `code` *and* ==mark==\n[[#code and mark]] [x](#code-and-mark)\n",
    ),
    "other letter case only": (
        "//- /n.md\n## O$0ld\n[[#Old]] [[#old]] [x](#old)\n",
        "OLD",
        "//- /n.md\n## OLD\n[[#OLD]] [[#OLD]] [x](#old)\n",
    ),
    "underlined": (
        "//- /n.md\nOl$0d\ntext\n===\n[[#Old text]] [x](#old-text)\n",
        "New",
        "//- /n.md\nNew\n===\n[[#New]] [x](#new)\n",
    ),
    "a block id behind it": (
        "//- /n.md\n## O$0ld ^b1\n[[#Old]] [[#^b1]] [[#Old#^b1]]\n",
        "New",
        "//- /n.md\n## New ^b1\n[[#New]] [[#^b1]] [[#Old#^b1]]\n",
    ),
    "a step of paths": (
        "//- /n.md\n# T\n## O$0ld\n### X\n## Other\n### X\n"
        "[[#Old#X]] [[n#T#Old]] [[#T#Old#X]] [[#Other#X]] [[#X]] [x](#x-1)\n",
        "New",
        "//- /n.md\n# T\n## New\n### X\n## Other\n### X\n"
        "[[#New#X]] [[n#T#New]] [[#T#New#X]] [[#Other#X]] [[#X]] [x](#x-1)\n",
    ),
    "from a step of a path": (
        "//- /n.md\n# T\n## Old\n### X\n[[#Ol$0d#X]]\n",
        "New",
        "//- /n.md\n# T\n## New\n### X\n[[#New#X]]\n",
    ),
    "first of equal ones": (
        "//- /n.md\n## L$0og\n## Log\n## Log\n[x](#log) [y](#log-1) [z](#log-2) [[#Log]]\n",
        "Diary",
        "//- /n.md\n## Diary\n## Log\n## Log\n[x](#diary) [y](#log) [z](#log-1) [[#Diary]]\n",
    ),
    "another of equal ones": (
        "//- /n.md\n## Log\n## L$0og\n## Log\n[x](#log) [y](#log-1) [z](#log-2) [[#Log]]\n",
        "Diary",
        "//- /n.md\n## Log\n## Diary\n## Log\n[x](#log) [y](#diary) [z](#log-1) [[#Log]]\n",
    ),
    "becomes an equal one": (
        "//- /n.md\n# T\n## X\n### Log\n## Y\n### O$0ld\n[[#Old]] [m](#old) [[#Log]] [n](#log)\n",
        "Log",
        "//- /n.md\n# T\n## X\n### Log\n## Y\n### Log\n[[#Y#Log]] [m](#log-1) [[#Log]] [n](#log)\n",
    ),
    "becomes an equal one in front": (
        "//- /n.md\n# T\n## X\n### O$0ld\n## Y\n### Log\n[[#Old]] [m](#old) [[#Log]] [n](#log)\n",
        "Log",
        "//- /n.md\n# T\n## X\n### Log\n## Y\n### Log\n[[#Log]] [m](#log) [[#Y#Log]] [n](#log-1)\n",
    ),
    "the title of its note": (
        "//- /two.md\n# Old T$0itle\n[[#Old Title]]\n"
        "//- /b.md\n[[old title]] [[two]] [[Old Title#Old Title|x]] [m](two.md#old-title)\n"
        "//- /c.md\n---\ndepends_on: [Old Title, 'Old Title', two]\n---\n",
        "It's: New",
        "//- /two.md\n# It's: New\n[[#It's: New]]\n"
        "//- /b.md\n[[It's: New]] [[two]] [[It's: New#It's: New|x]] [m](two.md#its-new)\n"
        "//- /c.md\n---\ndepends_on: [\"It's: New\", 'It''s: New', two]\n---\n",
    ),
    "a title that no wikilink can hold": (
        "//- /two.md\n# Ol$0d\n//- /b.md\n[[Old|x]]\n",
        "A | B",
        "//- /two.md\n# A | B\n//- /b.md\n[[two|x]]\n",
    ),
    "another title is the frontmatter's": (
        "//- /two.md\n---\ntitle: Old\n---\n# O$0ld\n//- /b.md\n[[Old]] [[Old#Old]]\n",
        "New",
        "//- /two.md\n---\ntitle: Old\n---\n# New\n//- /b.md\n[[Old]] [[Old#New]]\n",
    ),
    "the next heading is the title now": (
        "//- /two.md\n# O$0ld\n# Next\n//- /b.md\n[[Old]]\n",
        "New",
        "//- /two.md\n# New\n# Next\n//- /b.md\n[[New]]\n",
    ),
    "reversed": (
        "//- /n.md\n[[Words|ref.note#Two]]\n//- /ref.note.md\n## Tw$0o\n",
        "Three",
        "//- /n.md\n[[Words|ref.note#Three]]\n//- /ref.note.md\n## Three\n",
    ),
    "heals a broken link": (
        "//- /n.md\n## O$0ld\n[[#New]] [[#Old]]\n",
        "New",
        "//- /n.md\n## New\n[[#New]] [[#New]]\n",
    ),
    "percent-encoded stays so": (
        "//- /n.md\n## Ü$0ber\n[x](#%C3%BCber) [y](#über)\n",
        "Ähre",
        "//- /n.md\n## Ähre\n[x](#%C3%A4hre) [y](#ähre)\n",
    ),
    "no slug at all": (
        "//- /n.md\n## O$0ld\n[x](#old) [[#Old]]\n",
        "🚢 🚢",
        "//- /n.md\n## 🚢 🚢\n[x](#-) [[#🚢 🚢]]\n",
    ),
    "a range of Dendron's": (
        "//- /n.md\n## O$0ld part\n## End\n![[n#old-part,1:#end]]\n",
        "New part",
        "//- /n.md\n## New part\n## End\n![[n#new-part,1:#end]]\n",
    ),
}


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_heading(case: tuple[str, str, str], eol: str) -> None:
    check(*case, eol=eol)


def test_rn_02_from_the_heading_line() -> None:
    check(
        "//- /one.md\n[[two#Old part|see]]\n//- /two.md\n# Two\n\n#$0# Old part\n", "New part",
        "//- /one.md\n[[two#New part|see]]\n//- /two.md\n# Two\n\n## New part\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["", " ", "a\nb", "...", "<b>", "a ^b1", "a #", "a %% b", "a <!-- b", "***", "`"],
)
def test_no_heading(name: str) -> None:
    with pytest.raises(InvalidArguments):
        check("//- /n.md\ntext\n\n## O$0ld\n", name, "")


@pytest.mark.parametrize("name", ["- a", "1. a", "> a", "# a", "```", "---", "    "])
def test_no_underlined_heading(name: str) -> None:
    with pytest.raises(InvalidArguments):
        check("//- /n.md\ntext\n\nO$0ld\n===\n", name, "")


@pytest.mark.parametrize(
    "source",
    [
        # a wikilink could only name the first one
        "//- /n.md\n# Log\n# O$0ld\n[[#Old]]\n",
        "//- /n.md\n# O$0ld\n# Log\n[[#Log]]\n",
        # another note's alias, which a title would go before
        "//- /n.md\n# O$0ld\n//- /c.md\n---\naliases: [Log]\n---\n[[Log]]\n",
        # another note's title, nearer to the link
        "//- /x/n.md\n# O$0ld\n[[Log]]\n//- /c.md\n# Log\n",
    ],
)
def test_refused_where_a_link_would_be_captured(source: str) -> None:
    with pytest.raises(AlreadyExists, match="would come to mean something else"):
        check(source, "Log", "")
