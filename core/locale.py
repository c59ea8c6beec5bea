"""The two languages that mindnet speaks."""

from __future__ import annotations

from typing import Literal

Locale = Literal["de", "en"]


def say(locale: Locale, en: str, de: str) -> str:
    """The text in the user's language."""
    return de if locale == "de" else en


def locale_of(tag: str | None, fallback: Locale = "en") -> Locale:
    """The locale for a language tag such as `de-AT` or `de_DE.UTF-8`."""
    if not tag:
        return fallback
    return "de" if tag.lower().replace("_", "-").split("-")[0].split(".")[0] == "de" else "en"
