"""A start on a vault that did not change opens no note and embeds nothing.

Asked of the interpreter itself: an audit hook in a process of its own sees every file that is
opened, whoever opens it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.cores import write_vault

COUNT = 60
SCRIPT = """
import json, sys
from pathlib import Path

opened = []
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        opened.append(arguments[0] if isinstance(arguments[0], str) else arguments[0].decode())
sys.addaudithook(hook)

from core.service.engine import Engine
from core.service.jobs import Job
from core.settings import Settings
from tests.support.fake_embedder import FakeEmbedder

root, folder = Path(sys.argv[1]), Path(sys.argv[2])
embedder = FakeEmbedder()
engine = Engine(root, folder, Settings(), embedder)
result = engine.submit(Job(None)).result.result(60)
engine.close()
notes = sorted({Path(path).name for path in opened if path.endswith(".md")})
print(json.dumps({"opened": notes, "embedded": len(embedder.inputs), "changed": result.changed,
                  "notes": result.notes}))
"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "vault", COUNT)


def start(vault: Path) -> dict[str, Any]:
    """What a new process did to bring the index in step."""
    command = [sys.executable, "-c", SCRIPT, str(vault), str(vault.parent / "data")]
    ended = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2]
    )
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def test_a_second_start_opens_no_note(vault: Path) -> None:
    names = sorted(path.name for path in vault.glob("*.md"))
    first = start(vault)
    assert (first["opened"], first["changed"]) == (names, COUNT)
    assert first["embedded"] >= COUNT
    assert start(vault) == {"opened": [], "embedded": 0, "changed": 0, "notes": COUNT}


def test_only_what_changed_is_opened(vault: Path) -> None:
    start(vault)
    os.utime(vault / "n0003.md", ns=(1, 1))
    touched = start(vault)
    assert (touched["opened"], touched["embedded"], touched["changed"]) == (["n0003.md"], 0, 0)
    (vault / "n0004.md").write_text("# Note 4\n\nAnother text.\n")
    (vault / "n0005.md").unlink()
    changed = start(vault)
    assert (changed["opened"], changed["embedded"], changed["changed"]) == (["n0004.md"], 1, 1)
    assert changed["notes"] == COUNT - 1
    assert start(vault)["opened"] == []


def test_another_name_for_a_type_opens_what_it_concerns(vault: Path) -> None:
    """The store is written anew from the files, with the vectors that it has."""
    (vault / "n0007.md").write_text("---\ntype: recipe\n---\n# Soup\n\nLeeks.\n")
    start(vault)
    (vault / ".mindnet").mkdir()
    (vault / ".mindnet" / "types.yaml").write_text("types:\n  recipe: {retriever_weight: 1.5}\n")
    again = start(vault)
    assert (again["opened"], again["embedded"], again["changed"]) == (["n0007.md"], 0, 1)
