"""What completions are made from, and for whom."""

from __future__ import annotations

from dataclasses import dataclass

from core.config.note_types import TypesConfig
from core.config.relations import RelationsConfig
from core.features.document import Document, TextSource
from core.locale import Locale, say
from core.model import Note
from core.settings import CompletionSettings
from core.vault.index import VaultIndex


@dataclass(frozen=True, slots=True)
class CompletionContext:
    """`recent` are paths of notes that were worked on, the last one first. `today` is a date
    as `2031-05-17`, "" where nobody says. `edits_elsewhere` tells whether accepting an item
    may change another note. `near` are paths of notes that are near in meaning to the
    paragraph of the cursor, as far as that is known."""

    index: VaultIndex
    document: Document
    settings: CompletionSettings
    relations: RelationsConfig
    types: TypesConfig
    locale: Locale
    text_of: TextSource
    recent: tuple[str, ...] = ()
    today: str = ""
    edits_elsewhere: bool = False
    near: tuple[str, ...] = ()

    @property
    def limit(self) -> int:
        """The most items of one answer."""
        return self.settings.max_items

    def say(self, en: str, de: str) -> str:
        """The text in the reader's language."""
        return say(self.locale, en, de)

    def uses(self, count: int) -> str:
        """How often something is used."""
        return f"{count} ×" if count else self.say("unused", "unbenutzt")

    def own_text(self, path: str) -> str | None:
        """The text of a note as it is now, of the open one too."""
        return self.document.text if path == self.document.path else self.text_of(path)

    def type_of(self, note: Note) -> str:
        """The type that the note says or its folder gives it, "" if none."""
        found = self.types.effective(note)
        return "" if found.source == "default" else found.name
