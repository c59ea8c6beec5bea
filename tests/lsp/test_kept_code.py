"""Code that attrs writes is compiled once; a file that does not fit is as good as none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import attrs
import cattrs
import pytest
from attr import _make

from mindnet_lsp.kept_code import KeptCode, kept_file


@pytest.fixture(autouse=True)
def _written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def start(file: Path) -> int:
    """What a start does: types, and what reads them; how often the compiler was asked."""
    kept = KeptCode(str(file))
    try:
        point = attrs.make_class("Point", {"x": attrs.field(type=int), "y": attrs.field(type=int)})
        pair = attrs.make_class("Pair", {"x": attrs.field(type=int), "y": attrs.field(type=int)})
        found = cattrs.Converter().structure({"x": 1, "y": 2}, point)
    finally:
        kept.end()
    assert (found.x, found.y, found) == (1, 2, point(1, 2))
    assert pair(1, 2) != point(1, 2)
    assert repr(found) == "Point(x=1, y=2)"
    return kept.compiled


def test_a_second_start_compiles_nothing(tmp_path: Path) -> None:
    file = tmp_path / "new" / "kept.types"
    assert start(file) > 0
    assert start(file) == 0
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_what_another_client_needed_stays(tmp_path: Path) -> None:
    file = tmp_path / "kept.types"
    start(file)
    kept = KeptCode(str(file))
    attrs.make_class("Other", ["z"])
    kept.end()
    assert kept.compiled
    assert start(file) == 0


def test_the_compiler_is_the_builtin_again(tmp_path: Path) -> None:
    kept = KeptCode(str(tmp_path / "kept.types"))
    assert "compile" in vars(_make)
    kept.end()
    assert "compile" not in vars(_make)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"\0\0\0\0" + data[4:],
        lambda data: data + b"\0",
    ],
)
def test_a_damaged_file_is_written_anew(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    file = tmp_path / "kept.types"
    asked = start(file)
    file.write_bytes(damage(file.read_bytes()))
    assert start(file) == asked
    assert start(file) == 0


def test_a_folder_that_cannot_be_written_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert start(tmp_path / "file" / "kept.types") > 0


def test_nothing_is_written_where_python_writes_no_byte_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    start(tmp_path / "kept.types")
    assert list(tmp_path.iterdir()) == []


def test_what_is_asked_for_in_another_way_is_the_builtins(tmp_path: Path) -> None:
    kept = KeptCode(str(tmp_path / "kept.types"))
    kept.end()
    assert eval(kept.compile("1 + 1", "", "eval")) == 2
    assert eval(kept.compile("1 + 1", "", "eval", 0, dont_inherit=True)) == 2


def test_it_lies_beside_our_own_byte_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Path(kept_file()).parent.name == "__pycache__"
    monkeypatch.setattr(sys, "pycache_prefix", "/elsewhere")
    assert kept_file().startswith("/elsewhere")
