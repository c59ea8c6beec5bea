"""Places inside a note: the heading or block that a link names."""

from __future__ import annotations

import re

from core.model import Block, Heading, Note
from core.text import fold

_DROPPED = re.compile(r"""[!"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\s]+""")
_DENDRON_RANGE = re.compile(r"(?P<start>[^,:]+)(,\d+)?(:(#.*)?)?$")
_BLOCK_RANGE = re.compile(r":#.*$")
_SLUG_NOISE = re.compile(r"[\W_]+")

_Forms = list[tuple[str, str]]
_KEPT = 64
_forms: dict[int, tuple[tuple[Heading, ...], _Forms]] = {}
"""The comparable forms of the headings of recently asked notes: many links lead to few
notes. Keyed by identity, which holds while the tuple is kept here."""


def comparable(heading: str) -> str:
    """The form in which Obsidian compares headings: its punctuation is a blank, case is ignored."""
    return fold(_DROPPED.sub(" ", heading))


def find_heading(note: Note, heading: str, markdown: bool = False) -> Heading | None:
    """The heading that `heading` (the text behind `#`) means in `note`, None if there is none.

    Wikilinks compare the text as Obsidian does, Markdown fragments GitHub's slug, each
    with the other as fallback. `H1#H2` is a path: H2 within the section of H1. Of
    several equal headings the first one counts.
    """
    wanted = heading.strip().strip("#").strip()
    if not wanted:
        return None
    if markdown:
        return _by_slug(note, wanted) or _by_text(note, wanted)
    return _by_text(note, wanted) or _by_slug(note, wanted)


def heading_path(note: Note, heading: str) -> tuple[Heading, ...]:
    """The headings that the steps of `H1#H2` mean, one for each step that is not blank; empty
    where `heading` is no path that leads somewhere in `note`."""
    steps = [step for part in heading.split("#") if (step := comparable(part))]
    if "#" not in heading.strip("#") or not steps:
        return ()
    return _by_path(note, _forms_of(note.headings), steps, 0, 0)


def find_block(note: Note, block: str) -> Block | None:
    """The block with this id (with or without `^`), whatever its letter case."""
    wanted = _BLOCK_RANGE.sub("", block.removeprefix("^").lower())
    return next((found for found in note.blocks if found.id.lower() == wanted), None)


def _by_slug(note: Note, wanted: str) -> Heading | None:
    slug = fold(wanted)
    found = next((heading for heading in note.headings if fold(heading.slug) == slug), None)
    if found is None and (reference := _DENDRON_RANGE.match(slug)):
        slug = reference["start"]
        found = next((heading for heading in note.headings if fold(heading.slug) == slug), None)
    if found is None and "-" in slug and (letters := _SLUG_NOISE.sub("", slug)):
        # other programs make other slugs of blanks, punctuation and emoji
        alike = (h for h in note.headings if _SLUG_NOISE.sub("", fold(h.slug)) == letters)
        found = next(alike, None)
    return found


def _by_text(note: Note, wanted: str) -> Heading | None:
    forms = _forms_of(note.headings)
    if "#" in wanted:
        steps = [step for part in wanted.split("#") if (step := comparable(part))]
        if steps and (found := _by_path(note, forms, steps, 0, 0)):
            return found[-1]
    whole = comparable(wanted)
    if not whole:
        return None
    matches = (h for h, texts in zip(note.headings, forms, strict=True) if whole in texts)
    return next(matches, None)


def _forms_of(headings: tuple[Heading, ...]) -> _Forms:
    known = _forms.get(id(headings))
    if known is not None and known[0] is headings:
        return known[1]
    forms = [(comparable(heading.text), comparable(heading.raw)) for heading in headings]
    if len(_forms) >= _KEPT:
        _forms.clear()
    _forms[id(headings)] = headings, forms
    return forms


def _by_path(
    note: Note, forms: _Forms, steps: list[str], first: int, above: int
) -> tuple[Heading, ...]:
    """A heading for each of `steps`, each below the one before; `above` is the level of that
    one. Empty where there are none."""
    for at in range(first, len(forms)):
        heading = note.headings[at]
        if above and heading.level <= above:
            return ()
        if steps[0] not in forms[at]:
            continue
        if len(steps) == 1:
            return (heading,)
        if found := _by_path(note, forms, steps[1:], at + 1, heading.level):
            return (heading, *found)
    return ()
