"""Rows of the start: `initialize`, cold start, warm start."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.bench.bench import Bench, Unavailable
from tests.bench.budgets import row
from tests.bench.client import ServerError, ServerGone
from tests.bench.editor import Editor, until
from tests.bench.sample import read_text
from tests.bench.stats import Row

_POLL_PAUSE = 0.02
_DIAGNOSTICS_TIMEOUT = 20.0


def start_to_complete(bench: Bench, editor: Editor) -> float:
    """Send `initialized` with one note open; seconds until all of these are true: a link of
    that note leads to the right note, its diagnostics are there (if it has an unresolved
    link), and the server has said that its index is complete (if it says so at all).
    """
    start = bench.sample.start
    editor.start()
    editor.open(start.path, read_text(bench.vault, start.path))
    deadline = time.perf_counter() + bench.timeout
    right = _first_right_definition(bench, editor, deadline)
    announces = "mindnet.status" in editor.commands() or any(
        event.method in ("mindnet/status", "$/progress") for event in list(editor.client.events)
    )
    said = editor.wait_ready(until(deadline)) if announces else None
    if announces and said is None:
        raise Unavailable(f"the index was not ready within {bench.timeout:.0f} s")
    published = 0.0
    if bench.sample.start_has_unresolved and bench.start_publishes:
        event = editor.client.wait_for(
            lambda event: (
                event.method == "textDocument/publishDiagnostics"
                and event.params["uri"] == editor.uri(start.path)
                and bool(event.params["diagnostics"])
            ),
            min(until(deadline), _DIAGNOSTICS_TIMEOUT),
        )
        bench.start_publishes = event is not None
        published = event.at if event else 0.0
    editor.close_document(start.path)
    return max(right, said or 0.0, published) - editor.initialized


@contextmanager
def ready_editor(bench: Bench) -> Iterator[Editor]:
    """An editor whose server knows the whole vault."""
    editor = bench.new_editor()
    try:
        start_to_complete(bench, editor)
        yield editor
    finally:
        editor.close()


def _first_right_definition(bench: Bench, editor: Editor, deadline: float) -> float:
    link = bench.sample.start
    params = editor.at(link.path, link.line, link.before)
    while until(deadline):
        try:
            reply = editor.request("textDocument/definition", params, until(deadline) + 1)
        except ServerError:  # a server may refuse while it starts
            time.sleep(_POLL_PAUSE)
            continue
        if editor.leads_to(reply.result, link.target):
            return reply.at
        time.sleep(_POLL_PAUSE)
    raise Unavailable(
        f"{link.path}:{link.line + 1} did not lead to {link.target} in {bench.timeout:.0f} s"
    )


def measure_starts(bench: Bench, keys: set[str], tell: Callable[[str], None]) -> list[Row]:
    """Start the server several times, without and with what an earlier one left on disk."""
    first_answers: list[float] = []
    rows = []
    for key in ("cold", "warm"):
        if key not in keys and (key == "cold" or keys & {"cold", "warm"}):
            continue  # `initialize` alone is measured with warm starts
        try:
            times = _starts(bench, key, first_answers, tell)
            note = "" if bench.start_publishes else f"no diagnostics of {bench.sample.start.path}"
            rows.append(row(key, bench.sample.notes, times, note, int(not bench.start_publishes)))
        except (Unavailable, ServerError, ServerGone, OSError) as error:
            rows.append(row(key, bench.sample.notes, [], str(error)))
    failed = "" if first_answers else rows[0].note
    rows.insert(0, row("initialize", bench.sample.notes, first_answers, failed))
    return [found for found in rows if found.key in keys]


def _starts(
    bench: Bench, key: str, first_answers: list[float], tell: Callable[[str], None]
) -> list[float]:
    times: list[float] = []
    rounds = bench.starts if key == "cold" else bench.starts + 1
    for number in range(rounds):
        tell(f"{key} start {number + 1} of {rounds}")
        if key == "cold":
            bench.clear_data()
        editor = bench.new_editor()
        first_answers.append(1000 * editor.initialize_seconds)
        try:
            seconds = start_to_complete(bench, editor)
            bench.wait_for_quiet_data()  # the next start finds the cache
        finally:
            editor.close()
        if key == "cold" or number:  # the first warm start may only have filled the cache
            times.append(1000 * seconds)
    return times
