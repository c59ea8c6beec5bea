"""Findings follow what is typed, what changes on disk, and the settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.e2e.editor import editor
from tests.e2e.test_sync import vault
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("profile", ["vscode", "neovim"])
async def test_a_folder_is_moved_away(tmp_path: Path, profile: str) -> None:
    root = vault(tmp_path, a="[[b]] ![[map.png]]\n")
    (root / "sub").mkdir()
    (root / "sub" / "b.md").write_text("# B\n")
    (root / "sub" / "map.png").write_bytes(b"png")
    async with editor(root, tmp_path, profile) as ed:
        ed.open("a.md")
        await ed.until_codes("a.md", [])
        (root / "sub").rename(tmp_path / "elsewhere")
        if profile == "vscode":
            ed.touch("sub", types.FileChangeType.Deleted)
        await ed.until_codes("a.md", ["unresolved-link"])


async def test_an_open_note_is_its_editors(tmp_path: Path) -> None:
    """A change on disk under an open note waits until it is closed."""
    root = vault(tmp_path, a="[[b#New]]\n", b="# B\n")
    async with editor(root, tmp_path) as ed:
        ed.open("a.md")
        ed.open("b.md", "# B\n\n## New\n\nunsaved")
        await ed.until_codes("a.md", [])
        (root / "b.md").write_text("# Other\n")
        ed.touch("b.md", types.FileChangeType.Changed)
        (root / "c.md").write_text("# C\n")
        ed.touch("c.md", types.FileChangeType.Created)
        ed.change("a.md", "[[b#New]] [[c]] [[d]]\n")
        await ed.until_codes("a.md", ["unresolved-link"])
        ed.close("b.md")
        await ed.until_codes("a.md", ["unresolved-heading", "unresolved-link"])


async def test_settings_apply_without_a_restart(tmp_path: Path) -> None:
    root = vault(tmp_path, a="[[Gone]]\n")
    (root / "drafts").mkdir()
    (root / "drafts" / "Gone.md").write_text("# Gone\n")
    async with editor(root, tmp_path, settings={"vault": {"ignore": ["drafts/"]}}) as ed:
        ed.open("a.md")
        (found,) = await ed.until_codes("a.md", ["unresolved-link"])
        assert found.severity is types.DiagnosticSeverity.Warning
        changed = types.DidChangeConfigurationParams(None)

        severity = {"unresolved-link": "hint"}
        ed.client.set_configuration(
            {"mindnet": {"diagnostics": severity, "vault": {"ignore": ["drafts/"]}}}
        )
        ed.client.workspace_did_change_configuration(changed)
        await wait_until(
            lambda: (ed.found("a.md") or [found])[0].severity is types.DiagnosticSeverity.Hint
        )
        ed.client.set_configuration({"mindnet": {}})
        ed.client.workspace_did_change_configuration(changed)
        await ed.until_codes("a.md", [])


async def test_a_bad_setting_is_named_once(tmp_path: Path) -> None:
    root = vault(tmp_path, a="[[Gone]]\n")
    async with editor(root, tmp_path, settings={"completion": {"max_items": "many"}}) as ed:
        await wait_until(lambda: ed.client.messages)
        ed.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        ed.open("a.md")
        await ed.until_codes("a.md", ["unresolved-link"])
        assert ["mindnet.completion.max_items" in item.message for item in ed.client.messages] == [
            True
        ]


async def test_pushed_settings_without_workspace_configuration(tmp_path: Path) -> None:
    root = vault(tmp_path, a="[[Gone]]\n")
    folder = types.WorkspaceFolder(root.as_uri(), "vault")
    params = types.InitializeParams(
        types.ClientCapabilities(),
        workspace_folders=[folder],
        initialization_options={"mindnet": {"locale": "de"}},
    )
    async with editor(root, tmp_path, params=params) as ed:
        ed.open("a.md")
        (found,) = await ed.until_codes("a.md", ["unresolved-link"])
        assert "Keine Notiz" in found.message
        ed.client.workspace_did_change_configuration(
            types.DidChangeConfigurationParams({"mindnet": {"diagnostics.unresolved-link": "off"}})
        )
        await ed.until_codes("a.md", [])


async def test_codes_link_to_the_documentation(tmp_path: Path) -> None:
    root = vault(tmp_path, a="[[Gone]]\n")
    async with editor(root, tmp_path, "vscode") as ed:
        ed.open("a.md")
        (found,) = await ed.until_codes("a.md", ["unresolved-link"])
        assert found.code_description is not None
        assert found.code_description.href.endswith("#unresolved-link")
