"""Findings of the core as LSP diagnostics; `publish` sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from core.features.diagnostics import diagnose
from core.features.results import Diagnostic, Related
from core.model import Note
from core.paths import packaged_docs_dir
from core.vault.index import VaultIndex
from mindnet_lsp import uris

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

SOURCE = "mindnet"
DOCS = uris.to_uri(str(packaged_docs_dir() / "diagnostics.md"))
"""On this machine: help must not need a network, and an editor opens it in a tab."""

ALONE = frozenset(("unresolved-link", "ambiguous-link", "duplicate-id"))
"""Findings that need a vault around the note; left out for a file that is opened alone."""

_DEPRECATED = types.DiagnosticTag.Deprecated
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


def findings(
    ls: MindnetServer, session: Session, index: VaultIndex, note: Note
) -> list[Diagnostic]:
    """The findings in a note. Touches nothing that changes, so it may run in a thread."""
    config = session.config
    found = diagnose(
        index,
        note,
        session.settings.diagnostics,
        ls.locale(session),
        config.relations,
        config.types.names(),
    )
    return [item for item in found if not (session.is_single and item.code in ALONE)]


def to_lsp(ls: MindnetServer, session: Session, found: Diagnostic) -> types.Diagnostic:
    """The diagnostic with as much as the client understands."""
    facts = ls.facts
    related = None
    if facts.related_information and found.related:
        related = [_related(ls, session, item) for item in found.related]
    return types.Diagnostic(
        ls.convert.place_range(found.place, found.start, found.end),
        found.message,
        _SEVERITIES[found.severity],
        found.code,
        types.CodeDescription(f"{DOCS}#{found.code}") if facts.code_description else None,
        SOURCE,
        tags=[_DEPRECATED] if found.deprecated and _DEPRECATED in facts.diagnostic_tags else None,
        related_information=related,
        data=dict(found.data) if facts.diagnostic_data and found.data else None,
    )


def _related(
    ls: MindnetServer, session: Session, found: Related
) -> types.DiagnosticRelatedInformation:
    shown = ls.convert.line_range(0) if not found.place else ls.convert.place_range(found.place)
    location = types.Location(session.uri(found.path), shown)
    return types.DiagnosticRelatedInformation(location, found.message)
