"""A part of a note as it must read in another note: heading levels, links, definitions."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from core.features.linkage import Linked, linked, target_span
from core.features.linktext import heading_anchors, markdown_target, wikilink_target
from core.features.relink import relinked
from core.features.results import PlaceEdit
from core.model import DEFINITION, FRONTMATTER, REFERENCE, Heading, Link, Note, strip_note_suffix
from core.parse.links import label_key
from core.text import LineIndex
from core.vault.index import VaultIndex
from core.vault.resolve import find_heading
from core.vault.targets import MARKDOWN_FORMS

_LEVELS = 6
_MARKS = re.compile(r"[ \t]{0,3}(#{1,6})")
_LABEL = re.compile(r"\[((?:[^\[\]\\\n]|\\.)+)\]:")
_USED_LABEL = re.compile(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\[([^\[\]]*)\])?\Z", re.DOTALL)
_FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\](?!:)")


class Part(NamedTuple):
    """`start`..`end` of the text of a note."""

    note: Note
    text: str
    start: int
    end: int

    @property
    def headings(self) -> list[Heading]:
        return [found for found in self.note.headings if self.holds(found.start)]

    @property
    def links(self) -> list[Link]:
        return [link for link in self.note.links if self.holds(link.start)]

    @property
    def raw(self) -> str:
        return self.text[self.start : self.end]

    def holds(self, offset: int) -> bool:
        """Whether the part has the character at `offset`."""
        return self.start <= offset < self.end


def section_of(note: Note, text: str, heading: Heading) -> Part:
    """A heading with all that is below it."""
    lines = LineIndex(text)
    after = (h for h in note.headings if h.start > heading.start and h.level <= heading.level)
    following = next(after, None)
    end = len(text) if following is None else lines.start(following.line)
    return Part(note, text, lines.start(heading.line), end)


def trimmed(part: Part) -> Part:
    """The part without blank lines at its ends."""
    raw = part.raw
    lead = len(raw) - len(raw.lstrip())
    lines = LineIndex(part.text)
    start = lines.start(lines.line_at(part.start + lead))
    return part._replace(
        start=max(start, part.start), end=max(part.start, part.start + len(raw.rstrip()))
    )


def moved_text(
    index: VaultIndex, part: Part, path: str, levels: int, new: Note | None = None
) -> str:
    """The part as it reads in the note at `path`: headings `levels` deeper (or higher, below 0),
    links so that they mean what they meant, and with the definitions that it uses. `new` is
    what that note will be, where it holds the part alone."""
    edits = [edit for heading in part.headings if (edit := _shifted(part, heading, levels))]
    edits += [edit for link in part.links if (edit := _rebased(index, part, link, path))]
    edits += _anchors(index, part, new) if new is not None else ()
    text, at = "", part.start
    for start, end, written in sorted(edits):
        if start >= at:
            text += part.text[at:start] + written
            at = end
    text += part.text[at : part.end]
    eol = LineIndex(part.text).eol
    carried = list(_definitions(index, part, path, inside=False))
    if carried:
        text = text.rstrip() + eol * 2 + eol.join(carried)
    return text


def left_behind(part: Part) -> list[str]:
    """Definitions in the part that the rest of its note uses."""
    rest = [link for link in part.note.links if not part.holds(link.start)]
    labels = {_label(link) for link in rest if link.form == REFERENCE}
    return [
        link.raw
        for link in part.links
        if link.form == DEFINITION and (m := _LABEL.match(link.raw)) and label_key(m[1]) in labels
    ]


def retargeted(
    index: VaultIndex, source: Note, link: Link, found: Linked, moved: Note, place: Heading | None
) -> tuple[PlaceEdit, ...]:
    """The edits by which a link, written in `source`, to something that moved to the note
    `moved` leads there. `place` is the heading there; None for a block, whose id stays."""
    markdown = link.form in MARKDOWN_FORMS
    anchor: str | None = None
    if place is not None and find_heading(moved, found.anchor, markdown) is not place:
        anchors = {id(heading): text for heading, text in heading_anchors(moved)}
        anchor = place.slug if markdown else anchors.get(id(place))
        if not anchor:
            return ()
    if markdown:
        target = posixpath.relpath(f"/{moved.path}", f"/{posixpath.dirname(source.path)}")
    else:
        target = new_target(index, moved.path, source.path)
    if link.target:
        done = relinked(source, link, found.resolution, target, anchor)
        return done.edits if done is not None else ()
    at = link.raw.find("#")
    if link.form == REFERENCE or link.origin == FRONTMATTER or at < 0:
        return ()
    own = markdown_target(moved.path, source.path) if markdown else target
    if anchor is None:
        return (PlaceEdit(source.path, link, at, at, own),)
    return (PlaceEdit(source.path, link, at, link.anchor_end, f"{own}#{anchor}"),)


def new_target(index: VaultIndex, path: str, source: str) -> str:
    """How a wikilink in `source` names a note that is not there yet."""
    name = strip_note_suffix(path.rpartition("/")[2])
    return name if index.resolve_name(name, source).is_unresolved else strip_note_suffix(path)


def _shifted(part: Part, heading: Heading, levels: int) -> tuple[int, int, str] | None:
    level = max(1, min(_LEVELS, heading.level + levels))
    if level == heading.level:
        return None
    begin = heading.start - heading.col
    marks = _MARKS.match(part.text, begin)
    if marks and marks.end(1) <= heading.start:
        return marks.start(1), marks.end(1), "#" * level
    if "\n" in heading.raw or "\r" in heading.raw:
        return None
    lines = LineIndex(part.text)
    underline = lines.end(lines.line_at(heading.end) + 1)
    return begin, underline, f"{'#' * level} {heading.raw}"


def _rebased(index: VaultIndex, part: Part, link: Link, path: str) -> tuple[int, int, str] | None:
    """The edit that keeps the meaning of a link which moves with the part to `path`."""
    if link.form == REFERENCE or link.origin == FRONTMATTER:
        return None
    found = linked(index, link, part.note)
    markdown = link.form in MARKDOWN_FORMS
    if found.resolution.path == part.note.path:
        stays = found.place is not None and part.holds(found.place.start)
        if not link.target:
            at = link.raw.find("#")
            if stays or at < 0:
                return None
            own = (
                markdown_target(part.note.path, path)
                if markdown
                else wikilink_target(index, part.note.path, path)
            )
            return link.start + at, link.start + at, own
        if stays:
            start, end = target_span(link, found.resolution)
            return link.start + start, link.start + end, ""
    to = found.resolution.path or found.attachment
    if to is None or not link.target:
        return None
    if markdown:
        in_angles = link.raw[link.target_at - 1 : link.target_at] == "<"
        if index.resolve_name(link.target, path, True).path == found.resolution.path and (
            found.resolution.path or path.rpartition("/")[0] == part.note.folder
        ):
            return None
        target = markdown_target(to, path, in_angles=in_angles)
    else:
        again = index.resolve_name(link.target, path)
        if (again.path or again.attachment) == to or found.attachment:
            return None
        target = wikilink_target(index, to, path)
    start, end = target_span(link, found.resolution)
    return link.start + start, link.start + end, target


def _anchors(index: VaultIndex, part: Part, new: Note) -> Iterator[tuple[int, int, str]]:
    """Other texts behind `#` for links within the part, where headings are fewer than before."""
    number = {heading.start: at for at, heading in enumerate(part.headings)}
    texts = {id(heading): text for heading, text in heading_anchors(new)}
    for link in part.links:
        if link.anchor_at < 0 or link.form == REFERENCE:
            continue
        found = linked(index, link, part.note)
        if found.resolution.path != part.note.path or not isinstance(found.place, Heading):
            continue
        at = number.get(found.place.start, len(new.headings))
        if at >= len(new.headings):
            continue
        markdown, place = link.form in MARKDOWN_FORMS, new.headings[at]
        if find_heading(new, found.anchor, markdown) is place:
            continue
        if text := place.slug if markdown else texts.get(id(place)):
            yield link.start + link.anchor_at, link.start + link.anchor_end, text


def _definitions(index: VaultIndex, part: Part, path: str, *, inside: bool) -> Iterator[str]:
    """Lines that define what the part uses, from elsewhere in its note."""
    labels = {_label(link) for link in part.links if link.form == REFERENCE}
    for link in part.note.links if labels else ():
        if link.form != DEFINITION or part.holds(link.start) is not inside:
            continue
        if (match := _LABEL.match(link.raw)) and label_key(match[1]) in labels:
            edit = _rebased(index, part, link, path)
            if edit is None:
                yield link.raw
            else:
                start, end = edit[0] - link.start, edit[1] - link.start
                yield link.raw[:start] + edit[2] + link.raw[end:]
    for name in dict.fromkeys(_FOOTNOTE.findall(part.raw)):
        pattern = rf"(?m)^\[\^{re.escape(name)}\]:[^\r\n]*(?:(?:\r\n|\n|\r)(?: {{4}}|\t)[^\r\n]*)*"
        for match in re.finditer(pattern, part.text):
            if not part.holds(match.start()):
                yield match[0]


def _label(link: Link) -> str:
    used = _USED_LABEL.match(link.raw)
    return label_key((used[2] or used[1]) if used else "")
