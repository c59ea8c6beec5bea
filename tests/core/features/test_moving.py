"""Moving notes, files and folders: which links change, and how."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.features.moving import files_in, move, moved_files
from tests.core.features.moving_kit import after, check_kept, index_of
from tests.support.fixture import parse_fixture


def check(
    source: str, moves: Mapping[str, str], expected: str, *, back: bool = True, eol: str = "\n"
) -> None:
    """After `moves` the vault has the `expected` files, where their texts changed; all links
    mean what they meant. `back` says that moving back gives the same bytes."""
    before = parse_fixture(source.replace("\n", eol)).files
    later = after(before, move(index_of(before), moves), moves)
    real = moved_files(index_of(before), moves)
    wanted = {real.get(path, path): text for path, text in before.items()}
    wanted |= parse_fixture(expected.replace("\n", eol)).files
    assert later == wanted
    check_kept(before, later, moves)
    if back:
        inverse = {new: old for old, new in moves.items()}
        assert after(later, move(index_of(later), inverse), inverse) == before


def test_each_link_keeps_its_form() -> None:
    check(
        "//- /reed.md\n# Plant\n"
        "//- /s.md\n[[reed]] [[reed.md]] [[reed#Plant]] [[reed#^b]] ![[reed]] [[reed|reed]]\n"
        "[[ reed ]] [[./reed]] [[/reed]] [t](reed.md) [t](./reed.md) [t](/reed.md#plant 'reed')\n"
        "[t](<reed.md>) ![t](reed.md) [t](reed) [[rel:uses reed]] rel: uses [[reed]]\n"
        "part of:: [[reed]]\n\n| a [[reed\\|x]] | [[reed]] |\n\n> [!edge] uses: [[reed]]\n\n"
        "[d]: reed.md 'reed'\n\n[d] [reed][d] `[[reed]]` reed\n",
        {"reed.md": "sedge.md"},
        "//- /s.md\n[[sedge]] [[sedge.md]] [[sedge#Plant]] [[sedge#^b]] ![[sedge]] [[sedge|reed]]\n"
        "[[ sedge ]] [[./sedge]] [[/sedge]] [t](sedge.md) [t](./sedge.md) "
        "[t](/sedge.md#plant 'reed')\n"
        "[t](<sedge.md>) ![t](sedge.md) [t](sedge) [[rel:uses sedge]] rel: uses [[sedge]]\n"
        "part of:: [[sedge]]\n\n| a [[sedge\\|x]] | [[sedge]] |\n\n> [!edge] uses: [[sedge]]\n\n"
        "[d]: sedge.md 'reed'\n\n[d] [reed][d] `[[reed]]` reed\n",
    )


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
def test_line_ends_and_wide_letters_stay(eol: str) -> None:
    check(
        "//- /Größe.md\n//- /s.md\n---\nup: '[[Größe]]'\n---\n🚢 [[Größe]]\n\n- 港 [ä](Größe.md)\n",
        {"Größe.md": "港.md"},
        "//- /s.md\n---\nup: '[[港]]'\n---\n🚢 [[港]]\n\n- 港 [ä](港.md)\n",
        eol=eol,
    )


def test_frontmatter() -> None:
    check(
        "//- /old.md\n//- /s.md\n---\na: \"[[old]]\"\nb: '[[old|x]]'\nc: [[old]]\n"
        "d: [\"[[old]]\", '[t](old.md)']\ne:\n  - '[[old#h]]'\n  - old\n"
        "depends_on: old\nassigned_to: [old, \"old\", 'old.md']\nf: old\n---\n",
        {"old.md": "new.md"},
        "//- /s.md\n---\na: \"[[new]]\"\nb: '[[new|x]]'\nc: [[new]]\n"
        "d: [\"[[new]]\", '[t](new.md)']\ne:\n  - '[[new#h]]'\n  - old\n"
        "depends_on: new\nassigned_to: [new, \"new\", 'new.md']\nf: old\n---\n",
    )


@pytest.mark.parametrize(
    ("stem", "wiki", "plain", "markdown"),
    [
        ("it's", "new-id", "it's", "it%27s"),
        ("a: b", "a: b", '"a: b"', "a%3A%20b"),
        ("a, b", "a, b", '"a, b"', "a%2C%20b"),
        ("null", "null", '"null"', "null"),
        ("- x", "- x", '"- x"', "-%20x"),
    ],
)
def test_frontmatter_is_quoted_as_yaml_needs_it(
    stem: str, wiki: str, plain: str, markdown: str
) -> None:
    check(
        "//- /old.md\n---\nid: new-id\n---\n"
        "//- /s.md\n---\na: '[[old]]'\nb: '[t](old.md)'\ndepends_on: old\n---\n",
        {"old.md": f"{stem}.md"},
        f"//- /s.md\n---\na: '[[{wiki}]]'\nb: '[t]({markdown}.md)'\ndepends_on: {plain}\n---\n",
        back=False,  # a link by id stays one, and what is quoted stays quoted
    )


def test_titles_aliases_and_ids_need_no_edit() -> None:
    check(
        "//- /n.md\n---\nid: n-1\naliases: [Other]\n---\n# A title\n"
        "//- /s.md\n[[A title]] [[Other]] [[n-1]] [[label|n-1]] [[n]]\n",
        {"n.md": "deep/m.md"},
        "//- /s.md\n[[A title]] [[Other]] [[n-1]] [[label|n-1]] [[m]]\n",
    )


def test_a_link_by_file_name_does_not_live_on_by_title() -> None:
    check(
        "//- /two.md\n# Two\n//- /s.md\n[[two]] [[Two]]\n",
        {"two.md": "three.md"},
        "//- /s.md\n[[three]] [[three]]\n",
        back=False,  # `[[Two]]` was in other letters
    )


def test_a_derived_id_follows() -> None:
    check(
        "//- /n.md\n//- /s.md\n[[n-c2eb9bb4]]\n".replace("n-c2eb9bb4", _derived("n.md")),
        {"n.md": "x/m.md"},
        f"//- /s.md\n[[{_derived('x/m.md')}]]\n",
    )


def test_a_new_name_captures_nothing() -> None:
    check(
        "//- /x/a.md\n//- /y/b.md\n---\naliases: Gone\n---\n//- /z/Gone.md\n//- /t.md\n# Plan\n"
        "//- /s.md\n[[a]] [[b]] [[Plan]]\n//- /y/s.md\n[[a]]\n",
        {"y/b.md": "y/a.md", "z/Gone.md": "z/Plan.md"},
        "//- /s.md\n[[a]] [[y/a]] [[t]]\n//- /y/s.md\n[[x/a]]\n",
        back=False,  # what is clear with a folder in front stays so
    )


def test_what_means_nothing_is_left_alone() -> None:
    check(
        "//- /a.md\n//- /s.md\n[[b]] [b](b.md) [[c#x]] [c](sub/c.md)\n",
        {"a.md": "b.md", "s.md": "x/s.md"},
        "",
        back=False,  # now it means something, and keeps that
    )


def test_names_stay_names_and_paths_stay_paths() -> None:
    check(
        "//- /garden/herbs/reed.md\n//- /HERBS.md\n"
        "//- /s.md\n[[reed]] [[Herbs/reed]] [[garden/herbs/reed]] [m](garden/herbs/reed.md) "
        "[m](herbs/reed.md) [m](reed.md)\n"
        "//- /garden/t.md\n[m](herbs/reed.md) [m](../garden/herbs/reed.md) [m](./herbs/reed)\n",
        {"garden/herbs/reed.md": "garden/herbs/sedge.md"},
        "//- /s.md\n[[sedge]] [[Herbs/sedge]] [[garden/herbs/sedge]] [m](garden/herbs/sedge.md) "
        "[m](herbs/sedge.md) [m](sedge.md)\n"
        "//- /garden/t.md\n[m](herbs/sedge.md) [m](../garden/herbs/sedge.md) [m](./herbs/sedge)\n",
    )


def test_a_folder_moves_with_all_that_is_in_it() -> None:
    check(
        "//- /herbs/reed.md\n[[mint]] [m](mint.md) [s](../s.md) ![p](p.png)\n"
        "//- /herbs/mint.md\n[[herbs/reed]]\n//- /herbs/p.png\n"
        "//- /s.md\n[[reed]] [[herbs/reed]] [m](herbs/mint.md) ![[p.png]] ![[herbs/p.png]] "
        "![p](herbs/p.png)\n",
        {"herbs": "plants/wild herbs"},
        "//- /plants/wild herbs/reed.md\n[[mint]] [m](mint.md) [s](../../s.md) ![p](p.png)\n"
        "//- /plants/wild herbs/mint.md\n[[plants/wild herbs/reed]]\n"
        "//- /s.md\n[[reed]] [[plants/wild herbs/reed]] [m](plants/wild%20herbs/mint.md) "
        "![[p.png]] ![[plants/wild herbs/p.png]] ![p](plants/wild%20herbs/p.png)\n",
    )


def test_a_folder_note_follows_its_folder() -> None:
    check(
        "//- /herbs/index.md\n//- /mint/mint.md\n//- /s.md\n[[herbs]] [h](herbs/) [[mint]]\n",
        {"herbs": "plants", "mint": "menthe"},
        "//- /s.md\n[[plants]] [h](plants/) [[mint]]\n",
    )


def test_relative_links_of_a_note_that_moves() -> None:
    check(
        "//- /a/s.md\n[[t]] [t](t.md) [t](./t.md) [u](../u.md) ![p](p%201.png) [s](s.md) "
        "[r](/u.md)\n//- /a/t.md\n//- /u.md\n//- /a/p 1.png\n",
        {"a/s.md": "b/c/s.md"},
        "//- /b/c/s.md\n[[t]] [t](../../a/t.md) [t](../../a/t.md) [u](../../u.md) "
        "![p](../../a/p%201.png) [s](s.md) [r](/u.md)\n",
        back=False,  # `./` in front is needed no more
    )


def test_relative_for_every_reader() -> None:
    """It would resolve from the vault's root as well, but no other program looks there."""
    check(
        "//- /s.md\n[t](a/t.md)\n//- /a/t.md\n//- /a/u.md\n[t](t.md)\n",
        {"s.md": "b/s.md", "a/u.md": "u.md"},
        "//- /b/s.md\n[t](../a/t.md)\n//- /u.md\n[t](a/t.md)\n",
    )


