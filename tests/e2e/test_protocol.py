"""JSON-RPC as no good client speaks it: every fault has its answer, and the server lives on or
ends in order."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.raw import RawServer, TcpServer, framed
from tests.e2e.test_lifecycle import HOVER
from tests.e2e.test_sync import vault

pytestmark = pytest.mark.e2e


def message(**fields: Any) -> bytes:
    return framed(json.dumps({"jsonrpc": "2.0", **fields}).encode())


def lives(server: RawServer) -> bool:
    return "result" in server.ask("textDocument/hover", HOVER)


FAULTY: list[tuple[bytes, int, str]] = [
    (framed(b"[]"), -32600, "batch"),
    (framed(b'[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]'), -32600, "batch"),
    (framed(b"5"), -32600, "JSON-RPC"),
    (framed(b"null"), -32600, "JSON-RPC"),
    (framed(b"{}"), -32600, "JSON-RPC"),
    (framed(b'{"id":7,"method":"shutdown"}'), -32600, "JSON-RPC"),
    (framed(b'{"jsonrpc":"1.0","id":7,"method":"shutdown"}'), -32600, "JSON-RPC"),
    (message(id=None, method="shutdown"), -32600, "id"),
    (message(id=1.5, method="shutdown"), -32600, "id"),
    (message(id=True, method="shutdown"), -32600, "id"),
    (message(id=[1], method="shutdown"), -32600, "id"),
    (message(id={"jsonrpc": "2.0"}, method="shutdown"), -32600, "id"),
    (message(id=7, method=5), -32600, "method"),
    (message(id=7, method=None), -32600, "method"),
    (framed(b"{"), -32700, "JSON"),
    (framed(b"\xff\xfe\xfd"), -32700, "JSON"),
    (framed(b"hello"), -32700, "JSON"),
    (framed(b"[" * 200_000), -32700, "JSON"),
    (framed(b'{"a":' * 100_000), -32700, "JSON"),
    (message(id=7, method="no/such"), -32601, "no/such"),
    (message(id=7, method="no/such", params=[1]), -32601, "no/such"),
    (message(id=7, method="$/unknown", params={}), -32601, "$/unknown"),
    (message(id=7, method="notebookDocument/didOpen", params={}), -32601, "notebook"),
    (message(id=7, method="textDocument/hover"), -32602, "params: is missing"),
    (message(id=7, method="textDocument/hover", params=[]), -32602, "params: must be an"),
    (message(id="a", method="textDocument/hover", params={}), -32602, "textDocument: is"),
    (
        message(id=7, method="textDocument/hover", params={**HOVER, "position": {"line": -1}}),
        -32602,
        "params.position.",
    ),
    (
        message(id=7, method="textDocument/hover", params={**HOVER, "textDocument": "a"}),
        -32602,
        "params.textDocument: must be an object",
    ),
    (message(id=7, method="workspace/executeCommand", params={}), -32602, "params.command"),
]


def test_a_faulty_message_has_its_answer(tmp_path: Path) -> None:
    with RawServer(tmp_path) as server:
        server.initialize()
        for data, code, text in FAULTY:
            server.send_raw(data)
            answer = server.receive()
            assert answer["error"]["code"] == code, (data[:200], answer)
            assert text in answer["error"]["message"], (data[:200], answer)
            assert "data" not in answer["error"]
            assert lives(server)
        assert server.end() == 0


HARMLESS = [
    message(method="$/unknown", params={"a": 1}),
    message(method="$/cancelRequest", params={"id": 99}),
    message(method="$/cancelRequest", params={"id": [1]}),
    message(method="$/cancelRequest"),
    message(method="$/setTrace", params={"value": "loud"}),
    message(method="no/such"),
    message(method="textDocument/didOpen"),
    message(method="textDocument/didOpen", params={"textDocument": {"uri": 5}}),
    message(method="textDocument/didChange", params={"contentChanges": []}),
    message(method="textDocument/didClose", params={"textDocument": {"uri": "file:///no.md"}}),
    message(method="workspace/didChangeWatchedFiles", params={"changes": [{"uri": "x"}]}),
    message(method="workspace/didChangeWorkspaceFolders", params={"event": {}}),
    message(
        method="workspace/didChangeWorkspaceFolders",
        params={"event": {"added": [], "removed": [{"uri": "file:///no", "name": "x"}]}},
    ),
    message(method="workspace/didChangeConfiguration", params={}),
    message(method="notebookDocument/didClose", params={"notebookDocument": {"uri": "a"}}),
    message(method="window/workDoneProgress/cancel", params={"token": [1]}),
    message(id=99, result={}),
    message(id=99, error={"code": 1, "message": "x"}),
    message(id=99, error=5),
    message(id=None, error={"code": -32600, "message": "x"}),
]


def test_a_faulty_notification_does_no_harm(tmp_path: Path) -> None:
    """No popup, no answer, and the server lives on."""
    with RawServer(tmp_path) as server:
        server.initialize()
        for data in HARMLESS:
            server.send_raw(data)
            number = server.send("textDocument/hover", HOVER)
            found = [server.receive()]
            while found[-1].get("id") != number:
                found.append(server.receive())
            assert {each["method"] for each in found[:-1]} <= {"window/logMessage"}, data
        assert server.end() == 0


def test_ids_are_strings_and_numbers(tmp_path: Path) -> None:
    with RawServer(tmp_path) as server:
        server.initialize()
        numbers: list[Any] = [0, -5, "1", 1, "", "ключ", 1 << 31, "a" * 1000]
        for number in numbers:
            server.send_raw(message(id=number, method="textDocument/hover", params=HOVER))
        found = [server.receive()["id"] for _ in numbers]
        assert found == numbers
        assert list(map(type, found)) == list(map(type, numbers))


def test_the_same_id_twice(tmp_path: Path) -> None:
    with RawServer(tmp_path) as server:
        server.initialize()
        for _ in range(2):
            server.send_raw(message(id=7, method="textDocument/hover", params=HOVER))
        assert [server.receive()["id"] for _ in range(2)] == [7, 7]
        assert lives(server)


def test_a_client_does_not_answer_its_own_request(tmp_path: Path) -> None:
    root = vault(tmp_path, a="# A\n")
    with RawServer(tmp_path) as server:
        server.initialize(root)
        asked = {"command": "mindnet.status", "arguments": [{}]}
        server.send_raw(message(id=7, method="workspace/executeCommand", params=asked))
        server.send_raw(message(id=7, result="forged"))
        assert server.answer(7)["result"]["version"]


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: %d\r\n\r\n",
        b"content-length:%d\r\n\r\n",
        b"CONTENT-LENGTH:   %d  \r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n",
        b"Content-Length: %d\r\nX-Other: \xff\r\n\r\n",
        b"Content-Length: %d\n\n",
        b"\r\n\r\nContent-Length: %d\r\n\r\n",
    ],
)
def test_header_variants(tmp_path: Path, header: bytes) -> None:
    text = "# Größe 🚢\n"
    uri = (tmp_path / "a.md").as_uri()
    with RawServer(tmp_path) as server:
        server.initialize()
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        opened = {"jsonrpc": "2.0", "method": "textDocument/didOpen"}
        body = json.dumps({**opened, "params": {"textDocument": item}}, ensure_ascii=False).encode()
        server.send_raw(header % len(body) + body)
        asked = {"textDocument": {"uri": uri}}
        (symbol,) = server.ask("textDocument/documentSymbol", asked)["result"]
        assert symbol["name"] == "Größe 🚢"


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Len",
        b"Content-Length: 50\r\n",
        b'Content-Length: 50\r\n\r\n{"jsonrpc":',
        b"Content-Length: 99999999999999999999\r\n\r\n{}",
        b"Content-Length: 900000000\r\n\r\n{}",
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: five\r\n\r\n{}",
        b"Content-Length: \r\n\r\n{}",
        b"Content-Type: x\r\n\r\n{}",
        b"print from a shell script\n" + framed(b"{}"),
        b"x" * 100_000,
        # too small: the rest of the body is no header
        b'Content-Length: 10\r\n\r\n{"jsonrpc":"2.0","method":"a"}' + framed(b"{}"),
        # too large: swallows what follows
        b'Content-Length: 45\r\n\r\n{"jsonrpc":"2.0","method":"a"}' + framed(b"{}"),
    ],
    ids=lambda value: value[:24] if isinstance(value, bytes) else None,
)
def test_a_broken_stream_ends_the_server(tmp_path: Path, data: bytes) -> None:
    with RawServer(tmp_path) as server:
        server.initialize()
        with suppress(BrokenPipeError):  # it may have ended at the first bytes
            server.send_raw(data)
        server.hang_up()
        assert server.wait() == 1


def test_a_broken_stream_over_tcp(tmp_path: Path) -> None:
    with TcpServer(tmp_path) as server:
        server.initialize()
        server.send_raw(b"Content-Length: 50\r\n\r\n{")
        server.hang_up()
        assert server.wait() == 1


def test_a_broken_stream_is_not_waited_for(tmp_path: Path) -> None:
    """What is no header never becomes one: the server ends, so that the editor starts it anew."""
    with RawServer(tmp_path) as server:
        server.initialize()
        server.send_raw(b"Content-Length: no\r\n\r\n")
        assert server.wait() == 1
        assert server.process.stderr
        assert b"connection is broken" in server.process.stderr.read()


def test_a_huge_message(tmp_path: Path) -> None:
    root = vault(tmp_path, a="# A\n")
    text = "# A\n\n" + "Words that nobody reads. 🚢 [[Gone]]\n" * 300_000
    with RawServer(tmp_path) as server:
        server.initialize(root)
        server.open((root / "a.md").as_uri(), text)
        asked = {"textDocument": {"uri": (root / "a.md").as_uri()}}
        server.ask("textDocument/documentSymbol", asked)
        assert lives(server)
        assert server.end() == 0


def test_what_json_can_carry(tmp_path: Path) -> None:
    """Lone surrogates, NULs and an inner `jsonrpc` are text like any other."""
    root = vault(tmp_path, a="# A\n")
    uri = (root / "a.md").as_uri()
    text = "# \ud83d A\0 \u2028 \ufeff\n\n[[\udea2]]\n"
    with RawServer(tmp_path) as server:
        server.initialize(root)
        server.until_ready()
        server.open(uri, text)
        (symbol,) = server.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})[
            "result"
        ]
        assert "A" in symbol["name"]
        asked = {"command": "mindnet.status", "arguments": [{"jsonrpc": "2.0", "id": 5}]}
        assert server.ask("workspace/executeCommand", asked)["result"]["notes"] == 1
        assert server.end() == 0
