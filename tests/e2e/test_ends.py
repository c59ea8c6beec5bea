"""How a server ends: orderly or not, busy or not, over pipes and over TCP."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.raw import TIMEOUT, RawServer, TcpServer
from tests.e2e.test_lifecycle import HOVER
from tests.e2e.test_sync import vault

pytestmark = pytest.mark.e2e

TRANSPORTS = pytest.mark.parametrize("transport", [RawServer, TcpServer], ids=["stdio", "tcp"])
AT_ONCE = 1.0
"""Seconds in which `shutdown` is answered, whatever goes on."""

BUSY = """\
import asyncio, sys, time
from mindnet_lsp import __main__, server
make = server.create_server
def busy():
    found = make()
    @found.feature('test/fold')
    async def fold(ls, params):
        await ls.scheduler.in_thread({work})
    @found.command('mindnet.slow')
    async def slow(*arguments):
        await asyncio.sleep(60)
    return found
server.create_server = busy
sys.exit(__main__.main(sys.argv[1:]))
"""


def big_vault(tmp_path: Path) -> Path:
    return vault(tmp_path, **{f"n{number}": "[[x]] word " * 300 for number in range(800)})


def collect(server: RawServer, numbers: set[int]) -> dict[int, Any]:
    """The answers to these requests, in whatever order they come."""
    answers: dict[int, Any] = {}
    while not numbers <= set(answers):
        message = server.receive()
        if "method" not in message:
            answers[message["id"]] = message
    return answers


@TRANSPORTS
def test_shutdown_then_exit(tmp_path: Path, transport: type[RawServer]) -> None:
    with transport(tmp_path) as server:
        server.initialize(vault(tmp_path, a="[[b]]\n"))
        server.until_ready()
        assert server.end() == 0


@TRANSPORTS
def test_exit_alone(tmp_path: Path, transport: type[RawServer]) -> None:
    with transport(tmp_path) as server:
        server.initialize(vault(tmp_path, a="[[b]]\n"))
        server.send("exit", request=False)
        assert server.wait() == 1


@TRANSPORTS
def test_a_client_that_goes(tmp_path: Path, transport: type[RawServer]) -> None:
    with transport(tmp_path) as server:
        server.initialize(vault(tmp_path, a="[[b]]\n"))
        server.hang_up()
        assert server.wait() == 1


@pytest.mark.parametrize("message", ["exit", "shutdown"])
def test_before_initialize(tmp_path: Path, message: str) -> None:
    with RawServer(tmp_path) as server:
        if message == "shutdown":
            assert server.ask("shutdown")["error"]["code"] == -32002
        server.send("exit", request=False)
        assert server.wait() == 1


@TRANSPORTS
def test_while_the_vault_is_read(tmp_path: Path, transport: type[RawServer]) -> None:
    with transport(tmp_path) as server:
        server.initialize(big_vault(tmp_path))
        start = time.monotonic()
        assert server.ask("shutdown")["result"] is None
        assert time.monotonic() - start < AT_ONCE
        server.send("exit", request=False)
        assert server.wait() == 0


def test_exit_while_the_vault_is_read(tmp_path: Path) -> None:
    with RawServer(tmp_path) as server:
        server.initialize(big_vault(tmp_path))
        server.send("exit", request=False)
        assert server.wait() == 1


@TRANSPORTS
@pytest.mark.parametrize("work", ["time.sleep, 60", "lambda: exec('while True: pass')"])
def test_a_thread_that_never_ends(tmp_path: Path, transport: type[RawServer], work: str) -> None:
    """A dead disk or a defect: `shutdown` is answered at once, and the process ends."""
    program = BUSY.format(work=work)
    with transport(tmp_path, program=("-c", program)) as server:
        server.initialize(vault(tmp_path, a="# A\n"))
        fold = server.send("test/fold", {"textDocument": HOVER["textDocument"]})
        slow = server.send("workspace/executeCommand", {"command": "mindnet.slow"})
        assert server.ask("textDocument/hover", HOVER)["result"] is None
        start = time.monotonic()
        last = server.send("shutdown")
        answers = collect(server, {last, fold, slow})
        assert time.monotonic() - start < AT_ONCE
        assert answers[last]["result"] is None
        assert [answers[each]["error"]["code"] for each in (fold, slow)] == [-32800, -32800]
        server.send("exit", request=False)
        assert server.wait() == 0
        assert time.monotonic() - start < 10


def test_requests_that_wait_at_the_end_are_answered(tmp_path: Path) -> None:
    """Whatever was sent before `shutdown` has an answer or is cancelled by it, and what comes
    after is refused."""
    root = vault(tmp_path, a="# A\n\n[[a]]\n")
    with RawServer(tmp_path) as server:
        server.initialize(root)
        asked = {"textDocument": {"uri": (root / "a.md").as_uri()}, "position": HOVER["position"]}
        before = [server.send("textDocument/hover", asked) for _ in range(200)]
        last = server.send("shutdown")
        after = [server.send("textDocument/hover", asked) for _ in range(5)]
        answers = collect(server, {*before, last, *after})
        assert answers[last]["result"] is None
        refused = {answers[number].get("error", {}).get("code") for number in before}
        assert refused <= {None, -32800}
        assert {answers[number]["error"]["code"] for number in after} == {-32600}
        server.send("exit", request=False)
        assert server.wait() == 0


def test_a_client_that_reads_nothing(tmp_path: Path) -> None:
    """Its pipe is full, and still the server notices everything else."""
    root = vault(tmp_path, a="# A\n" + "## Section of the note\n" * 2000)
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with RawServer(tmp_path) as server:
        server.initialize(root, processId=client.pid)
        asked = {"textDocument": {"uri": (root / "a.md").as_uri()}}
        for _ in range(50):
            server.send("textDocument/documentSymbol", asked)
        client.kill()
        client.communicate()
        assert server.wait() == 1


def test_a_client_that_reads_late(tmp_path: Path) -> None:
    root = vault(tmp_path, a="# A\n" + "## Section of the note\n" * 2000)
    with RawServer(tmp_path) as server:
        server.initialize(root)
        asked = {"textDocument": {"uri": (root / "a.md").as_uri()}}
        numbers = [server.send("textDocument/documentSymbol", asked) for _ in range(10)]
        for number in numbers:
            assert len(server.answer(number)["result"]) == 2001
        last = server.send("shutdown")
        server.send("exit", request=False)  # without waiting for the answer
        assert server.answer(last)["result"] is None
        assert server.wait() == 0


def test_a_closed_output(tmp_path: Path) -> None:
    with RawServer(tmp_path) as server:
        server.initialize(vault(tmp_path, a="# A\n"))
        server.until_ready()
        server.reader.close()
        server.send("textDocument/hover", HOVER)
        assert server.wait() == 1
        server.process.stdout = None


@TRANSPORTS
def test_nothing_but_protocol_from_threads_and_children(
    tmp_path: Path, transport: type[RawServer]
) -> None:
    """Also over TCP, and children find neither our input nor our output."""
    loud = (
        "(print('printed', flush=True), __import__('os').write(1, b'written'),"
        " __import__('subprocess').run([sys.executable, '-c',"
        " 'import sys; print(len(sys.stdin.read()), 1234)']))"
    )
    with transport(tmp_path, program=("-c", BUSY.format(work=f"lambda: {loud}"))) as server:
        server.initialize()
        fold = {"textDocument": HOVER["textDocument"]}
        assert server.ask("test/fold", fold)["result"] is None
        assert server.end() == 0
        assert server.process.stderr
        errors = server.process.stderr.read()
        if transport is RawServer:
            assert server.reader.read() == b""
            for text in (b"printed", b"written", b"0 1234"):
                assert text in errors


def test_no_server_is_left_behind(tmp_path: Path) -> None:
    """However it ends, its process is gone and its threads with it."""
    for end in ("exit", "hang up", "kill"):
        with RawServer(tmp_path) as server:
            server.initialize(processId=os.getpid())
            if end == "exit":
                server.send("exit", request=False)
            elif end == "hang up":
                server.hang_up()
            else:
                server.process.kill()
            server.process.wait(TIMEOUT)
