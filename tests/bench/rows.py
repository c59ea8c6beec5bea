"""All rows in their order, measured through real processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tests.bench.bench import Bench, Unavailable
from tests.bench.budgets import KEYS, row
from tests.bench.client import ServerError, ServerGone
from tests.bench.core_rows import measure_import, measure_query
from tests.bench.editor import Editor
from tests.bench.keystrokes import measure_keystrokes
from tests.bench.memory import children_of, memory_of
from tests.bench.requests import REQUESTS
from tests.bench.starts import measure_starts, ready_editor
from tests.bench.stats import Row

Tell = Callable[[str], None]
STARTS = {"initialize", "cold", "warm"}
KEYSTROKES = {"keystroke-links", "keystroke-symbols", "keystroke-diagnostics"}
MEMORY = {"memory", "peak"}
IMPORT = {"import", "reimport", "store"}


def measure(bench: Bench, keys: set[str], tell: Tell = lambda what: None) -> Iterator[Row]:
    """Measure the rows that `keys` names. A row that fails says why and stops no other."""
    if keys & STARTS:
        yield from measure_starts(bench, keys, tell)
    if keys & (REQUESTS.keys() | KEYSTROKES | MEMORY):
        bench.clear_data()  # memory is that of a cold start
        yield from _guarded(bench, keys - STARTS - IMPORT - {"query"}, tell, _one_sitting)
    if keys & IMPORT or "query" in keys:
        yield from measure_import(bench, keys, tell)
    if "query" in keys:
        yield from _guarded(bench, {"query"}, tell, _query)


def _guarded(
    bench: Bench,
    keys: set[str],
    tell: Tell,
    sitting: Callable[[Bench, Editor, set[str], Tell], Iterator[Row]],
) -> Iterator[Row]:
    """The rows of one server process; if it fails, the rows not yet there say why."""
    missing = [key for key in KEYS if key in keys]
    try:
        with ready_editor(bench) as editor:
            for found in sitting(bench, editor, keys, tell):
                missing.remove(found.key)
                yield found
    except (Unavailable, ServerError, ServerGone, OSError) as error:
        for key in missing:
            yield row(key, bench.sample.notes, [], str(error))


def _one_sitting(bench: Bench, editor: Editor, keys: set[str], tell: Tell) -> Iterator[Row]:
    for key, request in REQUESTS.items():
        if key in keys:
            tell(key)
            yield _row_or_reason(bench, key, partial(request, bench, editor))
    if keys & KEYSTROKES:
        tell("keystrokes")
        yield from _keystrokes(bench, editor, keys)
    if keys & MEMORY:
        yield from _memory(bench, editor, keys)


def _row_or_reason(bench: Bench, key: str, measured: Callable[[], Row]) -> Row:
    try:
        return measured()
    except (Unavailable, ServerError) as error:
        return row(key, bench.sample.notes, [], str(error))


def _keystrokes(bench: Bench, editor: Editor, keys: set[str]) -> list[Row]:
    try:
        return measure_keystrokes(bench, editor, keys)
    except (Unavailable, ServerError) as error:
        return [
            row(key, bench.sample.notes, [], str(error)) for key in KEYS if key in keys & KEYSTROKES
        ]


def _memory(bench: Bench, editor: Editor, keys: set[str]) -> Iterator[Row]:
    pid = editor.client.process.pid
    found = memory_of(pid)
    note = "after a cold start and all requests"
    children = children_of(pid)
    if children:
        total = sum(memory_of(child).resident for child in children)
        note += f"; its {len(children)} child processes have {total:.0f} MB"
    if "memory" in keys:
        yield row("memory", bench.sample.notes, [found.resident], note)
    if "peak" in keys:
        values = [] if found.peak is None else [found.peak]
        yield row("peak", bench.sample.notes, values, "" if values else "not kept by this system")


def _query(bench: Bench, editor: Editor, keys: set[str], tell: Tell) -> Iterator[Row]:
    tell("query")
    yield measure_query(bench, editor)