def test_encoding_stays() -> None:
    check(
        "//- /my note.md\n//- /s.md\n[a](my%20note.md) [b](<my note.md>) [[my note]]\n"
        "[c]: <my note.md>\n",
        {"my note.md": "50% & (one) ä.md"},
        "//- /s.md\n[a](50%25%20&%20(one)%20ä.md) [b](<50% & (one) ä.md>) [[50% & (one) ä]]\n"
        "[c]: <50% & (one) ä.md>\n",
    )
    check(
        "//- /ä.md\n//- /s.md\n[a](%C3%A4.md) [b](ä.md)\n",
        {"ä.md": "ö (.md"},
        "//- /s.md\n[a](%C3%B6%20%28.md) [b](ö%20%28.md)\n",
    )


@pytest.mark.parametrize("stem", ["C# tips", "a|b", "a^b", "a [b]"])
def test_names_that_no_wikilink_can_hold(stem: str) -> None:
    """By id, which always can be written."""
    check(
        "//- /old.md\n//- /s.md\n[[old]] [[old|shown]] [[label|old]] | [[old\\|x]] |\n",
        {"old.md": f"{stem}.md"},
        "//- /s.md\n[[{0}]] [[{0}|shown]] [[label|{0}]] | [[{0}\\|x]] |\n".format(
            _derived(f"{stem}.md")
        ),
        back=False,  # a link by id stays one
    )


