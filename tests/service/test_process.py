"""Core processes as clients find, start, share, lose and replace them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.api import API_VERSION
from core.errors import CoreUnavailable
from core.service.agreement import in_use
from core.service.endpoint import ENDPOINT_FILE, LOG_FILE, Endpoint, read_endpoint, write_endpoint
from core.service.lifecycle import vault_lock
from core.settings import Settings
from core.version import __version__
from tests.support.cores import (
    WORDS_ONLY,
    Cores,
    fingerprint,
    is_alive,
    kill_core,
    until_ready,
    write_vault,
)
from tests.support.waiting import wait_until


async def pid_of(client: Any) -> int:
    return int((await client.call("GET", "/health"))["pid"])


async def test_two_clients_at_one_moment_share_one_core(core: Cores, tmp_path: Path) -> None:
    """And what they share is private, and nothing of the vault is written."""
    root = write_vault(tmp_path / "vault", 3)
    before = fingerprint(root)
    one, two = core.client(root), core.client(root)
    first, second = await asyncio.gather(pid_of(one), pid_of(two))
    assert first == second
    assert stat.S_IMODE(one.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((one.folder / ENDPOINT_FILE).stat().st_mode) == 0o600
    health = await core.client(root, start=False).call("GET", "/health")
    assert health == {
        "version": __version__,
        "api_version": API_VERSION,
        "vault": str(root),
        "pid": first,
        "settings": in_use(Settings.model_validate(WORDS_ONLY)),
    }
    status = await until_ready(one)
    assert (status["notes"], status["index"]["pending"]) == (3, 0)
    endpoint = read_endpoint(one.folder)
    assert endpoint
    async with httpx.AsyncClient(verify=False) as http:
        for headers in ({}, {"Authorization": "Bearer x"}, {"Authorization": endpoint.token}):
            for path in ("/health", "/openapi.json", "/nowhere"):
                answer = await http.get(endpoint.url + path, headers=headers)
                assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
    assert fingerprint(root) == before


async def test_an_answer_is_sent_at_once(core: Cores, tmp_path: Path) -> None:
    """Packets that wait for an acknowledgement would take 40 ms each time."""
    client = core.client(write_vault(tmp_path / "vault", heron="A heron."))
    await until_ready(client)
    times = []
    for _ in range(12):
        began = time.perf_counter()
        await client.call("POST", "/query", {"query": "heron"})
        times.append(time.perf_counter() - began)
    assert min(times) < 0.03


async def test_a_killed_core_is_started_again_by_the_next_call(core: Cores, tmp_path: Path) -> None:
    """Whether a call or a stream is next, and whoever had started it."""
    root = write_vault(tmp_path / "vault", heron="# Heron\n\nWaits in the reeds.")
    owner, other = core.client(root), core.client(root)
    await until_ready(owner)
    assert await pid_of(other) == kill_core(root)
    second = await pid_of(owner)
    assert kill_core(root) == second
    lines = [line async for line in other.stream("/index/sync", {})]
    assert lines[-1]["kind"] == "result"
    assert lines[-1]["notes"] == 1
    third = await pid_of(owner)
    assert third == await pid_of(other) != second
    hits = (await owner.call("POST", "/query", {"query": "reeds"}))["hits"]
    assert [hit["path"] for hit in hits] == ["heron.md"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe not json",
        b'{"port": "x"}',
        json.dumps(
            {"port": 1, "token": "t", "pid": 1, "version": __version__, "api_version": API_VERSION}
        ).encode(),
    ],
)
async def test_a_left_over_endpoint_file(core: Cores, tmp_path: Path, content: bytes) -> None:
    root = write_vault(tmp_path / "vault", a="A")
    client = core.client(root)
    client.folder.mkdir(parents=True, mode=0o755)
    (client.folder / ENDPOINT_FILE).write_bytes(content)
    with pytest.raises(CoreUnavailable):
        await core.client(root, start=False).call("GET", "/health")
    assert (client.folder / ENDPOINT_FILE).read_bytes() == content, "nothing was started"
    if b"token" in content:
        assert await pid_of(client) > 0
        assert stat.S_IMODE(client.folder.stat().st_mode) == 0o700


@contextmanager
def answering(version: str, on_shutdown: Any) -> Iterator[int]:
    """Something on loopback that says it is a core of this version."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say({"version": version, "api_version": API_VERSION, "vault": "", "pid": 0})

        def do_POST(self) -> None:
            on_shutdown()
            self._say({})

        def _say(self, found: dict[str, Any]) -> None:
            body = json.dumps(found).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def test_a_core_of_another_version_is_replaced(core: Cores, tmp_path: Path) -> None:
    root = write_vault(tmp_path / "vault", a="A")
    client = core.client(root)
    client.folder.mkdir(parents=True)
    lock = vault_lock(client.folder)
    lock.__enter__()
    asked: list[bool] = []

    def shutdown() -> None:
        if not asked:
            lock.__exit__(None, None, None)
        asked.append(True)

    with answering("0.0.1", shutdown) as port:
        write_endpoint(client.folder, Endpoint(port, "old", 0, "0.0.1", 1))
        with pytest.raises(CoreUnavailable):
            await core.client(root, start=False).call("GET", "/health")
        assert asked == [], "who may start none ends none"
        assert (await client.call("GET", "/health"))["version"] == __version__
    assert asked == [True]


