"""Progress bars: on a terminal, and nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.api import SyncProgress

OnProgress = Callable[[SyncProgress], None]

_NAMES = {
    "read": "reading",
    "write": "writing",
    "delete": "deleting",
    "refresh": "refreshing",
    "check": "checking",
}


@contextmanager
def progress() -> Iterator[OnProgress]:
    """A bar a phase on stderr while the block runs; gone when it ends, however it does."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def show(step: SyncProgress) -> None:
            if step.phase not in tasks:
                name = _NAMES.get(step.phase, step.phase)
                tasks[step.phase] = bar.add_task(name, total=step.total)
            bar.update(tasks[step.phase], completed=step.done, total=step.total)

        yield show
