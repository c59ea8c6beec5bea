"""What is found wrong, and exactly where."""

from __future__ import annotations

import pytest

from core.settings import DiagnosticSettings
from tests.core.features.kit import Vault, findings

PUMP = "\n//- /Pump.md\n# Yes\n\ntext ^b1\n"

CASES: dict[str, tuple[str, list[str]]] = {
    "emoji": ("🚢🚢 see [[Pump]] and [[Gone]]", ["0:22-26 unresolved-link"]),
    "crlf lines": ("# T\n\n[[Pump]]\n[[Gone]]\n", ["3:2-6 unresolved-link"]),
    "frontmatter counts": ("---\ntitle: G\n---\n# G\n\n[[Gone]]", ["5:2-6 unresolved-link"]),
    "empty frontmatter": ("---\n---\n# Test\n\n[[Gone]]", ["4:2-6 unresolved-link"]),
    "only the fragment": (
        "[k](./Pump.md#nope) [[Pump#Nope]]",
        ["0:14-18 unresolved-heading", "0:27-31 unresolved-heading"],
    ),
    "own headings": (
        "# Here\n[[#Nope]] [[w#Nope]] [[#Here]]",
        ["1:3-7 unresolved-heading", "1:14-18 unresolved-heading"],
    ),
    "block": ("[[Pump#^b1]] [[Pump#^b2]]", ["0:20-23 unresolved-block"]),
    "alias and embed": (
        "![[Gone|x]] [[Gone#H]]",
        ["0:3-7 unresolved-link", "0:14-18 unresolved-link"],
    ),
    "each of several": ("[[Gone]] [[Gone]]", ["0:2-6 unresolved-link", "0:11-15 unresolved-link"]),
    "markdown": ("[x](gone.md) [y](Pump.md)", ["0:4-11 unresolved-link"]),
    "external": (
        "[x](https://ex.org/q?s=a%20b.md) [y](<https://ex.org/a b.md>) [z](magnet:?xt=1) "
        "[m](mailto:k@ex.org) <https://ex.org/n.md>",
        [],
    ),
    "code": ("`[[Nowhere]]`\n\n```\n[[Nowhere]]\n```\n\n    [[Nowhere]]\n", []),
    "brackets are no links": ("She praised [the harbour] and [1].[^a]\n\n[^a]: later\n", []),
    "unclosed": ("[[Gon", []),
    "letter case": ("[[PUMP]]", []),
    "attachments": ("![[missing.png]] [x](doc.pdf)", []),
    "relation": ("[[rel:depends_on Gone]]", ["0:17-21 unresolved-link"]),
    "table": ("| a |\n|---|\n| [[Pump\\|main]] |", []),
    "unknown relation": ("[[rel:depends_onn Pump]]", ["0:6-17 unknown-relation"]),
    "own relation used twice": ("[[rel:likes Pump]] [[rel:likes Pump]]", []),
    "unknown field is no relation": ("up:: [[Pump]]", []),
    "unknown type": ("---\ntype: concpt\n---\n", ["1:6-12 unknown-type"]),
    "known type": ("---\ntype: Concept\n---\n", []),
    "quoted link": ('---\nup: "[[Gone]]"\n---\n', ["1:7-11 unresolved-link"]),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_findings(text: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(f"//- /w.md\n{text}{PUMP}", eol=eol)
    assert findings(vault.diagnose(types=("concept", "task"))) == expected


def test_ambiguous() -> None:
    source = "//- /top.md\n[[Intro]]\n//- /y/Intro.md\n\n//- /x/Intro.md\n\n"
    (found,) = Vault.of(source).diagnose()
    assert (found.code, found.severity) == ("ambiguous-link", "information")
    assert findings([found]) == ["0:2-7 ambiguous-link"]
    assert [related.path for related in found.related] == ["x/Intro.md", "y/Intro.md"]
    assert Vault.of(source.replace("top.md", "y/Read.md")).diagnose() == ()
    assert Vault.of(source.replace("[[Intro]]", "[[x/Intro]]")).diagnose() == ()


def test_duplicate_id() -> None:
    source = "//- /a.md\n---\nid: one\n---\n//- /b.md\n---\ntitle: B\nid: one\n---\n"
    (found,) = Vault.of(source).diagnose()
    assert findings([found]) == ["1:4-7 duplicate-id"]
    (related,) = found.related
    assert related.path == "b.md"
    assert related.place is not None
    assert related.place.line == 2


def test_reversed_links_are_understood() -> None:
    source = (
        "//- /a.md\n[[Some words|dendron.ref.note]] [[Words|dendron.ref.note#yes]] "
        "[[Words|dendron.ref.note#no]]\n//- /dendron.ref.note.md\n# Yes\n"
    )
    assert findings(Vault.of(source).diagnose()) == ["0:88-90 unresolved-heading"]


def test_the_missing_side_of_a_reversed_link() -> None:
    source = "//- /a.md\n[[Some words|ref.note]] [[here|ref.gone#x]]\n//- /ref.note.md\n"
    (found,) = Vault.of(source).diagnose()
    assert findings([found]) == ["0:31-39 unresolved-link"]
    assert found.message == "No note is called “ref.gone”"


@pytest.mark.parametrize(
    ("locale", "message"),
    [("en", "No note is called “Gone”"), ("de", "Keine Notiz heißt „Gone“")],
)
def test_language(locale: str, message: str) -> None:
    (found,) = Vault.of("//- /a.md\n[[Gone]]\n").diagnose(locale)  # type: ignore[arg-type]
    assert found.message == message


def test_severities() -> None:
    vault = Vault.of("//- /a.md\n[[Gone]] [[#No]]\n")
    settings = DiagnosticSettings(unresolved_link="off", unresolved_heading="error")
    assert [(item.code, item.severity) for item in vault.diagnose(settings=settings)] == [
        ("unresolved-heading", "error")
    ]


FRONTMATTER: dict[str, tuple[str, list[str]]] = {
    "colon in a title": ("---\ntitle: Dams: a start\naliases: [Dam book]\n---\n", ["1:7-20"]),
    "reserved character": ("---\ntitle: x\nauthor: @kim\n---\n", ["2:8-12"]),
    "tab": ("---\na: 1\nb:\n  * x\n\t- y\n---\n", ["4:0-4"]),
    "comment": ("---\ntitle: Ticket #12\n---\n", ["1:7-17"]),
    "no mapping": ("---\n- a\n---\n", ["1:0-3"]),
    "text around a link": ("---\nup: [[A]] b\n---\n", ["1:4-11"]),
    "open quote": ('---\nt: "abc\n---\n', ["1:0-7"]),
    "duplicate key": ("---\naliases: [A]\ntitle: T\naliases: [B]\n---\n", ["3:0-7"]),
}


@pytest.mark.parametrize(("text", "expected"), FRONTMATTER.values(), ids=FRONTMATTER.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_frontmatter(text: str, expected: list[str], eol: str) -> None:
    found = Vault.of(f"//- /n.md\n{text}", eol=eol).diagnose()
    problems = [item for item in found if item.code != "unresolved-link"]
    assert findings(problems) == [f"{at} invalid-frontmatter" for at in expected]
    for locale in ("en", "de"):
        for item in Vault.of(f"//- /n.md\n{text}").diagnose(locale):  # type: ignore[arg-type]
            assert item.message
            assert "{" not in item.message


@pytest.mark.parametrize(
    ("line", "severity"),
    [("title: a: b", "error"), ("title: Ticket #12", "hint"), ("title: x\ntitle: y", "warning")],
)
def test_what_is_valid_but_hardly_meant_weighs_less(line: str, severity: str) -> None:
    (found,) = Vault.of(f"//- /n.md\n---\n{line}\n---\n").diagnose()
    assert found.severity == severity


def test_a_repeated_key_points_to_the_first() -> None:
    (found,) = Vault.of("//- /n.md\n---\na: 1\nb: 2\na: 3\n---\n").diagnose()
    (related,) = found.related
    assert related.place is not None
    assert (related.path, related.place.line, related.place.raw) == ("n.md", 1, "a")


EVERYTHING = DiagnosticSettings(missing_field="warning")


@pytest.mark.parametrize(
    ("text", "missing", "at"),
    [
        ("# No frontmatter\n", "title, id, type, status, created", "0:0-0"),
        ("", "title, id, type, status, created", "0:0-0"),
        ("---\ntitle: x\nID: 1\ntype: task\n---\n", "status, created", "0:0-3"),
        ("---\ntitle: x\nid: 1\ntype: task\nstatus:\ncreated: ''\n---\n", "status", "0:0-3"),
        ("---\ntitle: a: b\nid: 1\n---\n", "type, status, created", "0:0-3"),
    ],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_missing_fields_are_named_once(text: str, missing: str, at: str, eol: str) -> None:
    vault = Vault.of(f"//- /n.md\n{text}", eol=eol)
    assert [item.code for item in vault.diagnose() if item.code == "missing-field"] == []
    found = [item for item in vault.diagnose(settings=EVERYTHING) if item.code == "missing-field"]
    assert findings(found) == [f"{at} missing-field"]
    assert found[0].data == {"fields": missing}
    assert found[0].message.endswith(missing)
    assert found[0].severity == "warning"


def test_nothing_is_missing() -> None:
    text = "---\ntitle: x\nid: 1\ntype: t\nstatus: done\ncreated: 2031-01-01\n---\n"
    assert Vault.of(f"//- /n.md\n{text}").diagnose(settings=EVERYTHING) == ()


def test_a_deprecated_field() -> None:
    (found,) = Vault.of("//- /n.md\n---\nid: n\nLinks: [a, b]\n---\n").diagnose()
    assert findings([found]) == ["2:0-5 deprecated-field"]
    assert (found.severity, found.deprecated) == ("hint", True)
    assert "related_to" in found.message
    assert Vault.of("//- /n.md\n---\nlinks:\nlink: a\n---\n").diagnose() == ()


def test_a_mark_in_a_name_is_no_heading() -> None:
    source = (
        "//- /a.md\n[[Talk #24 — x]] [[Talk #24 — x|t]] [[Talk #25]] [[Words|#here]] [[W|#no]]\n\n"
        "## Here\n//- /sub/Talk #24 — x.md\n# T\n"
    )
    vault = Vault.of(source)
    assert findings(vault.diagnose()) == ["0:38-42 unresolved-link", "0:67-68 unresolved-link"]
