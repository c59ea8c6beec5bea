"""textDocument/publishDiagnostics: what is wrong in a note, each at its exact place."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from core.config.relations import RelationsConfig
from core.features.diagnostics_frontmatter import (
    diagnose_fields,
    diagnose_id,
    diagnose_problems,
    diagnose_type,
)
from core.features.diagnostics_links import diagnose_links
from core.features.ranking import nearest_name
from core.features.results import Diagnostic
from core.locale import Locale, say
from core.model import EDGE_CALLOUT, INLINE_REL, Note
from core.settings import DiagnosticSettings
from core.vault.index import VaultIndex


def diagnose(
    index: VaultIndex,
    note: Note,
    settings: DiagnosticSettings,
    locale: Locale,
    relations: RelationsConfig | None = None,
    types: Collection[str] = (),
) -> tuple[Diagnostic, ...]:
    """The findings in `note`, by offset, without the codes that are switched off.

    Links are checked against `index`, the anchors of links into the note itself against
    `note`. Without `relations` kinds are not looked at, without `types` types are not. Costs what
    the note costs: nothing here searches the vault.
    """
    found = [
        *diagnose_problems(note, settings, locale),
        *diagnose_id(index, note, settings, locale),
        *diagnose_fields(note, settings, locale),
        *diagnose_links(index, note, settings, locale),
    ]
    if relations is not None and settings.unknown_relation != "off":
        found += _kinds(index, note, settings, locale, relations)
    if types and settings.unknown_type != "off":
        found += diagnose_type(note, settings, locale, types)
    shown = (item for item in found if item.severity != "off")
    return tuple(sorted(shown, key=lambda item: (item.span.start, item.span.end, item.code)))


def _kinds(
    index: VaultIndex,
    note: Note,
    settings: DiagnosticSettings,
    locale: Locale,
    relations: RelationsConfig,
) -> Iterator[Diagnostic]:
    """Kinds that nobody describes and nothing else in the vault uses.

    A frontmatter key or field may well be no relation at all; there only a likely
    misspelling is a finding.
    """
    for mention in note.kinds:
        if relations.known(mention.kind) or index.kinds.get(mention.kind, 0) > 1:
            continue
        nearest = nearest_name(mention.kind, relations.names())
        if not nearest and mention.origin not in (INLINE_REL, EDGE_CALLOUT):
            continue
        message = say(
            locale,
            f"Unknown relation “{mention.kind}”" + (f"; did you mean {nearest}?" * bool(nearest)),
            f"Unbekannte Relation „{mention.kind}“" + (f"; {nearest}?" * bool(nearest)),
        )
        yield Diagnostic(
            "unknown-relation", settings.unknown_relation, mention, 0, len(mention.raw), message,
            data={"kind": mention.kind, "nearest": nearest},
        )  # fmt: skip
