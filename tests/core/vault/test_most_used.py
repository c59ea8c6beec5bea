"""The highest counts stay right whatever changes, and are seldom looked for again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from core.vault import most_used
from core.vault.most_used import MostUsed
from core.vault.postings import Tally

steps = st.lists(
    st.dictionaries(st.sampled_from("abcdefghij"), st.integers(-3, 3), max_size=4), max_size=12
)


@pytest.fixture(autouse=True, scope="module")
def _few() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(most_used, "MOST", 3)
        yield


@given(steps, st.booleans())
def test_like_looking_at_everything(changes: list[dict[str, int]], ask: bool) -> None:
    counts: Map[str, int] = Map()
    ranking = MostUsed(counts)
    for change in changes:
        tally = Tally()
        for key, delta in change.items():
            tally.add(key, max(delta, -counts.get(key, 0)))
        counts = tally.apply(counts)
        ranking = ranking.updated(counts, tally.changed())
        if ask:
            assert ranking.first() == MostUsed(counts).first()
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:3]
    assert ranking.first() == tuple(key for key, _ in best)


def test_what_is_known_is_kept() -> None:
    counts = Map({name: at for at, name in enumerate("abcdefgh", 1)})
    ranking = MostUsed(counts)
    assert ranking.first() == ("h", "g", "f")
    counts = counts.set("g", 1)
    later = ranking.updated(counts, ["g"])
    assert later._best is not None, "found again without looking at every count"
    assert later.first() == ("h", "f", "e")
