"""A language server of a hundred lines, to try the benchmark on: `stub_server.py [--fault F]`.

It knows plain `[[Note]]` links and headings. Faults: `crash` (ends at `initialize`), `stale`
(the first answer after a change is of the old text), `wrong` (definitions lead nowhere),
`silent` (publishes nothing), `grumpy` (refuses hovers with an error).
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

LINK = re.compile(r"\[\[([^\]|#]+)")
ZERO = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


def send(**message: Any) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    sys.stdout.buffer.flush()


class Stub:
    """One vault, whole in memory."""

    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.texts: dict[str, str] = {}
        self.old: dict[str, str] = {}
        self.names: dict[str, str] = {}

    def handle(self, method: str, params: Any) -> Any:
        name = method.replace("/", "_").replace("$", "")
        return getattr(self, name, lambda params: None)(params)

    def initialize(self, params: Any) -> Any:
        if self.fault == "crash":
            sys.exit("stub: crashed on purpose")
        self.root = Path(unquote(urlsplit(params["rootUri"]).path))
        offered = ("hover", "definition", "documentSymbol", "references")
        return {
            "capabilities": {
                "positionEncoding": params["capabilities"]["general"]["positionEncodings"][0],
                "textDocumentSync": 1,
                "completionProvider": {"triggerCharacters": ["["]},
                "executeCommandProvider": {"commands": ["mindnet.status", "mindnet.query"]},
                **{f"{name}Provider": True for name in offered},
            },
            "serverInfo": {"name": "stub"},
        }

    def initialized(self, params: Any) -> None:
        send(id=1, method="window/workDoneProgress/create", params={"token": "t"})
        for path in sorted(self.root.rglob("*.md")):
            self.texts.setdefault(path.as_uri(), path.read_text("utf-8"))
            self.names[path.stem.lower()] = path.as_uri()
        send(method="mindnet/status", params={"index": {"state": "ready"}})
        for uri in list(self.old):
            self._publish(uri, 1)

    def textDocument_didOpen(self, params: Any) -> None:  # noqa: N802 - the method's name
        document = params["textDocument"]
        self.texts[document["uri"]] = self.old[document["uri"]] = document["text"]
        self.names[Path(unquote(urlsplit(document["uri"]).path)).stem.lower()] = document["uri"]
        self._publish(document["uri"], document["version"])

    def textDocument_didChange(self, params: Any) -> None:  # noqa: N802
        document = params["textDocument"]
        self.old[document["uri"]] = self.texts[document["uri"]]
        self.texts[document["uri"]] = params["contentChanges"][0]["text"]
        self._publish(document["uri"], document["version"])

    def _publish(self, uri: str, version: int) -> None:
        names = LINK.findall(self.texts[uri])
        missing = [name for name in names if name.lower() not in self.names]
        found = [{"range": ZERO, "message": f"no note {name}"} for name in missing]
        params = {"uri": uri, "version": version, "diagnostics": found}
        if self.fault != "silent":
            send(method="textDocument/publishDiagnostics", params=params)

    def _text(self, uri: str) -> str:
        if self.fault == "stale" and self.old.get(uri, self.texts[uri]) != self.texts[uri]:
            return self.old.pop(uri)
        return self.texts[uri]

    def textDocument_definition(self, params: Any) -> Any:  # noqa: N802
        at, uri = params["position"], params["textDocument"]["uri"]
        line = self._text(uri).split("\n")[at["line"] :][:1] or [""]
        before = line[0].encode("utf-16-le")[: 2 * at["character"]].decode("utf-16-le")
        match = LINK.match(line[0], before.rfind("[["))
        if match is None or self.fault == "wrong":
            return None
        target = self.names.get(match[1].lower())
        return {"uri": target, "range": ZERO} if target else None

    def textDocument_hover(self, params: Any) -> Any:  # noqa: N802
        if self.fault == "grumpy":
            raise ValueError("no hover today")
        return {"contents": str(self.textDocument_definition(params))}

    def textDocument_documentSymbol(self, params: Any) -> Any:  # noqa: N802
        headings = re.findall(r"^#+ (.+)$", self._text(params["textDocument"]["uri"]), re.M)
        return [{"name": name, "kind": 15, "range": ZERO} for name in headings]

    def textDocument_references(self, params: Any) -> Any:  # noqa: N802
        target = self.textDocument_definition(params)["uri"]
        name = f"[[{Path(unquote(urlsplit(target).path)).stem}".lower()
        return [{"uri": u, "range": ZERO} for u, text in self.texts.items() if name in text.lower()]

    def textDocument_completion(self, params: Any) -> Any:  # noqa: N802
        return {"isIncomplete": True, "items": [{"label": name} for name in list(self.names)[:60]]}

    def workspace_executeCommand(self, params: Any) -> Any:  # noqa: N802
        return {"error": {"code": "store_unavailable", "message": "the stub has no store"}}


def main(fault: str) -> int:
    stub, source = Stub(fault), sys.stdin.buffer
    while header := source.readline():
        length = int(header.split(b":")[1])
        source.readline()
        message = json.loads(source.read(length))
        if message.get("method") == "exit":
            return 0
        if "method" not in message:
            continue
        try:
            answer = {"result": stub.handle(message["method"], message.get("params"))}
        except ValueError as error:
            answer = {"error": {"code": -32603, "message": str(error)}}
        if "id" in message:
            send(id=message["id"], **answer)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[2] if "--fault" in sys.argv else ""))
