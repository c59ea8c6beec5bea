"""What a cursor points to, with what `context` leaves out: labels, footnotes, callouts, and
values in the frontmatter."""

from __future__ import annotations

from typing import NamedTuple

from core.features.context import FrontmatterBlock, LinkPart, Thing, thing_at
from core.features.document import Document
from core.features.written import Footnote, Label, footnote_at, label_of
from core.model import Callout, Property, Scalar


class Value(NamedTuple):
    """A value in the frontmatter."""

    named: Property
    scalar: Scalar

    @property
    def key(self) -> str:
        return self.named.key.strip().lower()


Pointed = Thing | Label | Footnote | Callout | Value


def pointed_at(document: Document, offset: int) -> Pointed | None:
    """What a cursor at `offset` points to, None on plain text.

    On the label of a reference link it is the label, in its text and in the target of its
    definition the link. A value in the frontmatter that is a tag or a link is that.
    """
    note = document.note
    thing = thing_at(note, offset)
    if isinstance(thing, LinkPart):
        label = label_of(thing.link)
        return label if label and label.span.touches(offset) else thing
    if isinstance(thing, FrontmatterBlock) and thing.property is None and note.frontmatter:
        for named in note.frontmatter.properties:
            for scalar in named.values:
                if scalar.touches(offset):
                    return Value(named, scalar)
        return thing
    if thing is not None:
        return footnote_at(document, offset) or thing
    callout = next((found for found in note.callouts if found.touches(offset)), None)
    return callout or footnote_at(document, offset)
