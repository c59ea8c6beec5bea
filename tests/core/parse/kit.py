"""Notes in short form."""

from __future__ import annotations

from collections.abc import Iterable

from core.model import Note, Place
from core.parse import parse_note


def parse(text: str, path: str = "n.md") -> Note:
    """The note; every place in it is checked against the text."""
    note = parse_note(path, text)
    check_places(note, text)
    return note


def at(place: Place) -> str:
    """`line:col-end`, in code points."""
    return f"{place.line}:{place.col}-{place.col + len(place.raw)}"


def links(note: Note) -> list[str]:
    """Each link as `origin form target#heading^block|alias`, what is usual left out."""
    found = []
    for link in note.links:
        parts = [
            "" if link.origin == "plain" else f"{link.origin}:{link.relation} ",
            "" if link.form == "wikilink" else f"{link.form} ",
            "!" if link.embed else "",
            link.target,
            "" if link.heading is None else f"#{link.heading}",
            "" if link.block is None else f"^{link.block}",
            "" if link.alias is None else f"|{link.alias}",
        ]
        found.append("".join(parts))
    return found


def all_places(note: Note) -> Iterable[Place]:
    """Everything that has a place."""
    yield from note.headings
    yield from note.blocks
    yield from note.tags
    yield from note.links
    yield from note.kinds
    yield from note.fields
    yield from note.callouts
    yield from note.problems
    for prop in note.frontmatter.properties if note.frontmatter else ():
        yield prop
        yield from prop.values


def check_places(note: Note, text: str) -> None:
    """Each place agrees with a slow and plain reading of the text."""
    starts = [0]
    for offset, char in enumerate(text):
        if char == "\n" or (char == "\r" and text[offset + 1 : offset + 2] != "\n"):
            starts.append(offset + 1)
    assert note.line_count == len(starts)
    assert note.body_start == len(text) or note.body_start in starts
    if note.body_start < len(text):
        assert starts[note.body_line] == note.body_start
    for place in all_places(note):
        assert text[place.start : place.end] == place.raw, place
        line = max(at for at, start in enumerate(starts) if start <= place.start)
        before = text[starts[line] : place.start]
        assert (place.line, place.col) == (line, len(before)), place
        wide8 = sum(len(char.encode("utf-8", "surrogatepass")) - 1 for char in before)
        wide16 = sum(ord(char) > 0xFFFF for char in before)
        assert (place.wide8, place.wide16) == (wide8, wide16), place
    for link in note.links:
        _check_parts(link.raw, link.target_at, link.target_end)
        _check_parts(link.raw, link.anchor_at, link.anchor_end)
        _check_parts(link.raw, link.alias_at, link.alias_end)
        if link.form == "wikilink":
            assert "\n" not in link.raw
            assert "\r" not in link.raw
            assert link.raw[link.target_at : link.target_end] == link.target
            if link.alias is not None:
                assert link.raw[link.alias_at : link.alias_end] == link.alias
            if link.heading is not None:
                assert link.raw[link.anchor_at : link.anchor_end] == link.heading
            if link.block is not None:
                assert link.raw[link.anchor_at : link.anchor_end].endswith(f"^{link.block}")
        for shown in (link.alias, link.heading, link.target):
            assert "\r" not in (shown or "")
    for heading in note.headings:
        assert "\r" not in heading.text
        assert "\n" not in heading.text
    assert note.title
    starts = [link.start for link in note.links]
    assert starts == sorted(starts)


def _check_parts(raw: str, start: int, end: int) -> None:
    assert (start < 0) == (end < 0)
    if start >= 0:
        assert 0 <= start <= end <= len(raw)
