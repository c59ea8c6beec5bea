"""What is being typed at the cursor, read from the text around it alone.

Works while a construct is still open, so it cannot come from the parsed note.
"""

from __future__ import annotations

from core.features.document import Document
from core.features.surroundings import in_code, in_comment, in_table
from core.features.typed_form import Typed, TypedKind
from core.features.typed_frontmatter import in_frontmatter, typed_property
from core.features.typed_links import typed_destination, typed_tag, typed_wikilink
from core.features.typed_relations import stated_kind, typed_relation

__all__ = ["Typed", "TypedKind", "typed_at"]


def typed_at(document: Document, offset: int) -> Typed | None:
    """The construct that a cursor at `offset` is typing in; None in plain text, in code and in
    comments."""
    lines = document.lines
    number = lines.line_at(offset)
    start = lines.start(number)
    offset = max(start, min(offset, lines.end(number)))
    before, after = document.text[start:offset], document.text[offset : lines.end(number)]
    if in_frontmatter(document, number):
        return typed_property(document, number, before, after)
    if document.in_frontmatter(offset):
        return None  # on a fence
    found = (
        typed_wikilink(before, after, offset, "[[" in before and in_table(lines, number))
        or typed_destination(before, after, offset)
        or typed_relation(lines, number, before, after)
        or typed_tag(before, after, offset)
    )
    if found is None or in_code(document, offset) or in_comment(document, offset):
        return None
    if found.kind == "note" and not found.relation:
        opened = before.rfind("[[")
        return found._replace(relation=stated_kind(lines, number, before[:opened]))
    return found
