"""What the graph service is asked and answers; also its HTTP shapes.

Notes are named by id; `path` is where the file is, vault-relative.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.api import Shape

MAX_NODES = 2_000


class GraphRequest(Shape):
    """`POST /graph`: the notes around the one at `path` (or with this `note_id`); without
    either the most linked notes of the vault.

    `kinds` restricts which edges are followed and shown; none means all.
    """

    path: str | None = None
    note_id: str | None = None
    hops: int = Field(1, ge=0, le=6)
    kinds: list[str] = Field(default_factory=list)
    limit: int = Field(200, ge=1, le=MAX_NODES)
    """Most notes in the answer, nearest first, then those with most links."""
    locale: Literal["de", "en"] = "en"


class GraphNode(Shape):
    """`degree` counts the different notes that it is linked with in the whole vault, `hops`
    how far it is from the note that was asked about."""

    id: str
    title: str
    type: str
    path: str
    degree: int
    hops: int = 0


class GraphEdge(Shape):
    """An edge between two nodes; several chunks that say the same are one. `source` and
    `target` are node ids."""

    source: str
    target: str
    kind: str
    rule_id: str
    provenance: str
    confidence: float


class GraphResponse(Shape):
    """Nodes by distance, degree and path; edges by source, target, kind and rule.
    `truncated` says that `limit` left notes out."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    truncated: bool = False


class PathRequest(Shape):
    """`POST /graph/path`: the shortest ways between two notes, links followed in both
    directions."""

    from_path: str
    to_path: str
    limit: int = Field(5, ge=1, le=50)
    locale: Literal["de", "en"] = "en"


class PathStep(Shape):
    """One note of a way. `kind` is the edge that leads to it from the step before, "" at the
    start; `forward` says whether that edge is written in this direction."""

    note: str
    title: str
    path: str
    kind: str = ""
    forward: bool = True


class PathResponse(Shape):
    """All of the same length, by their notes' paths; none where no way leads."""

    paths: list[list[PathStep]]


class Overview(Shape):
    """`GET /graph/overview`: notes without any link, and the most linked ones."""

    notes: int
    links: int
    unresolved: int
    orphans: list[GraphNode]
    hubs: list[GraphNode]
