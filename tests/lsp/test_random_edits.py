"""Whatever an editor does, the server has its text, and the index is that of the whole vault.

The client here is a model of its own: it keeps each text as a list of characters and counts
units one by one. `MINDNET_SYNC_EXAMPLES` asks for more examples than CI runs.
"""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lsprotocol import types

from core.parse import parse_note
from core.text import decode
from mindnet_lsp.convert import Converter, apply_changes
from tests.core.vault.test_incremental import check
from tests.lsp.wire import Wire, wire
from tests.support.waiting import wait_until

EXAMPLES = int(os.environ.get("MINDNET_SYNC_EXAMPLES", "12"))
PATHS = ["a.md", "b.md", "sub/c.md", "größe.md"]
FRAGMENTS = [
    "a", "b ", "[[b]]", "[[größe#H|x]]", "[[c^x1]]", "# H", "## H\r\n", "^x1", "#tag",
    "rel:: [[a]]",
    "---\n", "title: x\n", "\n", "\r\n", "\r", "\t", "\x0c", "\0", "\x85", "\u2028", "\u2029",
    "\ufeff", "é", "e\u0301", "ß", "漢", "🚢", "👩‍🚀", "\ud83d", "\udea2", "| [[a\\|b]] |", "`",
    "\x1c",
]  # fmt: skip
HALF = re.compile("[\ud800-\udfff]")
EVERYTHING = 1 << 30

texts = st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join)
positions = st.tuples(
    st.integers(0, 9) | st.sampled_from([99, EVERYTHING]),
    st.integers(0, 12) | st.sampled_from([999, EVERYTHING]),
)
changes = st.tuples(st.none() | st.tuples(positions, positions), texts)
typing = st.tuples(
    st.just("change"), st.sampled_from(PATHS), st.lists(changes, min_size=1, max_size=6)
)
steps = st.lists(
    st.one_of(
        typing,
        typing,
        typing,
        st.tuples(
            st.just("change"), st.sampled_from(PATHS), st.lists(changes, min_size=1, max_size=8)
        ),
        st.tuples(
            st.just("change"), st.sampled_from(PATHS), st.lists(changes, min_size=1, max_size=4)
        ),
        st.tuples(
            st.just("change"), st.sampled_from(PATHS), st.lists(changes, min_size=1, max_size=4)
        ),
        st.tuples(st.sampled_from(["close", "save", "delete"]), st.sampled_from(PATHS)),
        st.tuples(st.just("write"), st.sampled_from(PATHS), texts),
        st.tuples(st.just("move"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    ),
    min_size=20,
    max_size=45,
)
edits_made = 0


def test_halves_of_a_pair_that_come_one_by_one() -> None:
    convert, here = Converter("utf-16"), types.Range(types.Position(0, 1), types.Position(0, 1))
    parts = [types.TextDocumentContentChangePartial(here, half) for half in ("\udea2", "\ud83d")]
    text = apply_changes("ab", list(parts), convert)
    assert text == "a🚢b"
    end = types.Range(types.Position(0, 3), types.Position(0, 4))
    assert (
        apply_changes(text, [types.TextDocumentContentChangePartial(end, "!")], convert) == "a🚢!"
    )


@dataclass
class Model:
    """The editor: texts of open documents, by path, as characters of the encoding's kind."""

    root: Path
    encoding: str
    texts: dict[str, str] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)

    def apply(self, text: str, where: Any, new: str) -> str:
        """The text after one change; the protocol's rules, done the slow way."""
        if where is None:
            return joined(new)
        start, end = (self.offset(text, position) for position in where)
        return joined(text[:start] + new + text[max(start, end) :])

    def offset(self, text: str, position: tuple[int, int]) -> int:
        lines = re.split("(\r\n|\n|\r)", text)
        wanted, character = position
        if wanted * 2 >= len(lines):
            return len(text)
        at = sum(map(len, lines[: wanted * 2]))
        for each in lines[wanted * 2]:
            character -= self.units(each)
            if character < 0:
                break
            at += 1
        return at

    def units(self, character: str) -> int:
        code = ord(character)
        if self.encoding == "utf-32":
            return 1
        if self.encoding == "utf-16":
            return 2 if code > 0xFFFF else 1
        return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)


