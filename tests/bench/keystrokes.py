"""Rows of typing: from `didChange` of a 5 KB note to the answers that know it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from tests.bench.bench import Bench, Unavailable
from tests.bench.budgets import row
from tests.bench.editor import Editor
from tests.bench.requests import WARM_UP
from tests.bench.sample import read_text
from tests.bench.stats import Row

_DEADLINE = 20.0


class Typist:
    """Changes the end of one note; each text differs from the last in link, heading, problem."""

    def __init__(self, bench: Bench, editor: Editor) -> None:
        self.editor, self.path = editor, bench.sample.edited
        self.text = read_text(bench.vault, self.path).rstrip("\n") + "\n"
        targets = sorted({link.target for link in bench.sample.links} - {self.path})
        if len(targets) < 2:
            raise Unavailable("the vault has too few certain links")
        self.targets = targets[:2]
        self.version = 1
        editor.open(self.path, self.text)

    @property
    def new_name(self) -> str:
        """A name that no note has."""
        return f"A new note, Größe {self.version}"

    def type(self, name: str = "") -> float:
        """The next text, with a link to the note of this name or the next target; returns when
        it was sent."""
        self.version += 1
        self.events = len(self.editor.client.events)
        text = (
            f"{self.text}\n## {self.heading}\n\n[[{name or PurePosixPath(self.target).stem}]] "
            f"[[no such note {self.version}]]\n"
        )
        return self.editor.change(self.path, text, self.version)

    @property
    def target(self) -> str:
        return self.targets[self.version % 2]

    @property
    def heading(self) -> str:
        return f"Typed {self.version}"

    @property
    def link_position(self) -> dict[str, Any]:
        return self.editor.at(self.path, self.text.count("\n") + 3, "[[")

    def settle(self) -> float:
        """Wait for the diagnostics of the last text; returns when they were there."""
        found = self.editor.diagnostics_of(self.path, self.events, _DEADLINE, self.version)
        return found.at


def _until_right(ask: Callable[[], tuple[bool, float]], what: str) -> tuple[float, int]:
    """Ask until the answer is right; when it came, and how many wrong ones came before."""
    deadline, wrong = time.perf_counter() + _DEADLINE, 0
    while time.perf_counter() < deadline:
        right, at = ask()
        if right:
            return at, wrong
        wrong += 1
        time.sleep(0.001)
    raise Unavailable(f"no right {what} after a change within {_DEADLINE:.0f} s")


def measure_keystrokes(bench: Bench, editor: Editor, keys: set[str]) -> list[Row]:
    """All rows of typing that `keys` names, measured in one sitting."""
    typist = Typist(bench, editor)

    def links() -> tuple[bool, float]:
        reply = editor.request("textDocument/definition", typist.link_position)
        return editor.leads_to(reply.result, typist.target), reply.at

    def headings() -> tuple[bool, float]:
        document = {"textDocument": {"uri": editor.uri(typist.path)}}
        reply = editor.request("textDocument/documentSymbol", document)
        return typist.heading in _names(reply.result or []), reply.at

    rows = []
    asks = {"keystroke-links": links, "keystroke-symbols": headings}
    for key, ask in asks.items():
        if key not in keys:
            continue
        times, stale = [], 0
        for _ in range(WARM_UP + bench.repeat):
            sent = typist.type()
            at, wrong = _until_right(ask, key.rpartition("-")[2])
            times.append(1000 * (at - sent))
            stale += wrong
            typist.settle()  # so that the next time holds no work of this change
        note = f"{stale} stale answers before the right one" if stale else ""
        rows.append(row(key, bench.sample.notes, times[WARM_UP:], note))
    if "keystroke-diagnostics" in keys:
        times = []
        for _ in range(WARM_UP + bench.repeat):
            sent = typist.type()
            times.append(1000 * (typist.settle() - sent))
        rows.append(row("keystroke-diagnostics", bench.sample.notes, times[WARM_UP:]))
    if "added" in keys:
        rows.append(_added(bench, typist))
    editor.close_document(typist.path)
    return rows


def _added(bench: Bench, typist: Typist) -> Row:
    """A note that comes into being in the editor, while another one names it already."""
    editor, times, stale = typist.editor, [], 0
    for number in range(WARM_UP + bench.repeat):
        path = f"{typist.new_name}.md"
        typist.type(typist.new_name)
        typist.settle()
        sent = time.perf_counter()
        editor.open(path, f"# {number}\n")

        def leads() -> tuple[bool, float]:
            reply = editor.request("textDocument/definition", typist.link_position)
            return editor.leads_to(reply.result, path), reply.at  # noqa: B023

        at, wrong = _until_right(leads, "definition")
        times.append(1000 * (at - sent))
        stale += wrong
        editor.close_document(path)
    note = f"{stale} stale answers before the right one" if stale else ""
    return row("added", bench.sample.notes, times[WARM_UP:], note)


def _names(symbols: list[dict[str, Any]]) -> set[str]:
    found = set()
    for symbol in symbols:
        found.add(symbol["name"].lstrip("# "))
        found |= _names(symbol.get("children") or [])
    return found