def test_reversed_links() -> None:
    """`[[label|target]]`, as Dendron writes it: the right side names the note."""
    check(
        "//- /a.b.md\n# Title\n//- /c.md\n"
        "//- /s.md\n[[label|a.b]] [[Title|a.b#title]] [[l|dendron://v/a.b]] [[c|a.b]]\n",
        {"a.b.md": "a.c.md"},
        "//- /s.md\n[[label|a.c]] [[Title|a.c#title]] [[l|dendron://v/a.c]] [[c|a.b]]\n",
    )


def test_a_label_that_becomes_a_name() -> None:
    """The label would name the note now, so it goes where labels belong."""
    check(
        "//- /old.md\n//- /s.md\n[[label|old]] | [[label\\|old#^b]] |\n",
        {"old.md": "label.md"},
        "//- /s.md\n[[label|label]] | [[label#^b\\|label]] |\n",
        back=False,
    )


def test_notes_trade_places() -> None:
    check(
        "//- /a.md\nI am a: [[a]] [[b]]\n//- /b.md\nI am b: [[a]] [[b]]\n",
        {"a.md": "b.md", "b.md": "a.md"},
        "//- /b.md\nI am a: [[b]] [[a]]\n//- /a.md\nI am b: [[b]] [[a]]\n",
    )


