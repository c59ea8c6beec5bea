"""An index that followed random edits answers like one built from scratch."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ids import path_note_id
from core.model import Note
from core.vault.index import VaultIndex
from tests.core.vault.kit import link, note

PATHS = [
    "A.md", "a.md", "x/A.md", "x/a.markdown", "x/y/B.md", "B/B.md", "B/index.md", "index.md",
    "x/index.md", "Größe.md", "c.d.md", "y/c.d.md", "img.png.md", "A #1.md", "x/A #1.md", "Gone.md",
]  # fmt: skip
NAMES = [
    "Gone #1",
    "A",
    "a",
    "B",
    "x/A",
    "Größe",
    "GRÖSSE",
    "c.d",
    "id-1",
    "ID-1",
    "Wind / A",
    "A.md",
    "x",
]
FILES = ["img.png", "x/img.png", "x/IMG.png", "LICENSE", "y/a.pdf"]
IDS = [None, None, "id-1", "ID-1", "A", path_note_id("A.md")]
LINKS = [
    "[[A]]", "[[a]]", "[[x/A]]", "[[B]]", "[[B|A]]", "[[Gone|id-1]]", "[[Gone|x/A#h]]",
    "[[A #1]]", "[[Gone #1]]", "[[Gone #1|id-1]]", "[[x/A #1]]", "[[Gone|#H]]",
    "[[Wind / A|id-1]]", "[[x|dendron://v/c.d]]", "[[#H]]", "[[Größe]]",
    "[[id-1]]", "[[ID-1]]", "[[Wind / A]]", "[[x]]", "[[/A]]", "[[../A]]",
    f"[[{path_note_id('A.md')}]]", "[[img.png]]", "[[LICENSE]]", "[[Gone]]", "[[c.d]]",
    "[t](A.md)", "[t](../A.md)", "[t](x/A.md)", "[t](a)", "[t](B/)", "[t](..)", "[t](/x/A.md)",
    "[t](c.d)", "[t](img.png)", "[t](index.md)", "[t](./)", "[t](id-1)",
]  # fmt: skip

Step = tuple[list[Note], list[str], list[str], list[str]]

notes = st.builds(
    lambda path, links, title, aliases, id, tags, kinds, properties, callouts: note(
        path, *links, title=title, aliases=aliases, id=id, tags=tags, kinds=kinds,
        properties=properties, callouts=callouts,
    ),
    st.sampled_from(PATHS),
    st.lists(st.sampled_from(LINKS), max_size=6),
    st.none() | st.sampled_from(NAMES),
    st.lists(st.sampled_from(NAMES), max_size=2),
    st.sampled_from(IDS),
    st.lists(st.sampled_from(["t", "T", "t/u", "v"]), max_size=2),
    st.lists(st.sampled_from(["depends_on", "similar_to"]), max_size=3),
    st.lists(
        st.tuples(
            st.sampled_from(["type", "Type", "title", "area", "callout"]),
            st.lists(st.sampled_from(["task", "goal", "[[A]]", "", "7", "x" * 41]), max_size=3),
        ),
        max_size=3,
    ),
    st.lists(st.sampled_from(["note", "edge"]), max_size=2),
)  # fmt: skip
edits = st.lists(
    st.tuples(
        st.lists(notes, max_size=3),
        st.lists(st.sampled_from(PATHS), max_size=2),
        st.lists(st.sampled_from(FILES), max_size=2),
        st.lists(st.sampled_from(FILES), max_size=2),
    ),
    min_size=1,
    max_size=6,
)


def answers(index: VaultIndex) -> dict[str, Any]:
    """Every public answer of an index, in comparable form."""
    per_note = {
        path: (
            found,
            index.note_id(path),
            index.path_of(index.note_id(path)),
            index.duplicates(path),
            index.targets(path),
            tuple(index.resolve(written, path) for written in found.links),
            tuple(index.backlinks(path)),
            index.backlink_count(path),
            index.sources(path),
            index.unresolved_in(path),
        )
        for path, found in sorted(index.notes.items())
    }
    sources = ["", "x/", "x/y/"]
    return {
        "notes": per_note,
        "paths": tuple(index.paths),
        "attachments": tuple(index.attachments),
        "names": {
            (name, source): index.resolve_name(name, f"{source}s.md")
            for name in NAMES
            for source in sources
        },
        "links": {
            (raw, source): index.resolve(link(raw), f"{source}s.md")
            for raw in LINKS
            for source in sources
        },
        "tags": dict(index.tags),
        "tagged": {tag: index.tagged(tag) for tag in ("t", "T", "t/u", "v", "w")},
        "kinds": dict(index.kinds),
        "mentions": {kind: tuple(index.kind_mentions(kind)) for kind in index.kinds},
        "unresolved": dict(index.unresolved),
        "counts": index.counts,
        "search": {query: index.names.search(query, 20) for query in ("a", "g", "x/", "id", "")},
        "table": len(index.names),
        "hubs": index.hubs,
        "wanted": [(target, index.unresolved_count(target)) for target in index.wanted],
        "found": {
            query: (index.find_unresolved(query, 9), index.find_files(query, 9))
            for query in ("", "go", "i", "x/i")
        },
        "callouts": dict(index.callouts),
        "keys": {key: (count, dict(index.values(key))) for key, count in index.keys.items()},
    }


def tables(index: VaultIndex) -> dict[str, Any]:
    """What the answers are made of; a difference here would be a leak, or an error to come."""
    made = {
        field.name: getattr(index._tables, field.name)
        for field in fields(index._tables)
        if field.name not in ("names", "files", "missing", "hubs", "wanted")
    }
    names, late = index.names, (index._tables.files, index._tables.missing)
    columns = [names._names, names._paths, *(found._column for found in late)]
    return made | {"names": [column.entries for column in columns if column is not None]}


def check(index: VaultIndex, known: dict[str, Note], files: set[str]) -> None:
    fresh = VaultIndex.build(known.values(), files)
    assert answers(index) == answers(fresh)
    assert tables(index) == tables(fresh)
    assert index.dump() == fresh.dump()
    restored = VaultIndex.restored(index.dump(), known)
    assert answers(restored) == answers(fresh)
    assert tables(restored) == tables(fresh)
    for path, found in known.items():
        meant = index.targets(path)
        assert meant == tuple(index.resolve(each, path).path for each in found.links)
        assert index.backlink_count(path) == len(tuple(index.backlinks(path)))
        assert index.path_of(index.note_id(path)) is not None


@pytest.mark.parametrize("again", [False, True])
@given(steps=edits)
@settings(max_examples=80, deadline=None)
def test_update_equals_build(
    again: bool, steps: list[tuple[list[Note], list[str], list[str], list[str]]]
) -> None:
    """Also when the index is stored and restored before each step (`again`)."""
    index = VaultIndex()
    known: dict[str, Note] = {}
    files: set[str] = set()
    for changed, removed, added, gone in steps:
        before, old_answers = index, answers(index)
        if again:
            index = VaultIndex.restored(index.dump(), known)
        index = index.update(changed, removed, added, gone)
        for path in removed:
            known.pop(path, None)
        known.update({each.path: each for each in changed})
        files = (files - set(gone)) | set(added)
        check(index, known, files)
        assert answers(before) == old_answers, "a snapshot changed"


@given(st.lists(notes, max_size=8), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_order_of_notes_is_irrelevant(given_notes: list[Note], random: Any) -> None:
    unique = list({each.path: each for each in given_notes}.values())
    shuffled = unique.copy()
    random.shuffle(shuffled)
    assert answers(VaultIndex.build(unique)) == answers(VaultIndex.build(shuffled))


@given(st.lists(notes, max_size=8), st.sampled_from(PATHS), st.sampled_from(PATHS))
@settings(max_examples=60, deadline=None)
def test_rename_and_back(given_notes: list[Note], old: str, new: str) -> None:
    known = {each.path: each for each in given_notes}
    index = VaultIndex.build(known.values())
    if old not in known or new in known:
        return
    moved = note(new, *(each.raw for each in known[old].links), title=known[old].title)
    there = index.update([moved], [old])
    back = there.update([known[old]], [new])
    assert answers(back) == answers(index)
    assert tables(back) == tables(index)


def test_one_of_two_spellings_goes() -> None:
    """The key stays while any spelling of it does."""
    index = VaultIndex.build([note("n.md", title="Tor", aliases=["Ufer", "UFER"])])
    later = index.update([note("n.md", title="Tor", aliases=["UFER"])])
    assert later.resolve_name("ufer", "s.md").path == "n.md"
    assert tables(later) == tables(VaultIndex.build([later.notes["n.md"]]))


def test_letter_case_of_a_name_decides() -> None:
    """A change of case alone moves the links that are written exactly so."""
    index = VaultIndex.build(
        [note("a.md", title="TOR"), note("b.md", title="tor"), note("s.md", "[[Tor]]")]
    )
    assert index.targets("s.md") == ("a.md",)
    assert index.update([note("b.md", title="Tor")]).targets("s.md") == ("b.md",)


def test_mappings_are_in_key_order() -> None:
    index = VaultIndex.build(
        [note(f"n{at}.md", f"[[gone {at}]]", tags=[f"t{at}"], kinds=[f"k{at}"]) for at in range(9)]
    ).update(removed=["n4.md"])
    for mapping in (index.notes, index.tags, index.kinds, index.unresolved):
        assert len(mapping) == 8
        assert list(mapping) == sorted(mapping)
        assert all(key in mapping and key == key.strip() for key in mapping)
    assert "n4.md" not in index.notes


def test_no_change_is_the_same_snapshot() -> None:
    index = VaultIndex.build([note("a.md", "[[b]]")], ["f.png"])
    assert index.update([note("a.md", "[[b]]")], ["gone.md"], ["f.png"], ["g.png"]) is index
    later = index.update([note("b.md")])
    assert later.revision == index.revision + 1
    assert index.counts.unresolved == 1
    assert later.counts.unresolved == 0


def test_only_users_of_a_changed_name_are_read_again() -> None:
    """A note that appears touches the notes that name it and no other."""
    index = VaultIndex.build([note(f"n{at}.md", f"[[m{at}]]", "[[x]]") for at in range(50)])
    later = index.update([note("m7.md")])
    assert later.targets("n7.md") == ("m7.md", None)
    kept = [path for path in index.paths if later.targets(path) is index.targets(path)]
    assert len(kept) == 49
