"""`mindnet.draft` and `mindnet.saveDraft` through a real server, in editors of several kinds."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from core.parse import parse_note
from tests.e2e.editor import Editor, capabilities, editor
from tests.e2e.test_commands import plain
from tests.support.cores import fingerprint
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e

VAULT = "//- /Leiter.md\n# Leiter\n//- /30_projects/Dach.md\n# Dach\n"


async def run(ed: Editor, command: str, **arguments: Any) -> Any:
    params = types.ExecuteCommandParams(command, [arguments])
    return plain(await ed.client.workspace_execute_command_async(params))


def started(root: Path, tmp: Path, profile: str, **settings: Any) -> Any:
    params = types.InitializeParams(
        capabilities(profile),
        workspace_folders=[types.WorkspaceFolder(root.as_uri(), "vault")],
        initialization_options={"mindnet": settings},
    )
    return editor(root, tmp, params=params, settings=settings)


@pytest.mark.parametrize("profile", ["vscode", "neovim", "eglot", "bare"])
async def test_from_a_sentence_to_a_note(tmp_path: Path, profile: str) -> None:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    async with started(root, tmp_path, profile, locale="de") as ed:
        before = fingerprint(root)
        wish = 'Leg bitte ein Projekt "Dach dicht: Süd" an'
        first = await run(ed, "mindnet.draft", message=wish)
        assert (first["type"], first["title"]) == ("project", "Dach dicht: Süd")
        assert first["file_name"] == "dach-dicht-sued.md"
        assert first["uri"] == (root / "30_projects/dach-dicht-sued.md").as_uri()
        assert [one["field"] for one in first["missing_fields"]] == ["goal", "steps"]
        assert all(one["hint"].endswith("?") for one in first["missing_fields"])
        answers = {"goal": "Kein Tropfen mehr.", "steps": "[[Leiter]] holen", "due": "2031-11-01"}
        whole = await run(ed, "mindnet.draft", message=wish, answers=answers)
        assert whole["missing_fields"] == []
        assert fingerprint(root) == before
        made = await run(ed, "mindnet.saveDraft", markdown=whole["markdown"])
        assert made["uri"] == whole["uri"]
        assert made["created"] is True
        path = "30_projects/dach-dicht-sued.md"
        text = (root / path).read_text("utf-8")
        assert text == whole["markdown"]
        assert made["note_id"] == parse_note(path, text).note_id
        assert not list(root.rglob("*.tmp"))
        if ed.client.capabilities.window and profile != "eglot":
            await wait_until(lambda: ed.client.shown_documents)
            assert ed.client.shown_documents[0].uri == made["uri"]
        # the link index knows it: by its title, and its link counts
        ed.open("Leiter.md", "# Leiter\n\n[[Dach dicht: Süd]]\n")
        where = ed.at("Leiter.md", 12)
        found: Any = None
        async with asyncio.timeout(15):
            while not found:
                asked = types.DefinitionParams(**where)
                found = await ed.client.text_document_definition_async(asked)
        assert made["uri"] in str(found)


async def test_a_client_that_cannot_edit(tmp_path: Path) -> None:
    """Nothing is changed behind its back, and it is told."""
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    async with started(root, tmp_path, "bare") as ed:
        made = await run(ed, "mindnet.saveDraft", markdown="# Chat\n\nOne.\n", folder="chats")
        ed.open("chats/chat.md")
        told = "# Chat\n\nOne.\n\nTwo.\n"
        answer = await run(ed, "mindnet.saveDraft", markdown=told, uri=made["uri"])
        assert answer["error"]["code"] == "not_supported"
        assert (root / "chats/chat.md").read_text("utf-8") == "# Chat\n\nOne.\n"
        ed.close("chats/chat.md")
        answer = await run(ed, "mindnet.saveDraft", markdown=told, uri=made["uri"])
        assert answer == {**made, "created": False}
        assert (root / "chats/chat.md").read_text("utf-8") == told


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"message": 3},
        {"message": "x", "type": ["task"]},
        {"message": "x", "answers": "due"},
        {"message": "x", "answers": {"due": ["a"]}},
        {"message": "x", "folder": ".git"},
    ],
)
async def test_arguments_that_are_none(tmp_path: Path, arguments: dict[str, Any]) -> None:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    async with started(root, tmp_path, "bare") as ed:
        with pytest.raises(JsonRpcException):
            await run(ed, "mindnet.draft", **arguments)


async def test_a_vaults_own_schema_and_template(tmp_path: Path) -> None:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    (root / ".mindnet").mkdir()
    (root / ".mindnet/types.yaml").write_text(
        "types:\n  recipe:\n    detection_keywords: [recipe]\n"
    )
    (root / ".mindnet/decision_engine.yaml").write_text(
        "schemas:\n  recipe:\n    required:\n      yield: {hint: For how many?}\n"
        "      steps: {section: Method, hint: How?}\n"
    )
    (root / "tpl").mkdir()
    (root / "tpl/recipe.md").write_text("---\ncssclass: food\n---\n# {{title}}\n\n## Method\n")
    async with started(root, tmp_path, "vscode", templates={"folder": "tpl"}) as ed:
        found = await run(
            ed, "mindnet.draft", message="Create a recipe: Eel soup", answers={"steps": "Boil."}
        )
        assert (found["type"], found["title"]) == ("recipe", "Eel soup")
        assert found["missing_fields"] == [{"field": "yield", "hint": "For how many?"}]
        assert "cssclass: food\n" in found["markdown"]
        assert found["markdown"].endswith("## Method\n\nBoil.\n")
