"""The rows measure what a server answers, and say so when it answers wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.bench import __main__ as program
from tests.bench.bench import Bench, Unavailable
from tests.bench.budgets import BUDGETS, KEYS, row
from tests.bench.client import ServerGone
from tests.bench.conftest import STUB, NewBench
from tests.bench.editor import EDITORS
from tests.bench.keystrokes import measure_keystrokes
from tests.bench.report import as_json, facts, heading, load_now, table
from tests.bench.requests import definition, hover, rename
from tests.bench.rows import IMPORT, KEYSTROKES, measure
from tests.bench.stats import Row, percentile

OFFERED = set(KEYS) - IMPORT - {"query", "rename", "workspace-symbol"}


def measured(bench: Bench, keys: set[str]) -> dict[str, Row]:
    return {found.key: found for found in measure(bench, keys)}


@pytest.mark.parametrize("editor", EDITORS)
def test_every_row_of_a_right_server_is_sound(new_bench: NewBench, editor: str) -> None:
    bench = new_bench(editor=editor)
    rows = measured(bench, OFFERED)
    assert rows.keys() == OFFERED
    assert [found for found in rows.values() if not found.sound] == []
    assert len(rows["hover"].values) == bench.repeat
    assert 1 < rows["memory"].median < 500
    assert rows["references"].note == f"{bench.sample.hub_links} places"
    assert bench.vault_is_untouched()
    bench.close()
    assert not bench.work.exists()


def test_what_a_server_does_not_offer_is_said(new_bench: NewBench) -> None:
    bench = new_bench()
    editor = bench.new_editor()
    with pytest.raises(Unavailable, match="renameProvider"):
        rename(bench, editor)
    assert editor.close() == 0


def test_wrong_answers_are_faults(new_bench: NewBench) -> None:
    bench = new_bench("wrong")
    editor = bench.new_editor()
    editor.start()
    found = definition(bench, editor)
    assert (found.faults, found.sound) == (7, False)
    assert "7 WRONG ANSWERS" in table([found])
    assert hover(bench, editor).sound
    editor.close()


def test_stale_answers_are_asked_again(new_bench: NewBench) -> None:
    bench = new_bench("stale")
    editor = bench.new_editor()
    editor.start()
    rows = {found.key: found for found in measure_keystrokes(bench, editor, KEYSTROKES)}
    editor.close()
    assert rows["keystroke-links"].note == "7 stale answers before the right one"
    assert rows["keystroke-symbols"].note == "7 stale answers before the right one"
    assert rows["keystroke-diagnostics"].note == ""


def test_a_server_that_ends_leaves_its_last_words(new_bench: NewBench) -> None:
    bench = new_bench("crash")
    with pytest.raises(ServerGone, match="stub: crashed on purpose"):
        bench.new_editor()
    rows = measured(bench, OFFERED)
    assert rows.keys() == OFFERED
    assert {found.note for key, found in rows.items() if key != "initialize"} == {
        "initialize: the server ended: stub: crashed on purpose"
    }
    assert rows["initialize"].note == "no server answered"


def test_an_error_answer_ends_only_its_row(new_bench: NewBench) -> None:
    rows = measured(new_bench("grumpy"), {"hover", "definition"})
    assert rows["hover"].note == "textDocument/hover: no hover today"
    assert not rows["hover"].values
    assert rows["definition"].sound


def test_missing_diagnostics_are_a_fault(
    new_bench: NewBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.bench.starts._DIAGNOSTICS_TIMEOUT", 0.3)
    rows = measured(new_bench("silent"), {"cold"})
    assert rows["cold"].values
    assert not rows["cold"].sound
    assert rows["cold"].note.startswith("no diagnostics of ")


def test_statistics_and_budgets() -> None:
    assert percentile([5, 1, 4, 2, 3], 0.95) == 5
    assert percentile(list(range(1, 101)), 0.95) == 95
    found = row("completion", 10_000, [4.0, 8.0, 40.0])
    assert (found.median, found.p95, found.best) == (8.0, 40.0, 4.0)
    assert found.ratios() == (1.0, 2.0)
    assert row("completion", 50_000, [10.0]).ratios() == (0.5, 0.2)
    assert row("hover", 50_000, [3.0]).ratios() == (1.0, 0.3)
    assert row("import", 10_000, [300.0]).ratios() == (0.5, None)
    assert row("peak", 10_000, [1.0]).ratios() == (None, None)
    assert row("cold", 10_000, []).ratios() == (None, None)


def test_the_table_is_aligned_and_the_json_whole(new_bench: NewBench) -> None:
    about = facts(new_bench(), load_now(), load_now())
    rows = [row(key, 1000, [1.0, 2.0, 1234.5], "why " * 40) for key in KEYS]
    rows.append(row("rename", 1000, [], "not offered"))
    lines = table(rows, 140).splitlines()
    assert len(lines) == len(rows) + 2
    assert max(map(len, lines)) <= 140
    assert {line.index("why") for line in lines[2:-1]} == {lines[-1].index("not offered")}
    assert "1,234" in lines[2]
    assert "60 notes" in heading(about)
    shape = as_json(about, rows)
    assert shape["rows"][0]["values"] == [1.0, 2.0, 1234.5]
    assert "values" not in shape["rows"][-1]
    assert all(BUDGETS[found.key].label == found.label for found in rows)


def test_the_program_checks_its_options(
    capsys: pytest.CaptureFixture[str], small_vault: Path
) -> None:
    assert program.main(["--rows", "tea"]) == 2
    assert program.main(["--vault", "/nowhere"]) == 2
    assert program.main(["--vault", str(small_vault), "--server", "no-such-program"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in errors] == ["bench"] * 3
    assert "no such rows: tea" in errors[0]


def test_the_program_measures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], small_vault: Path
) -> None:
    out = tmp_path / "out.json"
    options = ["--rows", "hover,definition", "--repeat", "3", "--starts", "1", "--json", str(out)]
    server = ["--server", f"'{sys.executable}' '{STUB}' --fault none"]
    assert program.main([*options, *server, "--vault", str(small_vault)]) == 0
    assert "hover on a link" in capsys.readouterr().out
    shape = json.loads(out.read_text())
    assert [found["key"] for found in shape["rows"]] == ["hover", "definition"]
    assert program.main([*options, *server, "--notes", "30", "--editor", "neovim"]) == 0