async def test_it_ends_when_nobody_asks(
    core: Cores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINDNET_CORE_IDLE_EXIT", "0.3")
    client = core.client(write_vault(tmp_path / "vault", a="A"))
    pid = await pid_of(client)
    await wait_until(lambda: not is_alive(pid), what="the idle exit")
    assert read_endpoint(client.folder) is None
    assert "Traceback" not in (client.folder / LOG_FILE).read_text()
    monkeypatch.setenv("MINDNET_CORE_IDLE_EXIT", "60")
    assert await pid_of(client) != pid


async def test_a_signal_ends_it_in_order(core: Cores, tmp_path: Path) -> None:
    client = core.client(write_vault(tmp_path / "vault", 2))
    await until_ready(client)
    pid = await pid_of(client)
    os.kill(pid, signal.SIGTERM)
    await wait_until(lambda: not is_alive(pid))
    assert read_endpoint(client.folder) is None
    manifests = list(client.folder.glob("store/*/*/manifest.json"))
    assert [json.loads(m.read_bytes())["clean"] for m in manifests] == [True]


async def test_a_core_that_nobody_can_find_ends(
    core: Cores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINDNET_CORE_IDLE_EXIT", "3")
    client = core.client(write_vault(tmp_path / "vault", a="A"))
    pid = await pid_of(client)
    (client.folder / ENDPOINT_FILE).unlink()
    assert await pid_of(core.client(client.root)) != pid
    assert not is_alive(pid)


async def test_a_data_folder_that_cannot_be_written(
    core: Cores, tmp_path: Path, data: Path
) -> None:
    os.close(os.open(data, os.O_CREAT))
    client = core.client(write_vault(tmp_path / "vault", a="A"))
    began = time.monotonic()
    with pytest.raises(CoreUnavailable) as caught:
        await client.call("GET", "/status")
    assert time.monotonic() - began < 5
    assert "cannot be started" in caught.value.message
    assert str(data) in caught.value.hint


async def test_a_core_that_fails_at_its_start(core: Cores, tmp_path: Path) -> None:
    """The lock is a folder: no core can take it. It is said, not tried for ever."""
    client = core.client(write_vault(tmp_path / "vault", a="A"))
    (client.folder / "core.lock").mkdir(parents=True)
    with pytest.raises(CoreUnavailable) as caught:
        await client.call("GET", "/status")
    assert "exit code 2" in caught.value.message
    assert LOG_FILE in caught.value.hint
    assert "Traceback" not in (client.folder / LOG_FILE).read_text()
    (client.folder / "core.lock").rmdir()
    assert await pid_of(client) > 0, "and it recovers by itself"


async def test_nothing_of_a_vault_is_run(
    core: Cores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = "open(__file__ + '.ran', 'w')\nraise SystemExit(9)\n"
    root = write_vault(tmp_path / "vault", a="A")
    (root / "core").mkdir()
    for path in ("core/__init__.py", "yaml.py", "sitecustomize.py", "msgspec.py"):
        (root / path).write_text(trap)
    before = fingerprint(root)
    monkeypatch.chdir(root)
    monkeypatch.setenv("PYTHONPATH", str(root))
    client = core.client(root)
    assert (await until_ready(client))["notes"] == 1
    assert fingerprint(root) == before


def test_a_taken_port_is_one_clear_line(tmp_path: Path) -> None:
    root = write_vault(tmp_path / "vault", a="A")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "core.cli", "serve", "--vault", str(root), "--port", port]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=Path(__file__).parents[2], timeout=30
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"mindnet: port {port} cannot be used")
