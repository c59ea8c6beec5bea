"""textDocument/hover: what the thing under the cursor is."""

from __future__ import annotations

from dataclasses import dataclass

from core.config.relations import RelationsConfig
from core.features.context import FrontmatterBlock, LinkPart, thing_at
from core.features.describe import describe_backlinks, describe_note
from core.features.document import Document, TextSource
from core.features.linkage import resolve_link
from core.features.linktext import searched_name
from core.features.markup import Writer
from core.features.results import Hover, Markup
from core.locale import Locale, say
from core.model import Block, Heading, KindMention, Link, Tag
from core.settings import HoverSettings
from core.vault.index import VaultIndex

_NEAREST = 3


def hover(
    index: VaultIndex,
    document: Document,
    offset: int,
    settings: HoverSettings,
    relations: RelationsConfig,
    locale: Locale,
    text_of: TextSource,
    markup: Markup = "markdown",
) -> Hover | None:
    """What to show for a cursor at `offset`; None where nothing stands.

    On a link the note that it means (or the section, or the block) and its backlinks; on a
    heading or the frontmatter this note's backlinks; on an unresolved link the nearest
    titles; on a relation kind its label and use; on a tag its notes.
    """
    thing = thing_at(document.note, offset)
    page = _Page(index, document, settings, relations, locale, text_of, Writer(markup))
    match thing:
        case LinkPart(link, _, _):
            page.link(link)
            span = link.span
        case KindMention():
            page.kind(thing.kind)
            span = thing.span
        case Tag():
            page.tag(thing.name)
            span = thing.span
        case Heading() | FrontmatterBlock():
            describe_backlinks(
                page.writer, index, document.note, settings.max_backlinks, relations, locale
            )
            span = thing.span
        case Block():
            page.block(thing)
            span = thing.span
        case _:
            return None
    text = page.writer.text()
    return Hover(text, span) if text else None


@dataclass(frozen=True, slots=True)
class _Page:
    index: VaultIndex
    document: Document
    settings: HoverSettings
    relations: RelationsConfig
    locale: Locale
    text_of: TextSource
    writer: Writer

    def link(self, link: Link) -> None:
        index, writer, locale = self.index, self.writer, self.locale
        found = resolve_link(index, link, self.document)
        if link.relation:
            writer.add(self._kind_line(link.relation))
        if found.attachment:
            writer.add(f"{say(locale, 'File', 'Datei')} {writer.code(found.attachment)}")
        elif found.note is not None:
            text_of = self._own_text if found.note is self.document.note else self.text_of
            describe_note(writer, found.note, text_of, found.place)
            if found.anchor and found.place is None:
                missing = say(locale, "has no", "enthält nicht:")
                writer.add(f"*{missing}* {writer.code(found.anchor)}")
            writer.rule()
            limit = self.settings.max_backlinks
            describe_backlinks(writer, index, found.note, limit, self.relations, locale)
        elif found.resolution.is_unresolved:
            writer.add(
                say(locale, "No note is called ", "Keine Notiz heißt ") + writer.bold(link.target)
            )
            hits = index.names.nearest(searched_name(link.target), _NEAREST)
            if hits:
                writer.add(say(locale, "Nearest:", "Ähnlich heißen:"))
                writer.items([f"{writer.escape(hit.name)}" for hit in hits])

    def kind(self, kind: str) -> None:
        self.writer.add(self._kind_line(kind))
        relation = self.relations.relations.get(self.relations.canonical(kind))
        if relation and relation.description:
            self.writer.add(self.writer.escape(relation.description.say(self.locale)))
        inverse = self.relations.inverse(kind)
        if inverse and inverse != self.relations.canonical(kind):
            label = say(self.locale, "Inverse", "Umkehrung")
            self.writer.add(f"{label}: {self.writer.code(inverse)}")
        elif inverse:
            self.writer.add(
                say(self.locale, "Holds in both directions", "Gilt in beide Richtungen")
            )
        count = self.index.kinds.get(kind, 0)
        self.writer.add(say(self.locale, f"Used {count} ×", f"{count} × verwendet"))

    def tag(self, name: str) -> None:
        paths = self.index.tagged(name)
        count = len(paths)
        one = say(self.locale, "1 note", "1 Notiz")
        many = say(self.locale, f"{count} notes", f"{count} Notizen")
        self.writer.add(f"{self.writer.code('#' + name)} · {one if count == 1 else many}")
        limit = self.settings.max_backlinks
        titles = [self.index.notes[path].title for path in paths[:limit]]
        self.writer.items([self.writer.escape(title) for title in titles])
        if count > limit:
            left = count - limit
            self.writer.add(say(self.locale, f"… and {left} more", f"… und {left} weitere"))

    def block(self, block: Block) -> None:
        uses = sum(
            1
            for _, link in self.index.backlinks(self.document.path)
            if link.block is not None and link.block.lower() == block.id.lower()
        )
        self.writer.add(self.writer.code(block.raw))
        self.writer.add(say(self.locale, f"Linked {uses} ×", f"{uses} × verlinkt"))

    def _own_text(self, path: str) -> str | None:
        return self.document.text if path == self.document.path else None

    def _kind_line(self, kind: str) -> str:
        label = self.relations.label(kind, self.locale)
        return f"{self.writer.code(kind)} · {self.writer.escape(label)}"
