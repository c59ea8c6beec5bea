"""What a link means: the domain's resolution rules, case by case."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ids import path_note_id
from core.model import Link, Note
from core.parse import parse_note
from core.vault import anchors
from core.vault.anchors import comparable
from core.vault.index import VaultIndex
from core.vault.resolve import find_block, find_heading
from tests.core.vault.kit import link, note

NFD_NOTE = unicodedata.normalize("NFD", "Größe/Übung.md")

CASES: list[tuple[str, list[str], str, str, str | None]] = [
    # (name, files, source, link, expected path)
    ("dot in name", ["v1.2 plan.md"], "dots.md", "[[v1.2 plan]]", "v1.2 plan.md"),
    ("suffix after dot", ["v1.2 plan.md"], "dots.md", "[[v1.2 plan.md]]", "v1.2 plan.md"),
    ("mark in the name", ["Talk #24 — x.md"], "s.md", "[[Talk #24 — x]]", "Talk #24 — x.md"),
    ("mark and path", ["a/Talk #2.md", "Talk #3.md"], "s.md", "[[a/Talk #2]]", "a/Talk #2.md"),
    ("mark and alias", ["Talk #2.md"], "s.md", "[[Talk #2|second]]", "Talk #2.md"),
    ("note before the mark", ["Talk.md", "Talk #2.md"], "s.md", "[[Talk #2]]", "Talk.md"),
    ("another mark", ["Talk #2.md"], "s.md", "[[Talk #3]]", None),
    ("mark in a path link", ["Talk #2.md"], "s.md", "[t](<Talk #2.md>)", None),
    ("whole name", ["lock.md", "upper-lock.md", "lock-key.md"], "s.md", "[[lock]]", "lock.md"),
    ("date", ["2031-02-03.md", "2031-02-03_b.md"], "s.md", "[t](2031-02-03)", "2031-02-03.md"),
    ("no prefix match", ["lock-key.md"], "s.md", "[[lock]]", None),
    ("no suffix match", ["upper-lock.md"], "s.md", "[[lock]]", None),
    ("no part of a segment", ["ax/Intro.md"], "s.md", "[[x/Intro]]", None),
    ("trailing segments", ["a/x/Intro.md", "b/Intro.md"], "s.md", "[[x/Intro]]", "a/x/Intro.md"),
    (
        "folder note",
        ["2031 Dam/2031 Dam.md", "2031 Dam/valve.md", "2031 Dam/a.md"],
        "home.md",
        "[[2031 Dam]]",
        "2031 Dam/2031 Dam.md",
    ),
    ("in folder", ["2031 Dam/2031 Dam.md", "2031 Dam/valve.md"], "home.md", "[[2031 Dam/valve]]",
     "2031 Dam/valve.md"),
    ("folder alone", ["2031 Dam/valve.md"], "home.md", "[[2031 Dam]]", None),
    ("folder index", ["2031 Dam/index.md"], "home.md", "[[2031 Dam]]", "2031 Dam/index.md"),
    ("nested index", ["a/Dam/index.md"], "home.md", "[[a/Dam]]", "a/Dam/index.md"),
    ("deep index", ["x/a/Dam/index.md"], "home.md", "[[a/Dam]]", "x/a/Dam/index.md"),
    ("index of half a segment", ["xa/Dam/index.md"], "home.md", "[[a/Dam]]", None),
    ("same name before index", ["z/z.md", "z/index.md"], "home.md", "[t](z/)", "z/z.md"),
    ("note before folder", ["b/Dam.md", "Dam/index.md"], "home.md", "[[Dam]]", "b/Dam.md"),
    ("same folder", ["x/Intro.md", "y/Intro.md"], "y/Read.md", "[[Intro]]", "y/Intro.md"),
    ("below the folder", ["a/Intro.md", "y/z/Intro.md"], "y/Read.md", "[[Intro]]",
     "y/z/Intro.md"),
    ("not beside the folder", ["a/Intro.md", "yy/Intro.md"], "y/Read.md", "[[Intro]]",
     "a/Intro.md"),
    ("exact path before the folder", ["Intro.md", "y/Intro.md"], "y/Read.md", "[[Intro]]",
     "Intro.md"),
    ("fewest segments", ["a/b/Intro.md", "c/Intro.md"], "top.md", "[[Intro]]", "c/Intro.md"),
    ("path order", ["x/Intro.md", "y/Intro.md"], "top.md", "[[Intro]]", "x/Intro.md"),
    ("letter case", ["tide-table.md"], "ref.md", "[[TIDE-Table]]", "tide-table.md"),
    ("exact case first", ["a/Tide.md", "b/tide.md"], "b/ref.md", "[[Tide]]", "a/Tide.md"),
    ("exact case of path", ["Tide.md", "tide.md"], "ref.md", "[[tide]]", "tide.md"),
    ("written suffix", ["a.markdown", "a.md"], "s.md", "[[a.markdown]]", "a.markdown"),
    ("path order of suffixes", ["a.markdown", "a.md"], "s.md", "[[a]]", "a.markdown"),
    ("blanks", ["Pump House.md"], "enc.md", "[[Pump House]]", "Pump House.md"),
    ("decoded path", ["Pump House.md"], "enc.md", "[p](Pump House.md)", "Pump House.md"),
    ("percent", ["100% done.md"], "C# tips.md", "[[100% done]]", "100% done.md"),
    ("percent path", ["100% done.md"], "C# tips.md", "[d](100% done.md)", "100% done.md"),
    ("relative to the note", ["a/b.md", "b.md"], "a/s.md", "[t](b.md)", "a/b.md"),
    ("vault root next", ["x/b.md"], "a/s.md", "[t](x/b.md)", "x/b.md"),
    ("parent", ["b.md", "a/b.md"], "a/s.md", "[t](../b.md)", "b.md"),
    ("parent of nested", ["a/x/b.md"], "a/y/s.md", "[t](../x/b.md)", "a/x/b.md"),
    ("never outside", ["b.md"], "a/s.md", "[t](../../b.md)", None),
    ("up and down", ["a/b.md"], "a/s.md", "[t](x/../b.md)", "a/b.md"),
    ("root slash", ["b.md", "a/b.md"], "a/s.md", "[t](/b.md)", "b.md"),
    ("root slash only", ["a/b.md"], "a/s.md", "[t](/b.md)", None),
    ("dot", ["a/b.md", "b.md"], "a/s.md", "[t](./b.md)", "a/b.md"),
    ("dot misses", ["b.md"], "a/s.md", "[t](./b.md)", None),
    ("file name elsewhere", ["x/b.md"], "a/s.md", "[t](b.md)", "x/b.md"),
    ("path without suffix", ["herbs/reed.md"], "index.md", "[m](herbs/reed)", "herbs/reed.md"),
    ("herbs 1", ["herbs/reed.md"], "index.md", "[[reed]]", "herbs/reed.md"),
    ("herbs 2", ["herbs/reed.md"], "index.md", "[[herbs/reed]]", "herbs/reed.md"),
    ("herbs 3", ["herbs/reed.md"], "index.md", "[m](herbs/reed.md)", "herbs/reed.md"),
    ("folder path", ["a/x/index.md"], "a/s.md", "[t](x/)", "a/x/index.md"),
    ("folder path bare", ["a/x/index.md"], "a/s.md", "[t](x)", "a/x/index.md"),
    ("parent folder", ["a/index.md"], "a/b/s.md", "[t](..)", "a/index.md"),
    ("root folder", ["index.md"], "a/s.md", "[t](../)", "index.md"),
    ("wikilink relative", ["b.md", "a/b.md"], "a/s.md", "[[../b]]", "b.md"),
    ("wikilink root", ["b.md", "a/b.md"], "a/s.md", "[[/a/b]]", "a/b.md"),
    ("itself", [], "a/s.md", "[[#Head]]", "a/s.md"),
    ("itself in Markdown", [], "a/s.md", "[t](#head)", "a/s.md"),
    ("colon is no scheme", ["Plan: B.md"], "s.md", "[[Plan: B]]", "Plan: B.md"),
    ("umlaut", [NFD_NOTE], "s.md", "[[ÜBUNG]]", NFD_NOTE),
    ("umlaut path", [NFD_NOTE], "s.md", "[t](Größe/Übung.md)", NFD_NOTE),
    ("umlaut segments", ["x/" + NFD_NOTE], "s.md", "[[größe/übung]]", "x/" + NFD_NOTE),
    ("sharp s", ["Straße.md"], "s.md", "[[STRASSE]]", "Straße.md"),
    ("reversed", ["dendron.topic.links.md"], "s.md", "[[Links|dendron.topic.links]]",
     "dendron.topic.links.md"),
    ("reversed with heading", ["dev.api.md"], "s.md", "[[API|dev.api#calls]]", "dev.api.md"),
    ("reversed with vault", ["dev.api.md"], "s.md", "[[API|dendron://some.vault/dev.api]]",
     "dev.api.md"),
    ("left before right", ["A.md", "B.md"], "s.md", "[[A|B]]", "A.md"),
    ("vault prefix", ["dev.api.md"], "s.md", "[[dendron://some.vault/dev.api]]", "dev.api.md"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "source", "raw", "expected"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_path(files: list[str], source: str, raw: str, expected: str | None) -> None:
    made = [note(path) for path in files if path != source]
    index = VaultIndex.build([*made, note(source, raw)])
    found = index.resolve(link(raw), source)
    assert found.path == expected
    assert index.targets(source) == (expected,)
    assert found.is_unresolved is (expected is None)


def test_names_in_order() -> None:
    """Id before exact path before file name before title before alias."""
    notes = [
        note("by-id.md", id="Key"),
        note("key.md"),
        note("x/key.md"),
        note("by-title.md", title="Key"),
        note("by-alias.md", aliases=["Key"]),
    ]
    for expected in ("by-id.md", "key.md", "x/key.md", "by-title.md", "by-alias.md"):
        index = VaultIndex.build(notes)
        assert index.resolve_name("key", "a/s.md").path == expected
        notes = notes[1:]
    assert VaultIndex.build(notes).resolve_name("key", "a/s.md").path is None


def test_markdown_paths_are_no_titles() -> None:
    index = VaultIndex.build([note("a.md", title="Titel", aliases=["Alias"], id="n-1")])
    assert index.resolve_name("Titel", "s.md", markdown=True).path is None
    assert index.resolve_name("Alias", "s.md", markdown=True).path is None
    assert index.resolve_name("n-1", "s.md", markdown=True).path == "a.md"


def test_titles_and_aliases_as_written() -> None:
    """Frontmatter values are text: dates, versions and `NO` are names."""
    index = VaultIndex.build(
        [note("types.md", id="0123", aliases=["NO", "1.10", "2031-03-01"]), note("w.md",
         title="Wind / Tide: A")]
    )  # fmt: skip
    for name in ("0123", "no", "1.10", "2031-03-01"):
        assert index.resolve_name(name, "s.md").path == "types.md"
    assert index.resolve_name("wind / tide: a", "s.md").path == "w.md"


def test_path_derived_id_is_a_name() -> None:
    index = VaultIndex.build([note("Ordner/Über.md")])
    derived = path_note_id("Ordner/Über.md")
    assert index.note_id("Ordner/Über.md") == derived
    assert index.path_of(derived) == "Ordner/Über.md"
    assert index.resolve_name(derived, "s.md").path == "Ordner/Über.md"


def test_locate_composed_and_decomposed() -> None:
    index = VaultIndex.build([note(NFD_NOTE), note("a.md")])
    assert index.locate("Größe/Übung.md") == NFD_NOTE
    assert index.locate(NFD_NOTE) == NFD_NOTE
    assert index.locate("A.md") is None
    assert index.locate("a.markdown") is None


def test_duplicate_ids() -> None:
    index = VaultIndex.build([note("b.md", id="X"), note("a.md", id="X"), note("c.md", id="x")])
    assert index.note_id("a.md") == "X"
    assert index.note_id("b.md") == path_note_id("b.md")
    assert index.note_id("c.md") == "x"
    assert index.path_of("X") == "a.md"
    assert index.path_of("x") == "c.md"
    assert index.path_of(path_note_id("b.md")) == "b.md"
    assert index.duplicates("a.md") == ("b.md",)
    assert index.duplicates("b.md") == ("a.md",)
    assert index.duplicates("c.md") == ()
    assert index.resolve_name("X", "s.md").candidates == ("a.md", "c.md")
    assert index.resolve_name("x", "s.md").path == "c.md"
    later = index.update(removed=["a.md"])
    assert later.note_id("b.md") == "X"
    assert later.path_of("X") == "b.md"


@pytest.mark.parametrize(
    ("files", "source", "target", "candidates", "ambiguous"),
    [
        (["x/Intro.md", "y/Intro.md"], "top.md", "Intro", ("x/Intro.md", "y/Intro.md"), True),
        (["x/Intro.md", "y/Intro.md"], "y/s.md", "Intro", ("y/Intro.md", "x/Intro.md"), False),
        (["x/Intro.md", "y/Intro.md"], "y/s.md", "x/Intro", ("x/Intro.md",), False),
        (["x/Intro.md", "y/intro.md"], "top.md", "intro", ("y/intro.md", "x/Intro.md"), False),
        (["x/Intro.md", "y/intro.md"], "top.md", "INTRO", ("x/Intro.md", "y/intro.md"), True),
        (["a/Intro.md", "y/z/Intro.md"], "y/s.md", "Intro", ("y/z/Intro.md", "a/Intro.md"), False),
        (["x/y/Intro.md", "z/Intro.md"], "t.md", "Intro", ("z/Intro.md", "x/y/Intro.md"), True),
        (["lock.md", "x/lock.md"], "s.md", "lock", ("lock.md",), False),
    ],
)
def test_candidates(
    files: list[str], source: str, target: str, candidates: tuple[str, ...], ambiguous: bool
) -> None:
    for order in (files, files[::-1]):
        found = VaultIndex.build([note(path) for path in order]).resolve_name(target, source)
        assert (found.candidates, found.ambiguous) == (candidates, ambiguous)


@pytest.mark.parametrize(
    ("raw", "attachment"),
    [
        ("[[map.png]]", "img/map.png"),
        ("![[MAP.PNG]]", "img/map.png"),
        ("[m](img/map.png)", "img/map.png"),
        ("[m](../img/map.png)", "img/map.png"),
        ("[[img/map.png]]", "img/map.png"),
        ("[l](LICENSE)", "LICENSE"),
        ("[[Makefile]]", "sub/Makefile"),
        ("[[gone.pdf]]", None),
        ("![g](gone.webp)", None),
        ("[g](gone.py)", None),
        ("[[board.canvas]]", None),
        ("[[table.csv]]", None),
        ("[[all.base]]", None),
    ],
)
def test_attachments(raw: str, attachment: str | None) -> None:
    """Links to files are never unresolved notes, whether or not the file exists."""
    files = ["img/map.png", "LICENSE", "sub/Makefile"]
    index = VaultIndex.build([note("a/s.md", raw)], files)
    found = index.resolve(link(raw), "a/s.md")
    assert (found.path, found.attachment, found.is_attachment) == (None, attachment, True)
    assert not index.unresolved
    assert index.counts.unresolved == 0


def test_note_named_like_a_file() -> None:
    index = VaultIndex.build([note("Plan.excalidraw.md"), note("Node.js.md")])
    assert index.resolve_name("Plan.excalidraw", "s.md").path == "Plan.excalidraw.md"
    assert index.resolve_name("Node.js", "s.md").path == "Node.js.md"
    assert VaultIndex().resolve_name("Node.js", "s.md").is_unresolved


def test_reversed_form_tells_its_heading() -> None:
    index = VaultIndex.build([note("dev.api.md")])
    found = index.resolve(link("[[API|dev.api#calls]]"), "s.md")
    assert (found.path, found.is_reversed, found.anchor) == ("dev.api.md", True, "calls")


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ("[[Lookup|dev.lookup]]", "dev.lookup.md"),
        ("[[Lookup|20310203]]", "by-id.md"),
        ("[[Lookup|dendron://v/dev.lookup#h]]", "dev.lookup.md"),
        ("[[tags|dendron://v/dev.lookup]]", "dev.lookup.md"),
        ("[[tags|dev.lookup]]", "tags.md"),
        ("[[Lookup|Elbe]]", "asset.md"),
        ("[[Lookup|the dev.lookup]]", "asset.md"),
        ("[[Lookup|gone.note]]", "asset.md"),
    ],
)
def test_title_yields_to_an_identifier(raw: str, path: str) -> None:
    """`[[Title|note-id]]`: an id says more than a title that several notes may have."""
    index = VaultIndex.build(
        [
            note("asset.md", title="Lookup"),
            note("dev.lookup.md", title="Lookup"),
            note("by-id.md", id="20310203"),
            note("tags.md"),
            note("Elbe.md"),
            note("s.md", raw),
        ]
    )
    assert index.resolve(link(raw), "s.md").path == path
    assert index.targets("s.md") == (path,)


def test_way() -> None:
    index = VaultIndex.build(
        [note("x/a.md", title="T", aliases=["L"], id="i"), note("x/index.md"), note("r.md")]
    )
    ways = {name: index.resolve_name(name, "s.md").way for name in ("i", "r", "a", "x", "T", "L")}
    assert ways == {"i": "id", "r": "path", "a": "name", "x": "folder", "T": "title", "L": "alias"}
    assert index.resolve_name("", "s.md").way == "self"
    assert index.resolve_name("gone", "s.md").way == ""


def test_display_text_is_no_target() -> None:
    """A misspelt target is not hidden by a display text that is some note's title."""
    index = VaultIndex.build([note("a.md", title="Hafen")])
    assert index.resolve(link("[[Hafn|Hafen]]"), "s.md").is_unresolved


