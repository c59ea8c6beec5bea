"""Keys and values in frontmatter, whatever state the YAML is in."""

from __future__ import annotations

import pytest

from tests.core.features.completion_kit import check, item, offered
from tests.core.features.kit import Vault

REST = """
//- /b.md
---
type: recipe
status: ripe
tags: [harbour/west, food]
draft: true
rating: 5
depends_on: ["[[Pump]]"]
cook: "[[Pump]]"
---
//- /Pump.md
---
id: p-1
aliases: [Pumpe]
type: task
---
"""

ACCEPTED: dict[str, tuple[str, str, str]] = {
    "key": ("---\nsta$0\n---", "status", "---\nstatus: \n---"),
    "key in an empty block": ("---\n$0\n---", "title", "---\ntitle: \n---"),
    "key in a block that nothing closes": ("---\nty$0", "type", "---\ntype: "),
    "key below others": ("---\ntitle: X\nty$0\n", "type", "---\ntitle: X\ntype: \n"),
    "key before its colon": ("---\nsta$0: draft\n---", "status", "---\nstatus: draft\n---"),
    "key mid-word": ("---\nsta$0tus: x\n---", "status", "---\nstatus: x\n---"),
    "key below a list": ("---\ntags:\n  - a\n$0\n---", "type", "---\ntags:\n  - a\ntype: \n---"),
    "relation as key": ("---\nrela$0\n---", "related_to", "---\nrelated_to: \n---"),
    "own key": ("---\nrat$0\n---", "rating", "---\nrating: \n---"),
    "type": ("---\ntype: ta$0\n---", "task", "---\ntype: task\n---"),
    "type without a blank": ("---\ntype:$0\n---", "task", "---\ntype: task\n---"),
    "type mid-word": ("---\ntype: ta$0sk\n---", "task", "---\ntype: task\n---"),
    "type in quotes": ('---\ntype: "ta$0"\n---', "task", '---\ntype: "task"\n---'),
    "type in an open quote": ("---\ntype: 'ta$0\n---", "task", "---\ntype: 'task'\n---"),
    "type before a comment": ("---\ntype: $0 # later\n---", "task", "---\ntype: task # later\n---"),
    "type in a broken block": (
        "---\ntitle: a: b\ntype: ta$0\n---", "task", "---\ntitle: a: b\ntype: task\n---",
    ),
    "own type": ("---\ntype: rec$0\n---", "recipe", "---\ntype: recipe\n---"),
    "status": ("---\nstatus: dr$0\n---", "draft", "---\nstatus: draft\n---"),
    "priority": ("---\npriority: $0\n---", "med", "---\npriority: med\n---"),
    "yes or no": ("---\nembedding_exclude: t$0\n---", "true", "---\nembedding_exclude: true\n---"),
    "yes or no of the vault": ("---\ndraft: f$0\n---", "false", "---\ndraft: false\n---"),
    "number of the vault": ("---\nrating: $0\n---", "5", "---\nrating: 5\n---"),
    "hash mode": ("---\nhash_mode: $0\n---", "body", "---\nhash_mode: body\n---"),
    "language": ("---\nlang: $0\n---", "de", "---\nlang: de\n---"),
    "date": ("---\ncreated: $0\n---", "2031-05-17", "---\ncreated: 2031-05-17\n---"),
    "tag": ("---\ntags: har$0\n---", "harbour/west", "---\ntags: harbour/west\n---"),
    "tag in a list": (
        "---\ntags: [a, $0]\n---", "harbour/west", "---\ntags: [a, harbour/west]\n---",
    ),
    "tag right behind a comma": ("---\ntags: [a,$0]\n---", "food", "---\ntags: [a, food]\n---"),
    "tag within a list": ("---\ntags: [fo$0, a]\n---", "food", "---\ntags: [food, a]\n---"),
    "tag in an open list": ("---\ntags: [a, $0\n---", "food", "---\ntags: [a, food\n---"),
    "tag in a list of many lines": (
        "---\ntags: [\n  a,\n  fo$0\n]\n---", "food", "---\ntags: [\n  a,\n  food\n]\n---",
    ),
    "tag in quotes": ('---\ntags: ["fo$0"]\n---', "food", '---\ntags: ["food"]\n---'),
    "tag as an item": (
        "---\ntags:\n  - a\n  - $0\n---", "food", "---\ntags:\n  - a\n  - food\n---",
    ),
    "tag as an item, not indented": ("---\ntags:\n- fo$0\n---", "food", "---\ntags:\n- food\n---"),
    "tag as an item without a blank": ("---\ntags:\n-$0\n---", "food", "---\ntags:\n- food\n---"),
    "nested tag": (
        "---\ntags: [harbour/$0]\n---", "harbour/west", "---\ntags: [harbour/west]\n---",
    ),
    "note": ("---\ndepends_on: $0\n---", "Pump", '---\ndepends_on: "[[Pump]]"\n---'),
    "note typed": ("---\ndepends_on: pu$0\n---", "Pump", '---\ndepends_on: "[[Pump]]"\n---'),
    "note by alias": (
        "---\ndepends_on: pumpe$0\n---", "Pumpe", '---\ndepends_on: "[[Pump|Pumpe]]"\n---',
    ),
    "note in quotes": ('---\ndepends_on: "$0"\n---', "Pump", '---\ndepends_on: "[[Pump]]"\n---'),
    "note in an open quote": (
        '---\ndepends_on:\n  - "$0\n---', "Pump", '---\ndepends_on:\n  - "[[Pump]]"\n---',
    ),
    "note in brackets": (
        '---\ndepends_on: "[[Pu$0"\n---', "Pump", '---\ndepends_on: "[[Pump]]"\n---',
    ),
    "note in brackets and an open quote": (
        '---\ndepends_on: "[[Pu$0\n---', "Pump", '---\ndepends_on: "[[Pump]]"\n---',
    ),
    "note in a list": (
        '---\ndepends_on: ["[[A]]", $0]\n---', "Pump",
        '---\ndepends_on: ["[[A]]", "[[Pump]]"]\n---',
    ),
    "plain note among plain ones": (
        "---\ndepends_on: [b, $0]\n---", "Pump", "---\ndepends_on: [b, Pump]\n---",
    ),
    "id among ids": (
        "---\ndepends_on:\n  - p-1\n  - b$0\n---", "b",
        "---\ndepends_on:\n  - p-1\n  - b-11dd481a\n---",
    ),
    "note of a key with links": ("---\ncook: $0\n---", "Pump", '---\ncook: "[[Pump]]"\n---'),
}  # fmt: skip


