"""What goes over the wire when somebody talks to the notes, shared by the core and its clients."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.api import ErrorBody, ScoreBreakdown, Shape, Suggestion

LONGEST_MESSAGE = 20_000
"""Code points of one message."""
SESSION_ID = r"^[\w.:-]{1,80}$"


class Turn(Shape):
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    content: str


class ChatRequest(Shape):
    """`POST /chat`. `history` takes the place of what the core knows of the session."""

    message: str = Field(min_length=1, max_length=LONGEST_MESSAGE)
    session_id: str | None = Field(None, pattern=SESSION_ID)
    history: list[Turn] | None = Field(None, max_length=200)
    top_k: int = Field(8, ge=1, le=50)
    remember: bool | None = None
    """Whether the message may go into the search history; None for the setting."""
    locale: Literal["de", "en"] = "en"


class ChatSource(Shape):
    """A note that was given to the model, at its best chunk. `n` is its number in the answer,
    `cited` whether the answer names it; lines as in `QueryHit`."""

    n: int
    note_id: str
    title: str
    type: str
    path: str
    section: str
    start_line: int
    end_line: int
    score: float
    score_breakdown: ScoreBreakdown | None = None
    reasons: list[str] = Field(default_factory=list)
    cited: bool = False


class LeftOut(Shape):
    """A note that was found and did not fit into the model's window."""

    note_id: str
    title: str
    path: str


class MissingField(Shape):
    """A field that the note still needs, and the question for it."""

    field: str
    hint: str


class ChatDraft(Shape):
    """A note as it would be, not written. See `core.chat.interview.Draft`; the suggestions'
    offsets are those of the markdown."""

    type: str
    title: str
    file_name: str
    path: str
    markdown: str
    missing_fields: list[MissingField] = Field(default_factory=list)
    healed: list[str] = Field(default_factory=list)
    moved_to_body: list[str] = Field(default_factory=list)
    question: str = ""
    said: str = ""
    notice: str = ""
    suggestions: list[Suggestion] = Field(default_factory=list)


class ChatIntent(Shape):
    """First line of a chat: what the message was understood to want."""

    kind: Literal["intent"] = "intent"
    session_id: str
    intent: str
    intent_source: str
    type: str = ""
    """Of the note to write, for an interview."""


class ChatSources(Shape):
    """What the answer will be made from, before its first word."""

    kind: Literal["sources"] = "sources"
    query_id: str
    sources: list[ChatSource]
    left_out: list[LeftOut] = Field(default_factory=list)


class ChatDelta(Shape):
    """A piece of the answer."""

    kind: Literal["delta"] = "delta"
    text: str


class ChatResult(Shape):
    """Last line of a chat. Where `error` is set, `answer` is what came before it, and the
    sources are there all the same."""

    kind: Literal["result"] = "result"
    query_id: str
    session_id: str
    intent: str
    intent_source: str
    answer: str = ""
    sources: list[ChatSource] = Field(default_factory=list)
    citations: list[int] = Field(default_factory=list)
    """The numbers of the sources that the answer names, in its order."""
    left_out: list[LeftOut] = Field(default_factory=list)
    draft: ChatDraft | None = None
    searched_for: str = ""
    """What was looked for; another text than the message where that only had a meaning within
    the conversation."""
    incomplete: bool = False
    """Whether the answer broke off."""
    notice: str = ""
    error: ErrorBody | None = None
    took_ms: float = 0.0


class DraftRequest(Shape):
    """`POST /draft`. With the `session_id` of a conversation it goes on with the note that is
    being asked about there, or begins one."""

    message: str = Field("", max_length=LONGEST_MESSAGE)
    session_id: str | None = Field(None, pattern=SESSION_ID)
    type: str = ""
    answers: dict[str, str] = Field(default_factory=dict)
    folder: str | None = None
    locale: Literal["de", "en"] = "en"


class DraftResult(ChatDraft):
    """Last line of its answer: a slow model may write for minutes, and who leaves stops it."""

    kind: Literal["result"] = "result"


class AskRequest(Shape):
    """`POST /llm/ask`: a prompt that a client made, for the vault's language model."""

    prompt: str = Field(min_length=1)
    locale: Literal["de", "en"] = "en"


class AskResult(Shape):
    """Last line of its answer, behind `ChatDelta`s."""

    kind: Literal["result"] = "result"
    text: str
