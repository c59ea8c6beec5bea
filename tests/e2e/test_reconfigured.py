"""A vault's own YAML files, changed while the editor and the core run: both follow."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from tests.e2e.editor import Editor, editor
from tests.e2e.test_commands import run, until_indexed
from tests.support.cores import WORDS_ONLY, kill_core, write_vault

pytestmark = pytest.mark.e2e

NOTES = {
    "soup": "---\ntype: recipe\n---\n# Soup\n\nLeeks and water.\n",
    "barge": "# Barge\n\nA barge on the canal.\n",
}
OURS = "types:\n  recipe:\n  vessel: {paths: ['*']}\n"


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A vault whose core is ended with the test."""
    found = write_vault(tmp_path / "vault")
    (found / "canal").mkdir()
    for name, folder in (("soup", ""), ("barge", "canal/")):
        (found / f"{folder}{name}.md").write_text(NOTES[name])
    yield found
    kill_core(found, {"MINDNET_DATA_DIR": str(tmp_path / "data")})


async def until_type(there: Editor, query: str, wanted: str) -> None:
    """Wait until the store has a note with a type."""
    async with asyncio.timeout(20):
        while True:
            hits = (await run(there, "mindnet.query", {"query": query}))["hits"]
            if hits and hits[0]["type"] == wanted:
                return
            await asyncio.sleep(0.05)


def write_types(there: Editor, text: str | None) -> None:
    path = there.root / ".mindnet" / "types.yaml"
    path.parent.mkdir(exist_ok=True)
    if text is None:
        path.unlink()
    else:
        path.write_text(text)


@pytest.mark.parametrize("profile", ["vscode", "neovim"])
async def test_types_that_change_while_all_runs(root: Path, tmp_path: Path, profile: str) -> None:
    """By the editor's own events, and by the system's where the editor does not watch."""
    async with editor(root, tmp_path, profile, settings=WORDS_ONLY) as ed:
        await until_indexed(ed)
        ed.open("soup.md")
        await ed.until_codes("soup.md", ["unknown-type"])
        await until_type(ed, "barge", "concept")

        write_types(ed, OURS)
        if profile == "vscode":
            ed.touch(".mindnet/types.yaml", types.FileChangeType.Created)
        await ed.until_codes("soup.md", [])
        await until_type(ed, "barge", "vessel")

        write_types(ed, "types:\n  vessel: {paths: [elsewhere]}\n")
        if profile == "vscode":
            ed.touch(".mindnet/types.yaml", types.FileChangeType.Changed)
        await ed.until_codes("soup.md", ["unknown-type"])
        await until_type(ed, "barge", "concept")


async def test_a_folder_of_settings_that_comes_and_goes(root: Path, tmp_path: Path) -> None:
    async with editor(root, tmp_path, settings=WORDS_ONLY) as ed:
        await until_indexed(ed)
        ed.open("soup.md")
        await ed.until_codes("soup.md", ["unknown-type"])
        write_types(ed, OURS)
        ed.touch(".mindnet", types.FileChangeType.Created)
        await ed.until_codes("soup.md", [])
        await until_type(ed, "barge", "vessel")
        (root / ".mindnet").rename(root / "away")
        ed.touch(".mindnet", types.FileChangeType.Deleted)
        await ed.until_codes("soup.md", ["unknown-type"])
        await until_type(ed, "barge", "concept")
