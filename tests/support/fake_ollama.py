"""A scripted Ollama: its HTTP interface on a real socket, with answers that tests write, broken
ones among them. It runs on a thread of its own, so that blocking clients can be tested too."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import threading
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from tests.support.waiting import wait_for


@dataclass
class FakeModel:
    """A model that is there. `limit` are the code points that an embedding may be made of."""

    name: str
    capabilities: tuple[str, ...] = ("completion",)
    context: int = 8192
    dim: int = 0
    digest: str = ""
    remote_host: str = ""
    limit: int = 1 << 30

    @property
    def seal(self) -> str:
        return self.digest or hashlib.sha256(self.name.encode()).hexdigest()


@dataclass
class Asked:
    """A request, and whether its client left before the answer was complete."""

    method: str
    path: str
    body: Any
    left: bool = False


@dataclass
class Hold:
    """A step of a script: nothing is said until `release`; `reached` is set when it begins."""

    reached: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)

    def release(self) -> None:
        self.released.set()


CLOSE = object()
"""A step of a script: the connection is cut."""


@dataclass
class Script:
    """One answer: a status, then bytes, `Hold`s, or `CLOSE`, in this order. `Hold` as
    `before` comes before the status line."""

    steps: Iterable[Any] | AsyncIterable[Any]
    status: int = 200
    kind: str = "application/x-ndjson"
    before: Hold | None = None


def line(content: str = "", **more: Any) -> bytes:
    """One line of a stream."""
    told = {"model": "m", "message": {"role": "assistant", "content": content}, "done": False}
    return json.dumps({**told, **more}, ensure_ascii=False).encode() + b"\n"


def last(reason: str = "stop", prompt: int = 20, answer: int = 5) -> bytes:
    """The last line of a stream."""
    counts = {"prompt_eval_count": prompt, "eval_count": answer, "total_duration": 1_000_000}
    return line("", done=True, done_reason=reason, **counts)


def error(status: int, text: str) -> Script:
    """An error instead of an answer."""
    return Script([json.dumps({"error": text}).encode()], status, "application/json")


def vector_of(text: str, dim: int) -> list[float]:
    """A sum of one direction a word, of length 1; zeros for a text without words."""
    total = np.zeros(dim)
    for word in re.findall(r"\w+", text.lower()):
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
        total += np.random.default_rng(seed).standard_normal(dim)
    length = float(np.linalg.norm(total))
    return [float(x) for x in (total / length if length else total)]


class FakeOllama:
    """Serves at `url` between `start` and `stop`, and again at the same port after that.

    `scripts` holds, by path, answers that come before the ordinary ones: a model's answer to a
    chat is what `answer` makes of the messages, an embedding is `vector_of`.
    """

    def __init__(self, *models: FakeModel) -> None:
        self.models = {model.name: model for model in models}
        self.scripts: dict[str, deque[Script]] = {}
        self.requests: list[Asked] = []
        self.answer: Callable[[list[dict[str, str]]], str] = lambda messages: "Fine."
        self._port = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def script(self, path: str, *scripts: Script) -> None:
        """What the next requests to `path` get."""
        self.scripts.setdefault(path, deque()).extend(scripts)

    def asked(self, path: str) -> list[Asked]:
        """The requests to `path` so far."""
        return [one for one in list(self.requests) if one.path == path]

    def start(self) -> Self:
        ready = threading.Event()

        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            server = await asyncio.start_server(self._client, "127.0.0.1", self._port)
            self._port = server.sockets[0].getsockname()[1]
            self._end = asyncio.Event()
            self._open: set[asyncio.Task[None]] = set()
            ready.set()
            await self._end.wait()
            server.close()
            for task in self._open:
                task.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)

        self._thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
        self._thread.start()
        assert ready.wait(5)
        return self

    def stop(self) -> None:
        """Close the socket and cut every connection."""
        if self._thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join()
            self._thread = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            while head := await _head(reader):
                method, path, length = head
                data = await reader.readexactly(length)
                asked = Asked(method, path, json.loads(data) if data else None)
                self.requests.append(asked)
                if not await self._answer(asked, reader, writer):
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            self._open.discard(task)
            writer.close()

    async def _answer(
        self, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Whether the connection lives on."""
        waiting = self.scripts.get(asked.path)
        script = waiting.popleft() if waiting else self._usual(asked)
        gone = asyncio.create_task(reader.read(1))
        try:
            if script.before and not await _released(script.before, gone):
                asked.left = True
                return False
            writer.write(
                f"HTTP/1.1 {script.status} X\r\nContent-Type: {script.kind}\r\n"
                "Transfer-Encoding: chunked\r\n\r\n".encode()
            )
            async for step in _each(script.steps):
                if gone.done():
                    asked.left = True
                    return False
                if isinstance(step, Hold):
                    if not await _released(step, gone):
                        asked.left = True
                        return False
                elif step is CLOSE:
                    writer.transport.abort()
                    return False
                else:
                    writer.write(b"%x\r\n%s\r\n" % (len(step), step))
                    await writer.drain()
                    await asyncio.sleep(0)
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        except ConnectionError:
            asked.left = True
            return False
        finally:
            gone.cancel()
            await asyncio.wait([gone])
        return gone.cancelled()

    def _usual(self, asked: Asked) -> Script:
        body = asked.body or {}
        name = str(body.get("model", ""))
        model = self.models.get(name) or self.models.get(f"{name}:latest")
        if asked.path == "/api/version":
            return _json({"version": "0.12.10"})
        if asked.path == "/api/tags":
            return _json({"models": [_listed(one) for one in self.models.values()]})
        if model is None:
            return error(404, f"model '{name}' not found")
        if asked.path == "/api/show":
            info = {"general.architecture": "f", "f.context_length": model.context}
            info |= {"f.embedding_length": model.dim} if model.dim else {}
            shown = {"capabilities": model.capabilities, "model_info": info}
            return _json({**shown, **_remote(model)})
        if asked.path == "/api/embed":
            return self._embed(body, model)
        answer = self.answer(body["messages"])
        pieces = [line(piece) for piece in re.findall(r"\s*\S+\s*", answer)]
        return Script([*pieces, last()])

    def _embed(self, body: dict[str, Any], model: FakeModel) -> Script:
        given = body["input"]
        texts = [given] if isinstance(given, str) else given
        if any(len(text) > model.limit for text in texts):
            return error(400, "the input length exceeds the context length")
        return _json({"model": model.name, "embeddings": self._vectors(texts, model)})

    def _vectors(self, texts: list[str], model: FakeModel) -> list[list[float]]:
        return [vector_of(text, model.dim) for text in texts]