def joined(text: str) -> str:
    """Two halves of a pair that come together are one character."""
    return re.sub(
        "[\ud800-\udbff][\udc00-\udfff]",
        lambda pair: chr(0x10000 + ((ord(pair[0][0]) & 0x3FF) << 10) + (ord(pair[0][1]) & 0x3FF)),
        text,
    )


async def play(client: Wire, model: Model, done: list[Any]) -> None:
    begin = [("delete", path, None) for path in PATHS]
    for step in [*begin, *done]:
        await one_step(client, model, *step)
    await until_equal(client, model)
    for path in list(model.texts):
        await one_step(client, model, "close", path)
    await until_equal(client, model)


async def one_step(client: Wire, model: Model, kind: str, path: str, what: Any = None) -> None:
    global edits_made
    file = model.root / path
    uri = file.as_uri()
    document = {"uri": uri}
    if kind == "change":
        if path not in model.texts:
            text = decode(file.read_bytes()).text if file.exists() else ""
            model.texts[path], model.versions[path] = text, 1
            client.open(uri, text)
        sent = []
        for where, new in what:
            model.texts[path] = model.apply(model.texts[path], where, new)
            sent.append({"text": new} | ({} if where is None else {"range": range_of(where)}))
            edits_made += 1
        model.versions[path] += 1
        versioned = {**document, "version": model.versions[path]}
        params = {"textDocument": versioned, "contentChanges": sent}
        client.notify("textDocument/didChange", params)
        session = client.server.sessions.folders[0]
        assert session.documents[path].raw == model.texts[path]
        return
    touched = [path]
    if kind == "close" and path in model.texts:
        del model.texts[path]
        client.notify("textDocument/didClose", {"textDocument": document})
        return
    if kind == "save" and path in model.texts:
        write(file, model.texts[path])
        client.notify("textDocument/didSave", {"textDocument": document})
    elif kind == "write":
        write(file, what)
    elif kind == "delete":
        file.unlink(missing_ok=True)
    elif kind == "move" and file.exists() and what != path:
        (model.root / what).parent.mkdir(exist_ok=True)
        file.replace(model.root / what)
        touched.append(what)
    events = [{"uri": (model.root / each).as_uri(), "type": 2} for each in touched]
    client.notify("workspace/didChangeWatchedFiles", {"changes": events})


def write(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    # two writes of one length within a tick of the clock would look like one
    stamp = file.stat().st_mtime_ns + 1_000_000 * (edits_made + 1)
    os.utime(file, ns=(stamp, stamp))


def range_of(where: Any) -> Any:
    start, end = ({"line": line, "character": character} for line, character in where)
    return {"start": start, "end": end}


async def until_equal(client: Wire, model: Model) -> None:
    session = client.server.sessions.folders[0]

    def wanted() -> dict[str, str]:
        files = {
            path: decode((model.root / path).read_bytes()).text
            for path in PATHS
            if (model.root / path).exists()
        }
        # what can be written nowhere is in no note
        return files | {path: HALF.sub("\ufffd", text) for path, text in model.texts.items()}

    texts = wanted()
    known = {path: parse_note(path, text) for path, text in texts.items()}
    await wait_until(lambda: dict(session.snapshot().notes) == known, what="the index")
    check(session.snapshot(), known, set())
    for path, text in texts.items():
        assert session.text(path) == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_random_edits(tmp_path: Path, encoding: str) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    declared = {"general": {"positionEncodings": [encoding]}}
    with asyncio.Runner() as runner:
        context = wire(root, tmp_path / "data", declared)
        client = runner.run(context.__aenter__())
        assert client.server.convert.encoding == encoding

        @given(steps)
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            # a failure is found after seconds of waiting, so looking for a smaller one is not
            phases=[Phase.reuse, Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        )
        def random_edits(done: list[Any]) -> None:
            runner.run(play(client, Model(root, encoding), done))

        try:
            random_edits()
        finally:
            runner.run(context.__aexit__(None, None, None))
    print(f"{edits_made} changes so far")
