"""Every written form of a relation, and what is none."""

from __future__ import annotations

import pytest

from tests.core.parse.kit import links, parse

CASES: dict[str, tuple[str, list[str]]] = {
    "inline": ("[[rel:depends_on Embeddings 101]]", ["rel:depends_on Embeddings 101"]),
    "inline, blank behind": ("[[rel: depends_on A]]", ["rel:depends_on A"]),
    "inline, all parts": ("[[rel:blocks A b#H|c]]", ["rel:blocks A b#H|c"]),
    "inline in a table": ("| [[rel:blocks A\\|c]] |", ["rel:blocks A|c"]),
    "inline embed": ("![[rel:part_of A]]", ["rel:part_of !A"]),
    "inline German": ("[[rel:hängt-ab-von Übersicht]]", ["rel:hängt_ab_von Übersicht"]),
    "inline without a target": ("[[rel:depends_on]] [[rel:depends_on ]] [[rel:]]", []),
    "several": ("rel: similar_to [[A]] [[B]], [[C]]",
                ["rel:similar_to A", "rel:similar_to B", "rel:similar_to C"]),
    "several, no blank": ("x rel:similar_to [[A]]", ["rel:similar_to A"]),
    "several, colon": ("rel: similar_to: [[A]]", ["rel:similar_to A"]),
    "several, und": ("rel: beeinflusst_von [[A]], [[B]] und [[C]]; [[D]]",
                     [f"rel:beeinflusst_von {x}" for x in "ABCD"]),
    "other words end it": ("rel: blocks [[A]] but [[B]]", ["rel:blocks A", "B"]),
    "a line ends it": ("rel: blocks [[A]]\n[[B]]", ["rel:blocks A", "B"]),
    "Markdown": ("rel: blocks [a](A.md) [[B]]", ["rel:blocks mdlink A.md|a", "rel:blocks B"]),
    "in a list": ("- rel: blocks [[A]]", ["rel:blocks A"]),
    "in a word": ("barrel: blocks [[A]] x.rel:a [[B]]", ["A", "B"]),
    "in code": ("`rel: blocks` [[A]]\n\n    rel: blocks [[B]]", ["A"]),
    "field": ("depends_on:: [[A]], [[B]]", ["field:depends_on A", "field:depends_on B"]),
    "field, words": ("Hängt ab von:: [[A]]", ["field:hängt_ab_von A"]),
    "field, bold": ("**depends-on**:: [[A]]", ["field:depends_on A"]),
    "field in a list": ("- depends_on:: [[A]]\n1. blocks:: [[B]]\n- [ ] up:: [[C]]",
                        ["field:depends_on A", "field:blocks B", "field:up C"]),
    "field in a quote": ("> blocks:: [[A]]", ["field:blocks A"]),
    "field in round brackets": ("x (depends_on:: [[A]]) y [[B]]", ["field:depends_on A", "B"]),
    "field in square brackets": ("x [depends_on:: [[A]]] y [[B]]", ["field:depends_on A", "B"]),
    "two bracketed": ("(a:: [[A]]) (b:: [[B]], [[C]])", ["field:a A", "field:b B", "field:b C"]),
    "field that is a text": ("note:: see [[A]] there", ["A"]),
    "field in the middle": ("some (text) with depends_on:: [[A]]", ["A"]),
    "bracketed, no blank": ("x (up::[[A]]) [up::[[B]]]", ["field:up A", "field:up B"]),
    "code is no field": ("`depends_on:: [[A]]` std::vector [[B]]", ["B"]),
    "callout": ("> [!edge] related_to: [[A]] [[B]]",
                ["callout:related_to A", "callout:related_to B"]),
    "callout lines": ("> [!edge] related_to: [[A]]\n> blocks: [[B]]\n> [[C]]\n\n[[D]]",
                      ["callout:related_to A", "callout:blocks B", "callout:blocks C", "D"]),
    "callout, title": ("> [!edge] Relations\n> blocks: [[A]]", ["callout:blocks A"]),
    "callout, no kind": ("> [!edge]\n> [[A]]", ["A"]),
    "callout, list": ("> [!edge]-\n> - blocks: [[A]]\n> - [[B]]",
                      ["callout:blocks A", "callout:blocks B"]),
    "callout, bold": ("> [!EDGE]+ x\n> **part of**: [[A]]\n> *is-a:* [[B]]",
                      ["callout:part_of A", "callout:is_a B"]),
    "callout, two in a line": ("> [!edge] a: [[A]] b: [[B]]", ["callout:a A", "callout:b B"]),
    "callout, mark again": ("> [!edge] a: [[A]]\n> [!edge] b: [[B]]",
                            ["callout:a A", "callout:b B"]),
    "callout, German": ("> [!edge] beeinflusst von: [[Ä]]\n> führt zu: [[Ö]]",
                        ["callout:beeinflusst_von Ä", "callout:führt_zu Ö"]),
    "callout in a quote": ("> text\n> > [!edge] a: [[A]]\n> [[B]]", ["callout:a A", "B"]),
    "another callout": ("> [!note] a: [[A]]", ["A"]),
    "inline within a callout": ("> [!edge] a: [[rel:b A]] [[B]]", ["rel:b A", "callout:a B"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_relations(text: str, expected: list[str], eol: str) -> None:
    assert links(parse(text.replace("\n", eol))) == expected


def test_kinds_are_mentioned_once_each() -> None:
    text = (
        "---\ndepends-on: [A]\n---\n[[rel:blocks A]] rel: part_of [[A]] [[B]]\n\n"
        "up:: [[A]], [[B]]\n\n> [!edge] a: [[A]]\n> [[B]]\n\nnote:: none\n"
    )
    assert [(kind.raw, kind.kind, kind.origin) for kind in parse(text).kinds] == [
        ("depends-on", "depends_on", "frontmatter"),
        ("blocks", "blocks", "rel"),
        ("part_of", "part_of", "rel"),
        ("up", "up", "field"),
        ("a", "a", "callout"),
    ]


def test_a_kind_without_a_target_is_a_mention_only() -> None:
    note = parse("[[rel:depends_on ]]")
    assert note.links == ()
    assert [(kind.raw, kind.col) for kind in note.kinds] == [("depends_on", 6)]


@pytest.mark.parametrize("quote", ["'", '"', ""])
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_kinds_within_links_of_the_frontmatter_are_mentioned(quote: str, eol: str) -> None:
    text = (
        f"---\nsee: {quote}[[rel:depends-on A]]{quote}\n"
        f"related_to:\n  - {quote}[[rel:blocks Ä|x]]{quote}\n  - {quote}[[B]]{quote}\n"
        f"up: {quote}[[rel:part_of]]{quote}\n---\n"
    )
    note = parse(text.replace("\n", eol))
    assert links(note) == ["frontmatter:depends_on A", "frontmatter:blocks Ä|x",
                           "frontmatter:related_to B"]  # fmt: skip
    assert [(kind.raw, kind.kind, kind.origin) for kind in note.kinds] == [
        ("depends-on", "depends_on", "rel"),
        ("related_to", "related_to", "frontmatter"),
        ("blocks", "blocks", "rel"),
        ("part_of", "part_of", "rel"),
    ]


FIELDS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "line": ("key:: some value ", [("key", "some value")]),
    "empty": ("key::", [("key", "")]),
    "inline": ("a [due:: 2031-01-02] b (x y:: (z) w) c", [("due", "2031-01-02"), ("x y", "(z) w")]),
    "inline, no blank": (
        "a [due::2031-01-02] std::vector (a::b)",
        [("due", "2031-01-02"), ("a", "b")],
    ),
    "emoji and umlaut": ("Größe:: 5 m", [("Größe", "5 m")]),
    "no key": (":: x", []),
    "number": ("12:: x", []),
    "code": ("std::vector\n`a:: b`\n```\na:: b\n```", []),
    "heading of a table": ("| a:: b |", []),
}


@pytest.mark.parametrize(("text", "expected"), FIELDS.values(), ids=FIELDS.keys())
def test_fields(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(field.key, field.value) for field in parse(text).fields] == expected
