"""The example vault has exactly the faults that its README lists."""

from __future__ import annotations

import re
from pathlib import Path

from core.config.load import load_config
from core.features.diagnostics import diagnose
from core.settings import DEFAULTS
from core.vault.load import load_vault

EXAMPLES = Path(__file__).parents[2] / "examples"
ROW = re.compile(r"^\| `([a-z-]+)` \| `([^`]+\.md)` \| (\d+) \|", re.MULTILINE)


def test_faults() -> None:
    vault = EXAMPLES / "vault"
    index, config = load_vault(vault).index, load_config(vault)
    found = sorted(
        (one.code, path, one.place.line + 1)
        for path in index.paths
        for one in diagnose(
            index,
            index.notes[path],
            DEFAULTS.diagnostics,
            "en",
            config.relations,
            config.types.names(),
        )
    )
    listed = ROW.findall((EXAMPLES / "README.md").read_text("utf-8"))
    assert found == sorted((code, path, int(line)) for code, path, line in listed)
