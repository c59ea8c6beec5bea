"""Rows of the start: `initialize`, cold start, warm start."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.bench.bench import Bench, Unavailable
from tests.bench.budgets import row
from tests.bench.client import ServerError
from tests.bench.editor import Editor, until
from tests.bench.memory import memory_of
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
    """An editor whose server knows the whole vault and is left alone."""
    with _started(bench) as editor:
        start_to_complete(bench, editor)
        wait_for_core(bench, editor)
        yield editor


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


def wait_for_core(bench: Bench, editor: Editor) -> None:
    """Wait until the core that the server started has nothing left to do, or cannot work: what
    is measured next is the server alone. A server without `mindnet.status` has no core."""
    if bench.busy or "mindnet.status" not in editor.commands():
        return
    deadline = time.perf_counter() + bench.timeout
    while until(deadline):
        params = {"command": "mindnet.status", "arguments": [{}]}
        status = editor.request("workspace/executeCommand", params).result or {}
        store = status.get("store", {}).get("state", "unavailable")
        if store.startswith("unavailable"):
            return
        if store != "unknown" and status["index"]["state"] in ("ready", "error"):
            return
        time.sleep(0.2)


def measure_cold(bench: Bench, tell: Callable[[str], None]) -> Row:
    """Starts with nothing on disk. Their first answers and memory are kept on the bench."""
    times: list[float] = []
    for number in range(bench.starts):
        tell(f"cold start {number + 1} of {bench.starts}")
        bench.clear_data()
        with _started(bench) as editor:
            times.append(1000 * start_to_complete(bench, editor))
            bench.cold_peaks.append(memory_of(editor.client.process.pid))
    return _start_row(bench, "cold", times)


def measure_warm(bench: Bench, tell: Callable[[str], None]) -> Row:
    """Starts with all caches on disk, which a first start that does not count has written."""
    tell("filling the caches")
    with _started(bench) as editor:
        start_to_complete(bench, editor)
        wait_for_core(bench, editor)
        bench.wait_for_quiet_data()
    times: list[float] = []
    for number in range(bench.starts):
        tell(f"warm start {number + 1} of {bench.starts}")
        with _started(bench) as editor:
            times.append(1000 * start_to_complete(bench, editor))
    return _start_row(bench, "warm", times)


@contextmanager
def _started(bench: Bench) -> Iterator[Editor]:
    editor = bench.new_editor()
    bench.first_answers.append(1000 * editor.initialize_seconds)
    try:
        yield editor
    finally:
        editor.close()
        bench.stop_cores()


def _start_row(bench: Bench, key: str, times: list[float]) -> Row:
    note = "" if bench.start_publishes else f"no diagnostics of {bench.sample.start.path}"
    return row(key, bench.sample.notes, times, note, int(not bench.start_publishes))
