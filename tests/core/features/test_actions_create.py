"""New notes for broken links: which types are offered, from which template, and never over a
file."""

from __future__ import annotations

import pytest

from core.features.code_action import complete_action
from core.vault.index import VaultIndex
from tests.core.features.kit import Vault

TASK = "---\ntype: task\n---\n"


def offered(source: str, **more: object) -> list[str]:
    return [action.title for action in Vault.of(source).actions(**more)]  # type: ignore[arg-type]


def test_plain_where_the_vault_uses_no_types() -> None:
    assert offered("//- /a.md\n[[Cra$0ne]]\n//- /b.md\n# Whatever\n") == ["Create note “Crane.md”"]


def test_the_types_that_links_of_this_kind_lead_to() -> None:
    source = (
        "//- /a.md\n[[rel:assigned_to An$0na]]\n"
        "//- /t.md\n---\ntype: task\n---\n[[rel:assigned_to Bo]] [[rel:assigned_to Cy]] [[x]]\n"
        "//- /x.md\n---\ntype: concept\n---\n"
        "//- /Bo.md\n---\ntype: person\n---\n//- /Cy.md\n---\ntype: person\n---\n"
    )
    titles = offered(source)
    assert titles[:2] == ["Create note “Anna.md”", "Create “Anna.md” as person"]
    assert len(titles) == 3


def test_the_type_of_the_folder() -> None:
    """`paths` in types.yaml: the plain offer takes its template, and it is not offered twice."""
    source = "//- /a.md\n[[people/An$0na]]\n//- /people/Bo.md\n---\ntype: person\n---\n"
    vault = Vault.of(source)
    titles = [action.title for action in vault.actions()]
    assert [title for title in titles if "Create" in title] == ["Create note “people/Anna.md”"]
    files = vault.after(vault.action("Create note “people/Anna.md”"))
    assert files["people/Anna.md"].startswith(
        "---\ntype: person\ntitle: Anna\nstatus: draft\ncreated: 2031-03-09\n---\n\n# Anna\n\n"
        "## Who\n"
    )


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", ["task", "Task", "TASK"])
def test_the_vaults_own_template(eol: str, name: str) -> None:
    vault = Vault.of(
        f"//- /a.md\n[[Pla$0n: B#Jib]]\n//- /b.md\n{TASK}"
        f"//- /tpl/{name}.md\n---\ntitle: {{{{title}}}}\ntype: task\n---\n# {{{{title}}}}\n",
        eol=eol,
    )  # fmt: skip
    action = vault.action("Create “Plan B.md” as task", template_folder="tpl")
    text = vault.after(action, template_folder="tpl")["Plan B.md"]
    expected = '---\ntitle: "Plan: B"\ntype: task\n---\n# Plan: B\n\n## Jib\n'
    assert text == expected.replace("\n", eol)


def test_a_default_template_for_notes_without_a_type() -> None:
    vault = Vault.of("//- /a.md\n[[Cra$0ne]]\n//- /tpl/default.md\n# {{title}}\n\n{{date}}\n")
    action = vault.action("Create note “Crane.md”", template_folder="tpl")
    assert vault.after(action, template_folder="tpl")["Crane.md"] == "# Crane\n\n2031-03-09\n"


@pytest.mark.parametrize("link", ["[[Re: budget #2$0]]", "[[what$0/why?]]", "[[Plan: B$0]]"])
def test_lc_05_the_link_means_the_note_that_it_made(link: str) -> None:
    vault = Vault.of(f"//- /a.md\n{link}\n//- /b.md\n{TASK}")
    for action in vault.actions():
        if "Create" not in action.title:
            continue
        files = vault.after(action)
        (made,) = set(files) - set(vault.fixture.files)
        again = Vault(type(vault.fixture)(files, "a.md", 0, 0))
        assert again.index.targets("a.md") == (made,)
        assert again.index.notes[made].problems == ()


def test_dg_01_a_missing_heading_never_creates_a_file() -> None:
    vault = Vault.of("//- /log.md\n[[ships#Her$0on]]\n//- /ships.md\n# Ships\n\n## Petrel\n")
    actions = vault.actions(only="")
    assert not [a for a in actions if a.creates or (a.deferred and a.deferred.creates)]
    for action in actions:
        assert "## Petrel" in vault.after(action)["ships.md"]


@pytest.mark.parametrize("name", ["TIDE-Table", "tide-table", "sub/TIDE", "Über", "U\u0308ber"])
def test_dg_02_no_note_over_one_of_another_letter_case(name: str) -> None:
    files = "//- /tide-table.md\n1\n//- /Sub/tide.md\n2\n//- /über.md\n3\n"
    vault = Vault.of(f"//- /a.md\n[[{name[:-1]}$0{name[-1]}]]\n{files}")
    assert not [a for a in vault.actions(only="") if "Create" in a.title]


def test_dg_02_a_file_that_came_in_the_meantime_is_left_alone() -> None:
    vault = Vault.of(f"//- /a.md\n[[Cra$0ne]]\n//- /b.md\n{TASK}")
    action = vault.action("Create “Crane.md” as task")
    assert action.deferred is not None
    later = Vault.of("//- /a.md\n[[Crane]]\n//- /crane.md\nprecious\n")
    for context in (later.context(), vault.context(exists=lambda path: path == "Crane.md")):
        assert complete_action(context, "create", action.deferred.arguments, ()) is None


def test_one_preferred_fix_at_most() -> None:
    vault = Vault.of("//- /a.md\n[[Harbor$0 wall]]\n//- /Harbour wall.md\n")
    assert [action.title for action in vault.actions() if action.preferred] == [
        "Link to “Harbour wall”"
    ]
    alone = Vault.of("//- /a.md\n[[Cra$0ne]]\n")
    assert [action.preferred for action in alone.actions()] == [True]


def test_nothing_is_created_while_only_refactorings_are_asked_for() -> None:
    vault = Vault.of("//- /a.md\n[[Cra$0ne]]\n")
    only = vault.actions(only="", wanted=lambda kind: kind.startswith("refactor"))
    assert all(action.kind.startswith("refactor") for action in only)
    assert vault.index.revision == VaultIndex.build(vault.index.notes.values()).revision
