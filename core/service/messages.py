"""Errors of the core in the user's language."""

from __future__ import annotations

from core.errors import NotIndexed
from core.locale import Locale, say


def not_indexed(locale: Locale) -> NotIndexed:
    """There is nothing to answer from yet."""
    wait = "Ask again in a moment, or run `mindnet import --apply`."
    warten = "Später noch einmal fragen, oder `mindnet import --apply` ausführen."
    return NotIndexed(
        say(locale, "this vault is not indexed", "der Vault ist nicht indiziert"),
        say(locale, wait, warten),
    )
