"""Answers of the core with the editor's places in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.features.document import Document

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session


def hit_of(session: Session, hit: dict[str, Any]) -> dict[str, Any]:
    """A hit with the URI and the range of its chunk in place of path and lines."""
    place = {
        "uri": session.uri(hit["path"]),
        "range": {
            "start": {"line": hit["start_line"], "character": 0},
            "end": {"line": hit["end_line"] + 1, "character": 0},
        },
    }
    left_out = ("path", "start_line", "end_line")
    return {**{key: value for key, value in hit.items() if key not in left_out}, **place}


def range_of(ls: MindnetServer, document: Document, start: int, end: int) -> dict[str, Any]:
    """The range of two offsets of a document, as JSON."""
    first, last = (ls.convert.position(document.lines, offset) for offset in (start, end))
    return {
        "start": {"line": first.line, "character": first.character},
        "end": {"line": last.line, "character": last.character},
    }
