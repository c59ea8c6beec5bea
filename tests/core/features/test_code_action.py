"""What fixes are offered, and what the files are after them."""

from __future__ import annotations

import pytest

from tests.core.features.kit import Vault


def titles(source: str) -> list[str]:
    return [action.title for action in Vault.of(source).actions()]


CREATED: dict[str, tuple[str, str, str]] = {
    # link with cursor in sub/a.md: path and text of the new note
    "beside": ("[[cr$0ane]]", "sub/crane.md", "# crane\n"),
    "relation": ("[[rel:depends_on Cr$0ane]]", "sub/Crane.md", "# Crane\n"),
    "heading": ("[[Cra$0ne#Jib]]", "sub/Crane.md", "# Crane\n\n## Jib\n"),
    "block": ("[[Cra$0ne#^b1]]", "sub/Crane.md", "# Crane\n"),
    "folder": ("[[x/Cra$0ne]]", "x/Crane.md", "# Crane\n"),
    "suffix": ("[[Crane.m$0d]]", "sub/Crane.md", "# Crane\n"),
    "dots": ("[[v1.2 pl$0an]]", "sub/v1.2 plan.md", "# v1.2 plan\n"),
    "markdown": ("[x](../cra$0ne%20two.md)", "crane two.md", "# crane two\n"),
    "no file name": ("[[Plan: B$0]]", "sub/Plan B.md", "# Plan: B\n"),
    "vault prefix": ("[[dendron://v/cra$0ne]]", "sub/crane.md", "# crane\n"),
}