def test_attachments() -> None:
    check(
        "//- /img/map.png\n//- /LICENSE\n"
        "//- /s.md\n![[map.png]] ![[map.png|300]] ![m](img/map.png) [l](LICENSE) [[LICENSE]]\n",
        {"img/map.png": "img/old map.png", "LICENSE": "img/LICENSE.txt"},
        "//- /s.md\n![[old map.png]] ![[old map.png|300]] ![m](img/old%20map.png) "
        "[l](img/LICENSE.txt) [[LICENSE.txt]]\n",
    )


def test_a_moved_note_in_a_heading() -> None:
    """The heading changes with the link in it, so what links to the heading follows."""
    check(
        "//- /old.md\n//- /t.md\n# [[old]]\n\n## See [[old]] now\n"
        "//- /s.md\n[[t#See old now]] [t](t.md#see-old-now) [[t]]\n",
        {"old.md": "new.md"},
        "//- /t.md\n# [[new]]\n\n## See [[new]] now\n"
        "//- /s.md\n[[t#See new now]] [t](t.md#see-new-now) [[t]]\n",
    )


def test_another_letter_case() -> None:
    check(
        "//- /Note.md\n//- /s.md\n[[Note]] [[note]] [n](Note.md)\n",
        {"Note.md": "note.md"},
        "",
    )


def test_onto_another_file() -> None:
    """The client asked its user already: the other note is gone."""
    check(
        "//- /a.md\n//- /b.md\n[[a]]\n//- /s.md\n[[a]] [[b]]\n",
        {"a.md": "b.md"},
        "//- /b.md\n//- /s.md\n[[b]] [[b]]\n",
        back=False,
    )


def test_what_moves() -> None:
    index = index_of(parse_fixture("//- /a/b.md\n//- /a/c/d.png\n//- /ab.md\n").files)
    assert files_in(index, "a") == ["a/b.md", "a/c/d.png"]
    assert files_in(index, "a/b.md") == ["a/b.md"]
    assert files_in(index, "nope") == []
    assert moved_files(index, {"a": "x", "a/b.md": "y.md", "ab.md": "ab.md", "q": "r"}) == {
        "a/b.md": "y.md",
        "a/c/d.png": "x/c/d.png",
    }


def _derived(path: str) -> str:
    return index_of({path: ""}).note_id(path)


def test_a_colon_in_a_name_makes_no_address() -> None:
    check(
        "//- /x.md\n[t](<a/ab:c.png>) [u](a/ab%3Ac.png)\n//- /a/ab:c.png\n",
        {"a/ab:c.png": "ab:c.png"},
        "//- /x.md\n[t](<ab%3Ac.png>) [u](ab%3Ac.png)\n",
        back=False,
    )
