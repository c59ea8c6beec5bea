"""Relation kinds, inline fields, callouts, and which notes a relation leads to."""

from __future__ import annotations

import pytest

from core.config.load import load_config
from tests.core.features.completion_kit import check, offered
from tests.core.features.kit import Vault

PUMP = "\n//- /Pump.md\n# Pump\n"

ACCEPTED: dict[str, tuple[str, str, str]] = {
    "kind outside": ("rel: dep$0", "depends_on", "rel: depends_on "),
    "kind without a blank": ("rel:dep$0", "depends_on", "rel:depends_on "),
    "kind in front of a link": ("rel: dep$0 [[A]]", "depends_on", "rel: depends_on [[A]]"),
    "kind mid-word": ("rel: dep$0ends", "depends_on", "rel: depends_on "),
    "kind by its label": ("rel: is rel$0", "", ""),
    "in a sentence": ("🚢 It is rel: rela$0", "related_to", "🚢 It is rel: related_to "),
    "target outside": ("rel: depends_on $0", "Pump", "rel: depends_on [[Pump]]"),
    "target typed": ("rel:depends_on Pu$0", "Pump", "rel:depends_on [[Pump]]"),
    "second target": ("rel: blocks [[A]], $0", "Pump", "rel: blocks [[A]], [[Pump]]"),
    "target in brackets": ("rel:blocks [[Pu$0]]", "Pump", "rel:blocks [[Pump]]"),
    "kind in brackets": ("[[rel:dep$0]]", "depends_on", "[[rel:depends_on ]]"),
    "kind in brackets with a target": (
        "[[rel:dep$0 Pump]]", "depends_on", "[[rel:depends_on Pump]]",
    ),
    "field": ("dep$0", "depends_on::", "depends_on:: "),
    "field after a colon": ("dep:$0", "depends_on::", "depends_on:: "),
    "field after its name": ("Depends:$0", "depends_on::", "depends_on:: "),
    "field in an item": ("- [ ] dep$0", "depends_on::", "- [ ] depends_on:: "),
    "field in a quote": ("> dep$0", "depends_on::", "> depends_on:: "),
    "field in round brackets": ("text (dep$0)", "depends_on::", "text (depends_on:: )"),
    "field in square brackets": ("text [dep$0]", "depends_on::", "text [depends_on:: ]"),
    "field with colons there": ("dep$0::", "depends_on::", "depends_on:: "),
    "field with a value there": ("dep$0:: [[A]]", "depends_on::", "depends_on:: [[A]]"),
    "field target": ("depends_on:: $0", "Pump", "depends_on:: [[Pump]]"),
    "field target without a blank": ("depends_on::$0", "Pump", "depends_on:: [[Pump]]"),
    "field target typed": ("depends_on:: pu$0", "Pump", "depends_on:: [[Pump]]"),
    "field target in brackets": ("x (blocks:: [[Pu$0]])", "Pump", "x (blocks:: [[Pump]])"),
    "another field target": (
        "depends_on:: [[A]], $0", "Pump", "depends_on:: [[A]], [[Pump]]",
    ),
    "callout": ("> [!ti$0", "[!tip]", "> [!tip] "),
    "callout closed": ("> [!ti$0]", "[!tip]", "> [!tip] "),
    "callout with a title": ("> [!ti$0] Careful", "[!tip]", "> [!tip] Careful"),
    "callout folded": ("> [!ti$0]- Careful", "[!tip]", "> [!tip]- Careful"),
    "callout mid-word": ("> [!no$0te] x", "[!note]", "> [!note] x"),
    "callout from the mark": (">$0", "[!edge]", "> [!edge] "),
    "callout from a bracket": ("> [$0]", "[!note]", "> [!note] "),
    "callout in an item": ("- > [!wa$0", "[!warning]", "- > [!warning] "),
    "nested callout": ("> [!note]\n> > [!wa$0", "[!warning]", "> [!note]\n> > [!warning] "),
    "kind in an edge callout": ("> [!edge]\n> dep$0", "depends_on", "> [!edge]\n> depends_on: "),
    "kind behind the mark": ("> [!edge] rel$0", "related_to", "> [!edge] related_to: "),
    "kind in front of its colon": (
        "> [!edge]\n> dep$0: [[A]]", "depends_on", "> [!edge]\n> depends_on: [[A]]",
    ),
    "second kind in a line": (
        "> [!edge]\n> blocks: [[A]] dep$0", "depends_on", "> [!edge]\n> blocks: [[A]] depends_on: ",
    ),
    "target in an edge callout": (
        "> [!edge]\n> depends_on: $0", "Pump", "> [!edge]\n> depends_on: [[Pump]]",
    ),
    "link in an edge callout": (
        "> [!EDGE]- Title\n> depends_on: [[Pu$0]]", "Pump",
        "> [!EDGE]- Title\n> depends_on: [[Pump]]",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "label", "expected"), ACCEPTED.values(), ids=ACCEPTED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_accepting(text: str, label: str, expected: str, eol: str) -> None:
    if not label:
        assert offered(f"//- /c.md\n{text}{PUMP}") == []
        return
    check(f"//- /c.md\n{text}{PUMP}", label, expected, eol=eol)


NOTHING = {
    "a word": "Dep$0",
    "one letter": "d$0",
    "in a sentence": "we dep$0",
    "no kind": "- milk$0",
    "a word with a colon": "Note:$0",
    "a sentence with a colon": "It depends:$0",
    "an address": "http:$0",
    "a time": "12:$0",
    "code": "std::$0",
    "a field of words": "rating:: $0",
    "a field of words, typed": "rating:: go$0",
    "a second line of a quote": "> text\n> $0",
    "a second line of a callout": "> [!note]\n> $0",
    "a quote with text": "> $0text",
    "in a fence": "```\nrel: $0\n```",
    "a field in a fence": "```\ndepends_on:: $0\n```",
    "in code": "`rel: $0`",
    "in a comment": "<!-- rel: $0 -->",
    "in Obsidian's comment": "%% [[Pu$0 %%",
    "a link in a comment": "<!--\n[[Pu$0\n-->",
    "a checkbox": "- [$0",
    "behind a word": "xrel: $0",
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING.keys())
def test_nothing_in_plain_text(text: str) -> None:
    assert Vault.of(f"//- /c.md\n{text}{PUMP}").complete() == ((), False)


def test_behind_a_comment_all_is_well() -> None:
    assert "Pump" in offered("//- /c.md\n<!-- x --> %%y%% [[Pu$0" + PUMP)


TYPED_VAULT = """
//- /a.md
[[rel:depends_on Tank]] [[rel:depends_on Pump]] [[rel:references Zoe]]
//- /b.md
depends_on:: [[Tank]]
//- /Tank.md
---
type: concept
---
//- /Pump.md
---
type: concept
---
//- /Plan.md
---
type: project
---
[[Paula]] [[Paula]] [[Paula]] [[Paula]]
//- /Paula.md
---
type: person
---
//- /Zoe.md
---
type: person
---
"""


@pytest.mark.parametrize(
    "text",
    [
        "[[rel:depends_on $0]]",
        "rel: depends_on [[$0]]",
        "rel: depends_on $0",
        "depends_on:: [[$0]]",
        "(depends_on:: [[$0",
        "Depends on:: [[$0",
        "> [!edge]\n> depends_on: [[$0]]",
        "> [!edge] depends_on: [[$0]]",
        "> [!edge]\n> depends_on: [[Tank]]\n> [[$0]]",
        "---\ndepends_on: $0\n---",
        '---\ndepends_on:\n  - "[[$0]]"\n---',
    ],
)
def test_targets_of_the_usual_type_go_first(text: str) -> None:
    labels = offered(f"//- /c.md\n{text}\n{TYPED_VAULT}")
    assert labels[:2] == ["Tank", "Pump"]
    assert offered(f"//- /c.md\n[[$0\n{TYPED_VAULT}")[0] == "Paula", "the most linked, else"


def test_a_better_name_goes_before_a_better_type() -> None:
    vault = "//- /c.md\n[[rel:depends_on p$0\n" + TYPED_VAULT
    assert offered(vault)[:3] == ["Pump", "Paula", "Plan"]
    assert offered(vault.replace(" p$0", " plan$0"))[0] == "Plan"


def test_types_of_targets_can_be_configured() -> None:
    """`assigned_to` leads to people, before anybody has used it."""
    vault = "//- /c.md\n[[rel:assigned_to $0\n//- /A.md\n[[A]]\n" + TYPED_VAULT
    relations = load_config().relations
    assert offered(vault, relations=relations)[:2] == ["Paula", "Zoe"]
    assert offered(vault.replace("assigned_to", "supports"), relations=relations)[:2] == [
        "Paula", "Tank",
    ]  # fmt: skip


def test_one_use_is_no_custom() -> None:
    vault = "//- /c.md\n[[rel:odd $0\n//- /a.md\n[[rel:odd Zoe]]\n" + TYPED_VAULT
    assert offered(vault)[0] == "Paula"


def test_what_is_typed_is_no_kind_yet() -> None:
    assert offered("//- /c.md\nrel: odd$0 [[A]]\n//- /b.md\nrel: odd_one [[A]]\n") == ["odd_one"]
    assert offered("//- /c.md\n> [!od$0]\n//- /b.md\n> [!odd]\n")[:1] == ["[!odd]"]


def test_callouts_say_what_they_are_and_how_often() -> None:
    vault = Vault.of("//- /c.md\n> [!$0\n//- /b.md\n> [!mine]\n\n> [!tip]\n\n> [!tip]\n")
    items = {item.label: item for item in vault.complete(locale="de").items}
    assert list(items)[:3] == ["[!tip]", "[!mine]", "[!edge]"]
    assert (items["[!tip]"].detail, items["[!tip]"].description) == ("ein Tipp", "2 ×")
    assert items["[!edge]"].detail == "Beziehungen dieser Notiz"


def test_a_kind_asks_for_its_target_next() -> None:
    for text in ("rel: dep$0", "dep:$0", "[[rel:dep$0", "> [!edge]\n> dep$0"):
        assert [item.again for item in Vault.of(text).complete().items[:1]] == [True]
    assert not Vault.of("[[dep$0\n//- /dep.md\n").complete().items[0].again
