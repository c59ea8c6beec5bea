"""Rows of the core: importing the vault, and asking it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

from tests.bench.bench import CORE, Bench, Unavailable
from tests.bench.budgets import row
from tests.bench.client import Reply
from tests.bench.editor import Editor
from tests.bench.memory import folder_megabytes
from tests.bench.requests import WARM_UP
from tests.bench.stats import Row

QUESTIONS = (
    "Wie verändert Müdigkeit das Gedächtnis?",
    "offene Fragen zur Werkstatt",
    "Zeitplan für die nächste Prüfung",
    "Abhängigkeit von Quellen",
    "Rhythmus im Alltag",
    "Which habits support a quiet evening?",
    "dependency between interface and contract",
    "review of the last experiment",
    "how does feedback change a draft",
    "library of useful mistakes",
)


def measure_import(bench: Bench, keys: set[str], tell: Callable[[str], None]) -> list[Row]:
    """Import into an empty store with the command line, then once more."""
    notes = bench.sample.notes
    bench.clear_data()
    rows = []
    try:
        tell("import")
        seconds = _import(bench)
        model = "with the model" if bench.with_model else "without a model"
        rows.append(row("import", notes, [notes / seconds], f"{model}, {seconds:.1f} s in all"))
        rows.append(row("store", notes, [folder_megabytes(bench.data)]))
        if "reimport" in keys:
            tell("import again")
            rows.append(row("reimport", notes, [_import(bench)]))
    except Unavailable as error:
        done = {found.key for found in rows}
        rows += [
            row(key, notes, [], str(error))
            for key in ("import", "reimport", "store")
            if key not in done
        ]
    return [found for found in rows if found.key in keys]


def _import(bench: Bench) -> float:
    """Seconds of `mindnet import --apply`; raises `Unavailable` where it fails."""
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [*CORE, "import", "--apply", "--vault", str(bench.vault)],
            env=bench.environment(),
            cwd=bench.work / "cwd",
            capture_output=True,
            text=True,
            timeout=max(bench.timeout, bench.sample.notes / 10),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"import took more than {error.timeout:.0f} s") from error
    seconds = time.perf_counter() - start
    # 1 says that there were findings, but Python itself ends so where there is no such module
    if done.returncode not in (0, 1) or not folder_megabytes(bench.data):
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        raise Unavailable(f"import ended with {done.returncode} and stored nothing: {last}")
    return seconds


def measure_query(bench: Bench, editor: Editor) -> Row:
    """`mindnet.query` through the language server, as a person asks."""
    if "mindnet.query" not in editor.commands():
        raise Unavailable("the server does not offer mindnet.query")
    deadline = time.monotonic() + min(bench.timeout, 60.0)
    while (reason := _ask(editor, 0)[1]) and time.monotonic() < deadline:
        time.sleep(0.2)  # the core is starting
    if reason:
        raise Unavailable(reason)
    times, hits = [], 0
    for number in range(WARM_UP + bench.repeat):
        reply, reason = _ask(editor, number)
        if reason:
            raise Unavailable(reason)
        hits += len(reply.result["hits"])
        times.append(1000 * reply.seconds)
    note = f"{hits / len(times):.1f} hits on average"
    return row("query", bench.sample.notes, times[WARM_UP:], note, int(not hits))


def _ask(editor: Editor, number: int) -> tuple[Reply, str]:
    """Ask one of the questions, never twice the same; the reply, and why it is none."""
    question = f"{QUESTIONS[number % len(QUESTIONS)]} {number}"
    arguments = {"query": question, "mode": "hybrid", "explain": True}
    params = {"command": "mindnet.query", "arguments": [arguments]}
    reply = editor.request("workspace/executeCommand", params)
    error = (reply.result or {"error": {"code": "no result"}}).get("error")
    return reply, f"mindnet.query: {error.get('code')}: {error.get('message')}" if error else ""
