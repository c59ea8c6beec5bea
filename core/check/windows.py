"""The windows: a context line, the text, its neighbours' edges; and each with its vector."""

from __future__ import annotations

from collections.abc import Iterator

from core.check.shapes import Fact, Finding
from core.check.view import NoteView, finding
from core.ingest.embed import embeddable
from core.ingest.records import says_yes

EXPECTED_SHARE = 0.6
"""Share of the windows of notes with several chunks that hold more than their text."""


class WindowCheck:
    """`dim` of None: the store was built without a model, so that nothing has a vector."""

    def __init__(self, dim: int | None) -> None:
        self._dim = dim
        self._chunks = self._more = self._overlapping = self._vectors = 0

    def look(self, view: NoteView) -> Iterator[Finding]:
        texts = [str(p.payload.get("text", "")) for p in view.chunks]
        joined = "".join(texts)
        at = 0
        several = len(texts) > 1
        for point, text in zip(view.chunks, texts, strict=True):
            window = str(point.payload.get("window", ""))
            left, right = (int(point.payload.get(f"overlap_{s}") or 0) for s in ("left", "right"))
            content = joined[max(0, at - left) : at + len(text) + right].strip()
            at += len(text)
            context, blank, rest = window.partition("\n\n")
            if not context.strip() or not blank or rest != content:
                message = f"the window of {point.id} is not its text with its neighbours' edges"
                yield finding("windows", "wrong-window", view, message)
            self._chunks += several
            self._more += several and window != text
            self._overlapping += several and left + right > 0
        if view.complete:
            yield from self._look_at_vectors(view)

    def end(self) -> Iterator[Finding | Fact]:
        for name, count, what in (
            ("window_differs", self._more, "hold more than their text"),
            ("overlap", self._overlapping, "overlap with a neighbour"),
        ):
            share = count / self._chunks if self._chunks else 0.0
            message = f"{share:.0%} of the windows of notes with several chunks {what}"
            if name == "window_differs":
                message += f" (more than {EXPECTED_SHARE:.0%} is expected)"
            yield Fact(check="windows", name=name, value=round(share, 4), message=message)
        message = f"{self._vectors} chunks have a vector"
        yield Fact(check="windows", name="vectors", value=self._vectors, message=message)

    def _look_at_vectors(self, view: NoteView) -> Iterator[Finding]:
        exclude = view.payload.get("embedding_exclude")
        first = exclude[0] if isinstance(exclude, list) and exclude else exclude
        excluded = isinstance(first, str) and says_yes(first)
        wanted = self._dim is not None and not excluded
        if excluded and view.vector is not None:
            yield finding("windows", "unwanted-vector", view, "it asks for no vector and has one")
        for point in view.chunks:
            has = point.vector is not None
            self._vectors += has
            should = wanted and embeddable(str(point.payload.get("window", "")))
            if has and not should:
                message = f"{point.id} has a vector" + (" and asks for none" if excluded else "")
                yield finding("windows", "unwanted-vector", view, message)
            elif should and not has:
                yield finding("windows", "missing-vector", view, f"{point.id} has no vector")
