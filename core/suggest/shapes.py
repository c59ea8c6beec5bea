"""Shapes of what is asked about related notes and dismissed suggestions."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.api import QueryHit, Shape


class RelatedRequest(Shape):
    """`POST /related`: notes related to one, or to some lines of it."""

    path: str
    text: str | None = None
    """Unsaved text; None reads the file."""
    start: int | None = Field(None, ge=0)
    end: int | None = Field(None, ge=0)
    """Code-point offsets of a selection in the text."""
    top_k: int = Field(10, ge=1, le=200)
    locale: Literal["de", "en"] = "en"


class RelatedResponse(Shape):
    hits: list[QueryHit]
    notice: str | None = None
    """What was missing, in the user's language."""


class DismissRequest(Shape):
    """`POST /suggest/dismiss` and `/suggest/restore`: the target is not wanted for the note,
    or wanted again. No target restores all of the note's."""

    path: str
    target_note_id: str | None = None


class DismissedRequest(Shape):
    """`POST /suggest/dismissed`: what is dismissed for the note at `path`, None for all."""

    path: str | None = None


class DismissedSuggestion(Shape):
    """`path`, `title` and their like are None where the note is gone."""

    note_id: str
    path: str | None
    title: str | None
    target_note_id: str
    target_path: str | None
    target_title: str | None


class DismissedResponse(Shape):
    """The answer to `/suggest/dismissed`, to dismissing and to restoring: `changed` is how many
    came or went, `dismissed` what is dismissed now (of the note, where one was named)."""

    changed: int = 0
    dismissed: list[DismissedSuggestion] = Field(default_factory=list)
