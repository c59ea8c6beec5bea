"""Notes read by several processes: the same as by one, whatever happens to the others."""

from __future__ import annotations

import sys
from collections import deque
from pathlib import Path

import pytest

from core.errors import Cancelled
from core.vault import together
from core.vault.load import REPLACED_BYTES, Loaded, load_vault
from core.vault.scan import UNREADABLE_FILE
from core.vault.together import MOST, Helpers, helped, spare_cores

NOTES = 300


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(together, "FEW", 10)
    root = tmp_path / "vault"
    for number in range(NOTES):
        note = root / f"{number % 7}" / f"Nöte {number}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        text = f"---\nid: n{number}\ntags: [a, b/{number % 5}]\n---\n# N {number} 🚢\n"
        note.write_text(f"{text}\n[[Nöte {number + 1}|x]] and [[rel:feeds Nöte 7#N 7 🚢]] ^b\n")
    (root / "latin.md").write_bytes(b"# Caf\xe9\n\n[[latin]]\n")
    (root / "bom.md").write_bytes(b"\xef\xbb\xbf# Bom\r\n[[latin]]\r\n")
    return root


def same(one: Loaded, other: Loaded) -> bool:
    assert one.index.dump() == other.index.dump()
    assert list(one.index.notes.values()) == list(other.index.notes.values())
    assert (one.stamps, one.problems, one.parsed) == (other.stamps, other.problems, other.parsed)
    assert list(one.stamps) == list(other.stamps)
    return True


@pytest.mark.parametrize("helpers", [1, 3])
def test_the_result_is_the_same(vault: Path, helpers: int) -> None:
    alone = load_vault(vault)
    seen: list[tuple[int, int]] = []
    found = load_vault(vault, on_progress=lambda *done: seen.append(done), helpers=helpers)
    assert same(found, alone)
    assert [problem.reason for problem in found.problems] == [REPLACED_BYTES]
    assert seen == sorted(seen)
    assert seen[-1] == (NOTES + 2, NOTES + 2)


def read_by_helpers(root: Path, paths: list[str]) -> tuple[list[str], list[str]]:
    """Paths that a helper read where nobody else takes any, and those that it left."""
    with helped(root, deque(paths), 1) as helpers:
        while helpers.are_busy(0.1):
            pass
        return sorted(one.note.path for one in helpers.found), sorted(helpers.left)


def test_what_is_not_plain_sailing_is_left(vault: Path) -> None:
    paths = sorted(path.relative_to(vault).as_posix() for path in vault.rglob("*.md"))
    odd = ["folder.md", "latin.md", "no such.md"]
    (vault / "folder.md").mkdir()
    found, left = read_by_helpers(vault, sorted({*paths, *odd}))
    assert left == odd
    assert found == [path for path in paths if path not in odd]


def test_a_file_that_vanishes_is_reported_once(vault: Path) -> None:
    gone = vault / "0" / "Nöte 0.md"

    def vanish(done: int, _: int) -> None:
        gone.unlink(missing_ok=True)

    # taken first, and so not by a helper
    found = load_vault(vault, on_progress=vanish, helpers=1)
    reasons = [(problem.path, problem.reason) for problem in found.problems]
    assert reasons == [("0/Nöte 0.md", UNREADABLE_FILE), ("latin.md", REPLACED_BYTES)]
    assert "0/Nöte 0.md" not in found.stamps


def test_a_helper_that_dies_leaves_its_work(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = load_vault(vault)
    begin = Helpers._start

    def start(self: Helpers) -> None:
        begin(self)
        self._processes[-1].kill()

    monkeypatch.setattr(Helpers, "_start", start)
    assert same(load_vault(vault, helpers=2), alone)


@pytest.mark.parametrize("python", ["", "/no/such/python", "/bin/false"])
def test_without_another_python_one_does_all(
    vault: Path, monkeypatch: pytest.MonkeyPatch, python: str
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    assert same(load_vault(vault, helpers=2), load_vault(vault))


def test_given_up_nothing_stays(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Helpers] = []
    begin = Helpers._start

    def start(self: Helpers) -> None:
        begin(self)
        started.append(self)

    monkeypatch.setattr(Helpers, "_start", start)
    with pytest.raises(Cancelled):
        load_vault(vault, cancelled=lambda: bool(started), helpers=2)
    for helpers in started:
        assert all(process.returncode is not None for process in helpers._processes)
        assert not helpers.are_busy(0)


def test_little_to_do_starts_nobody(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "FEW", NOTES + 3)
    with helped(vault, deque(["a.md"] * (NOTES + 2)), 2) as helpers:
        assert helpers._processes == []


def test_nobody_waits_for_a_core() -> None:
    assert 0 <= spare_cores() <= MOST
