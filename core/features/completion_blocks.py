"""Completion of blocks behind `#^`: those with an id, and those that would get one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from core.features.completion_anchors import target_note
from core.features.completion_context import CompletionContext
from core.features.document import Document
from core.features.ranking import filter_text, fit, sort_text
from core.features.results import CompletionItem, Completions, TextEdit
from core.features.structure import Part, structure
from core.features.summary import excerpt
from core.features.typed import Typed
from core.model import Note
from core.parse.inline import plain_text
from core.parse.places import flatten
from core.text import fold

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LENGTH = 6
_LONGEST_LABEL = 60
_LONGEST_TEXT = 300
_MOST = 2_000
"""Blocks of a note that are looked at."""
_ALONE = ("table", "quote")
"""Blocks whose id stands in a line of its own."""
_MARKS = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])?[ \t]+(?:\[.\][ \t]+)?")
_CALLOUT = re.compile(r"^\[![^\]\n]+\][+-]? ?")
_DEFINITION = re.compile(r"[ \t>]*\[[^\]\n]+\]:")


class _Found(NamedTuple):
    """A block: how well it fits, whether it has an id yet, where it stands; `whole` is what to
    show of one that no link can name yet."""

    fit: int
    is_new: bool
    line: int
    id: str
    text: str
    edits: tuple[TextEdit, ...] = ()
    whole: str = ""


def complete_blocks(context: CompletionContext, typed: Typed) -> Completions:
    """The blocks of the note before `#^` that fit by their id or their text.

    One without an id gets one with the acceptance: in this note, or in another where
    `context.edits_elsewhere` says that it can be done. An id follows from the block's text.
    """
    note = target_note(context, typed)
    if note is None:
        return Completions()
    text = context.own_text(note.path)
    if text is None:
        return Completions()
    wanted = typed.query.removeprefix("^")
    blocks = [*_marked(note, text, wanted)]
    if note.path == context.document.path:
        blocks += _unmarked(context.document, wanted, typed.cursor)
    elif context.edits_elsewhere:
        blocks += _unmarked(Document.of(note, text), wanted, -1)
    blocks.sort(key=lambda found: (-found.fit, found.is_new, found.line))
    new = context.say("new id", "neue Id")
    items = tuple(
        CompletionItem(
            found.text or f"^{found.id}" if found.is_new else f"^{found.id}",
            "block",
            f"^{found.id}{typed.closing}",
            typed.insert,
            typed.replace,
            _filter_text(found, typed.query),
            sort_text(at),
            f"^{found.id} · {new}" if found.is_new else found.text,
            note.title,
            "" if found.is_new else note.path,
            "" if found.is_new else f"^{found.id}",
            found.whole,
            edits=found.edits,
        )
        for at, found in enumerate(blocks[: context.limit])
    )
    return Completions(items, len(blocks) > context.limit)


def _filter_text(found: _Found, query: str) -> str:
    """The id and the text: editors narrow the list by both."""
    return filter_text(f"^{found.id} {found.text}" if found.text else f"^{found.id}", query)


def _marked(note: Note, text: str, wanted: str) -> Iterator[_Found]:
    for block in note.blocks:
        shown = " ".join(excerpt(note, text, block).split())[:_LONGEST_LABEL]
        if score := max(fit(wanted, block.id), _text_fit(wanted, shown) if wanted else 0):
            yield _Found(score, False, block.first_line, block.id, shown)


def _unmarked(document: Document, wanted: str, cursor: int) -> Iterator[_Found]:
    """Blocks without an id; the one that holds the cursor is none to link to."""
    note, lines = document.note, document.lines
    taken = {block.id.lower() for block in note.blocks}
    carrying = [(block.first_line, block.line) for block in note.blocks]
    for part in _blocks(document):
        # what carries an id ends with it, or one line or two above it
        if any(first <= part.last and part.first <= last for first, last in carrying):
            continue
        if part.start <= cursor <= lines.end(part.last):
            continue
        text = _shown(document.text[part.start : part.end])
        score = _text_fit(wanted, text)
        if not text or not score:
            continue
        name = _new_id(text, taken)
        taken.add(name)
        edits, label = (_mark(document, part, name),), text[:_LONGEST_LABEL]
        yield _Found(score, True, part.first, name, label, edits, text[:_LONGEST_TEXT])


def _text_fit(wanted: str, text: str) -> int:
    """As `fit`, for a text: any letters are somewhere in it, so its words count."""
    folded = fold(text)
    return fit(wanted, text) if all(word in folded for word in fold(wanted).split()) else 0


def _blocks(document: Document) -> Iterator[Part]:
    """What can carry an id: paragraphs, items, tables and quotes; of nested ones the items of
    lists, else the outer one."""
    covered = -1
    for part in structure(document).parts[:_MOST]:
        if part.kind in ("table", "quote"):
            if part.start >= covered:
                yield part
                covered = part.end
        elif part.kind == "item":
            if part.start >= covered:
                yield _first_lines(document, part)
        elif part.kind == "paragraph" and part.start >= covered:
            in_item = _MARKS.match(document.lines.line(part.first)) is not None
            if not in_item and not _DEFINITION.match(document.text, part.start):
                yield part


def _first_lines(document: Document, item: Part) -> Part:
    """An item without the lists in it: up to its first line of another block."""
    last = item.first
    for number in range(item.first + 1, item.last + 1):
        line = document.lines.line(number)
        marks = _MARKS.match(line)
        if not line.strip() or (marks and marks[0].strip()):
            break
        last = number
    return item._replace(end=document.lines.end(last), last=last)


def _mark(document: Document, part: Part, name: str) -> TextEdit:
    """The edit that writes the id: at the end of the block, or below it."""
    lines = document.lines
    end = lines.end(part.last)
    end -= len(document.text[part.start : end]) - len(document.text[part.start : end].rstrip())
    if part.kind not in _ALONE:
        return TextEdit(document.path, end, end, f" ^{name}")
    below = lines.line(part.last + 1).strip() if part.last + 1 < len(lines) else ""
    eol = lines.eol
    return TextEdit(document.path, end, end, f"{eol}{eol}^{name}" + (eol if below else ""))


def _shown(text: str) -> str:
    """A block on one line, without the marks in front of its lines."""
    rows = (_MARKS.sub("", row).lstrip("> \t") for row in flatten(text).split("\n"))
    return " ".join(plain_text(_CALLOUT.sub("", " ".join(rows))).split())


def _new_id(text: str, taken: set[str]) -> str:
    """Six letters and digits that follow from the text, none of those that are `taken`."""
    salt = 0
    while True:
        number = int.from_bytes(hashlib.sha256(f"{text}{salt or ''}".encode()).digest()[:8], "big")
        name = ""
        for _ in range(_ID_LENGTH):
            number, at = divmod(number, len(_LETTERS))
            name += _LETTERS[at]
        if name not in taken:
            return name
        salt += 1
