"""All rows in their order, measured through real processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from tests.bench.bench import SERVER, Bench, Unavailable
from tests.bench.budgets import KEYS, row
from tests.bench.client import ServerError, ServerGone
from tests.bench.core_rows import measure_import, measure_query
from tests.bench.editor import Editor
from tests.bench.keystrokes import measure_keystrokes
from tests.bench.memory import children_of, memory_of
from tests.bench.requests import REQUESTS
from tests.bench.starts import measure_cold, measure_warm, ready_editor
from tests.bench.stats import Row

Tell = Callable[[str], None]
KEYSTROKES = {"keystroke-links", "keystroke-symbols", "keystroke-diagnostics", "added"}
MEMORY = {"memory", "peak"}
IMPORT = {"import", "reimport", "store"}


def measure(bench: Bench, keys: set[str], tell: Tell = lambda what: None) -> Iterator[Row]:
    """Measure the rows that `keys` names. A row that fails says why and stops no other.

    Warm starts and requests are those of daily work: links cached, vault imported.
    """
    if keys & {"initialize", "cold", "peak"}:
        yield from _asked(keys, [_guarded(bench, "cold", lambda: measure_cold(bench, tell))])
    sitting = keys & (REQUESTS.keys() | KEYSTROKES | MEMORY | {"query"})
    if keys & IMPORT or (("warm" in keys or sitting) and bench.server == SERVER and not bench.busy):
        yield from _asked(keys, measure_import(bench, keys, tell))
    if "warm" in keys:
        yield _guarded(bench, "warm", lambda: measure_warm(bench, tell))
    if sitting:
        yield from _one_sitting(bench, sitting, tell)
    if "initialize" in keys:
        note = "" if bench.first_answers else "no server answered"
        yield row("initialize", bench.sample.notes, bench.first_answers, note)


def _asked(keys: set[str], rows: Iterable[Row]) -> Iterator[Row]:
    return (found for found in rows if found.key in keys)


def _guarded(bench: Bench, key: str, measured: Callable[[], Row]) -> Row:
    """The row, or one that says why there is none."""
    try:
        return measured()
    except (Unavailable, ServerError, ServerGone, OSError) as error:
        return row(key, bench.sample.notes, [], str(error))


def _one_sitting(bench: Bench, keys: set[str], tell: Tell) -> Iterator[Row]:
    """The rows of one server process; if it ends, the rows not yet there say why."""
    missing = [key for key in KEYS if key in keys]
    try:
        tell("starting")
        with ready_editor(bench) as editor:
            for found in _sitting(bench, editor, keys, tell):
                missing.remove(found.key)
                yield found
    except (Unavailable, ServerError, ServerGone, OSError) as error:
        for key in missing:
            yield row(key, bench.sample.notes, [], str(error))


def _sitting(bench: Bench, editor: Editor, keys: set[str], tell: Tell) -> Iterator[Row]:
    for key, request in REQUESTS.items():
        if key in keys:
            tell(key)
            yield _row_or_reason(bench, key, partial(request, bench, editor))
    if keys & KEYSTROKES:
        tell("keystrokes")
        yield from _keystrokes(bench, editor, keys)
    if keys & MEMORY:
        yield from _memory(bench, editor, keys)
    if "query" in keys:
        tell("query")
        yield _row_or_reason(bench, "query", partial(measure_query, bench, editor))


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
    note = "after all requests"
    if bench.cold_peaks:
        note += f"; {max(peak.resident for peak in bench.cold_peaks):.0f} after a cold start"
    children = children_of(pid)
    if children:
        total = sum(memory_of(child).resident for child in children)
        note += f"; the core has {total:.0f}"
    if "memory" in keys:
        yield row("memory", bench.sample.notes, [found.resident], note)
    if "peak" in keys:
        peaks = [memory.peak for memory in (found, *bench.cold_peaks) if memory.peak is not None]
        note = "of this and of the cold starts" if peaks else "not kept by this system"
        yield row("peak", bench.sample.notes, [max(peaks)] if peaks else [], note)