@pytest.mark.parametrize(("link", "path", "text"), CREATED.values(), ids=CREATED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_create_note(link: str, path: str, text: str, eol: str) -> None:
    vault = Vault.of(f"//- /sub/a.md\n{link}\n", eol=eol)
    files = vault.after(vault.action(f"Create note “{path}”"))
    assert files[path] == text.replace("\n", eol)
    assert files["sub/a.md"] == vault.fixture.text
    again = Vault(type(vault.fixture)(files, "sub/a.md", 0, 0))
    assert [item.code for item in again.diagnose() if item.code == "unresolved-link"] == []


def test_create_note_in_the_drafts_folder() -> None:
    vault = Vault.of("//- /sub/a.md\n[[cr$0ane]]\n")
    created = [action.creates for action in vault.actions("de", drafts="inbox")]
    assert created[0][0].path == "inbox/crane.md"


@pytest.mark.parametrize(
    "source",
    [
        "//- /a.md\n[[TIDE-Ta$0ble]]\n//- /tide-table.md\n1\n",
        "//- /a.md\n[x](../ou$0t.md)\n",
        "//- /a.md\n[[.obsidian/no$0te]]\n",
        "//- /a.md\n[[Ships#Her$0on]]\n//- /Ships.md\n# Ships\n",
        "//- /a.md\n[[Plan: B$0]]\n//- /plan b.md\n",
    ],
    ids=["other case", "outside", "hidden", "heading", "sanitised name is taken"],
)
def test_never_over_a_file(source: str) -> None:
    assert not [action for action in Vault.of(source).actions() if action.creates]


REPLACED: dict[str, tuple[str, str, str]] = {
    "wikilink": ("![[Harbor wal$0l#H|x]]", "Harbour wall", "![[Harbour wall#H|x]]"),
    "table": ("| [[Harbor$0 wall\\|x]] |", "Harbour wall", "| [[Harbour wall\\|x]] |"),
    "markdown": ("[x](Harbor$0%20wall.md#h)", "Harbour wall", "[x](w/Harbour%20wall.md#h)"),
    "angles": ("[x](<Harbor$0 wall.md>)", "Harbour wall", "[x](<w/Harbour wall.md>)"),
    "relation": ("[[rel:depends_on Harbor$0 wall]]", "Harbour wall",
                 "[[rel:depends_on Harbour wall]]"),
    "plain YAML": ("---\ndepends_on: [Harbor$0 wall]\n---", "Harbour wall",
                   "---\ndepends_on: [Harbour wall]\n---"),
    "quoted YAML": ("---\ndepends_on: ['Harbor$0 wall']\n---", "Harbour wall",
                    "---\ndepends_on: ['Harbour wall']\n---"),
    "double quotes": ('---\ndepends_on: ["Harbor$0 wall"]\n---', "Harbour wall",
                      '---\ndepends_on: ["Harbour wall"]\n---'),
}  # fmt: skip


@pytest.mark.parametrize(("text", "name", "expected"), REPLACED.values(), ids=REPLACED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_replace_by_nearest(text: str, name: str, expected: str, eol: str) -> None:
    vault = Vault.of(f"//- /a.md\n{text}\n//- /w/Harbour wall.md\n# Harbour wall\n## H\n", eol=eol)
    action = vault.action(f"Link to “{name}”")
    assert action.preferred
    assert vault.after(action)["a.md"] == f"{expected}\n".replace("\n", eol)


def test_a_hash_in_the_name_of_a_note() -> None:
    vault = Vault.of(
        "//- /a.md\n[[w/Talk #2$04 — Irak]] [[Talk #24 — Iran|x]]\n//- /w/Talk #24 — Iran.md\n"
    )
    action = vault.action("Link to “w/Talk #24 — Iran”")
    files = vault.after(action)
    assert files["a.md"].startswith("[[w-talk-24-iran-")
    assert files["a.md"].endswith("|Talk #24 — Irak]] [[Talk #24 — Iran|x]]\n")
    again = Vault(type(vault.fixture)(files, "a.md", 0, 0))
    assert again.index.targets("a.md")[0] == "w/Talk #24 — Iran.md"


def test_the_missing_side_of_a_reversed_link() -> None:
    source = "//- /a.md\n[[Yes|ref.note]] [[more he$0re|ref.nots#yes]]\n//- /ref.note.md\n# Yes\n"
    assert Vault.of(source).action("Create note “ref.nots.md”").creates[0].text == "# ref.nots\n"
    files = Vault.of(source).after(Vault.of(source).action("Link to “ref.note”"))
    assert files["a.md"] == "[[Yes|ref.note]] [[more here|ref.note#yes]]\n"


def test_notes_of_one_name_are_told_apart() -> None:
    source = "//- /a.md\n[[Intr$0o]]\n//- /x/Intros.md\n//- /y/Intros.md\n"
    assert titles(source)[:2] == ["Link to “x/Intros.md”", "Link to “y/Intros.md”"]


def test_disambiguate() -> None:
    vault = Vault.of("//- /top.md\n[[In$0tro#A|x]]\n//- /x/Intro.md\n# A\n//- /y/Intro.md\n# A\n")
    texts = {action.title: vault.after(action)["top.md"] for action in vault.actions()}
    assert texts == {
        "Link to “x/Intro.md”": "[[x/Intro#A|x]]\n",
        "Link to “y/Intro.md”": "[[y/Intro#A|x]]\n",
    }


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("end", ["", "\n"], ids=["no line end", "line end"])
def test_add_heading(eol: str, end: str) -> None:
    ships = f"# Ships\n\n## Petrel{end}"
    vault = Vault.of(
        f"//- /log.md\nPassed [[ships#Her$0on]] at noon.\n//- /ships.md\n{ships}", eol=eol
    )
    action = vault.action("Add heading “Heron” to “Ships”")
    assert action.creates == ()
    expected = "# Ships\n\n## Petrel\n\n## Heron\n".replace("\n", eol)
    assert vault.after(action)["ships.md"] == expected


def test_heading_of_a_slug_resolves_afterwards() -> None:
    vault = Vault.of("//- /log.md\n[x](ships.md#grey-her$0on)\n//- /ships.md\n# Ships\n")
    files = vault.after(vault.action("Add heading “Grey heron” to “Ships”"))
    assert Vault(type(vault.fixture)(files, "log.md", 0, 0)).diagnose() == ()


def test_nearest_heading() -> None:
    vault = Vault.of("//- /log.md\n[[ships#Petrell$0|x]]\n//- /ships.md\n# Ships\n## Petrel\n")
    files = vault.after(vault.action("Link to heading “Petrel”"))
    assert files["log.md"] == "[[ships#Petrel|x]]\n"


def test_known_relation() -> None:
    vault = Vault.of("//- /a.md\n[[rel:depend_$0on b]]\n//- /b.md\n")
    assert vault.after(vault.action("Replace by “depends_on”"))["a.md"] == "[[rel:depends_on b]]\n"


QUOTED: dict[str, tuple[str, str, str]] = {
    "value": ("related: [[Fo$0o]]", "Quote [[Foo]]", 'related: "[[Foo]]"'),
    "item": ("list:\n  - [[Fo$0o]]", "Quote [[Foo]]", 'list:\n  - "[[Foo]]"'),
    "flow": ("list: [ [[Fo$0o]], x ]", "Quote [[Foo]]", 'list: [ "[[Foo]]", x ]'),
    "colon": ("title: Dams: a st$0art", "Quote the value", 'title: "Dams: a start"'),
    "comment": ("title: Ticket #$012", "Quote the value", 'title: "Ticket #12"'),
    "text around": ("up: [[Fo$0o]] and more", "Quote the value", 'up: "[[Foo]] and more"'),
    "quotes inside": ('title: a "b": c$0', "Quote the value", 'title: "a \\"b\\": c"'),
    "at sign": ("author: @k$0im", "Quote the value", 'author: "@kim"'),
}


@pytest.mark.parametrize(("text", "title", "expected"), QUOTED.values(), ids=QUOTED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_quoting(text: str, title: str, expected: str, eol: str) -> None:
    vault = Vault.of(f"//- /n.md\n---\n{text}\n---\n//- /Foo.md\n", eol=eol)
    assert vault.after(vault.action(title))["n.md"] == f"---\n{expected}\n---\n".replace("\n", eol)


def test_quoted_links_need_no_quotes() -> None:
    assert titles('//- /n.md\n---\nrelated: "[[Fo$0o]]"\n---\n//- /Foo.md\n') == []


def test_in_german() -> None:
    vault = Vault.of("//- /a.md\n[[Kra$0n]]\n")
    assert [action.title for action in vault.actions("de")] == ["Notiz „Kran.md“ anlegen"]


def test_only_where_the_cursor_is() -> None:
    assert titles("//- /a.md\n[[Gone]] wo$0rd [[Gone]]\n") == []
    assert len(titles("//- /a.md\n$0[[Gone]] word [[Gone]]$0\n")) == 2
