"""What completion offers, and what the text is after it is accepted."""

from __future__ import annotations

from typing import Any

import pytest

from core.config.load import load_config
from core.features.completion_resolve import documentation
from core.features.document import Document
from core.features.hover_context import HoverContext
from core.features.ranking import is_scattered
from core.features.results import Markup
from core.model import Note
from core.settings import DEFAULTS
from core.text import fold
from tests.core.features.kit import RELATIONS, Vault

HARBOUR = """
//- /Harbour.md
# Harbour
"""

ACCEPTED: list[tuple[str, str, str, str]] = [
    # (name, source, label, text afterwards)
    ("closed", "//- /c.md\n[[Ha$0]]" + HARBOUR, "Harbour", "[[Harbour]]"),
    ("open", "//- /c.md\n[[Ha$0" + HARBOUR, "Harbour", "[[Harbour]]"),
    ("alias follows", "//- /c.md\n[[Ha$0|port]]" + HARBOUR, "Harbour", "[[Harbour|port]]"),
    ("open with alias", "//- /c.md\n[[Ha$0|port" + HARBOUR, "Harbour", "[[Harbour|port"),
    ("heading follows", "//- /c.md\n[[Ha$0#Quay]]" + HARBOUR, "Harbour", "[[Harbour#Quay]]"),
    ("one bracket closed", "//- /c.md\n[[Ha$0]" + HARBOUR, "Harbour", "[[Harbour]]"),
    ("nothing typed", "//- /c.md\n[[$0]]" + HARBOUR, "Harbour", "[[Harbour]]"),
    ("text behind", "//- /c.md\n[[Ha$0 and more" + HARBOUR, "Harbour", "[[Harbour]] and more"),
    ("mid-word", "//- /c.md\n[[Ha$0rb]]" + HARBOUR, "Harbour", "[[Harbour]]"),
    ("link behind", "//- /c.md\n[[Ha$0 [[x]]" + HARBOUR, "Harbour", "[[Harbour]] [[x]]"),
    ("embed", "//- /c.md\n![[Ha$0" + HARBOUR, "Harbour", "![[Harbour]]"),
    ("after emoji", "//- /c.md\n🚢🚢 ü [[Ha$0]]" + HARBOUR, "Harbour", "🚢🚢 ü [[Harbour]]"),
    ("relation", "//- /c.md\n[[rel:depends_on Ha$0" + HARBOUR, "Harbour",
     "[[rel:depends_on Harbour]]"),
    ("alias", "//- /c.md\n[[Haf$0\n//- /Harbour.md\n---\naliases: [Hafen]\n---\n", "Hafen",
     "[[Harbour|Hafen]]"),
    ("alias kept", "//- /c.md\n[[Haf$0|x]]\n//- /Harbour.md\n---\naliases: [Hafen]\n---\n",
     "Hafen", "[[Harbour|x]]"),
    ("alias in a table", "//- /c.md\n| [[Haf$0 |\n//- /H.md\n---\naliases: [Hafen]\n---\n", "Hafen",
     "| [[H\\|Hafen]] |"),
    ("title", "//- /c.md\n[[Quay$0]]\n//- /2031.md\n# Quay wall\n", "Quay wall",
     "[[2031|Quay wall]]"),
    ("table cell", "//- /c.md\n| [[Ha$0 | x |" + HARBOUR, "Harbour", "| [[Harbour]] | x |"),
    ("table alias", "//- /c.md\n| [[Ha$0\\|x]] |" + HARBOUR, "Harbour", "| [[Harbour\\|x]] |"),
    ("alias text", "//- /c.md\n[[Harbour|$0\n//- /Harbour.md\n---\naliases: [Hafen]\n---\n",
     "Hafen", "[[Harbour|Hafen]]"),
    ("dots", "//- /c.md\n[[v1$0\n//- /v1.2 plan.md\n", "v1.2 plan", "[[v1.2 plan]]"),
    ("blanks stay", "//- /c.md\n[[Pump$0\n//- /Pump House.md\n", "Pump House", "[[Pump House]]"),
    ("ambiguous", "//- /top.md\n[[Int$0\n//- /x/Intro.md\n\n//- /y/Intro.md\n", "Intro",
     "[[x/Intro]]"),
    ("same folder ambiguous", "//- /y/Read.md\n[[Int$0\n//- /x/Intro.md\n\n//- /y/Intro.md\n",
     "Intro", "[[y/Intro]]"),
    ("no wikilink can name it", "//- /c.md\n[[tips$0\n//- /C# tips.md\n", "C# tips",
     "[[c-tips-78b0fa28|C# tips]]"),
    ("heading", "//- /c.md\n[[Harbour#Qu$0\n//- /Harbour.md\n# H\n## Quay\n", "Quay",
     "[[Harbour#Quay]]"),
    ("readable heading", "//- /c.md\n[[N#Wi$0]]\n//- /N.md\n## Wind / `x` [a] | b #c d^e\n",
     "Wind / x [a] | b #c d^e", "[[N#Wind / x a b c d e]]"),
    ("umlaut heading", "//- /c.md\n[[N#港$0]]\n//- /N.md\n## 港の話\n", "港の話", "[[N#港の話]]"),
    ("own heading", "//- /c.md\n# Über uns\n[[#$0", "Über uns", "# Über uns\n[[#Über uns]]"),
    ("heading with alias", "//- /c.md\n[[N#$0|x]]\n//- /N.md\n## Quay\n", "Quay", "[[N#Quay|x]]"),
    ("heading path", "//- /c.md\n[[N#B#$0]]\n//- /N.md\n# A\n## C\n# B\n## C\n", "C",
     "[[N#B#C]]"),
    ("block", "//- /c.md\n[[N#^$0]]\n//- /N.md\nA line ^b1\n", "^b1", "[[N#^b1]]"),
    ("relation kind", "//- /c.md\n[[rel:dep$0", "depends_on", "[[rel:depends_on "),
    ("markdown path", "//- /a/c.md\n[x](Pum$0\n//- /b/Pump House.md\n", "Pump House",
     "[x](../b/Pump%20House.md)"),
    ("markdown path closed", "//- /c.md\n[x](Pum$0)\n//- /Pump.md\n", "Pump", "[x](Pump.md)"),
    ("angle brackets", "//- /c.md\n[x](<Pum$0\n//- /Pump House.md\n", "Pump House",
     "[x](<Pump House.md>)"),
    ("relative path", "//- /a/c.md\n[x](../b/P$0)\n//- /b/Pump.md\n", "b/Pump",
     "[x](../b/Pump.md)"),
    ("slug", "//- /c.md\n[x](Dock.md#We$0\n//- /Dock.md\n## West Pier?\n", "West Pier?",
     "[x](Dock.md#west-pier)"),
    ("tag", "//- /c.md\nsee #har$0\n//- /b.md\n#harbour/west\n", "#harbour/west",
     "see #harbour/west"),
    ("in frontmatter", '//- /c.md\n---\nrelated: "[[Ha$0"\n---\n' + HARBOUR, "Harbour",
     '---\nrelated: "[[Harbour]]"\n---\n'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "label", "expected"), [case[1:] for case in ACCEPTED], ids=[c[0] for c in ACCEPTED]
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_accepting(source: str, label: str, expected: str, eol: str) -> None:
    vault = Vault.of(source, eol=eol)
    found = [item for item in vault.complete().items if item.label == label]
    assert found, [item.label for item in vault.complete().items]
    text = vault.accept(found[0])
    assert text.rstrip("\r\n") == expected.replace("\n", eol).rstrip("\r\n")
    typed = vault.fixture.text[found[0].insert.start : vault.at]
    assert is_scattered(fold(typed), fold(found[0].filter_text))


NOTHING = {
    "plain": "word$0",
    "closed": "[[Harbour]]$0",
    "code span": "`[[Ha$0`",
    "fence": "```sh\n[[Ha$0\n```",
    "escaped": "\\[[Ha$0",
    "external": "[x](https://ex.org/Ha$0",
    "heading": "# Ha$0",
    "next cell": "| [[Ha | $0",
    "text after a link": "[x](Harbour.md) and $0",
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING.keys())
def test_nothing_to_offer(text: str) -> None:
    assert Vault.of(f"//- /c.md\n{text}{HARBOUR}").complete() == ((), False)


def test_insert_mode_leaves_the_rest() -> None:
    vault = Vault.of("//- /c.md\n[[Ha$0rb]]" + HARBOUR)
    assert vault.accept(vault.complete().items[0], replace=False) == "[[Harbourrb]]\n"


def test_filter_text_is_what_editors_see() -> None:
    vault = Vault.of(
        "//- /c.md\n[[2032-05 dredge c$0\n"
        "//- /fleet/2032-05-17 Dredge crew.md\n---\naliases: [⚓ Harbour round]\n---\n"
    )
    item = vault.complete().items[0]
    assert item.filter_text == "2032-05-17 Dredge crew"
    assert vault.fixture.text[item.replace.start : item.replace.end] == "2032-05 dredge c"

    vault = Vault.of("//- /c.md\n[[harbour r$0\n//- /d.md\n---\naliases: [⚓ Harbour round]\n---\n")
    assert [item.filter_text for item in vault.complete().items] == ["⚓ Harbour round"]

    vault = Vault.of("//- /c.md\n[[Dock.m$0\n//- /Dock.md\n//- /Dock.map.md\n")
    assert "Dock.map" in [item.filter_text for item in vault.complete().items]
    vault = Vault.of("//- /c.md\n[[Dock.md$0\n//- /Dock.md\n")
    assert [item.filter_text for item in vault.complete().items] == ["Dock.md"]


def test_words_in_another_order_survive_the_editors_filter() -> None:
    vault = Vault.of("//- /c.md\n[[crew dredge$0\n//- /Dredge crew.md\n")
    item = vault.complete().items[0]
    assert item.label == "Dredge crew"
    assert is_scattered("crew dredge", item.filter_text.casefold())


def test_nearer_and_more_linked_go_first() -> None:
    vault = Vault.of(
        """//- /a/c.md
[[Plan$0
//- /a/Plan near.md
//- /z/Plan far.md
//- /z/Plan hub.md
//- /z/x.md
[[Plan hub]]
"""
    )
    labels = [item.label for item in vault.complete().items]
    assert labels == ["Plan near", "Plan hub", "Plan far"]
    assert [item.sort_text for item in vault.complete().items] == sorted(
        item.sort_text for item in vault.complete().items
    )


def test_details() -> None:
    vault = Vault.of("//- /c.md\n[[Pla$0\n//- /a/b/Plan.md\n---\ntype: goal\n---\n")
    item = vault.complete().items[0]
    assert (item.detail, item.path) == ("goal · a/b", "a/b/Plan.md")


def test_long_lists_are_cut() -> None:
    source = "//- /c.md\n[[N$0\n" + "".join(f"//- /N{at}.md\n" for at in range(9))
    found = Vault.of(source).complete(limit=4)
    assert (len(found.items), found.incomplete) == (4, True)
    found = Vault.of(source.replace("[[N", "[[")).complete(limit=4)
    assert (len(found.items), found.incomplete) == (4, True)
    assert not Vault.of(source).complete(limit=9).incomplete


@pytest.mark.parametrize(("locale", "label"), [("en", "depends on"), ("de", "hängt ab von")])
def test_relation_kinds(locale: str, label: str) -> None:
    vault = Vault.of("//- /c.md\n[[rel:$0\n//- /b.md\n[[rel:depends_on c]] [[rel:odd_one c]]\n")
    found = {
        item.label: (item.detail, item.description)
        for item in vault.complete(locale=locale).items  # type: ignore[arg-type]
    }
    assert found["depends_on"] == (label, "1 ×")
    assert found["odd_one"] == ("odd one", "1 ×")
    assert next(iter(found)) == "depends_on"
    assert found["blocks"][1] == {"en": "unused", "de": "unbenutzt"}[locale]


def test_blocks_show_their_text() -> None:
    vault = Vault.of("//- /c.md\n[[N#^b$0\n//- /N.md\n# N\n\nDeep water\nhere ^b1\n")
    item = vault.complete().items[0]
    assert (item.label, item.detail) == ("^b1", "Deep water here")


def documented(vault: Vault, label: str, markup: Markup = "markdown", **more: Any) -> str:
    """The documentation of an offered item."""
    item = next(item for item in vault.complete(**more).items if item.label == label)
    context = HoverContext(
        vault.index, Document.of(Note("c.md", ""), ""), DEFAULTS.hover, RELATIONS,
        load_config().types, "en", vault.text_of, markup,
    )  # fmt: skip
    return documentation(context, item.kind, item.name, item.path, item.anchor)


def test_documentation_of_an_item() -> None:
    vault = Vault.of("//- /c.md\n[[N#Tw$0\n//- /N.md\n# N\nfirst\n## Two\nsecond\n")
    assert documented(vault, "Two") == "**N** › **Two**\n\nsecond"
    assert documented(vault, "Two", "plaintext") == "N › Two\n\nsecond"


LONG = "A long line of many words, " * 4
DOCUMENTED = [
    ("[[d#^$0", LONG[:60], [LONG.strip()]),
    ("[[rel:dep$0", "depends_on", ["depends on", "It needs the target.", "blocks", "Used 1 ×"]),
    ("see #har$0", "#harbour", ["`#harbour`", "1 note"]),
    ("> [!ti$0", "[!tip]", ["`[!tip]`", "hint"]),
    ("[[Gon$0", "Gone", ["Nobody has written", "b"]),
    ("---\nsta$0\n---", "status", ["`draft`", "`archived`"]),
    ("---\ntype: ta$0\n---", "task", ["`task`", "Cut for the search"]),
]


@pytest.mark.parametrize(("text", "label", "parts"), DOCUMENTED)
def test_documentation_of_words(text: str, label: str, parts: list[str]) -> None:
    vault = Vault.of(
        f"//- /c.md\n{text}\n//- /b.md\n[[rel:depends_on Gone]] #harbour\n//- /d.md\n{LONG}\n"
    )
    for markup in ("markdown", "plaintext"):
        found = documented(vault, label, markup, edits_elsewhere=True)
        for part in parts:
            assert part.replace("`", "" if markup == "plaintext" else "`") in found


def test_headings_that_no_link_can_name_are_left_out() -> None:
    vault = Vault.of("//- /c.md\n[[N#$0\n//- /N.md\n# ...\n# (Log)\n# Log\n# 1 Log\n## Log\n")
    assert [item.new_text for item in vault.complete().items] == [
        "(Log)]]",
        "1 Log]]",
        "1 Log#Log]]",
    ]
