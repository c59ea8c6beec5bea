"""How completions are checked: what the text is after one is accepted, and what is offered."""

from __future__ import annotations

from typing import Any

from core.features.ranking import is_scattered
from core.features.results import CompletionItem
from core.text import fold
from tests.core.features.kit import Vault


def offered(source: str, **more: Any) -> list[str]:
    """The labels of all items, in their order."""
    return [item.label for item in Vault.of(source).complete(**more).items]


def item(vault: Vault, label: str, **more: Any) -> CompletionItem:
    """The first item with this label."""
    items = vault.complete(**more).items
    found = [item for item in items if item.label == label]
    assert found, [item.label for item in items]
    return found[0]


def check(source: str, label: str, expected: str, *, eol: str = "\n", **more: Any) -> None:
    """The open text is `expected` after the item is accepted, in both ways that editors have;
    what is typed passes the editors' filter."""
    vault = Vault.of(source, eol=eol)
    chosen = item(vault, label, **more)
    assert vault.accept(chosen).rstrip("\r\n") == expected.replace("\n", eol).rstrip("\r\n")
    assert chosen.insert.start == chosen.replace.start
    assert chosen.insert.end == vault.at <= chosen.replace.end
    typed = vault.fixture.text[chosen.insert.start : vault.at]
    assert is_scattered(fold(typed), fold(chosen.filter_text)), (typed, chosen.filter_text)
