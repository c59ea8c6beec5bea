"""What a process loads before it answers `initialize`: counted, as a time would say nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.editor import EDITORS, initialize_params
from tests.test_invariants import HEAVY, ROOT

MOST_MODULES = 640
"""Each is read, and run, while somebody waits for the editor."""
LATER = (
    *HEAVY,
    "core.chat",
    "core.config.decision",
    "core.config.prompts",
    "core.retrieval",
    "core.service",
    "core.store",
    "http",
    "multiprocessing",
    "pathspec",
    "unittest",
    "urllib.request",
    "watchfiles",
)


def loaded(editor: str, vault: Path) -> list[str]:
    """The modules in the order in which they were there, up to the first answer."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    body = json.dumps({**request, "params": initialize_params(editor, vault)}).encode()
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "mindnet_lsp"],
        cwd=ROOT,
        env={**os.environ, "MINDNET_DATA_DIR": str(vault / "data")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    said, errors = process.communicate(b"Content-Length: %d\r\n\r\n%b" % (len(body), body), 60)
    assert b'"capabilities"' in said
    lines = errors.decode().splitlines()
    return [line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")]


@pytest.mark.parametrize("editor", EDITORS)
def test_little_is_loaded_before_the_first_answer(editor: str, tmp_path: Path) -> None:
    found = loaded(editor, tmp_path)
    assert "lsprotocol.types" in found
    assert [name for name in found if name.startswith(tuple(f"{one}." for one in LATER))] == []
    assert [name for name in found if name in LATER] == []
    assert len(found) <= MOST_MODULES
