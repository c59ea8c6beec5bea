"""The README's first command, on a folder of one's own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
VAULT = """\
//- /Mühle.md
# Mühle

Am [[Fluss]] steht die Mühle. Siehe [[Flus]].
//- /Fluss.md
# Fluss

Der Fluss treibt das Rad der [[Mühle]].
"""


def demo(tmp_path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "TMPDIR": str(tmp_path), "COLUMNS": "120", "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [ROOT / "scripts" / "demo", folder],
        env=environ,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_demo_on_a_folder(tmp_path: Path) -> None:
    vault = parse_fixture(VAULT).write(tmp_path / "vault")
    before = {path: path.read_bytes() for path in sorted(vault.rglob("*"))}
    done = demo(tmp_path, vault)
    assert done.returncode == 0, done.stdout + done.stderr
    for shown in (
        "2 notes, 3 links, 1 of them",
        "completion after [[",
        "definition of [[",
        "No note is called “Flus”",
        "Link to “Fluss”",
        "mindnet.query",
        "mindnet.status",
        "The vault is untouched.",
    ):
        assert shown in done.stdout
    assert {path: path.read_bytes() for path in sorted(vault.rglob("*"))} == before
    assert [path.name for path in tmp_path.iterdir()] == ["vault"], "it clears up after itself"


def test_the_demo_on_no_folder(tmp_path: Path) -> None:
    done = demo(tmp_path, tmp_path / "nowhere")
    assert done.returncode == 2
    assert "is not a folder" in done.stdout
    assert "Traceback" not in done.stderr
