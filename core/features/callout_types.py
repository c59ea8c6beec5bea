"""The callout types that Obsidian draws, with their other names."""

from __future__ import annotations

from core.locale import Locale, say

_TYPES: dict[str, tuple[tuple[str, ...], str, str]] = {
    "note": ((), "a note", "eine Anmerkung"),
    "abstract": (("summary", "tldr"), "a summary", "eine Zusammenfassung"),
    "info": ((), "information", "ein Hinweis"),
    "todo": ((), "something to do", "etwas zu tun"),
    "tip": (("hint", "important"), "a tip", "ein Tipp"),
    "success": (("check", "done"), "something done", "etwas Erledigtes"),
    "question": (("help", "faq"), "a question", "eine Frage"),
    "warning": (("caution", "attention"), "a warning", "eine Warnung"),
    "failure": (("fail", "missing"), "something that failed", "etwas Misslungenes"),
    "danger": (("error",), "a danger", "eine Gefahr"),
    "bug": ((), "a fault", "ein Fehler"),
    "example": ((), "an example", "ein Beispiel"),
    "quote": (("cite",), "a quotation", "ein Zitat"),
}
_BY_NAME = {name: kind for kind, (others, _, _) in _TYPES.items() for name in (kind, *others)}


def described_callout(name: str, locale: Locale) -> tuple[str, tuple[str, ...]] | None:
    """What a callout type stands for, and its other names; None for a type of the user's own."""
    kind = _BY_NAME.get(name)
    if kind is None:
        return None
    others, en, de = _TYPES[kind]
    return say(locale, en, de), tuple(other for other in (kind, *others) if other != name)


def known_callouts() -> tuple[str, ...]:
    """All of them, each main name before its other names."""
    return tuple(_BY_NAME)
