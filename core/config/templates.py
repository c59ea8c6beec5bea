"""What a new note of each type begins with (`templates.yaml`)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, field_validator

from core.config.files import Strict
from core.config.relations import Words
from core.text import fold


class NoteTemplate(Strict):
    """What follows the title, and frontmatter keys to be filled in besides the usual ones."""

    body: Words = Words()
    fields: tuple[str, ...] = ()


class TemplatesConfig(Strict):
    """The whole of `templates.yaml`."""

    named: ClassVar = {"templates": fold}

    templates: dict[str, NoteTemplate | None] = Field(default_factory=dict)

    @field_validator("templates")
    @classmethod
    def _folded_names(cls, value: dict[str, NoteTemplate | None]) -> dict[str, NoteTemplate | None]:
        return {fold(name): template for name, template in value.items()}

    def of(self, note_type: str) -> NoteTemplate:
        """The template of a type; an empty one where none is written."""
        return self.templates.get(fold(note_type)) or NoteTemplate()
