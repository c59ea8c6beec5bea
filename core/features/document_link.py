"""textDocument/documentLink: the links of a note that lead to a file."""

from __future__ import annotations

from collections.abc import Iterator

from core.features.document import Document
from core.features.linkage import Linked, linked
from core.features.results_places import FileLink
from core.model import DEFINITION, TEXTLINK, WIKILINK, Block, Heading, Link, Span
from core.vault.index import VaultIndex


def document_links(index: VaultIndex, document: Document) -> Iterator[FileLink]:
    """The links of the document to notes and other files that exist, in order.

    External addresses are left to the editor, which finds them by itself. Of a wikilink the
    range is what stands between its brackets.
    """
    for link in document.note.links:
        found = linked(index, link, document.note)
        if found.attachment:
            yield FileLink(_span(link), found.attachment, 0, found.attachment)
        elif found.note is not None:
            yield FileLink(_span(link), found.note.path, _line(found), _title(found))


def _line(found: Linked) -> int:
    if isinstance(found.place, Block):
        return found.place.first_line
    return 0 if found.place is None else found.place.line


def _title(found: Linked) -> str:
    title = found.note.title if found.note else ""
    if isinstance(found.place, Heading):
        return f"{title} › {found.place.text}"
    return f"{title} › {found.place.raw}" if found.place else title


def _span(link: Link) -> Span:
    if link.form == WIKILINK:
        return Span(link.start + (3 if link.embed else 2), link.end - 2)
    if link.form in (DEFINITION, TEXTLINK):
        end = max(link.target_end, link.anchor_end)
        start = link.target_at if link.target_at >= 0 else link.anchor_at
        return Span(link.start + start, link.start + end)
    return link.span
