"""What a hover is written from, and for whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.config.note_types import TypesConfig
from core.config.relations import RelationsConfig
from core.features.document import Document, TextSource
from core.features.markup import Writer
from core.features.results import Markup
from core.features.suggested import Suggested
from core.locale import Locale, say
from core.model import Note
from core.settings import HoverSettings
from core.vault.index import VaultIndex


def _unknown(path: str) -> None:
    """Nothing is known about files."""


class SmartSource(NamedTuple):
    """A note that means another one so, and how sure the model was at best, 0 to 1."""

    path: str
    kind: str
    confidence: float


def _no_smart(path: str) -> Sequence[SmartSource]:
    """No smart edges are known."""
    return ()


@dataclass(frozen=True, slots=True)
class HoverContext:
    """`text_of` gives the text of a note, `size_of` the size of a file in bytes, both None
    where it cannot be read. `image_uri` is the address of an image for clients that show it
    within a hover. `suggested` gives the edges that are suggested for the open note, `smart` those
    that lead to the note at a path by the word of a language model, as far as they are ready."""

    index: VaultIndex
    document: Document
    settings: HoverSettings
    relations: RelationsConfig
    types: TypesConfig
    locale: Locale
    text_of: TextSource
    markup: Markup = "markdown"
    size_of: Callable[[str], int | None] = _unknown
    image_uri: Callable[[str], str | None] = _unknown
    suggested: Callable[[], tuple[Suggested, ...]] = tuple
    smart: Callable[[str], Sequence[SmartSource]] = _no_smart
    writer: Writer = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "writer", Writer(self.markup))

    def say(self, en: str, de: str) -> str:
        """The text in the reader's language."""
        return say(self.locale, en, de)

    def add(self, en: str, de: str) -> None:
        """A paragraph of our own words."""
        self.writer.add(self.say(en, de))

    def own_text(self, path: str) -> str | None:
        """The text of a note as it is now, of the open one too."""
        return self.document.text if path == self.document.path else self.text_of(path)

    def title_of(self, path: str) -> str:
        """A note's title, ready to be written."""
        note = self.index.get(path)
        return self.writer.escape(note.title if note else path)

    def type_of(self, note: Note) -> str | None:
        """The type that a note has by its folder; None where it says it itself, or has none."""
        found = self.types.effective(note)
        return found.name if found.source == "path" else None

    def titles(self, paths: list[str], total: int) -> None:
        """A list of notes, and how many there are besides."""
        self.writer.items([self.title_of(path) for path in paths])
        left = total - len(paths)
        if left:
            self.add(f"… and {left} more", f"… und {left} weitere")

    def kind_line(self, kind: str) -> None:
        """A relation kind, its label and what it says."""
        relation = self.relations.relations.get(self.relations.canonical(kind))
        line = f"{self.writer.code(kind)} · "
        line += self.writer.escape(self.relations.label(kind, self.locale))
        if relation and relation.description:
            line += f": {self.writer.escape(relation.description.say(self.locale), 500)}"
        self.writer.add(line)
