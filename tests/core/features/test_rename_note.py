"""A note gets another name: the traps of renames, and the names that it cannot have."""

from __future__ import annotations

import pytest

from core.errors import AlreadyExists, InvalidArguments, MindnetError, NotIndexed, OutsideVault
from core.features.moving import rename_note
from core.features.results import RenameFile, VaultEdit
from tests.core.features.moving_kit import after, check_kept, index_of
from tests.support.fixture import parse_fixture


def check(source: str, path: str, name: str, new_path: str, expected: str) -> VaultEdit:
    """The note at `path`, called `name`, is at `new_path`; the texts that change are `expected`."""
    before = parse_fixture(source).files
    change = rename_note(index_of(before), path, name)
    assert change.renames == (RenameFile(path, new_path),)
    later = after(before, change, {path: new_path})
    wanted = {new_path if own == path else own: text for own, text in before.items()}
    assert later == wanted | parse_fixture(expected).files
    check_kept(before, later, {path: new_path})
    return change


def refused(error: type[MindnetError], name: str, words: str = "") -> None:
    files = parse_fixture(
        "//- /a/n.md\n//- /a/Taken.md\n//- /a/long.markdown\n//- /a/x.md.png\n//- /top.md\n"
    ).files
    with pytest.raises(error) as caught:
        rename_note(index_of(files), "a/n.md", name)
    assert type(caught.value) is error
    assert words in caught.value.message


def test_rn_01_the_linked_note_not_the_one_with_the_link() -> None:
    """The file's name changes, its first heading does not."""
    check(
        "//- /one.md\n# One\n\n[[two]]\n//- /two.md\n# Two\n",
        "two.md", "three", "three.md",
        "//- /one.md\n# One\n\n[[three]]\n",
    )  # fmt: skip


def test_rn_03_each_link_keeps_its_path() -> None:
    check(
        "//- /index.md\na [[reed]] b [[herbs/reed]] c [m](herbs/reed.md)\n//- /herbs/reed.md\n",
        "herbs/reed.md", "sedge", "herbs/sedge.md",
        "//- /index.md\na [[sedge]] b [[herbs/sedge]] c [m](herbs/sedge.md)\n",
    )  # fmt: skip


def test_rn_04_names_are_no_patterns() -> None:
    change = check(
        "//- /line.md\n[[a.b-c]] and [[a.b-c]] not [[a.b-c more]] nor a.b-c\n"
        "//- /a.b-c.md\n//- /a.b-c more.md\n",
        "a.b-c.md", "港", "港.md",
        "//- /line.md\n[[港]] and [[港]] not [[a.b-c more]] nor a.b-c\n",
    )  # fmt: skip
    places = [(edit.place.start, edit.place.raw) for edit in change.edits]
    assert places == [(0, "[[a.b-c]]"), (14, "[[a.b-c]]")]


def test_rn_05_links_of_a_note_to_itself() -> None:
    check(
        "//- /self.md\n# Self\n\n[[self]] [[#Self]] [[self#Self]] [x](self.md) [y](#self)\n",
        "self.md", "me", "me.md",
        "//- /me.md\n# Self\n\n[[me]] [[#Self]] [[me#Self]] [x](me.md) [y](#self)\n",
    )  # fmt: skip


def test_rn_06_only_the_target_changes() -> None:
    check(
        '//- /ref.md\n---\nrelated: "[[old]]"\n---\n'
        "[[old|old]] ![[old]] ![[old#^b1]] [[old#H|the old one]] `[[old]]`\n"
        "```\n[[old]]\n```\n//- /old.md\n## H\n\ntext ^b1\n",
        "old.md", "new", "new.md",
        '//- /ref.md\n---\nrelated: "[[new]]"\n---\n'
        "[[new|old]] ![[new]] ![[new#^b1]] [[new#H|the old one]] `[[old]]`\n"
        "```\n[[old]]\n```\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "new_path"),
    [
        ("  m  ", "a/m.md"),
        ("m.md", "a/m.md"),
        ("m.markdown", "a/m.markdown"),
        ("v1.2 plan", "a/v1.2 plan.md"),
        ("b/m", "b/m.md"),
        ("/m", "m.md"),
        ("./m", "a/m.md"),
        ("../m.md", "m.md"),
        ("N", "a/N.md"),
        ("n.markdown", "a/n.markdown"),
        ("(ä) 港 – it's 100%", "a/(ä) 港 – it's 100%.md"),
    ],
)
def test_names_and_paths(name: str, new_path: str) -> None:
    """A name stays in its folder; with `/` it is a path from the root, with dots from there."""
    files = parse_fixture("//- /a/n.md\n[[n]]\n//- /s.md\n[[a/n]]\n").files
    change = rename_note(index_of(files), "a/n.md", name)
    assert change.renames == (RenameFile("a/n.md", new_path),)
    check_kept(files, after(files, change, {"a/n.md": new_path}), {"a/n.md": new_path})


def test_a_note_keeps_its_suffix() -> None:
    files = {"n.markdown": "", "s.md": "[[n]] [n](n.markdown)\n"}
    change = rename_note(index_of(files), "n.markdown", "m")
    assert change.renames == (RenameFile("n.markdown", "m.markdown"),)
    later = after(files, change, {"n.markdown": "m.markdown"})
    assert later["s.md"] == "[[m]] [n](m.markdown)\n"


@pytest.mark.parametrize("name", ["n", "n.md", " n ", "a/n", "./n.md"])
def test_the_name_that_it_has(name: str) -> None:
    files = parse_fixture("//- /a/n.md\n[[n]]\n").files
    assert rename_note(index_of(files), "a/n.md", name) == VaultEdit()


@pytest.mark.parametrize("name", ["", "  ", ".md", "b/", "/", ".", "..", "b/.md", "b/ .md"])
def test_no_name(name: str) -> None:
    refused(InvalidArguments, name)


@pytest.mark.parametrize("char", [*'\\:*?"<>|#^[]', "\t", "\n", "\x00", "\x7f"])
def test_characters_that_files_or_links_cannot_have(char: str) -> None:
    shown = char if char.isprintable() else f"U+{ord(char):04X}"
    refused(InvalidArguments, f"x{char}y", f"cannot hold {shown}")
    refused(InvalidArguments, f"b{char}b/y", "cannot hold")


@pytest.mark.parametrize("name", [".hidden", "b/.c/d", ".trash/n", "./.n"])
def test_hidden(name: str) -> None:
    refused(InvalidArguments, name, "would be hidden")


def test_too_long() -> None:
    refused(InvalidArguments, "港" * 100, "too long")


@pytest.mark.parametrize("name", ["../../n", "b/../../c", "../../../etc/passwd"])
def test_outside_the_vault(name: str) -> None:
    refused(OutsideVault, name, "leaves the vault")


@pytest.mark.parametrize(
    "name", ["Taken", "taken", "TAKEN.md", "taken.markdown", "long", "../top", "/TOP", "a/Taken"]
)
def test_taken_in_any_letter_case(name: str) -> None:
    refused(AlreadyExists, name, "exists already")


def test_no_note() -> None:
    with pytest.raises(NotIndexed):
        rename_note(index_of({"a.png": ""}), "a.png", "b")


def test_reasons_in_german() -> None:
    index = index_of({"n.md": "", "m.md": ""})
    for name, words in (("m", "gibt es schon"), ("a?", "darf kein ?"), ("../x", "außerhalb")):
        with pytest.raises(MindnetError) as caught:
            rename_note(index, "n.md", name, "de")
        assert words in caught.value.message
