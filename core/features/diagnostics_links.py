"""Diagnostics of links: notes, headings and blocks that do not exist, and ambiguous names."""

from __future__ import annotations

from collections.abc import Iterator

from core.features.linkage import Linked, anchor_span, linked, target_span
from core.features.results import Diagnostic, Related
from core.locale import Locale, say
from core.model import Link, Note
from core.settings import DiagnosticSettings
from core.vault.index import VaultIndex


def diagnose_link(
    index: VaultIndex, note: Note, link: Link, settings: DiagnosticSettings, locale: Locale
) -> Iterator[Diagnostic]:
    """The findings at one link; none at external ones and at files that are not notes."""
    found = linked(index, link, note)
    start, end = target_span(link, found.resolution)
    if found.resolution.is_unresolved:
        message = say(
            locale,
            f"No note is called “{link.target}”",
            f"Keine Notiz heißt „{link.target}“",
        )
        yield Diagnostic(
            "unresolved-link", settings.unresolved_link, link, start, end, message,
            data={"target": link.target},
        )  # fmt: skip
        return
    if found.resolution.ambiguous and found.resolution.path:
        yield _ambiguous(link, found, settings, locale)
    if found.note is not None and found.anchor and found.place is None:
        yield _anchor(link, found, found.note, settings, locale)


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
