"""Frontmatter: fences, values with their places, what is wrong, and what comes through."""

from __future__ import annotations

import pytest

from core.parse import parse_note
from tests.core.parse.kit import at, links, parse

FENCES: dict[str, tuple[str, bool]] = {
    "plain": ("---\na: b\n---\n", True),
    "blanks behind": ("---  \na: b\n---\t\n", True),
    "empty": ("---\n---\n", True),
    "blank lines": ("---\n\n---\nx", True),
    "comment alone": ("---\n# x\n---\nx", True),
    "at the end": ("---\na: b\n---", True),
    "never closed": ("---\na: b\n", False),
    "four dashes": ("----\na: b\n----\n", False),
    "closed by four": ("---\na: b\n----\n", False),
    "not in the first line": ("\n---\na: b\n---\n", False),
    "indented": (" ---\na: b\n---\n", False),
    "text between rules": ("---\nJust some text.\n---\n", False),
    "list between rules": ("---\n- a\n- b\n---\n", False),
    "a JSON object": ('{"a": 1}\n---\n', False),
}


@pytest.mark.parametrize(("text", "expected"), FENCES.values(), ids=FENCES.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_fences(text: str, expected: bool, eol: str) -> None:
    text = text.replace("\n", eol)
    note = parse(text)
    assert (note.frontmatter is not None) == expected
    if note.frontmatter is None:
        assert (note.body_start, note.body_line) == (0, 0)
    else:
        assert text[: note.frontmatter.end].rstrip(" \t").endswith("---")
        assert note.frontmatter.valid
        assert text[note.body_start :] in ("", "x")


def test_lines_are_those_of_the_file() -> None:
    front = parse("---\ntitle: Gauge\n# reviewed in spring\n---\n# Gauge room\n\n[[Gone]]\n")
    assert [(h.text, h.line) for h in front.headings] == [("Gauge room", 4)]
    assert [at(link) for link in front.links] == ["6:0-8"]
    assert front.title == "Gauge"
    empty = parse("---\n---\n# Test\n\n[[Gone]]\n")
    assert [(h.text, h.line) for h in empty.headings] == [("Test", 2)]
    assert [at(link) for link in empty.links] == ["4:0-8"]


def test_carriage_returns_are_in_nothing() -> None:
    note = parse(
        "---\r\ntitle: T\r\naliases:\r\n  - A\r\nx: |\r\n  a\r\n  b\r\n---\r\n# T\r\n\r\n[[P]]\r\n"
    )
    assert note.title == "T"
    assert note.aliases == ("A",)
    assert [heading.text for heading in note.headings] == ["T"]
    assert note.frontmatter is not None
    assert [value.text for p in note.frontmatter.properties for value in p.values] == [
        "T", "A", "a\nb\n",
    ]  # fmt: skip


def test_links_in_values() -> None:
    text = '---\nrelated: [[Foo]]\nparent: "[[Bar|b]]"\nlist:\n  - [[Baz]]\n---\n'
    note = parse(text)
    assert [f"{link.key} {link.relation} {link.raw} {at(link)}" for link in note.links] == [
        "related related [[Foo]] 1:9-16",
        "parent parent [[Bar|b]] 2:9-18",
        "list list [[Baz]] 4:4-11",
    ]
    assert [link.target for link in note.links] == ["Foo", "Bar", "Baz"]
    assert note.links[1].alias == "b"
    assert note.problems == ()
    assert note.frontmatter is not None
    assert [
        (p.key, p.is_list, [v.text for v in p.values]) for p in note.frontmatter.properties
    ] == [
        ("related", False, ["[[Foo]]"]),
        ("parent", False, ["[[Bar|b]]"]),
        ("list", True, ["[[Baz]]"]),
    ]


LINKS: dict[str, tuple[str, list[str]]] = {
    "text in relations": (
        'depends_on: [id-1, "Some title", "[[A]]"]',
        ["frontmatter:depends_on text id-1", "frontmatter:depends_on text Some title",
         "frontmatter:depends_on A"],
    ),
    "scalar": ("assigned_to: Kim", ["frontmatter:assigned_to text Kim"]),
    "other spelling": ("Depends-On: X", ["frontmatter:depends_on text X"]),
    "text elsewhere": ("author: Kim", []),
    "no value": ("depends_on:\nassigned_to: ~", []),
    "address": ("depends_on: https://x.org", []),
    "several in one value": ('up: "[[A]] and [[B]]"', ["frontmatter:up A", "frontmatter:up B"]),
    "Markdown": ('up: "[a](x/A.md)"', ["frontmatter:up mdlink x/A.md|a"]),
    "flow of unquoted links": ("up: [[[A]], [[B]]]", ["frontmatter:up A", "frontmatter:up B"]),
    "unquoted links side by side": ("up: [[A]], [[B]]", ["frontmatter:up A", "frontmatter:up B"]),
    "unquoted, alias and colon": ("up: [[A: b|c]]", ["frontmatter:up A: b|c"]),
    "folded": ("up: >\n  [[A]]\n  [[B]]", ["frontmatter:up A", "frontmatter:up B"]),
    "nested": ("up:\n  deep: \"[[A]]\"", []),
    "relation in the link": ('up: "[[rel:blocks A]]"', ["frontmatter:blocks A"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LINKS.values(), ids=LINKS.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_links_by_key(text: str, expected: list[str], eol: str) -> None:
    assert links(parse(f"---\n{text}\n---\n".replace("\n", eol))) == expected


def test_known_kinds_make_text_a_link() -> None:
    text = "---\ninspired_by: Some book\nauthor: Kim\n---\n"
    (link,) = parse_note("a.md", text, known_kinds=("Inspired by",)).links
    assert (link.form, link.target, link.relation) == ("text", "Some book", "inspired_by")


def test_quoted_text_links() -> None:
    (link,) = parse("---\ndepends_on: 'A b'\n---\n").links
    assert (link.raw, link.target) == ("'A b'", "A b")
    assert link.raw[link.target_at : link.target_end] == "A b"


def test_scalars_are_strings() -> None:
    note = parse(
        "---\nid: 0123\ntags: 2031\naliases: [NO, 1.10, 2031-03-01]\ntime: 12:30\non: yes\n---\n"
    )
    assert note.note_id == "0123"
    assert note.aliases == ("NO", "1.10", "2031-03-01")
    assert note.tags == ()
    assert note.frontmatter is not None
    assert [(p.key, *(v.text for v in p.values)) for p in note.frontmatter.properties] == [
        ("id", "0123"), ("tags", "2031"), ("aliases", "NO", "1.10", "2031-03-01"),
        ("time", "12:30"), ("on", "yes"),
    ]  # fmt: skip
    assert note.problems == ()


PROBLEMS: dict[str, tuple[str, list[str]]] = {
    "duplicate key": ("aliases: [First]\ntitle: T\naliases: [Second]",
                      ["3:0-7 duplicate-key 'aliases' see 1"]),
    "colon": ("title: Dams: a start\naliases: [Dam book]",
              ["1:7-20 unquoted-colon 'Dams: a start'"]),
    "colon in an item": ("list:\n  - a: b: c", ["2:4-11 unquoted-colon 'a: b: c'"]),
    "colon, then a comment": ("title: a: b # c", ["1:7-11 unquoted-colon 'a: b'"]),
    "comment cuts": ("title: Ticket #12", ["1:7-17 comment-cuts-value '#12'"]),
    "comment is all": ("title: #12", ["1:7-10 comment-cuts-value '#12'"]),
    "a real comment": ("title: T # twelve\n# x\nb:  # y", []),
    "reserved": ("author: @kim\nx: `y`",
                 ["1:8-12 reserved-character '@'", "2:3-6 reserved-character '`'"]),
    "reserved in an item": ("list:\n  - ok\n  - %x", ["3:4-6 reserved-character '%'"]),
    "tab": ("rank: 3\ntopics:\n  * star\n\t- tab\nempty:", ["4:0-6 tab-indent ''"]),
    "links side by side": ("up: [[A]], [[B]]", ["1:4-16 unquoted-link '[[A]], [[B]]'"]),
    "open quote": ("title: 'a\nb: c", ["1:0-9 yaml-syntax"]),
    "open list": ("a: [b\nc: d", ["1:0-5 yaml-syntax"]),
    "text behind a quote": ('a: "b" c', ["1:0-8 yaml-syntax"]),
    "line without a key": ("a: b\nfoo", ["2:0-3 yaml-syntax"]),
    "no mapping": ("- a\n- b", ["1:0-3 not-a-mapping ''"]),
    "wide": ("ü: 🚢\nt: 🚢: x", ["2:3-7 unquoted-colon '🚢: x'"]),
    "fine": ("a: b\nc: 'd: e'\nf: [g, h]\ni: {j: k}\nl: |\n  m: n: o\np: http://x.org/#y", []),
    "placeholder": ("title: {{title}}\ndate: {{date:YYYY-MM-DD}}", []),
    "empty": ("", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PROBLEMS.values(), ids=PROBLEMS.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_problems(text: str, expected: list[str], eol: str) -> None:
    note = parse(f"---\n{text}\n---\n".replace("\n", eol))
    found = []
    for problem in note.problems:
        assert problem.code == "invalid-frontmatter"
        shown = f"{at(problem)} {problem.reason}"
        if problem.reason != "yaml-syntax":
            shown += f" {problem.detail!r}"
        if problem.other_line >= 0:
            shown += f" see {problem.other_line}"
        found.append(shown)
    assert found == expected


def test_one_bad_value_costs_only_itself() -> None:
    note = parse(
        "---\ntitle: Dams: a start\naliases: [Dam book]\nid: x1\ntype: source\ntags:\n  - a\n"
        'author: @kim\nup: "[[A]]"\n---\n# H\n[[B]]\n'
    )
    assert note.frontmatter is not None
    assert not note.frontmatter.valid
    assert (note.title, note.note_id, note.type) == ("Dams: a start", "x1", "source")
    assert note.aliases == ("Dam book",)
    assert [tag.name for tag in note.tags] == ["a"]
    assert [link.target for link in note.links] == ["A", "B"]


def test_title_of_a_broken_block() -> None:
    note = parse("---\nrank: 3\ntopics:\n  * star\n\t- tab\nempty:\n---\n\n# Keep\n[[A]]\n")
    assert note.title == "Keep"
    assert len(note.problems) == 1
    assert [link.target for link in note.links] == ["A"]


def test_both_of_two_aliases_count() -> None:
    note = parse("---\naliases: [First]\ntitle: T\naliases: [Second]\n---\n")
    assert note.aliases == ("First", "Second")


TITLES: dict[str, tuple[str, str]] = {
    "frontmatter": ("---\ntitle: A\n---\n# B", "A"),
    "quoted": ("---\ntitle: 'A: b'\n---\n# B", "A: b"),
    "cut by a comment": ("---\ntitle: Ticket #12\nauthor: @kim\n---\n# Ticket twelve", "Ticket"),
    "nothing but a comment": ("---\ntitle: #12\n---\n# B", "B"),
    "null": ("---\ntitle: ~\n---\n# B", "B"),
    "empty": ('---\ntitle: ""\n---\n# B', "B"),
    "list": ("---\ntitle: [A, B]\n---\n", "A"),
    "mapping": ("---\ntitle: {a: b}\n---\n# B", "B"),
    "two lines": ("---\ntitle: >\n  A\n  b\n---\n", "A b"),
    "first H1": ("## A\n# B\n# C", "B"),
    "empty H1": ("#\n# B", "B"),
    "stem": ("text", "the note"),
}


@pytest.mark.parametrize(("text", "expected"), TITLES.values(), ids=TITLES.keys())
def test_title(text: str, expected: str) -> None:
    assert parse(text, "x/the note.md").title == expected


TAGS: dict[str, tuple[str, list[str]]] = {
    "list": ("tags: [a, '#b', c/d]", ["1:7-8 a", "1:12-13 b", "1:16-19 c/d"]),
    "items": ('tags:\n  - a\n  - "b"', ["2:4-5 a", "3:5-6 b"]),
    "commas": ("tags: a, b,c", ["1:6-7 a", "1:9-10 b", "1:11-12 c"]),
    "blanks": ("tag: a b", ["1:5-6 a", "1:7-8 b"]),
    "hash in quotes": ("tags: '#a #b'", ["1:8-9 a", "1:11-12 b"]),
    "digits": ("tags: [2031, 2031a]", ["1:13-18 2031a"]),
    "null": ("tags: null", []),
    "upper case key": ("Tags: x", ["1:6-7 x"]),
}


@pytest.mark.parametrize(("text", "expected"), TAGS.values(), ids=TAGS.keys())
def test_tags(text: str, expected: list[str]) -> None:
    tags = parse(f"---\n{text}\n---\n").tags
    assert [f"{at(tag)} {tag.name}" for tag in tags] == expected
    assert all(tag.in_frontmatter for tag in tags)


ALIASES: dict[str, tuple[str, tuple[str, ...]]] = {
    "list": ("aliases: [A b, C]", ("A b", "C")),
    "scalar": ("alias: A b", ("A b",)),
    "commas": ("aliases: A b, C", ("A b", "C")),
    "quoted comma": ('aliases: "Doe, Jo"', ("Doe, Jo",)),
    "empty items": ("aliases:\n  -\n  - A\n  - ''", ("A",)),
    "twice": ("aliases: [A, A]", ("A",)),
}


@pytest.mark.parametrize(("text", "expected"), ALIASES.values(), ids=ALIASES.keys())
def test_aliases(text: str, expected: tuple[str, ...]) -> None:
    assert parse(f"---\n{text}\n---\n").aliases == expected


def test_last_lines() -> None:
    note = parse("---\na: b\nc:\n  - d\n  - e\nf:\n  g:\n    h: i\nj: |\n  k\n---\n")
    assert note.frontmatter is not None
    assert [(p.key, p.line, p.last_line) for p in note.frontmatter.properties] == [
        ("a", 1, 1), ("c", 2, 4), ("f", 5, 7), ("j", 8, 9),
    ]  # fmt: skip


def test_endless_frontmatter_is_read_up_to_a_point() -> None:
    note = parse_note("a.md", "---\n" + "".join(f"k{at}: v\n" for at in range(3000)) + "---\n# H\n")
    assert note.frontmatter is not None
    assert len(note.frontmatter.properties) == 2000
    assert [(p.reason, p.raw) for p in note.problems] == [("too-many-keys", "k1999")]
    assert [heading.line for heading in note.headings] == [3002]
