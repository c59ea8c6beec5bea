"""textDocument/codeLens: how often a note and its headings are linked to, and what is missing.

The numbers are those that `references` lists, so a lens and what it opens agree.
"""

from __future__ import annotations

from core.features.linkage import anchor_of, place_of
from core.features.references import title_heading, to_note
from core.features.results import Reference
from core.features.view_results import Lens, LensKind
from core.locale import Locale, say
from core.model import Heading, Link, Note
from core.vault.index import VaultIndex
from core.vault.resolve import UNRESOLVED
from core.vault.targets import MARKDOWN_FORMS

_WORDS: dict[LensKind, tuple[str, str, str, str]] = {
    "backlinks": ("1 backlink", "{} backlinks", "1 Rückverweis", "{} Rückverweise"),
    "unresolved": ("1 unresolved link", "{} unresolved links", "1 offener Link", "{} offene Links"),
    "suggestions": ("1 suggestion", "{} suggestions", "1 Vorschlag", "{} Vorschläge"),
    "heading": ("1 link", "{} links", "1 Verweis", "{} Verweise"),
}


def code_lenses(index: VaultIndex, note: Note, suggestions: int = 0) -> tuple[Lens, ...]:
    """The lenses of a note, on its title and on the headings that links lead to.

    The number of backlinks is always there, the others where there is something to count.
    `suggestions` is how many edges are suggested, as far as that is known.
    """
    title = title_heading(note)
    lenses = [Lens("backlinks", index.backlink_count(note.path), title)]
    if missing := len(index.unresolved_in(note.path)):
        lenses.append(Lens("unresolved", missing, title))
    if suggestions:
        lenses.append(Lens("suggestions", suggestions, title))
    counts = heading_counts(index, note)
    lenses += [
        Lens("heading", counts[heading.start], heading)
        for heading in note.headings
        if heading.start in counts and heading is not title
    ]
    return tuple(lenses)


def lens_title(kind: LensKind, count: int, locale: Locale) -> str:
    """What a lens says, in words."""
    if kind == "backlinks" and not count:
        return say(locale, "No backlinks", "Keine Rückverweise")
    one_en, many_en, one_de, many_de = _WORDS[kind]
    if count == 1:
        return say(locale, one_en, one_de)
    return say(locale, many_en.format(count), many_de.format(count))


def lens_references(index: VaultIndex, note: Note, kind: str) -> tuple[Reference, ...]:
    """What the lenses on a note's title count: its backlinks, or its links to nowhere."""
    if kind == "unresolved":
        found = index.unresolved_in(note.path)
        return tuple(Reference(note.path, link, 0, len(link.raw)) for link in found)
    return tuple(to_note(index, note.path))


def heading_counts(index: VaultIndex, note: Note) -> dict[int, int]:
    """How many links lead to each heading of a note, by the heading's offset.

    One pass over the backlinks: what a written anchor means is found out once for each text.
    """
    written: dict[tuple[str, bool], tuple[str, int]] = {}
    links = [(link, source) for source, link in index.backlinks(note.path)]
    links += [(link, note.path) for link in note.links if not link.target]
    for link, source in links:
        anchor = _anchor(index, link, source)
        if anchor and not anchor.startswith("^"):
            key = anchor, link.form in MARKDOWN_FORMS
            form, count = written.get(key, (link.form, 0))
            written[key] = form, count + 1
    counts: dict[int, int] = {}
    for (anchor, _), (form, count) in written.items():
        place = place_of(note, anchor, form)
        if isinstance(place, Heading):
            counts[place.start] = counts.get(place.start, 0) + count
    return counts


def _anchor(index: VaultIndex, link: Link, source: str) -> str:
    if link.alias and "#" in link.alias:
        # only `[[label|target#heading]]` has its anchor there
        return anchor_of(link, index.resolve(link, source))
    return anchor_of(link, UNRESOLVED)
