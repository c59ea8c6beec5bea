"""One more edge in an edge callout."""

from __future__ import annotations

from core.features.document import Document
from core.model import EDGE_CALLOUT, Callout, Link
from core.parse.callouts import EDGE


def last_callout(document: Document) -> Callout | None:
    """The last edge callout of a note."""
    return next((found for found in reversed(document.note.callouts) if found.type == EDGE), None)


def links_in(document: Document, callout: Callout) -> list[Link]:
    """The edges that a callout states."""
    return [
        link
        for link in document.note.links
        if link.origin == EDGE_CALLOUT and callout.line <= link.line <= callout.last_line
    ]


def appended(document: Document, callout: Callout, kind: str, link: str) -> tuple[int, str]:
    """Where in the text `link` goes so that the callout states this edge too, and what is
    written there: behind the links of its kind, else a line of its own."""
    text, lines = document.text, document.lines
    same = [found for found in links_in(document, callout) if found.relation == kind]
    if same:
        return same[-1].end, f" {link}"
    at = lines.end(callout.last_line)
    mark = text[lines.start(callout.line) : callout.start]
    prefix = "".join(char if char in "> \t" else " " for char in mark)
    return at, f"{lines.eol}{prefix}{kind}: {link}"
