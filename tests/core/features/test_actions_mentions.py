"""Names of notes in running text: what counts as a mention, and the links that are made."""

from __future__ import annotations

import pytest

from core.features.mention_names import MentionNames
from core.vault.index import VaultIndex
from tests.core.features.kit import Vault

NOTES = (
    "//- /w/Mill Pond.md\n---\naliases: [Mühlteich, pond]\n---\n"
    "//- /Mill.md\n//- /Will.md\n//- /Über.md\n//- /ab.md\n//- /2031.md\n//- /x/index.md\n"
    "//- /one/Twin.md\n//- /two/Twin.md\n//- /Node.js.md\n//- /long-way.md\n"
)


def found(text: str) -> list[str]:
    vault = Vault.of(f"//- /a.md\n{text}\n{NOTES}")
    names = MentionNames(vault.index.names)
    document = vault.document
    return [
        f"{document.text[m.start : m.end]}={m.path}"
        for m in names.mentions(document, 0, len(document.text))
    ]


FOUND: dict[str, tuple[str, list[str]]] = {
    "longest first": ("The Mill Pond and the mill.", ["Mill Pond=w/Mill Pond.md", "mill=Mill.md"]),
    "alias, any case": (
        "MÜHLTEICH ponds pond", ["MÜHLTEICH=w/Mill Pond.md", "pond=w/Mill Pond.md"]),
    "umlaut spelled out": ("Muehlteich", ["Muehlteich=w/Mill Pond.md"]),
    "words only": ("Windmill Mills Mill-wheel premill_x", []),
    "marks around": ("(Mill), “Mill”! **Mill**", ["Mill=Mill.md"] * 3),
    "blanks within": ("Mill   Pond", ["Mill   Pond=w/Mill Pond.md"]),
    "not over lines": ("Mill\nPond", ["Mill=Mill.md", "Pond=w/Mill Pond.md"]),
    "function words": ("will über Will", []),
    "short, numbers, folder notes": ("ab 2031 index", []),
    "of two notes": ("Twin", []),
    "marks in names": ("Use Node.js, not node. JS or long way, long-way",
                       ["Node.js=Node.js.md", "long-way=long-way.md"]),
    "not in links": ("[[Mill]] [Mill](x.md) [the Mill](https://x.y) https://x.y/Mill", []),
    "not in code": ("`Mill` and\n\n```\nMill\n```\n\n    Mill\n", []),
    "not in comments, math, tags": ("%%Mill%% <!-- Mill --> $Mill$ #Mill/Pond", []),
    "in headings and tables": ("## The Mill\n\n| Mill | x |\n|---|---|\n", ["Mill=Mill.md"] * 2),
    "not in the title": ("# The Mill\n\n# Mill\n", ["Mill=Mill.md"]),
    "not in frontmatter": ("---\ntitle: The Mill\n---\n", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FOUND.values(), ids=FOUND.keys())
def test_what_is_a_mention(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_a_note_does_not_mention_itself() -> None:
    vault = Vault.of("//- /Mill.md\n# Mill\n\nThe mill$0.\n")
    assert not vault.actions(only="refactor")


LINKED: dict[str, tuple[str, str, str]] = {
    "name": ("The Mill Po$0nd.", "Link to “Mill Pond”", "The [[Mill Pond]]."),
    "other case": ("The mill po$0nd.", "Link to “Mill Pond”", "The [[Mill Pond|mill pond]]."),
    "alias": ("🚢 Mühl$0teich", "Link to “Mill Pond”", "🚢 [[Mill Pond|Mühlteich]]"),
    "table": ("| the pond$0 |\n|---|",
              "Link to “Mill Pond”", "| the [[Mill Pond\\|pond]] |\n|---|"),
    "edge": ("Mill$0", "Link to “Mill”", "[[Mill]]"),
    "all of one": ("Mill po$0nd, pond, Mill\n\nPOND `pond` [[Mill Pond]]",
                   "Link all 3 mentions of “Mill Pond” in this file",
                   "[[Mill Pond|Mill pond]], [[Mill Pond|pond]], Mill\n\n"
                   "[[Mill Pond|POND]] `pond` [[Mill Pond]]"),
    "all": ("Mi$0ll and pond, Mühlteich; mill, mill pond",
            "Link all mentions of notes in this file",
            "[[Mill]] and [[Mill Pond|pond]], [[Mill Pond|Mühlteich]]; mill, "
            "[[Mill Pond|mill pond]]"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "title", "expected"), LINKED.values(), ids=LINKED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_link_mentions(text: str, title: str, expected: str, eol: str) -> None:
    vault = Vault.of(f"//- /a.md\n{text}\n{NOTES}", eol=eol)
    files = vault.after(vault.action(title))
    assert files["a.md"] == f"{expected}\n".replace("\n", eol)
    again = Vault(type(vault.fixture)(files, "a.md", 0, 0))
    assert None not in again.index.targets("a.md")
    assert not [item for item in again.diagnose() if item.code == "ambiguous-link"]


def test_a_light_bulb_looks_at_the_line_only() -> None:
    vault = Vault.of(f"//- /a.md\nThe Mi$0ll. The mill.\n{NOTES}")
    titles = [action.title for action in vault.actions(only="", automatic=True)]
    assert titles == ["Link to “Mill”"]


def test_all_mentions_are_offered_on_one_of_them_or_when_asked_for() -> None:
    title = "Link all mentions of notes in this file"
    vault = Vault.of(f"//- /a.md\nThe$0 mill. The Mill.\n{NOTES}")
    assert title not in [action.title for action in vault.actions(only="", explicit=False)]
    assert [action.title for action in vault.actions(only="source.mindnet.linkMentions")] == [title]


def test_without_prepared_names_nothing_is_offered() -> None:
    vault = Vault.of(f"//- /a.md\nThe Mi$0ll.\n{NOTES}")
    assert not vault.actions(only="refactor", mentions=None)


def test_names_are_prepared_again_when_one_changes() -> None:
    index = Vault.of(f"//- /a.md\nx\n{NOTES}").index
    assert index.update([index.notes["a.md"]]).names is index.names
    renamed = VaultIndex.build(note for note in index.notes.values() if note.path != "Mill.md")
    assert renamed.names is not index.names


SELECTED: dict[str, tuple[str, str, dict[str, str]]] = {
    "a note": ("the $0mill$0 turns", "Turn into link [[Mill|mill]]",
               {"a.md": "the [[Mill|mill]] turns\n"}),
    "a new one": ("the $0Old: Gate?$0 is shut", "Create note “Old: Gate?” and link it",
                  {"a.md": "the [[Old Gate|Old: Gate?]] is shut\n",
                   "Old Gate.md": "# Old: Gate?\n"}),
    "in a table": ("| $0gate x$0 | y |", "Create note “gate x” and link it",
                   {"a.md": "| [[gate x]] | y |\n", "gate x.md": "# gate x\n"}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "title", "expected"), SELECTED.values(), ids=SELECTED.keys())
def test_selected_words(text: str, title: str, expected: dict[str, str]) -> None:
    vault = Vault.of(f"//- /a.md\n{text}\n{NOTES}")
    files = vault.after(vault.action(title))
    changed = {path: text for path, text in files.items() if vault.fixture.files.get(path) != text}
    assert changed == expected


def test_a_new_note_gets_a_number_where_its_file_name_is_taken() -> None:
    vault = Vault.of("//- /a.md\n$0Plan: B$0\n//- /plan b.md\nother\n//- /PLAN B 2.md\n")
    files = vault.after(vault.action("Create note “Plan: B” and link it"))
    assert files["a.md"] == "[[Plan B 3|Plan: B]]\n"
    assert files["plan b.md"] == "other\n"


@pytest.mark.parametrize("text", ["`a $0mill$0 b`", "[[$0Mill$0]]", "$0mill\npond$0", "a$0 $0b"])
def test_no_link_over_what_is_none(text: str) -> None:
    vault = Vault.of(f"//- /a.md\n{text}\n{NOTES}")
    assert not [a for a in vault.actions(only="") if "link" in a.title or "Create" in a.title]