@pytest.mark.parametrize(
    ("target", "markdown", "external"),
    [
        ("https://ex.org/n.md", True, True),
        ("magnet:?xt=1", True, True),
        ("obsidian://open", False, True),
        ("C:/notes/a.md", True, False),
        ("Plan: B", False, False),
    ],
)
def test_external(target: str, markdown: bool, external: bool) -> None:
    assert VaultIndex().resolve_name(target, "s.md", markdown).is_external is external


HEADINGS = note(
    "Notes.md",
    headings=[
        "# Log",
        "## `init` step?",
        "## Wind / Tide: A & B",
        "## 港の話",
        "## Step 1.5",
        "# A",
        "## Same",
        "# B",
        "## Same",
        "### Same",
        "## C# tips",
        "## Größe",
    ],
    blocks=["b1"],
)


@pytest.mark.parametrize(
    ("heading", "markdown", "line"),
    [
        ("`init` step?", False, 1),
        ("init step", False, 1),
        ("Wind Tide A & B", False, 2),
        ("wind / tide: a & b", False, 2),
        ("港の話", False, 3),
        ("init-step", True, 1),
        ("Init-Step", True, 1),
        ("init-step", False, 1),
        ("Wind / Tide: A & B", True, 2),
        ("Step 1.5", False, 4),
        ("Same", False, 6),
        ("B#Same", False, 8),
        ("b#same#Same", False, 9),
        ("A#B", False, None),
        ("A#Same#Same", False, None),
        ("C# tips", False, 10),
        ("B#C# tips", False, None),
        ("größe", True, 11),
        (unicodedata.normalize("NFD", "GRÖSSE"), False, 11),
        ("wind---tide-a--b-🧪", False, 2),
        ("wind-tide-ab", True, 2),
        ("windtideab", False, None),
        ("init-step,1:", False, 1),
        ("init-step:#*", False, 1),
        ("Nope", False, None),
        ("nope", True, None),
        ("", False, None),
        ("#", False, None),
        ("?", False, None),
    ],
)
def test_heading(heading: str, markdown: bool, line: int | None) -> None:
    found = find_heading(HEADINGS, heading, markdown)
    assert (found.line if found else None) == line


