"""One link, made to name its file otherwise: the edits, and the link as it then is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from core.features.link_writing import written
from core.features.linkage import target_span
from core.features.respell import Naming
from core.features.results import PlaceEdit
from core.model import WIKILINK, Link, Note
from core.vault.candidates import Resolution
from core.vault.resolve import whole_name
from core.vault.targets import MARKDOWN_FORMS


class Retargeted(NamedTuple):
    """`link` is what stands there after `edits`; its offsets are still the old ones."""

    edits: tuple[PlaceEdit, ...]
    link: Link
    is_reversed: bool


def naming_of(note: Note, link: Link, found: Resolution, path: str) -> Naming:
    """By what `link`, of `note`, names the file at `path`: in `[[label|target]]` the right side."""
    if found.is_reversed:
        name = (link.alias or "").partition("#")[0].strip()
        return Naming(name, path, note.folder, found.way, markdown=False)
    written = whole_name(link) if found.is_whole else link.target
    return Naming(written, path, note.folder, found.way, link.form in MARKDOWN_FORMS)


def retargeted(
    note: Note, link: Link, found: Resolution, target: str, *, unusual: bool
) -> Iterator[Retargeted]:
    """The ways to write `target` into a link that now means `found`; `unusual` as in `written`.

    `[[label|target]]` stays so, or becomes `[[target|label]]`, for where the label names a note.
    """
    start, end = target_span(link, found)
    text = written(link, note, start, end, target, unusual=unusual)
    if text is None:
        return
    same = text == link.raw[start:end]
    edits = () if same else (PlaceEdit(note.path, link, start, end, text),)
    if found.is_whole or ("#" in target and link.form == WIKILINK and not found.is_reversed):
        if found.is_whole or link.anchor_at < 0:
            yield Retargeted(edits, _whole(link, start, end, text), False)
        return
    if not found.is_reversed:
        yield Retargeted(edits, replace(link, target=target), False)
        return
    _, hash_, anchor = (link.alias or "").partition("#")
    yield Retargeted(edits, replace(link, alias=f"{target}{hash_}{anchor}"), True)
    if link.target_at < 0:
        return
    left, right = link.target_at, max(link.target_end, link.anchor_end)
    label = link.raw[left:right]
    is_block = anchor.startswith("^")
    turned = replace(
        link, target=target, alias=label,
        heading=None if is_block else anchor or None, block=anchor[1:] if is_block else None,
    )  # fmt: skip
    named = text + link.raw[end : link.alias_end]
    both = ((left, right, named), (link.alias_at, link.alias_end, label))
    turning = tuple(
        PlaceEdit(note.path, link, begin, stop, new)
        for begin, stop, new in both
        if new != link.raw[begin:stop]
    )
    yield Retargeted(turning, turned, False)


def _whole(link: Link, start: int, end: int, text: str) -> Link:
    """The link with `text` in the place of its target; a `#` in it is read as one of a heading,
    though it belongs to the name."""
    name, hash_, rest = text.partition("#")
    raw, stop = link.raw[:start] + text + link.raw[end:], start + len(text)
    heading = rest.strip() or None
    return replace(
        link, raw=raw, target=name.strip(), heading=heading, block=None, target_at=start,
        target_end=start + len(name), anchor_at=start + len(name) + 1 if hash_ else -1,
        anchor_end=stop if hash_ else -1,
    )  # fmt: skip
