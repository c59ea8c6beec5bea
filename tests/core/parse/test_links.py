"""Which links a text has, and what must not count."""

from __future__ import annotations

import pytest

from tests.core.parse.kit import at, links, parse

WIKILINKS: dict[str, tuple[str, list[str]]] = {
    "plain": ("a [[A]] b", ["A"]),
    "blanks": ("[[ A b ]]", ["A b"]),
    "alias": ("[[A|b c]]", ["A|b c"]),
    "empty alias": ("[[A|]]", ["A"]),
    "two bars": ("[[A|b|c]]", ["A|b|c"]),
    "heading": ("[[A#H]]", ["A#H"]),
    "heading path": ("[[A#H1#H2|x]]", ["A#H1#H2|x"]),
    "own heading": ("[[#H]]", ["#H"]),
    "block": ("[[A#^b1]]", ["A^b1"]),
    "own block": ("[[#^b1]]", ["^b1"]),
    "block below a heading": ("[[A#H#^b1]]", ["A^b1"]),
    "no anchor": ("[[A#]]", ["A"]),
    "embed": ("![[a b.png|100]]", ["!a b.png|100"]),
    "escaped mark is no embed": ("\\![[A]]", ["A"]),
    "suffix stays": ("[[A.md]] [[v1.2 plan.md]]", ["A.md", "v1.2 plan.md"]),
    "dots": ("[[v1.2 plan]] [[#Step 1.5]]", ["v1.2 plan", "#Step 1.5"]),
    "colon": ("[[Plan: B]]", ["Plan: B"]),
    "path": ("[[x/y/A]] [[../A]]", ["x/y/A", "../A"]),
    "single brackets inside": ("[[A [b] c]] [[D|see [1] there]]", ["A [b] c", "D|see [1] there"]),
    "three brackets": ("[[[A]] x", ["A"]),
    "nearest pair": ("[[A [[B]]", ["B"]),
    "empty": ("[[]] [[ ]] [[|x]] [[#]]", []),
    "unclosed": ("[[A\n]] [[B", []),
    "over a line": ("[[A\nB]]", []),
    "umlauts": ("[[Über Größe#Straße|köstlich]]", ["Über Größe#Straße|köstlich"]),
    "escaped": (r"\[[A]] \\[[B]]", ["B"]),
    "escaped bar in a table": ("|a|b|\n|-|-|\n| [[A\\|b c]] | [[B]] |", ["A|b c", "B"]),
    "escaped bar and heading": ("| [[A#H\\|b]] |", ["A#H|b"]),
    "address": ("[[https://ex.org/a]] [[mailto:a@ex.org]]", []),
    "in emphasis": ("**[[A]]** _[[B]]_ ~~[[C]]~~ ==[[D]]==", ["A", "B", "C", "D"]),
    "in a heading": ("# On [[A]]", ["A"]),
    "in a list": ("- [ ] do [[A]]\n\t- [[B]]", ["A", "B"]),
    "in a quote": ("> [[A]]", ["A"]),
    "in a footnote": ("x[^1]\n\n[^1]: see [[A]]", ["A"]),
    "characters in names": ("[[100% sure & more, (x)]]", ["100% sure & more, (x)"]),
}
MARKDOWN: dict[str, tuple[str, list[str]]] = {
    "plain": ("[a](A.md)", ["mdlink A.md|a"]),
    "no text": ("[](A.md)", ["mdlink A.md"]),
    "folder": ("[a](./x/../A.md)", ["mdlink ./x/../A.md|a"]),
    "parentheses": (
        "[a](Pump_(old).md) (see [b](Pump.md))",
        ["mdlink Pump_(old).md|a", "mdlink Pump.md|b"],
    ),
    "deeper parentheses": ("[a](A(b(c)d)e)", ["mdlink A(b(c)d)e|a"]),
    "escaped parenthesis": (r"[a](A\(1.md)", ["mdlink A(1.md|a"]),
    "angle brackets": ("[a](<A b (c.md>)", ["mdlink A b (c.md|a"]),
    "percent once": (
        "[a](Pump%20House.md) [b](100%25%20done.md)",
        ["mdlink Pump House.md|a", "mdlink 100% done.md|b"],
    ),
    "percent that is none": ("[a](100%.md) [b](%ff.md)", ["mdlink 100%.md|a", "mdlink %ff.md|b"]),
    "title": (
        "[a](A.md \"t\") [b](B.md 't') [c](C.md (t))",
        ["mdlink A.md|a", "mdlink B.md|b", "mdlink C.md|c"],
    ),
    "anchor": (
        "[a](A.md#h-1) [b](#own) [c](A.md#^b1) [d](A#H%20x)",
        ["mdlink A.md#h-1|a", "mdlink #own|b", "mdlink A.md^b1|c", "mdlink A#H x|d"],
    ),
    "image": ("![a](b.png)", ["mdlink !b.png|a"]),
    "image in a link": ("[![a](b.png)](C.md)", ["mdlink C.md|![a](b.png)", "mdlink !b.png|a"]),
    "brackets in the text": ("[a [b] c](D.md)", ["mdlink D.md|a [b] c"]),
    "code in the text": ("[a `]` c](D.md)", ["mdlink D.md|a `]` c"]),
    "link in a link": ("[a [b](B.md) c](D.md)", ["mdlink B.md|b"]),
    "text over lines": ("[a\nb](A.md)", ["mdlink A.md|a b"]),
    "not over a paragraph": ("[a\n\nb](A.md)", []),
    "not over items": ("- [a\n- b](A.md)", []),
    "blank in the destination": ("[a](A b.md)", []),
    "nothing": ("[a]() [b](<>) [][][]", []),
    "escaped": (r"\[a](A.md) [b\](B.md)", []),
    "schemes": (
        "[a](https://x.org/b.md) [b](mailto:k@x) [c](magnet:?x) [d](//x/y) [e](data:x)",
        [],
    ),
    "a drive is no scheme": ("[a](c:/x.md)", ["mdlink c:/x.md|a"]),
    "angle address": ("[y](<https://ex.org/a b.md>) <https://ex.org/n.md>", []),
    "no blank before (": ("[a] (A.md)", []),
    "wikilink in brackets first": ("[[A]](B.md)", ["A"]),
}
REFERENCES: dict[str, tuple[str, list[str]]] = {
    "undefined": ("She praised [the harbour] and [1].[^a]\n\n[^a]: a later note", []),
    "full": ("[t][L]\n\n[l]: A.md#h", ["reference A.md#h|t", "definition A.md#h"]),
    "collapsed": ("[l][]\n\n[l]: A.md", ["reference A.md|l", "definition A.md"]),
    "shortcut": ("[l] x\n\n[l]: <A b.md> 'title'", ["reference A b.md|l", "definition A b.md"]),
    "image": ("![t][l]\n\n[l]: a.png", ["reference !a.png|t", "definition a.png"]),
    "external": ("[t][l] [l]\n\n[l]: https://x.org/a.md", []),
    "other label": ("[t][m]\n\n[l]: A.md", ["definition A.md"]),
    "first definition": ("[l]: A.md\n[l]: B.md\n\n[l]",
                         ["definition A.md", "definition B.md", "reference A.md|l"]),
    "task boxes": ("- [x] a\n- [ ] b\n\n[y]: A.md", ["definition A.md"]),
    "not in code": ("`[l]`\n\n    [l]: A.md\n\n[l]", []),
}  # fmt: skip
NOTHING: dict[str, tuple[str, list[str]]] = {
    "code span": ("`[[N]]` [[A]] ``a ` [[N]]``", ["A"]),
    "code span over lines": ("`a\n[[N]]` [[A]]", ["A"]),
    "ticks without an end": ("` [[A]]\n\n` [[B]]", ["A", "B"]),
    "ticks in other items": ("- ` [[A]]\n- ` [[B]]", ["A", "B"]),
    "escaped tick": (r"\`[[A]]`", ["A"]),
    "fence": ("```\n[[N]]\n```\n[[A]]", ["A"]),
    "fence with a language": ("```sh x\n[[N]]\n```\n[[A]]", ["A"]),
    "tilde fence": ("~~~\n[[N]]\n```\n[[N]]\n~~~\n[[A]]", ["A"]),
    "longer fence": ("````\n```\n[[N]]\n```\n[[N]]\n````\n[[A]]", ["A"]),
    "open fence": ("[[A]]\n```\n[[N]]\n\n[[N]]", ["A"]),
    "fence in a quote": ("> ```\n> [[N]]\n> ```\n> [[A]]", ["A"]),
    "open fence in a quote": ("> ```\n> [[N]]\n\n[[A]]", ["A"]),
    "fence in a list": ("- a\n  ```\n  [[N]]\n  ```\n- [[A]]", ["A"]),
    "fence behind a marker": ("1. ```\n   [[N]]\n   ```\n2. [[A]]", ["A"]),
    "open fence in an item": ("- ```\n  [[N]]\n- [[A]]", ["A"]),
    "open fence below an item": ("1. a\n\n    ```\n    [[N]]\n\n[[A]]\n- ```", ["A"]),
    "fence indented as code": ("a\n\n    ```\n    [[N]]\n\n[[A]]", ["A"]),
    "fence closed in its item alone": (
        "- a\n  ```\n  [[N]]\n- b\n  ```\n  [[N]]\n\nc [[A]]",
        ["A"],
    ),
    "items of another indentation": ("*    a\n\n    *   [[A]]", ["A"]),
    "ticks in a line are no fence": ("```[[N]]``` [[A]]\n[[B]]", ["A", "B"]),
    "frontmatter look in a fence": ("```yaml\n---\na: [[N]]\n---\n```\n[[A]]", ["A"]),
    "indented": ("x\n\n    [[N]]\n\n    [[N]]\n\n[[A]]", ["A"]),
    "indented by a tab": ("x\n\n\t[[N]]\n[[A]]", ["A"]),
    "indented first line": ("    [[N]]\n\n[[A]]", ["A"]),
    "lazy line is no code": ("x\n    [[A]]", ["A"]),
    "list continuation": ("- a\n\n    [[A]]\n\n    - [[B]]\n\n        [[C]]", ["A", "B", "C"]),
    "numbered continuation": ("10. a\n\n    [[A]]", ["A"]),
    "nested by tabs": ("- a\n\n\t- b\n\n\t\t- [[A]]\n", ["A"]),
    "code in a list": ("- a\n\n      [[N]]\n\n- [[A]]", ["A"]),
    "list ended": ("- a\n\nb\n\n    [[N]]", []),
    "html comment": ("<!-- [[N]] --> [[A]] <!--\n\n[[N]]\n-->", ["A"]),
    "open html comment": ("[[A]] <!-- [[B]]", ["A", "B"]),
    "open html comment block": ("[[A]]\n<!-- [[N]]\n\n[[N]]", ["A"]),
    "comment": ("%% [[N]] %% [[A]]\n%%\n\n[[N]]\n%%\n[[B]]", ["A", "B"]),
    "open comment": ("%% [[A]]", ["A"]),
    "math": ("$[[N]]$ [[A]] $$[[N]]$$\n$$\n[[N]]\n\n$$", ["A"]),
    "prices are no math": ("costs $5, [[A]] for $6 [[B]]", ["A", "B"]),
    "escaped dollar": (r"\$[[A]]$", ["A"]),
    "comment mark in code": ("`<!--` [[A]] `-->`", ["A"]),
    "fence in a comment": ("<!--\n```\n-->\n[[A]]", ["A"]),
    "html attribute": ('<a title="x" href="#y">[[A]]</a>', ["A"]),
    "no tag": ("a <b and [[A]] > c", ["A"]),
}  # fmt: skip
CASES = {
    f"{group}: {name}": case
    for group, cases in (
        ("wikilink", WIKILINKS),
        ("markdown", MARKDOWN),
        ("reference", REFERENCES),
        ("nothing", NOTHING),
    )
    for name, case in cases.items()
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_links(text: str, expected: list[str], eol: str) -> None:
    assert links(parse(text.replace("\n", eol))) == expected
    # the same below other text, with wide characters in front
    shifted = f"🚢 é\n\n{text}\n".replace("\n", eol)
    if not text.startswith("    "):
        assert links(parse(shifted)) == expected


def test_parts() -> None:
    text = '🚢 ![[A b#H c|d]] [t](<x y.md#s> "t") [[rel:depends_on X#^b|y]]'
    embed, markdown, relation = parse(text).links
    assert at(embed) == "0:2-16"
    assert (embed.wide8, embed.wide16) == (3, 1)
    assert embed.raw[embed.target_at : embed.target_end] == "A b"
    assert embed.raw[embed.anchor_at : embed.anchor_end] == "H c"
    assert embed.raw[embed.alias_at : embed.alias_end] == "d"
    assert markdown.raw == '[t](<x y.md#s> "t")'
    assert markdown.raw[markdown.target_at : markdown.target_end] == "x y.md"
    assert markdown.raw[markdown.anchor_at : markdown.anchor_end] == "s"
    assert markdown.raw[markdown.alias_at : markdown.alias_end] == "t"
    assert relation.raw[relation.target_at : relation.target_end] == "X"
    assert relation.raw[relation.anchor_at : relation.anchor_end] == "^b"


def test_parts_of_references() -> None:
    reference, definition = parse("[t][l]\n\n[l]: A%20b.md#s\n").links
    assert (reference.raw, reference.target_at, reference.anchor_at) == ("[t][l]", -1, -1)
    assert reference.raw[reference.alias_at : reference.alias_end] == "t"
    assert (definition.raw, definition.target) == ("[l]: A%20b.md#s", "A b.md")
    assert definition.raw[definition.target_at : definition.target_end] == "A%20b.md"
    assert definition.raw[definition.anchor_at : definition.anchor_end] == "s"


def test_places_in_parentheses() -> None:
    first, second = parse("[a](Pump_(old).md) (see [b](Pump.md))").links
    assert (first.col + first.target_at, first.col + first.target_end) == (4, 17)
    assert (second.col + second.target_at, second.col + second.target_end) == (28, 35)


def test_code_of_a_page() -> None:
    text = (
        "# Tools\n\nUse `[[Nowhere]]` or `#nope`.\n\n```sh\n#!/bin/sh\n"
        "echo [[Nowhere]] # not-a-tag\n```\n\n    [[Nowhere]] indented\n\n[[Anvil]] #forge\n"
    )
    note = parse(text)
    assert [f"{link.target} {at(link)}" for link in note.links] == ["Anvil 11:0-9"]
    assert [tag.name for tag in note.tags] == ["forge"]
    assert [heading.text for heading in note.headings] == ["Tools"]


def test_lines_below_a_heading_that_are_no_code() -> None:
    assert links(parse("# H\n   [[three blanks]]\n")) == ["three blanks"]
    assert links(parse("- item\n  # H\n    [[in the item]]\n")) == ["in the item"]
    assert links(parse("# H [[in it]]\n\n- a\n    [[lazy]]\n")) == ["in it", "lazy"]
    assert links(parse("# H\n    code [[x]]\n\n[[behind]]\n")) == ["behind"]


def test_links_in_html_count_and_headings_in_containers_do_not() -> None:
    """Written down in docs/diagnostics.md; Obsidian leaves both open."""
    note = parse('<div class="x">\n[[In a block]]\n</div>\n\n<b>[[inline]]</b> [a](b.md)\n')
    assert [link.target for link in note.links] == ["In a block", "inline", "b.md"]
    assert parse("> # Quoted\n\n- # In an item\n\n> [!note]\n> ## In a callout\n").headings == ()
