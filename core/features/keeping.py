"""What follows from a rename, so that every link means what it meant before.

A name that changes takes the links with it that use it. A heading that changes moves the
anchors of others (`#log-1` becomes `#log`), an edit within a heading changes the heading, the
first heading of level 1 is the note's title: all this is worked out on parsed notes, without
any text, until nothing more changes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping

from msgspec import structs

from core.errors import AlreadyExists
from core.features.linkage import anchor_of, place_of
from core.features.linktext import heading_anchors, heading_text, target_like
from core.features.relink import anchor_texts, relinked
from core.features.results import PlaceEdit, VaultEdit
from core.locale import Locale, say
from core.model import REFERENCE, Heading, Link, Note
from core.parse.frontmatter import is_null
from core.parse.inline import Slugs, plain_text
from core.parse.note import first_title
from core.text import fold
from core.vault.anchors import comparable, heading_path
from core.vault.candidates import Resolution
from core.vault.index import VaultIndex
from core.vault.registry import link_key, names_of
from core.vault.resolve import whole_name
from core.vault.targets import MARKDOWN_FORMS

_ROUNDS = 8
"""A heading with a link to a heading with a link ...; longer chains are refused."""


def kept(
    index: VaultIndex,
    edits: Iterable[PlaceEdit],
    renamed: Mapping[str, Note],
    locale: Locale,
) -> VaultEdit:
    """`edits` and all that follows from them, sorted, without overlaps.

    `renamed` are notes as they will be where the edits give them another title, id or alias;
    what happens to headings is seen from the edits. Raises AlreadyExists where a link would
    come to mean something else and cannot be written so that it does not.
    """
    given = list(edits)
    every, after = given, _revised(index, given, renamed)
    for _ in range(_ROUNDS):
        if not after:
            return VaultEdit(_in_order(given, ()))
        followed = list(_Links(index, after, locale).edits())
        every = [*given, *followed]
        again = _revised(index, _in_order(given, followed), renamed)
        if again == after:
            return VaultEdit(_in_order(given, followed))
        after = again
    raise _lost(locale, every[-1].path)


def _in_order(given: Iterable[PlaceEdit], followed: Iterable[PlaceEdit]) -> tuple[PlaceEdit, ...]:
    """All edits by path and offset; of two that overlap the one that was asked for."""
    found: list[PlaceEdit] = []
    both = [(edit, 0) for edit in given] + [(edit, 1) for edit in followed]
    for edit, _ in sorted(both, key=lambda item: (item[0].path, _span(item[0])[0], item[1])):
        if found and found[-1].path == edit.path and _span(found[-1])[1] > _span(edit)[0]:
            if found[-1] in given or edit not in given:
                continue
            found.pop()
        found.append(edit)
    return tuple(found)


def _span(edit: PlaceEdit) -> tuple[int, int]:
    return edit.place.start + edit.start, edit.place.start + edit.end


def _revised(
    index: VaultIndex, edits: Iterable[PlaceEdit], renamed: Mapping[str, Note]
) -> dict[str, Note]:
    """The notes whose names or headings are others after the edits."""
    by_path: dict[str, list[PlaceEdit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    found = dict(renamed)
    for path, own in by_path.items():
        note = index.notes[path]
        headings = _edited_headings(note, own)
        if headings != note.headings:
            title = _title(note, headings)
            changed = found.get(path, note)
            if note.title != title:
                changed = structs.replace(changed, title=title)
            found[path] = structs.replace(changed, headings=headings)
    return found


def _edited_headings(note: Note, edits: list[PlaceEdit]) -> tuple[Heading, ...]:
    """The headings with the edits in them, their places as before."""
    starts = [heading.start for heading in note.headings]
    raws: dict[int, str] = {}
    for edit in sorted(edits, key=lambda edit: -_span(edit)[0]):
        start, end = _span(edit)
        at = bisect_right(starts, start) - 1
        if at >= 0 and end <= note.headings[at].end:
            raw = raws.get(at, note.headings[at].raw)
            begin = starts[at]
            raws[at] = raw[: start - begin] + edit.new_text + raw[end - begin :]
    if not raws:
        return note.headings
    slugs, made = Slugs(), []
    for at, heading in enumerate(note.headings):
        raw = raws.get(at, heading.raw)
        text = heading.text if raw == heading.raw else plain_text(raw)
        made.append(structs.replace(heading, raw=raw, text=text, slug=slugs.of(text)))
    return tuple(made)


def _title(note: Note, headings: tuple[Heading, ...]) -> str:
    """The note's title with these headings."""
    for found in note.frontmatter.properties if note.frontmatter else ():
        if found.key.strip().lower() == "title" and found.values and not is_null(found.values[0]):
            return note.title
    return first_title(headings) or note.stem


