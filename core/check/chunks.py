"""The chunks: in order and complete, their joined text the body, in the store and in the file."""

from __future__ import annotations

from collections.abc import Iterator

from core import ids
from core.check.shapes import Fact, Finding
from core.check.view import NoteView, VaultFiles, finding
from core.chunking.chunks import chunk_note
from core.chunking.profiles import profile_of
from core.ingest.hashing import canonical
from core.parse import parse_note

_RECUT = ("text", "window", "start_line", "end_line", "tokens", "overlap_left", "overlap_right")
"""What cutting the file again must give once more."""


class ChunkCheck:
    """Compares chunks with each other, with the stored text and with the files."""

    def __init__(self, files: VaultFiles) -> None:
        self._files = files
        self._chunks = self._tokens = self._other_form = 0

    def look(self, view: NoteView) -> Iterator[Finding]:
        self._chunks += len(view.chunks)
        self._tokens += sum(int(p.payload.get("tokens") or 0) for p in view.chunks)
        yield from _order(view)
        if not view.complete:
            return
        joined = "".join(str(p.payload.get("text", "")) for p in view.chunks)
        text = view.payload.get("fulltext")
        if isinstance(text, str):
            same = view.file is not None and view.file.text == text
            note = view.file.note if view.file and same else parse_note(view.path, text)
            body = text[note.body_start :]
            if joined != body and (body.strip() or joined):
                message = f"its chunks hold {len(joined)} characters, its stored body {len(body)}"
                yield finding("chunks", "text-lost", view, message)
            if body.strip() and not view.chunks:
                yield finding("chunks", "no-chunks", view, "it has text but no chunk")
        yield from self._file(view, joined)

    def end(self) -> Iterator[Finding | Fact]:
        mean = self._tokens / self._chunks if self._chunks else 0.0
        yield Fact(
            check="chunks",
            name="tokens",
            value=round(mean, 1),
            message=f"{mean:.0f} tokens a chunk on average",
        )
        if self._other_form:
            yield Fact(
                check="chunks",
                name="other_form",
                value=self._other_form,
                message=f"{self._other_form} notes differ from their file in line ends or Unicode "
                "form alone, which counts as unchanged; the next import takes it",
            )

    def _file(self, view: NoteView, joined: str) -> Iterator[Finding]:
        content = view.file
        if content is None:
            return  # `hashes` says so
        body = content.text[content.note.body_start :]
        if joined != body and (body.strip() or joined.strip()):
            if canonical(joined) == canonical(body):
                self._other_form += 1
            else:
                message = "its chunks are not the text of its file; run `mindnet import --apply`"
                yield finding("chunks", "text-differs", view, message)
        elif view.is_current:
            type_ = self._files.config.types.effective(content.note)
            cut = chunk_note(content.note, content.text, profile_of(type_.chunk_profile))
            stored = [[p.payload.get(name) for name in _RECUT] for p in view.chunks]
            if stored != [[getattr(chunk, name) for name in _RECUT] for chunk in cut]:
                message = f"cutting its file again gives {len(cut)} other chunks"
                yield finding("chunks", "cut-differs", view, message)


def _order(view: NoteView) -> Iterator[Finding]:
    count = view.payload.get("chunk_count")
    if view.complete and count != len(view.chunks):
        message = f"{len(view.chunks)} chunks instead of {count}"
        yield finding("chunks", "chunk-count", view, message)
    names = [ids.chunk_id(view.note_id, index) for index in range(len(view.chunks))]
    for index, point in enumerate(view.chunks):
        found = point.payload
        before = names[index - 1] if index else None
        after = names[index + 1] if index + 1 < len(names) else None
        expected = (names[index], index, index + 1, before, after)
        fields = ("chunk_id", "index", "ord", "neighbors_prev", "neighbors_next")
        if tuple(found.get(name) for name in fields) != expected:
            yield finding("chunks", "chunk-order", view, f"{point.id} is not chunk {index}")
            return  # all that follow would say the same
        if not str(found.get("text", "")):
            yield finding("chunks", "empty-chunk", view, f"{point.id} has no text")
