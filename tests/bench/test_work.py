"""The quick mode of the benchmark: an action costs what it touches, not what the vault holds.

Counts, so they are the same on every machine; what they say is in the table of
`python -m tests.bench.work`.
"""

from __future__ import annotations

import pytest

from tests.bench.work import SIZES, Work, counted, measure

FEW, MANY = SIZES
TIMES = MANY / FEW
FLAT = (
    "keystroke",
    "keystroke in a link",
    "diagnostics",
    "outline",
    "definition",
    "references of a hub",
    "hover",
    "a saved note",
    "a new note",
    "a renamed title",
)
"""What must not grow at all with the vault, but for a few steps of a search."""
ONE_NOTE: Work = {"parsed": 1, "read": 1}
"""The most that any action after the start reads and parses."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Work], dict[str, Work]]:
    folder = tmp_path_factory.mktemp("work")
    return measure(folder, FEW), measure(folder, MANY)


Tables = tuple[dict[str, Work], dict[str, Work]]


@pytest.mark.parametrize("action", FLAT)
def test_what_touches_one_note_does_not_grow(tables: Tables, action: str) -> None:
    few, many = (table[action] for table in tables)
    for what in ("parsed", "resolved", "read"):
        assert many[what] == few[what], what
    assert many["calls"] <= few["calls"] * 1.05 + 20


def test_no_action_reads_more_than_a_note(tables: Tables) -> None:
    for table in tables:
        for action, work in table.items():
            if action != "cold start":
                assert {what: min(work[what], 1) for what in ONE_NOTE} == {
                    what: work[what] for what in ONE_NOTE
                }, action


def test_a_cold_start_reads_each_note_once(tables: Tables) -> None:
    for table, notes in zip(tables, SIZES, strict=True):
        work = table["cold start"]
        assert work["parsed"] == work["read"] == notes + 2
        assert work["resolved"] <= notes + 2, "a name is resolved once, however often it is written"
    assert tables[1]["cold start"]["calls"] <= TIMES * tables[0]["cold start"]["calls"] * 1.1


def test_a_warm_start_does_nothing_again(tables: Tables) -> None:
    for table in tables:
        work = table["warm start"]
        assert (work["parsed"], work["resolved"], work["read"]) == (0, 0, 0)
        assert 5 * work["calls"] < table["cold start"]["calls"]


def test_a_start_after_one_change_looks_at_that(tables: Tables) -> None:
    for table in tables:
        work = table["start after one change"]
        assert (work["parsed"], work["read"]) == (1, 1)
        assert work["resolved"] <= 8


@pytest.mark.parametrize("action", ["completion of nothing", "completion of a name"])
def test_a_completion_costs_what_it_shows(tables: Tables, action: str) -> None:
    few, many = (table[action] for table in tables)
    assert max(few["resolved"], many["resolved"]) <= 60
    # at most so many hits are ranked, and a small vault may have fewer
    assert many["calls"] <= max(2.5 * few["calls"], 9_000)


def test_counting_sees_what_is_done() -> None:
    def twice() -> None:
        once()
        once()

    def once() -> None:
        pass

    assert counted(twice)["calls"] == 3
