"""Diagnostics of links: notes, headings and blocks that do not exist, and ambiguous names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.features.linkage import Linked, anchor_span, linked, target_span
from core.features.results import Diagnostic, Related
from core.locale import Locale, say
from core.model import WIKILINK, Link, Note
from core.settings import DiagnosticSettings
from core.vault.candidates import Resolution
from core.vault.index import VaultIndex
from core.vault.resolve import UNRESOLVED

_IDENTIFIER = re.compile(r"[^\s\[\]|#][^\s\[\]|]*")
_REVERSED = Resolution(is_reversed=True)


def diagnose_links(
    index: VaultIndex, note: Note, settings: DiagnosticSettings, locale: Locale
) -> Iterator[Diagnostic]:
    """The findings at the links; none at external ones and at files that are not notes.

    In a note that writes its links as `[[label|target]]`, of a link that leads nowhere the
    right side is what is missing.
    """
    meant = [(link, linked(index, link, note)) for link in note.links]
    turned = any(found.resolution.is_reversed for _, found in meant)
    for link, found in meant:
        if found.resolution.is_unresolved:
            yield _unresolved(link, settings, locale, turned=turned)
            continue
        if found.resolution.ambiguous and found.resolution.path:
            yield _ambiguous(link, found, settings, locale)
        if found.note is not None and found.anchor and found.place is None:
            yield _anchor(link, found, found.note, settings, locale)


def _unresolved(
    link: Link, settings: DiagnosticSettings, locale: Locale, *, turned: bool
) -> Diagnostic:
    name, how = link.target, UNRESOLVED
    if turned and link.form == WIKILINK and link.alias and _IDENTIFIER.fullmatch(link.alias):
        name, how = link.alias.partition("#")[0], _REVERSED
    start, end = target_span(link, how)
    message = say(locale, f"No note is called “{name}”", f"Keine Notiz heißt „{name}“")
    severity, data = settings.unresolved_link, {"target": name}
    return Diagnostic("unresolved-link", severity, link, start, end, message, data=data)


def _ambiguous(
    link: Link, found: Linked, settings: DiagnosticSettings, locale: Locale
) -> Diagnostic:
    candidates = found.resolution.candidates
    count, first = len(candidates), candidates[0]
    message = say(
        locale,
        f"“{link.target}” fits {count} notes; it is taken for {first}",
        f"„{link.target}“ passt auf {count} Notizen; gemeint ist wohl {first}",
    )
    related = tuple(Related(path, path) for path in candidates)
    severity = settings.ambiguous_link
    data = {"target": link.target}
    return Diagnostic(
        "ambiguous-link",
        severity,
        link,
        *target_span(link, found.resolution),
        message,
        related,
        data,
    )


def _anchor(
    link: Link, found: Linked, target: Note, settings: DiagnosticSettings, locale: Locale
) -> Diagnostic:
    start, end = anchor_span(link, found.resolution)
    title, data = target.title, {"path": target.path, "anchor": found.anchor}
    if found.anchor.startswith("^"):
        message = say(
            locale,
            f"“{title}” has no block {found.anchor}",
            f"„{title}“ hat keinen Block {found.anchor}",
        )
        severity, code = settings.unresolved_block, "unresolved-block"
    else:
        message = say(
            locale,
            f"“{title}” has no heading “{found.anchor}”",
            f"„{title}“ hat keine Überschrift „{found.anchor}“",
        )
        severity, code = settings.unresolved_heading, "unresolved-heading"
    return Diagnostic(code, severity, link, start, end, message, data=data)
