"""Many notes read and parsed by several processes: one alone uses one core of the machine."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from core.vault.helper import Parsed, receive, send

FEW = 1_000
"""Notes that one process has read before another one has started."""
MOST = 3
"""Helpers; more of them wait for the one that puts everything together."""
_BATCH = 64


def spare_cores() -> int:
    """How many helpers have a core of their own."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return min(cores - 1, MOST)


class Helpers:
    """They take paths from the right end of `todo`, and who asked takes them from the left.

    `found` is what they have parsed, `left` the paths that they leave to who asked; both are
    whole when they are not busy any more.
    """

    def __init__(self, root: Path, todo: deque[str], count: int) -> None:
        self.found: list[Parsed] = []
        self.left: list[str] = []
        self._root, self._todo = root, todo
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads: list[threading.Thread] = []
        for _ in range(count):
            with suppress(OSError):
                self._start()

    def next(self) -> str | None:
        """A path for who asks to read himself; None if there is none any more."""
        try:
            return self._todo.popleft()
        except IndexError:
            return None

    def are_busy(self, seconds: float) -> bool:
        """Whether any of them is still at work after so long."""
        for thread in self._threads:
            thread.join(seconds)
            if thread.is_alive():
                return True
        return False

    def end(self) -> None:
        """End them, whatever they are at."""
        for process in self._processes:
            process.kill()
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()

    def _start(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "core.vault.helper", str(self._root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # this very copy of the packages, installed or not, and nothing of the vault
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._processes.append(process)
        thread = threading.Thread(target=self._run, args=(process,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _run(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        decode = msgspec.msgpack.Decoder(list[Parsed | None]).decode
        while batch := self._take():
            answers: list[Parsed | None] = []
            with suppress(OSError, ValueError):  # msgspec's errors are ValueErrors
                send(process.stdin, msgspec.msgpack.encode(batch))
                answers = decode(receive(process.stdout) or b"")
            if len(answers) != len(batch):  # it has died
                self.left += batch
                return
            for path, answer in zip(batch, answers, strict=True):
                if answer is None:
                    self.left.append(path)
                else:
                    self.found.append(answer)

    def _take(self) -> list[str]:
        batch: list[str] = []
        with suppress(IndexError):
            while len(batch) < _BATCH:
                batch.append(self._todo.pop())
        return batch


@contextmanager
def helped(root: Path, todo: deque[str], count: int) -> Iterator[Helpers]:
    """Helpers that are gone afterwards; none where there is little to do."""
    worth = count if len(todo) >= FEW and sys.executable else 0
    helpers = Helpers(root, todo, worth)
    try:
        yield helpers
    finally:
        helpers.end()
