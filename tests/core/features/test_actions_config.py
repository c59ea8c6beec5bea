"""Kinds and types of the vault's own: the file grows, and nothing in it changes."""

from __future__ import annotations

import pytest
import yaml

from core.features.actions_config import addition
from core.features.results import PlaceEdit
from tests.core.features.kit import Vault

GROWN: dict[str, tuple[str, str]] = {
    "empty": ("", "relations:\n  upholds:\n    label: x\n"),
    "comment": ("# mine\n", "# mine\nrelations:\n  upholds:\n    label: x\n"),
    "no line end": ("# mine", "# mine\nrelations:\n  upholds:\n    label: x\n"),
    "other section": (
        "extra: 1\n", "extra: 1\nrelations:\n  upholds:\n    label: x\n"),
    "section": (
        "relations:\n  a:\n    label: {en: b}\n# end\n",
        "relations:\n  a:\n    label: {en: b}\n  upholds:\n    label: x\n# end\n"),
    "indent of four, comments inside": (
        "relations:\n    # one\n    a:\n        label: b # c\n\n    # two\n    d: {}\n\nother: 1\n",
        "relations:\n    # one\n    a:\n        label: b # c\n\n    # two\n    d: {}\n"
        "    upholds:\n      label: x\n\nother: 1\n"),
    "lists": (
        "relations:\n  a:\n    aliases:\n    - x\n    - 'y'\n",
        "relations:\n  a:\n    aliases:\n    - x\n    - 'y'\n  upholds:\n    label: x\n"),
    "block text": (
        "relations:\n  a:\n    description: |\n      one\n      two\n",
        "relations:\n  a:\n    description: |\n      one\n      two\n  upholds:\n    label: x\n"),
    "null": ("relations:\nb: 1\n", "relations:\n  upholds:\n    label: x\nb: 1\n"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after"), GROWN.values(), ids=GROWN.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_an_entry_is_added_and_nothing_else(before: str, after: str, eol: str) -> None:
    before, after = before.replace("\n", eol), after.replace("\n", eol)
    found = addition(before, "relations", "upholds", "label: x")
    assert not isinstance(found, str)
    at, new = found
    grown = before[:at] + new + before[at:]
    if eol in before:
        assert grown == after
    assert yaml.safe_load(grown)["relations"]["upholds"] == {"label": "x"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("relations: [\n", "invalid"),
        ("a: b: c\n", "invalid"),
        ("- a\n", "invalid"),
        ("relations: {a: {}}\n", "form"),
        ("relations: 3\n", "form"),
        ("relations:\n  - a\n", "form"),
        ("relations:\n  upholds: {}\n  b: {}\nrelations: {}\n", "form"),
    ],
)
def test_what_cannot_be_added_to_is_refused(text: str, why: str) -> None:
    assert addition(text, "relations", "upholds", "label: x") == why


def test_a_file_is_made_where_there_is_none() -> None:
    vault = Vault.of("//- /a.md\n[[rel:up$0holds b]]\n//- /b.md\n")
    action = vault.action("Add “upholds” to .mindnet/relations.yaml")
    made = vault.after(action)[".mindnet/relations.yaml"]
    assert made == "relations:\n  upholds:\n    label: upholds\n"


def test_a_kind_joins_the_others() -> None:
    own = "relations:\n  äußert: {} # ü\n"
    vault = Vault.of(f"//- /a.md\n[[rel:up$0-holds b]]\n//- /.mindnet/relations.yaml\n{own}")
    action = vault.action("Add “up_holds” to .mindnet/relations.yaml")
    (edit,) = action.edits
    assert isinstance(edit, PlaceEdit)
    assert (edit.place.line, edit.place.col, edit.place.wide8) == (1, 16, 3)
    assert vault.after(action)[".mindnet/relations.yaml"] == (
        own + "  up_holds:\n    label: up holds\n"
    )


def test_a_type() -> None:
    vault = Vault.of("//- /a.md\n---\ntype: rec$0ipe\n---\n")
    action = vault.action("Add “recipe” to .mindnet/types.yaml")
    assert vault.after(action)[".mindnet/types.yaml"] == "types:\n  recipe: {}\n"


def test_a_broken_file_is_refused_with_the_reason() -> None:
    vault = Vault.of("//- /a.md\n[[rel:up$0holds b]]\n//- /.mindnet/relations.yaml\na: [\n")
    action = vault.action("Add “upholds” to .mindnet/relations.yaml")
    assert (action.edits, action.creates) == ((), ())
    assert ".mindnet/relations.yaml is not valid YAML" in action.disabled