async def _each(steps: Iterable[Any] | AsyncIterable[Any]) -> AsyncIterator[Any]:
    if isinstance(steps, AsyncIterable):
        async for step in steps:
            yield step
    else:
        for step in steps:
            yield step


def wait_left(asked: Asked) -> None:
    """Wait until the server saw that a client left."""
    wait_for(lambda: asked.left, 30, f"the client of {asked.path} to leave")


def _json(found: Any) -> Script:
    return Script([json.dumps(found).encode()], kind="application/json")


def _listed(model: FakeModel) -> dict[str, Any]:
    return {"name": model.name, "digest": model.seal, "size": 1, **_remote(model)}


def _remote(model: FakeModel) -> dict[str, str]:
    return {"remote_host": model.remote_host} if model.remote_host else {}


async def _head(reader: asyncio.StreamReader) -> tuple[str, str, int] | None:
    first = await reader.readline()
    if not first:
        return None
    method, path, _ = first.decode().split()
    length = 0
    while (header := (await reader.readline()).decode().strip()) != "":
        name, _, value = header.partition(":")
        if name.lower() == "content-length":
            length = int(value)
    return method, path, length


async def _released(hold: Hold, gone: asyncio.Task[bytes]) -> bool:
    """Wait for the release; False if the client leaves before."""
    hold.reached.set()
    released = asyncio.create_task(_wait(hold.released))
    await asyncio.wait([released, gone], return_when=asyncio.FIRST_COMPLETED)
    released.cancel()
    return hold.released.is_set() and not gone.done()


async def _wait(event: threading.Event) -> None:
    while not event.is_set():  # noqa: ASYNC110  (an event of another thread)
        await asyncio.sleep(0.005)
