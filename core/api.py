"""Shapes of the core service's HTTP interface, shared by the service and its clients.

Positions here are lines of the file (0-based); columns do not appear, so that no
position encoding is needed. Paths are vault-relative with `/`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.explanation import Fact, WhyNot
from core.explanation import ScoreBreakdown as ScoreBreakdown

API_VERSION = 4
"""Raised with every change that a client may miss; a core of another version is replaced."""


EdgeForm = Literal["wikilink", "relation", "field", "callout"]
"""How an edge is written: over its words, `[[rel:kind …]]`, `kind:: …`, or in an edge callout."""


class Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Health(Shape):
    """`GET /health`: who answers."""

    version: str
    api_version: int
    vault: str
    pid: int
    settings: dict[str, Any] = {}
    """What decides which index and which model it uses, by dotted names."""


class ErrorBody(Shape):
    """Body of every error answer, and `error` of a workspace command's result."""

    code: str
    message: str
    hint: str = ""


class Filters(Shape):
    """Restricts hits; the lists are alternatives, the fields are all required."""

    types: list[str] = []
    tags: list[str] = []
    paths: list[str] = []
    """Folders or notes, vault-relative, or glob patterns."""
    note_ids: list[str] = []
    updated_since: str | None = None
    """ISO date or date-time."""


class QueryRequest(Shape):
    """`POST /query`."""

    query: str
    mode: Literal["semantic", "hybrid"] = "hybrid"
    top_k: int = Field(10, ge=1, le=200)
    hops: int = Field(1, ge=0, le=3)
    filters: Filters = Filters()
    explain: bool = True
    why_not: str | None = None
    """Id, path or title of a note: say why it is not among the hits."""
    remember: bool | None = None
    """Whether the query goes into the history; None means the core's own setting."""
    locale: Literal["de", "en"] = "en"


class QueryHit(Shape):
    note_id: str
    title: str
    type: str
    path: str
    chunk_id: str
    section: str
    """Heading path of the chunk, joined by ` › `."""
    start_line: int
    end_line: int
    """Last line of the chunk, inclusive."""
    text: str
    score: float
    score_breakdown: ScoreBreakdown | None = None
    cosine: float | None = None
    """Closeness in meaning on the embedding model's own scale, None where it was not looked at."""
    reasons: list[str] = []
    reason_facts: list[Fact] = []
    """What the reasons say, one for each of them."""


class QueryResponse(Shape):
    query_id: str
    mode: str
    took_ms: float
    hits: list[QueryHit]
    notice: str | None = None
    """What was missing (for example: searched by words alone), in the user's language."""
    why_not: WhyNot | None = None


class SyncRequest(Shape):
    """`POST /index/sync` and `/ingest/save`: `paths` of None means the whole vault."""

    paths: list[str] | None = None
    full: bool = False
    """Write every note anew, changed or not."""
    dry_run: bool = False
    """Only count what would be written and deleted."""


class FailedNote(Shape):
    path: str
    reason: str


class SyncProgress(Shape):
    """One NDJSON line while syncing."""

    kind: Literal["progress"] = "progress"
    done: int
    total: int
    phase: str


class SyncResult(Shape):
    """The last NDJSON line of a sync; `notes`, `chunks`, `edges` count the whole store."""

    kind: Literal["result"] = "result"
    notes: int
    chunks: int
    edges: int
    changed: int
    deleted: int
    embedded: int
    failed: list[FailedNote]
    took_ms: float


class SyncFailure(ErrorBody):
    """The last NDJSON line of a sync that did not come to its end."""

    kind: Literal["error"] = "error"


class AnalyzeRequest(Shape):
    """`POST /ingest/analyze`: suggested edges for the text of a note as it is now."""

    path: str
    text: str | None = None
    """Unsaved text; None reads the file."""
    start_line: int | None = Field(None, ge=0)
    end_line: int | None = Field(None, ge=0)
    top_k: int = Field(10, ge=1, le=200)
    form: EdgeForm | None = None
    """How to write the edges; None for what fits each best."""
    passages: bool = False
    """Tell as well what is near each passage."""
    min_score: float | None = Field(None, ge=0, le=1)
    """Weakest evidence to show; None for the core's own measure, 0 for all that are ordered."""
    locale: Literal["de", "en"] = "en"


class Suggestion(Shape):
    """An edge that the note does not have yet. `start`..`end` are code-point offsets
    into the analysed text that `new_text` replaces (equal for an insertion); the edit has
    this `form` and states `kind`. `edge_kind` is the kind that is proposed, which a plain
    link does not say. `about` are the offsets of the words that name the target where
    `mention`, else of the passage that it is near to, None for the note as a whole."""

    target_note_id: str
    title: str
    path: str
    kind: str
    score: float
    reasons: list[str]
    start: int
    end: int
    new_text: str
    form: EdgeForm = "wikilink"
    edge_kind: str = "references"
    about: tuple[int, int] | None = None
    mention: bool = False


class NearPassage(Shape):
    """The notes near in meaning to `start`..`end` of the analysed text, nearest first."""

    start: int
    end: int
    paths: list[str]


class AnalyzeResponse(Shape):
    suggestions: list[Suggestion]
    passages: list[NearPassage] = []


class IndexState(Shape):
    state: Literal["starting", "indexing", "ready", "error"]
    pending: int = 0
    last_error: str | None = None


class StoreState(Shape):
    mode: Literal["embedded", "server", "none"]
    state: str


class EmbeddingState(Shape):
    provider: str
    model: str
    dim: int
    state: str


class LlmState(Shape):
    """`running` are calls that the model has to answer just now, `waiting` those in the
    background that may not begin yet."""

    model: str
    state: str
    running: int = 0
    waiting: int = 0


class SmartState(Shape):
    """Smart edges: `waiting` passages were not judged by the language model yet, on `failed` of
    them it was given up until the next start. `state` is ready, working, waiting (for the
    model) or off."""

    state: Literal["ready", "working", "waiting", "off"] = "ready"
    waiting: int = 0
    failed: int = 0


class Status(Shape):
    """`GET /status`, `mindnet.status` and the `mindnet/status` notification."""

    version: str
    vault: str
    notes: int = 0
    chunks: int = 0
    edges: int = 0
    unresolved: int = 0
    index: IndexState
    store: StoreState
    embedding: EmbeddingState
    llm: LlmState
    smart_edges: SmartState = SmartState()
