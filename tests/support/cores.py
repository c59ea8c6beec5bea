"""Real core processes for tests, ended with the test whatever happens."""

from __future__ import annotations

import hashlib
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from core.paths import vault_data_dir
from core.service.client import CoreClient
from core.service.endpoint import read_endpoint
from tests.support.waiting import wait_for, wait_until

WORDS_ONLY = {"embedding": {"provider": "none"}}


class Cores:
    """The cores of the vaults of one test. Clients made here are closed, and whatever core
    serves their vaults is killed, at the end."""

    def __init__(self) -> None:
        self._clients: list[CoreClient] = []
        self._pids: set[int] = set()

    def client(self, root: Path, settings: Any = WORDS_ONLY, **options: Any) -> CoreClient:
        client = CoreClient(root, settings, **options)
        self._clients.append(client)
        return client

    async def close(self) -> None:
        for client in self._clients:
            if client._process is not None:
                self._pids.add(client._process.pid)
            if (endpoint := read_endpoint(client.folder)) is not None:
                self._pids.add(endpoint.pid)
            await client.aclose()
        for pid in self._pids - {os.getpid()}:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        await wait_until(lambda: not any(map(is_alive, self._pids - {os.getpid()})))


@asynccontextmanager
async def cores() -> AsyncIterator[Cores]:
    made = Cores()
    try:
        yield made
    finally:
        await made.close()


def is_alive(pid: int) -> bool:
    """Whether a process runs; a dead one that nobody waited for does not."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    with suppress(OSError):  # only Linux has it
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def kill_core(root: Path, environ: dict[str, str] | None = None) -> int | None:
    """`kill -9` for the core of a vault, waiting for its end; its process id."""
    endpoint = read_endpoint(vault_data_dir(root, environ))
    if endpoint is None:
        return None
    with suppress(ProcessLookupError):
        os.kill(endpoint.pid, signal.SIGKILL)
    wait_for(lambda: not _listens(endpoint.port), what="the end of the core")
    return endpoint.pid


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def until_ready(client: CoreClient) -> dict[str, Any]:
    """The status once the index is in step with the files."""
    status: dict[str, Any] = {}

    async def ready() -> bool:
        status.update(await client.call("GET", "/status"))
        return status["index"]["state"] not in ("starting", "indexing")

    await until(ready, 40)
    assert status["index"]["state"] == "ready", status
    return status


async def until(predicate: Any, timeout: float = 15.0, what: str = "") -> None:  # noqa: ASYNC109
    """`wait_until` for a coroutine function."""
    import asyncio

    async with asyncio.timeout(timeout):
        while not await predicate():  # noqa: ASYNC110  (no event tells of another process)
            await asyncio.sleep(0.02)


def fingerprint(root: Path) -> dict[str, tuple[int, int, str]]:
    """Every file and folder of a vault: mode, time and content."""
    found = {}
    for path in sorted([root, *root.rglob("*")]):
        state = path.stat()
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[path.relative_to(root).as_posix()] = (state.st_mode, state.st_mtime_ns, digest)
    return found


def write_vault(root: Path, count: int = 0, **notes: str) -> Path:
    """A vault with these notes, and `count` more with a few sections and links each."""
    root.mkdir(parents=True, exist_ok=True)
    for name, text in notes.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")
    for number in range(count):
        sections = "".join(
            f"## Part {part}\n\nWord{number}x{part} flows by the mill. {'Water. ' * 120}\n\n"
            for part in range(3)
        )
        text = f"# Note {number}\n\nSee [[n{(number + 1) % count:04}]].\n\n{sections}"
        (root / f"n{number:04}.md").write_text(text, encoding="utf-8")
    return root
