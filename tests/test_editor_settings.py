"""The VS Code extension has exactly the settings that `core.settings` has."""

from __future__ import annotations

import json

from core.settings import Settings, read_settings
from scripts import editor_settings


def test_the_manifest_is_up_to_date() -> None:
    stale = [
        path.name
        for path, text in editor_settings.generated().items()
        if path.read_text("utf-8") != text
    ]
    assert stale == [], "run scripts/editor_settings.py"


def test_every_setting_is_described_in_german() -> None:
    english, german = (
        json.loads((editor_settings.EXTENSION / f"package.nls{name}.json").read_text("utf-8"))
        for name in ("", ".de")
    )
    assert german.keys() == english.keys()


def test_the_server_takes_what_the_editor_sends() -> None:
    """The defaults of the manifest, as flat keys, are the defaults of the server."""
    manifest = json.loads(editor_settings.MANIFEST.read_text("utf-8"))
    _, ours = manifest["contributes"]["configuration"]
    sent = {
        key.removeprefix("mindnet."): shown["default"] for key, shown in ours["properties"].items()
    }
    assert read_settings(sent) == (Settings(), [])


def test_no_folder_says_where_notes_go() -> None:
    """Addresses, keys, and paths outside the vault: only the user's own settings count."""
    manifest = json.loads(editor_settings.MANIFEST.read_text("utf-8"))
    parts = manifest["contributes"]["configuration"]
    shown = {key: one for part in parts for key, one in part["properties"].items()}
    outside = [k for k in shown if k.endswith(("url", "api_key", "store.path"))]
    outside += [k for k in shown if k.startswith("mindnet.server.")]
    assert len(outside) == 8
    assert {shown[key]["scope"] for key in outside} == {"machine"}
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    assert set(outside) <= set(trust["restrictedConfigurations"])