def test_block() -> None:
    assert find_block(HEADINGS, "^B1") is not None
    assert find_block(HEADINGS, "b1") is not None
    assert find_block(HEADINGS, "b1:#*") is not None
    assert find_block(HEADINGS, "b") is None


PIECES = [*"aA./#|\\: -%\n\t\0", "e\u0301", "é", "..", "md", "\ud800"]
ODD = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)


@given(ODD, ODD, st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_target_has_an_answer(target: str, alias: str, markdown: bool) -> None:
    """Nothing that can be written raises, and what it depends on is known to the index."""
    form = "mdlink" if markdown else "wikilink"
    written = Link(0, 0, 0, "", form=form, target=target, alias=alias)
    source = Note("a/s.md", "s", links=(written,))
    index = VaultIndex.build([source, note("A.md"), note("a/a.md", title=target or "x")])
    assert index.targets("a/s.md") == (index.resolve(written, "a/s.md").path,)
    for name in (target, alias):
        path = f"{name.strip('/') or 'x'}.md"
        later = index.update([Note(path, name or "x")])
        if path != "a/s.md":
            assert later.targets("a/s.md") == (later.resolve(written, "a/s.md").path,)


def test_many_links_into_a_long_note_prepare_its_headings_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def counted(heading: str) -> str:
        asked.append(heading)
        return comparable(heading)

    monkeypatch.setattr(anchors, "comparable", counted)
    long = note("long.md", headings=[f"# Part {n}" for n in range(200)])
    for n in range(200):
        assert find_heading(long, f"Part {n}") is not None
    assert len(asked) == 2 * 200 + 200


def test_a_name_with_a_mark_is_no_heading() -> None:
    index = VaultIndex.build([note("s.md", "[[Talk #2]]"), note("Talk #2.md")])
    found = index.resolve(link("[[Talk #2]]"), "s.md")
    assert (found.path, found.is_whole, found.way) == ("Talk #2.md", True, "path")
    assert [backlink.source for backlink in index.backlinks("Talk #2.md")] == ["s.md"]
    both = index.update([note("Talk.md")])
    assert both.targets("s.md") == ("Talk.md",)
    assert both.update(removed=["Talk.md"]).targets("s.md") == ("Talk #2.md",)
    assert index.update(removed=["Talk #2.md"]).counts.unresolved == 1


def test_a_reversed_link_into_its_own_note() -> None:
    own = parse_note("a.md", "# A\n\n## Non ordered\n\n[[By name|#non-ordered]] [[x|#gone]]\n")
    index = VaultIndex.build([own])
    found = [index.resolve(one, "a.md") for one in own.links]
    assert [(one.path, one.anchor, one.is_reversed) for one in found] == [
        ("a.md", "non-ordered", True),
        (None, None, False),
    ]
