"""Where a vault describes its own kinds and types."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config.places import described_at

RELATIONS = """\
# ours
relations:
  depends_on: {label: needs}

  "Pays For":
    label: pays
"""


def _write(root: Path, name: str, text: str) -> None:
    (root / ".mindnet").mkdir(exist_ok=True)
    (root / ".mindnet" / name).write_bytes(text.encode())


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    ("kind", "line"), [("depends_on", 2), ("pays_for", 4), ("Depends On", 2), ("blocks", None)]
)
def test_kinds(tmp_path: Path, kind: str, line: int | None, eol: str) -> None:
    _write(tmp_path, "relations.yaml", RELATIONS.replace("\n", eol))
    expected = None if line is None else (".mindnet/relations.yaml", line)
    assert described_at(tmp_path, "relations", kind) == expected


def test_types(tmp_path: Path) -> None:
    _write(tmp_path, "types.yaml", "default_type: task\ntypes:\n  Rezept:\n    paths: [Küche/]\n")
    assert described_at(tmp_path, "types", "rezept") == (".mindnet/types.yaml", 2)
    assert described_at(tmp_path, "types", "task") is None


@pytest.mark.parametrize("text", ["", "relations:", "relations: [a]", "- a\n", "a: [b\n", "x"])
def test_files_that_say_nothing(tmp_path: Path, text: str) -> None:
    _write(tmp_path, "relations.yaml", text)
    assert described_at(tmp_path, "relations", "a") is None


def test_no_file(tmp_path: Path) -> None:
    assert described_at(tmp_path, "relations", "a") is None