@pytest.mark.parametrize(("text", "label", "expected"), ACCEPTED.values(), ids=ACCEPTED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_accepting(text: str, label: str, expected: str, eol: str) -> None:
    check(f"//- /c.md\n{text}{REST}", label, expected, eol=eol, today="2031-05-17")


NOTHING = {
    "on the first fence": "---$0\ntype: x\n---",
    "on the last fence": "---\ntype: x\n---$0",
    "aliases": "---\naliases: $0\n---",
    "title": "---\ntitle: $0\n---",
    "behind a list": "---\ntags: [a]$0\n---",
    "behind a quoted value": '---\ntype: "x" $0\n---',
    "in a comment": "---\ntype: x # $0\n---",
    "a rule in the text": "text\n\n---\nty$0\n",
    "a text between two rules": "---\n\nSome words and ty$0\n---\n",
    "a date that nobody knows": "---\ndue: $0\n---",
    "a key of words": "---\nnothing_like: $0\n---",
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING.keys())
def test_nothing_to_offer(text: str) -> None:
    assert offered(f"//- /c.md\n{text}{REST}") == []


def test_keys_of_the_vault_go_first_and_none_twice() -> None:
    vault = "//- /c.md\n---\ntype: x\ntag: y\n$0\n---\n" + REST
    labels = offered(vault)
    assert labels[:7] == ["id", "status", "aliases", "cook", "depends_on", "draft", "rating"]
    assert labels[7:9] == ["title", "created"], "what every note may have"
    assert not {"type", "tags", "tag", "links"} & set(labels)
    assert labels.index("created") < labels.index("effort_min") < labels.index("blocks")


def test_a_key_that_is_being_typed_is_none_of_the_vault() -> None:
    assert "ratin" not in offered("//- /c.md\n---\nratin$0:\n---" + REST)


def test_values_that_are_known_go_in_their_own_order() -> None:
    labels = offered("//- /c.md\n---\nstatus: $0\n---" + REST)
    assert labels == ["ripe", "draft", "active", "done", "archived"]


@pytest.mark.parametrize(
    ("locale", "words"), [("en", "How far the note is"), ("de", "Wie weit die Notiz ist")]
)
def test_keys_are_explained(locale: str, words: str) -> None:
    vault = Vault.of("//- /c.md\n---\nsta$0\n---" + REST)
    found = item(vault, "status", locale=locale)
    assert (found.detail, found.description) == (words, "1 ×")
    label = {"en": "today", "de": "heute"}[locale]
    vault = Vault.of("//- /c.md\n---\ncreated: $0\n---")
    assert item(vault, "2031-05-17", today="2031-05-17", locale=locale).detail == label
