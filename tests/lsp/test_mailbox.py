"""A cancelled request that still waits is never worked on; order is kept otherwise."""

from __future__ import annotations

import asyncio
import io
import threading
from pathlib import Path
from typing import Any

import pytest

from mindnet_lsp.framing import BrokenStreamError, read_message
from mindnet_lsp.mailbox import Inbox, Outbox
from mindnet_lsp.server import MindnetServer
from tests.e2e.raw import framed
from tests.lsp.wire import wire
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until


def request(number: Any, method: str = "m") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method}


def cancel(number: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}}


class Seen:
    """What an inbox hands out."""

    def __init__(self) -> None:
        self.handled: list[Any] = []
        self.given_up: list[Any] = []
        self.closed = asyncio.Event()
        self.inbox = Inbox(self.handled.append, self.given_up.append, self.closed.set)

    async def of(self, *messages: Any) -> list[Any]:
        self.handled.clear()
        self.given_up.clear()
        for message in messages:
            self.inbox.put(message)
        plain = [m for m in messages if m.get("method") != "$/cancelRequest"]
        await wait_until(
            lambda: (
                len([m for m in self.handled if m.get("method") != "$/cancelRequest"])
                + len(self.given_up)
                == len(plain)
            )
        )
        return [m.get("id") for m in self.handled if m.get("method") != "$/cancelRequest"]


async def test_a_waiting_request_is_given_up() -> None:
    seen = Seen()
    assert await seen.of(request(1), request(2), request("2"), cancel(2), request(3)) == [1, "2", 3]
    assert seen.given_up == [2]


async def test_what_was_begun_is_cancelled_by_the_protocol() -> None:
    seen = Seen()
    assert await seen.of(request(1)) == [1]
    seen.inbox.put(cancel(1))
    await wait_until(lambda: cancel(1) in seen.handled)
    assert seen.given_up == []


@pytest.mark.parametrize("method", ["initialize", "shutdown"])
async def test_the_life_of_the_server_is_not_cancelled(method: str) -> None:
    seen = Seen()
    assert await seen.of(request(1, method), cancel(1)) == [1]


async def test_an_id_that_is_used_again() -> None:
    seen = Seen()
    assert await seen.of(request(1), cancel(1)) == []
    assert await seen.of(request(1)) == [1]


async def test_odd_messages_do_not_stop_the_others() -> None:
    seen = Seen()
    odd: list[Any] = [{"id": [1], "method": "x"}, {"method": "$/cancelRequest", "params": 5}]
    for message in (*odd, 5, None, [], request(1)):
        seen.inbox.put(message)
    await wait_until(lambda: request(1) in seen.handled)
    assert len(seen.handled) == 6


async def test_the_end_comes_behind_the_last_message() -> None:
    seen = Seen()
    stream = io.BytesIO(framed(b'{"id": 1, "method": "m"}') * 3)
    await asyncio.to_thread(seen.inbox.read, stream)
    await asyncio.wait_for(seen.closed.wait(), 5)
    assert [m["id"] for m in seen.handled] == [1, 1, 1]


async def test_other_work_gets_its_turn_between_messages() -> None:
    """A thousand messages in a row do not hold up a timer."""
    order: list[str] = []
    inbox = Inbox(lambda m: order.append("message"), lambda n: None, lambda: None)
    for number in range(1000):
        inbox.put(request(number))
    asyncio.get_running_loop().call_later(0, order.append, "timer")
    await wait_until(lambda: len(order) == 1001)
    assert order.index("timer") < 100


def test_a_reader_that_is_slow_blocks_nobody() -> None:
    gate, written = threading.Event(), io.BytesIO()

    class Slow(io.BytesIO):
        def write(self, data: Any) -> int:
            gate.wait(10)
            return written.write(data)

    outbox = Outbox(Slow(), lambda: None)
    for _ in range(100):
        outbox.write(b"x")
    assert written.getvalue() == b""
    gate.set()
    outbox.join(10)
    assert written.getvalue() == b"x" * 100


def test_a_broken_output_is_told() -> None:
    told = threading.Event()
    stream = io.BytesIO()
    stream.close()
    Outbox(stream, told.set).write(b"x")
    assert told.wait(10)


@pytest.mark.parametrize(
    "data", [b"Content-Length: 5\r\n\r\nabc", b"x\r\n", b"Content-Length: x\r\n\r\n", b"a" * 9000]
)
def test_a_broken_stream(data: bytes) -> None:
    with pytest.raises(BrokenStreamError):
        read_message(io.BytesIO(data))


async def test_a_cancelled_request_ends_its_body(tmp_path: Path) -> None:
    """Requests, not only commands: the body gets a CancelledError and the thread is told."""
    root = parse_fixture("//- /a.md\n# A\n").write(tmp_path / "vault")
    ended: list[str] = []
    begun = asyncio.Event()

    async def slow(ls: MindnetServer, params: Any) -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("body")

    loop = asyncio.get_running_loop()

    def busy(cancelled: Any) -> None:
        loop.call_soon_threadsafe(begun.set)  # before that there is no thread to be told
        while not cancelled():
            threading.Event().wait(0.005)
        ended.append("thread")

    async def in_thread(ls: MindnetServer, params: Any) -> None:
        await ls.scheduler.cancellable(busy)

    async with wire(root, tmp_path / "data") as client:
        client.server.feature("test/slow")(slow)
        client.server.feature("test/thread")(in_thread)
        for method, what in (("test/slow", "body"), ("test/thread", "thread")):
            begun.clear()
            number = client.request(method, {})
            await asyncio.wait_for(begun.wait(), 5)
            client.notify("$/cancelRequest", {"id": number})
            assert (await client.answer(number))["error"]["code"] == -32800
            await wait_until(lambda what=what: what in ended)  # type: ignore[misc]