class _Links:
    """The links that have to be written anew when `after` takes the place of some notes."""

    def __init__(self, index: VaultIndex, after: Mapping[str, Note], locale: Locale) -> None:
        self._index, self._after, self._locale = index, after, locale
        self._next = index.update(after.values())
        self._swaps = {path: _swapped(index.notes[path], note) for path, note in after.items()}
        self._anchors: dict[str, dict[int, str]] = {}
        self._known: dict[tuple[object, ...], Resolution] = {}

    def edits(self) -> Iterator[PlaceEdit]:
        seen: set[tuple[str, int]] = set()
        for source, link in (*self._by_name(), *self._by_anchor()):
            if (source, link.start) not in seen and link.form != REFERENCE:
                seen.add((source, link.start))
                yield from self._edit(source, link)

    def _by_name(self) -> Iterator[tuple[str, Link]]:
        """Links whose note has another name now, and those that would mean another note."""
        keys: set[str] = set()
        for path, note in self._after.items():
            names = set(names_of(self._index.notes[path])) ^ set(names_of(note))
            keys.update(link_key(written) for _, _, written in names)
        for source in sorted({path for key in keys for path in self._index.users_of(key)}):
            before, now = self._index.targets(source), self._next.targets(source)
            for at, link in enumerate(self._index.notes[source].links):
                meant = before[at]
                if meant is not None and (meant != now[at] or self._swaps.get(meant)):
                    yield source, link
                elif meant != now[at] and not self._index.resolve(link, source).is_unresolved:
                    raise self._captured(source)  # it meant an attachment

    def _by_anchor(self) -> Iterator[tuple[str, Link]]:
        """Links to headings of notes that have other headings now."""
        for path, note in self._after.items():
            before = self._index.notes[path]
            if before.headings == note.headings:
                continue
            for source, link in self._index.backlinks(path):
                if link.heading is not None or "#" in (link.alias or ""):
                    yield source, link
            for link in before.links:
                if not link.target and link.heading is not None:
                    yield path, link

    def _edit(self, source: str, link: Link) -> tuple[PlaceEdit, ...]:
        """What has to be written in a link so that it means what it did."""
        index, home = self._index, self._index.notes[source]
        found = self._resolved(index, link, source)
        assert found.path is not None
        before = index.notes[found.path]
        anchor = anchor_of(link, found)
        place = place_of(before, anchor, link.form) if anchor else None
        at = before.headings.index(place) if isinstance(place, Heading) else -1
        for name in self._names(source, link, found):
            # one after the other: the first nearly always does
            for text in self._texts(link, found, before, at) if at >= 0 else (None,):
                again = relinked(home, link, found, name, text)
                if again and self._means(again.link, source, found, at, anchor):
                    return again.edits
        raise self._captured(source)

    def _names(self, source: str, link: Link, found: Resolution) -> Iterator[str | None]:
        """What may name the note, best first; None is what is written."""
        path = found.path or ""
        swaps = self._swaps.get(path, {})
        written = whole_name(link) if found.is_whole else link.target
        if found.is_reversed:
            written = (link.alias or "").partition("#")[0]
        name = swaps.get((found.way, fold(written)))
        yield name
        if path in self._after:
            yield target_like(self._next, link, path, source)

    def _texts(self, link: Link, found: Resolution, before: Note, at: int) -> Iterator[str | None]:
        """What may name the heading `at`, best first; None is what is written."""
        note = self._after.get(before.path, before)
        old, new = before.headings[at], note.headings[at]
        steps = anchor_texts(link, found)
        written, markdown = "#".join(steps), link.form in MARKDOWN_FORMS
        path = [before.headings.index(step) for step in heading_path(before, written)]
        if path:
            yield _path(before, note, path, steps)
        elif old.text == new.text:
            yield None
        text = heading_text(new)
        by_text = comparable(written) in (comparable(old.text), comparable(old.raw))
        if by_text and not (markdown and written == old.slug):
            yield text
        ending = written[len(old.slug) :]
        if ending[:1] in (",", ":") and fold(written).startswith(fold(old.slug)):
            yield new.slug + ending  # a range, as Dendron writes it
        if markdown or not by_text:
            yield new.slug
        yield text
        if above := self._anchors_of(note).get(at):
            yield above

    def _anchors_of(self, note: Note) -> dict[int, str]:
        """By position what may stand behind `#` for each heading, with one above it if needed."""
        if note.path not in self._anchors:
            at = {id(heading): position for position, heading in enumerate(note.headings)}
            found = heading_anchors(note)
            self._anchors[note.path] = {at[id(heading)]: text for heading, text in found}
        return self._anchors[note.path]

    def _means(self, link: Link, source: str, found: Resolution, at: int, anchor: str) -> bool:
        """Whether the link, as it will be, leads to the same note and heading."""
        now = self._resolved(self._next, link, source)
        if now.path != found.path:
            return False
        if at < 0:
            return anchor_of(link, now) == anchor
        note = self._after.get(found.path or "") or self._index.notes[found.path or ""]
        place = place_of(note, anchor_of(link, now), link.form)
        return place is note.headings[at]

    def _resolved(self, index: VaultIndex, link: Link, source: str) -> Resolution:
        """What the link means in one of the two indexes; links that are alike are many."""
        alike = "#" not in (link.alias or "") and link.target
        place = source.rpartition("/")[0] if alike else source
        key = (index.revision, place, alike, link.form, link.target, link.raw, link.alias)
        if key not in self._known:
            self._known[key] = index.resolve(link, source)
        return self._known[key]

    def _captured(self, source: str) -> AlreadyExists:
        return _lost(self._locale, source)


