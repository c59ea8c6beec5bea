"""A vault, a server of this process, and its answers in short form: `line:column` as the
client counts, paths as in the vault."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lsprotocol import types

from core.text import LineIndex
from mindnet_lsp.convert import Converter
from tests.lsp.wire import Message, Wire, wire

RECORDED = Path(__file__).parents[1] / "e2e" / "clients"


def recorded(profile: str) -> Message:
    """What a real editor declared."""
    found: Message = json.loads((RECORDED / f"{profile}.json").read_text("utf-8"))["capabilities"]
    return found


def span(found: Message) -> str:
    """A range as `0:14-0:19`, in one line as `0:14-19`."""
    start, end = found["start"], found["end"]
    last = "" if start["line"] == end["line"] else f"{end['line']}:"
    return f"{start['line']}:{start['character']}-{last}{end['character']}"


class Asking:
    """Asks as an editor does; every note that is asked about is open."""

    def __init__(self, client: Wire, root: Path) -> None:
        self.client, self.root = client, root
        self.texts: dict[str, str] = {}
        self._version = 1

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def path(self, uri: str) -> str:
        return unquote(uri.removeprefix(f"{self.root.as_uri()}/"))

    def open(self, path: str, text: str | None = None) -> None:
        """Open a note, or give an open one another text."""
        new = (self.root / path).read_bytes().decode() if text is None else text
        self._version += 1
        if path in self.texts:
            self.client.change(self.uri(path), new, self._version)
        else:
            self.client.open(self.uri(path), new, self._version)
        self.texts[path] = new

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """The result of a request about a note. An error is an AssertionError."""
        if path not in self.texts:
            self.open(path)
        answer = await self.client.ask(method, {"textDocument": {"uri": self.uri(path)}, **more})
        assert "error" not in answer, answer["error"]
        return answer["result"]

    async def at(self, method: str, path: str, line: int, character: int, **more: Any) -> Any:
        position = {"line": line, "character": character}
        return await self.ask(method, path, position=position, **more)

    async def diagnostics(self, path: str) -> list[Any]:
        report = await self.ask("textDocument/diagnostic", path)
        found: list[Any] = report["items"]
        return found

    async def findings(self, path: str) -> list[str]:
        """`0:14-19 code` of each."""
        return [f"{span(d['range'])} {d['code']}" for d in await self.diagnostics(path)]

    async def definition(self, path: str, line: int, character: int) -> str | None:
        """The path that a definition leads to, with `:line` where that is not the first."""
        found = await self.at("textDocument/definition", path, line, character)
        for item in found or ():
            at = item["targetSelectionRange"]["start"]["line"]
            return self.path(item["targetUri"]) + (f":{at}" if at else "")
        return None

    async def references(self, path: str, line: int, character: int) -> list[str]:
        """`path 0:4-9` of each."""
        context = {"includeDeclaration": False}
        found = await self.at("textDocument/references", path, line, character, context=context)
        return [f"{self.path(item['uri'])} {span(item['range'])}" for item in found or ()]

    async def symbols(self, path: str) -> list[str]:
        found = await self.ask("textDocument/documentSymbol", path)
        return [f"{item['name']} {item['selectionRange']['start']['line']}" for item in found or ()]

    async def completed(self, path: str, line: int, character: int) -> list[tuple[str, str]]:
        """Each item's label, and the text after it is accepted."""
        found = await self.at("textDocument/completion", path, line, character)
        result = []
        for item in found["items"] if found else ():
            edit = item["textEdit"]
            edit = {"range": edit.get("range", edit.get("replace")), "newText": edit["newText"]}
            result.append((item["label"], self.edited(path, [edit])))
        return result

    async def completion(self, path: str, line: int, character: int) -> dict[str, str]:
        """The text after each item is accepted, by label."""
        return dict(await self.completed(path, line, character))

    async def actions(self, path: str, wanted: str = "") -> list[Any]:
        """The actions at every finding of a note with this code, or at all."""
        found: list[Any] = []
        for item in await self.diagnostics(path):
            if wanted in ("", item["code"]):
                context = {"diagnostics": [item]}
                found += (
                    await self.ask(
                        "textDocument/codeAction", path, range=item["range"], context=context
                    )
                    or ()
                )
        return [await self.resolved(action) for action in found]

    async def resolved(self, action: Any) -> Any:
        """The action with its edit."""
        if "edit" in action or "data" not in action:
            return action
        return (await self.client.ask("codeAction/resolve", action))["result"]

    async def rename(
        self, path: str, line: int, character: int, new_name: str
    ) -> tuple[dict[str, str], dict[str, str]]:
        """New texts by path, and new paths by path."""
        edit = await self.at("textDocument/rename", path, line, character, newName=new_name)
        return self.applied(edit)

    def applied(self, edit: Any) -> tuple[dict[str, str], dict[str, str]]:
        """New texts by path, and new paths by path (of created files to themselves)."""
        texts: dict[str, str] = {}
        moved: dict[str, str] = {}
        for change in (edit or {}).get("documentChanges", ()):
            kind = change.get("kind")
            if kind == "rename":
                moved[self.path(change["oldUri"])] = self.path(change["newUri"])
            elif kind == "create":
                assert change["options"] == {"overwrite": False, "ignoreIfExists": True}
                moved[self.path(change["uri"])] = self.path(change["uri"])
            else:
                path = self.path(change["textDocument"]["uri"])
                texts[path] = self.edited(path, change["edits"])
        return texts, moved

    def edited(self, path: str, edits: list[Any]) -> str:
        """The text of a note after edits of this client."""
        text = self.texts.get(path)
        if text is None:
            file = self.root / path
            text = file.read_bytes().decode() if file.exists() else ""
        lines, convert = LineIndex(text), Converter("utf-16")
        for edit in sorted(edits, key=lambda e: list(e["range"]["start"].values()), reverse=True):
            start, end = (types.Position(**edit["range"][side]) for side in ("start", "end"))
            found = convert.span(lines, types.Range(start, end))
            text = text[: found.start] + edit["newText"] + text[found.end :]
        return text


@asynccontextmanager
async def asking(
    tmp_path: Path, files: Mapping[str, str], profile: str = "vscode"
) -> AsyncIterator[Asking]:
    """A server for a vault of these files, and the first of them open."""
    root = tmp_path / "vault"
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    async with wire(root, tmp_path / "data", recorded(profile)) as client:
        found = Asking(client, root)
        found.open(next(iter(files)))
        yield found
