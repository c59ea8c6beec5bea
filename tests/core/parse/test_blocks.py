"""Headings, tags, block ids, callouts."""

from __future__ import annotations

import pytest

from tests.core.parse.kit import at, parse

HEADINGS: dict[str, tuple[str, list[str]]] = {
    "levels": ("# A\n###### B\n####### no", ["1 A", "6 B"]),
    "closed": ("## A ##\n# B #\n# C#\n# #", ["2 A", "1 B", "1 C#", "1 "]),
    "blanks": ("   #   A  \n    # no\n\t# no", ["1 A"]),
    "tab": ("#\tA", ["1 A"]),
    "no blank": ("#no\n#", ["1 "]),
    "setext": ("A\n=\n\nB\n---\n\nC\nD\n===", ["1 A", "2 B", "1 C D"]),
    "rules": ("---\n\na\n\n---\n\n- a\n---\n\n> a\n---\n\n# B\n---\n| a |\n---", ["1 B"]),
    "lazy item": ("- a\nb\n---", []),
    "front lines": ("text\n\n---\nA\n---", ["2 A"]),
    "code": ("```\n# no\n```\n\n    # no\n\n<!--\n# no\n-->\n%%\n# no\n%%\n# A", ["1 A"]),
    "inline code": ("# `init` step?", ["1 init step?"]),
    "links": ("# a [[B|c]] [[D]] [e](F.md) ![g](h.png) [[D#x]]", ["1 a c D e g D x"]),
    "emphasis": ("# *a* **b** _c_ __d__ ~~e~~ ==f== g_h_i 2*3", ["1 a b c d e f g_h_i 2*3"]),
    "nested emphasis": ("# *a **b** c* ***d*** ==**e**== ** f * g", ["1 a b c d e ** f * g"]),
    "escapes": (r"# \*a\* \#b \[c\]", ["1 *a* #b [c]"]),
    "html": ("# a <b>c</b> <!-- x --> %%y%% d", ["1 a c d"]),
    "code keeps marks": ("# `a*b*` *c*", ["1 a*b* c"]),
    "block id": ("# a ^id\n# 2^10", ["1 a", "1 2^10"]),
    "umlauts": ("# Über Größe\n## 港の話", ["1 Über Größe", "2 港の話"]),
}


@pytest.mark.parametrize(("text", "expected"), HEADINGS.values(), ids=HEADINGS.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_headings(text: str, expected: list[str], eol: str) -> None:
    note = parse(f"x{eol}{eol}{text}".replace("\n", eol))
    assert [f"{h.level} {h.text}" for h in note.headings] == expected


SLUGS: dict[str, tuple[str, list[str]]] = {
    "GitHub's": ("# Wind / Tide: A & B\n# `init` step?\n# a_b-c  d",
                 ["wind--tide-a--b", "init-step", "a_b-c-d"]),
    "repeated": ("# A\n# A\n# A-1\n# A", ["a", "a-1", "a-1-1", "a-2"]),
    "other scripts": ("# Über Größe!\n# 港の話。\n# हिन्दी", ["über-größe", "港の話", "हिन्दी"]),
    "emoji": ("# 🚢 Ship", ["-ship"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SLUGS.values(), ids=SLUGS.keys())
def test_slugs(text: str, expected: list[str]) -> None:
    assert [heading.slug for heading in parse(text).headings] == expected


def test_heading_place() -> None:
    (heading,) = parse("x\r\n##  Größe 🚢 ##\r\n").headings
    assert (at(heading), heading.raw) == ("1:4-11", "Größe 🚢")


TAGS: dict[str, tuple[str, list[str]]] = {
    "what is none": (
        "See https://ex.org/x.html#part, issue #412, word#tag, \\#no, `#ff8800`.\n"
        "Real: #ok #ok/sub #2031-plan #été #港",
        ["ok", "ok/sub", "2031-plan", "été", "港"],
    ),
    "one character": ("#a", ["a"]),
    "punctuation": ("(#a), [#b]; #c. #d: *#e* „#f“ #g!", list("abcdefg")),
    "emoji": ("#🚢 #a🚢", ["🚢", "a🚢"]),
    "slash at the end": ("#a/ #/", ["a"]),
    "headings": ("# a\n#b\n## c #d", ["b", "d"]),
    "in links": ("[[A#b]] [x](y#z) [#w](y) [[#c]] <a href='#d'> <https://x/#e>", []),
    "in code": ("```\n#a\n```\n`#b` $#c$ %%#d%% <!--#e-->", []),
    "table": ("|#a|#b|", ["a", "b"]),
    "twice": ("##a #b#c", ["b"]),
}


@pytest.mark.parametrize(("text", "expected"), TAGS.values(), ids=TAGS.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_tags(text: str, expected: list[str], eol: str) -> None:
    note = parse(text.replace("\n", eol))
    assert [tag.name for tag in note.tags] == expected
    assert all(tag.raw == f"#{tag.name}" for tag in note.tags)


BLOCKS: dict[str, tuple[str, list[str]]] = {
    "paragraph": ("a\n\nb\nc ^id\nd", ["id 3:2 from 2"]),
    "item": ("- a\n- b ^id-1\n- c", ["id-1 1:4 from 1"]),
    "item, two lines": ("- a\n  b ^x", ["x 1:4 from 0"]),
    "alone below": ("| a |\n|---|\n| b |\n^t1\n\ntext", ["t1 3:0 from 0"]),
    "alone, blank line": ("x\n\n> a\n> b\n\n^q", ["q 5:0 from 2"]),
    "first": ("^x", ["x 0:0 from 0"]),
    "quote": ("> a ^x", ["x 0:4 from 0"]),
    "none": ("a^x b ^y c ^z. [^1] [[A#^b]]\n2^10", []),
    "code": ("`a ^x\n` \n```\na ^y\n```", []),
    "several": ("a ^x\nb ^y", ["x 0:2 from 0", "y 1:2 from 1"]),
    "below a heading": ("# H\na ^x", ["x 1:2 from 1"]),
}


@pytest.mark.parametrize(("text", "expected"), BLOCKS.values(), ids=BLOCKS.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_block_ids(text: str, expected: list[str], eol: str) -> None:
    note = parse(text.replace("\n", eol))
    assert [f"{b.id} {b.line}:{b.col} from {b.first_line}" for b in note.blocks] == expected


CALLOUTS: dict[str, tuple[str, list[str]]] = {
    "simple": ("> [!Note] Title\n> text\n\n> x", ["[!Note] note 'Title' 0-1"]),
    "with metadata": ("> [!Note|wide] T", ["[!Note|wide] note 'T' 0-0"]),
    "folded": ("> [!tip]- T\n>text\nlazy", ["[!tip] tip 'T' 0-1"]),
    "nested": ("> [!a] x\n> > [!b] y\n> > z\n> w", ["[!a] a 'x' 0-3", "[!b] b 'y' 1-2"]),
    "second line": ("> text\n> [!note] no", ["[!note] note 'no' 1-1"]),
    "header once": ("> [!a]\n> [!b]", ["[!a] a '' 0-1"]),
    "in an item": ("- > [!a] x", ["[!a] a 'x' 0-0"]),
    "no quote": ("[!a] x", []),
    "code": ("```\n> [!a]\n```", []),
}


@pytest.mark.parametrize(("text", "expected"), CALLOUTS.values(), ids=CALLOUTS.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_callouts(text: str, expected: list[str], eol: str) -> None:
    note = parse(text.replace("\n", eol))
    found = [f"{c.raw} {c.type} {c.title!r} {c.line}-{c.last_line}" for c in note.callouts]
    assert found == expected
