"""Why an edge is suggested, in short true sentences."""

from __future__ import annotations

from collections.abc import Sequence

from core.features.document import Document
from core.locale import Locale, say
from core.suggest.evidence import Evidence
from core.vault.index import VaultIndex

MAX_TITLES = 2


def reasons(
    one: Evidence, document: Document, index: VaultIndex, title: str, locale: Locale
) -> list[str]:
    """A sentence for each kind of evidence, the strongest first."""
    found = []
    if one.mention is not None:
        written = document.text[one.mention.start : one.mention.end]
        line = document.lines.line_at(one.mention.start) + 1
        found.append(
            say(
                locale,
                f"line {line} names “{title}” as “{written}”",
                f"Zeile {line} nennt „{title}“ als „{written}“",
            )
        )
    if one.meaning > 0 and one.passage is not None:
        found.append(near_lines(one.passage.start_line, one.passage.end_line, one.cosine, locale))
    found += together(index, one.citing, one.shared, locale)
    return found


def near_lines(first: int, last: int, cosine: float, locale: Locale) -> str:
    """That something is close in meaning to these lines (0-based, inclusive)."""
    place = f"{first + 1}–{last + 1}" if last > first else f"{first + 1}"
    near = f"{cosine:.2f}"
    lines = say(locale, "lines" if last > first else "line", "Zeilen" if last > first else "Zeile")
    return say(
        locale,
        f"close in meaning to {lines} {place} (cosine {near})",
        f"ähnlicher Sinn wie {lines} {place} (Kosinus {near})",
    )


def together(
    index: VaultIndex, citing: Sequence[str], shared: Sequence[str], locale: Locale
) -> list[str]:
    """Who links to both, and what both link to."""
    found = []
    if citing:
        listed = _titles(index, citing, locale)
        found.append(
            say(
                locale,
                f"{listed} {'links' if len(citing) == 1 else 'link'} to both",
                f"{listed} {'verweist' if len(citing) == 1 else 'verweisen'} auf beide",
            )
        )
    if shared:
        listed = _titles(index, shared, locale)
        found.append(say(locale, f"both link to {listed}", f"beide verweisen auf {listed}"))
    return found


def _titles(index: VaultIndex, paths: Sequence[str], locale: Locale) -> str:
    names = [index.notes[path].title for path in paths[:MAX_TITLES]]
    shown = [say(locale, f"“{name}”", f"„{name}“") for name in names]
    more = len(paths) - len(shown)
    if more:
        shown.append(say(locale, f"{more} more", f"{more} weitere"))
    last = say(locale, " and ", " und ")
    return last.join(filter(None, (", ".join(shown[:-1]), shown[-1])))
