"""Document frequencies, kept incrementally."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.store import lexicon as module
from core.store.lexicon import Lexicon
from core.store.ports import SparseVector

documents = st.lists(st.lists(st.integers(0, 2**32 - 1), unique=True, max_size=6), max_size=8)


def vector(indices: list[int]) -> SparseVector:
    return SparseVector(sorted(indices), [1.0] * len(indices))


def counted(lists: list[list[int]]) -> Lexicon:
    found = Lexicon()
    found.add(vector(indices) for indices in lists)
    return found


def test_frequency_and_rarity() -> None:
    found = counted([[1, 2], [2, 3], [2]])
    assert found.frequency([1, 2, 3, 4]) == [1, 3, 1, 0]
    assert found.idf([2, 1]) == pytest.approx([math.log(1 + 0.5 / 3.5), math.log(1 + 2.5 / 1.5)])
    assert found.idf([4])[0] > found.idf([1])[0] > found.idf([2])[0] > 0
    assert len(found) == 3


def test_empty() -> None:
    assert Lexicon().frequency([5]) == [0]
    assert Lexicon().idf([]) == []
    assert len(Lexicon()) == 0


@given(before=documents, gone=documents, after=documents)
def test_added_and_removed_is_never_having_been(
    before: list[list[int]], gone: list[list[int]], after: list[list[int]]
) -> None:
    found = counted(before + gone)
    found._merge()  # so that the rest meets filled arrays
    found.remove(vector(indices) for indices in gone)
    found.add(vector(indices) for indices in after)
    assert found == counted(before + after)


def test_overlay_is_merged_when_large(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = [[n, n + 1, 7] for n in range(100, 400, 3)]
    plain = counted(lists)
    monkeypatch.setattr(module, "MERGE_AT", 20)
    merged = counted(lists)
    assert merged == plain
    assert merged.frequency([7, 100, 5]) == [100, 1, 0]


@given(lists=documents)
def test_saved_and_loaded(tmp_path_factory: pytest.TempPathFactory, lists: list[list[int]]) -> None:
    path: Path = tmp_path_factory.mktemp("lexicon") / "lexicon"
    found = counted(lists)
    found.save(path)
    assert Lexicon.load(path) == found
    assert not found.changed
    path.write_bytes(path.read_bytes()[:-1])
    assert Lexicon.load(path) is None