def _path(before: Note, after: Note, path: list[int], steps: list[str]) -> str:
    """The steps of a heading path, those in `path` that changed in their new words."""
    positions, made = iter(path), []
    for step in steps:
        at = next(positions) if comparable(step) else -1
        changed = at >= 0 and before.headings[at].text != after.headings[at].text
        made.append(heading_text(after.headings[at]) if changed else step)
    return "#".join(made)


def _swapped(before: Note, after: Note) -> dict[tuple[str, str], str]:
    """From the way and the folded name by which a link finds the note to its new name."""
    swaps: dict[tuple[str, str], str] = {}
    if before.title != after.title:
        swaps["title", fold(before.title)] = after.title
    if before.note_id and after.note_id and before.note_id != after.note_id:
        swaps["id", fold(before.note_id)] = after.note_id
    if len(before.aliases) == len(after.aliases):
        for old, new in zip(before.aliases, after.aliases, strict=True):
            if old != new:
                swaps["alias", fold(old)] = new
    return swaps


def _lost(locale: Locale, path: str) -> AlreadyExists:
    return AlreadyExists(
        say(
            locale,
            f"A link in “{path}” would come to mean something else",
            f"Ein Link in „{path}“ würde etwas anderes bedeuten",
        ),
        say(locale, "Choose another name", "Anderen Namen wählen"),
    )
