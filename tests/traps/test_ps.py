"""PS: positions and text synchronisation. Each case by its number."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.wire import Wire, wire
from tests.support.waiting import wait_until
from tests.traps.asking import asking, span

SEA = "🚢🚢 see [[Pump]] and [[Gone]]\n"
BIRD = "ñandú [[Pump]]"
WIN = "# T\r\n\r\n[[Pump]]\r\n[[Gone]]\r\n"
FRONT = "---\ntitle: Gauge\n# reviewed in spring\n---\n# Gauge room\n\n[[Gone]]\n"
EMPTY = "---\n---\n# Test\n\n[[Gone]]\n"
EDGE = "ab\n[[Pump]]\n"
KEY = "- 灯台の**古い鍵**を探す\n"
PUMP = "# Pump\n"
AT_A_PLACE = (
    "hover", "definition", "declaration", "completion", "references", "documentHighlight",
    "linkedEditingRange", "prepareRename", "prepareCallHierarchy",
)  # fmt: skip


def at(line: int, start: int, end: int | None = None) -> Any:
    last = start if end is None else end
    return {
        "start": {"line": line, "character": start},
        "end": {"line": line, "character": last},
    }


def change(client: Wire, uri: str, version: int, *changes: Any) -> None:
    """One `didChange`; each change is `(range, text)` or a whole text."""
    sent = [
        {"text": each} if isinstance(each, str) else {"range": each[0], "text": each[1]}
        for each in changes
    ]
    document = {"uri": uri, "version": version}
    params = {"textDocument": document, "contentChanges": sent}
    client.notify("textDocument/didChange", params)


def text_of(client: Wire, uri: str) -> str | None:
    found = client.server.sessions.find(uri)
    return found[0].text(found[1]) if found else None


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for each in value for text in strings(each)]
    return [value] if isinstance(value, str) else []


async def test_ps_01_emoji_count_as_the_client_counts(tmp_path: Path) -> None:
    async with asking(tmp_path, {"sea.md": SEA, "Pump.md": PUMP}) as ed:
        assert await ed.findings("sea.md") == ["0:24-28 unresolved-link"]
        assert await ed.definition("sea.md", 0, 11) == "Pump.md"
        change(ed.client, ed.uri("sea.md"), 9, (at(0, 11, 15), "Tide"))
        assert text_of(ed.client, ed.uri("sea.md")) == "🚢🚢 see [[Tide]] and [[Gone]]\n"


async def test_ps_01_also_behind_lines_with_emoji(tmp_path: Path) -> None:
    text = "🚢\n# 👩‍🚀 Crew\r\n\n- 🚢 [[Pump]] 🚢 [[Gone]]\n"
    async with asking(tmp_path, {"sea.md": text, "Pump.md": "# 🚢 Pump\n\n## 🚢 Deck\n"}) as ed:
        assert await ed.findings("sea.md") == ["3:19-23 unresolved-link"]
        assert await ed.definition("sea.md", 3, 8) == "Pump.md"
        assert await ed.references("Pump.md", 0, 4) == ["sea.md 3:7-11"]
        ed.open("sea.md", "🚢 [[Pump#🚢 Deck]]\n")
        assert await ed.definition("sea.md", 0, 12) == "Pump.md:2"
        found = await ed.at("textDocument/hover", "sea.md", 0, 12)
        assert "Deck" in str(found)


@pytest.mark.parametrize(
    ("encodings", "answer", "start"),
    [
        (["utf-8", "utf-32", "utf-16"], "utf-8", 8),
        (["utf-32", "utf-8"], "utf-32", 6),
        (["utf-16"], "utf-16", 6),
        (["latin-1"], "utf-16", 6),
        ([], "utf-16", 6),
        (None, "utf-16", 6),
    ],
)
async def test_ps_02_one_encoding_for_everything(
    tmp_path: Path, encodings: list[str] | None, answer: str, start: int
) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    (root / "bird.md").write_text(BIRD)
    (root / "other.md").write_text("ñ🚢 [[bird]]\n")
    general = {} if encodings is None else {"general": {"positionEncodings": encodings}}
    uri = (root / "bird.md").as_uri()
    async with wire(root, tmp_path / "data", general) as client:
        (started,) = [m["result"] for m in client.sent if "serverInfo" in str(m.get("result"))]
        assert started["capabilities"].get("positionEncoding", "utf-16") == answer
        client.open(uri, BIRD)
        await wait_until(lambda: [x for x in client.published(uri) if x["diagnostics"]])
        (found,) = client.published(uri)[-1]["diagnostics"]
        assert span(found["range"]) == f"0:{start + 2}-{start + 6}"
        # in a note that is not open, from what is known of its line
        client.open((root / "c.md").as_uri(), "[[bird]]\n")
        asked = {
            "textDocument": {"uri": (root / "c.md").as_uri()},
            "position": {"line": 0, "character": 3},
            "context": {"includeDeclaration": False},
        }
        found = (await client.ask("textDocument/references", asked))["result"]
        (use,) = [each for each in found if each["uri"].endswith("other.md")]
        assert span(use["range"]) == {
            "utf-8": "0:9-13", "utf-16": "0:6-10", "utf-32": "0:5-9"
        }[answer]  # fmt: skip
        change(client, uri, 2, (at(0, start), "x"))
        assert text_of(client, uri) == "ñandú x[[Pump]]"


async def test_ps_03_changes_apply_in_their_order(tmp_path: Path) -> None:
    async with asking(tmp_path, {"seq.md": "[[A]]\n[[B]]\n"}) as ed:
        uri = ed.uri("seq.md")
        change(ed.client, uri, 9, (at(0, 0), "x\n"), (at(2, 2, 3), "C"))
        assert text_of(ed.client, uri) == "x\n[[A]]\n[[C]]\n"
        change(ed.client, uri, 10, (at(3, 0), "[[D]]"))
        assert text_of(ed.client, uri) == "x\n[[A]]\n[[C]]\n[[D]]"
        found = await ed.findings("seq.md")
        assert [each.split()[0] for each in found] == ["1:2-3", "2:2-3", "3:2-3"]
        # a change without a range replaces all, also between others
        change(ed.client, uri, 11, (at(0, 0), "y"), "[[E]]\n", (at(0, 2, 3), "F"))
        assert text_of(ed.client, uri) == "[[F]]\n"
        params = {
            "textDocument": {"uri": uri, "version": 12},
            "contentChanges": [{"range": at(0, 2, 3), "rangeLength": 99, "text": "G"}],
        }
        ed.client.notify("textDocument/didChange", params)
        assert text_of(ed.client, uri) == "[[G]]\n"


@pytest.mark.parametrize("whole", [True, False])
async def test_ps_04_every_key_arrives_once(tmp_path: Path, whole: bool) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    (root / "new.md").write_text("")
    (root / "Pump.md").write_text(PUMP)
    uri = (root / "new.md").as_uri()
    async with wire(root, tmp_path / "data") as client:
        client.open(uri, "")
        text, version = "", 1
        for key in "[[Pump]] an<<and mor<e [[Gone]]":
            version += 1
            last = len(text)
            if key == "<":
                text, edit = text[:-1], (at(0, last - 1, last), "")
            else:
                text, edit = text + key, (at(0, last), key)
            change(client, uri, version, text if whole else edit)
            assert text_of(client, uri) == text
        assert version >= 31
        await wait_until(lambda: client.published(uri)[-1:] and _version(client, uri) == version)
        assert [d["code"] for d in client.published(uri)[-1]["diagnostics"]] == ["unresolved-link"]


def _version(client: Wire, uri: str) -> Any:
    return client.published(uri)[-1]["version"]


async def test_ps_05_windows_line_ends(tmp_path: Path) -> None:
    files = {"win.md": WIN, "Pump.md": "# Pump\r\n\r\nDeep text\r\nhere.\r\n\r\n## Sump\r\n"}
    async with asking(tmp_path, files) as ed:
        assert await ed.findings("win.md") == ["3:2-6 unresolved-link"]
        assert await ed.symbols("win.md") == ["T 0"]
        for method in ("hover", "definition", "completion", "documentHighlight"):
            for line in range(5):
                for character in (0, 2, 5, 8):
                    found = await ed.at(f"textDocument/{method}", "win.md", line, character)
                    assert not [text for text in strings(found) if "\r" in text], method
        for method in ("codeLens", "documentLink", "documentSymbol", "diagnostic"):
            found = await ed.ask(f"textDocument/{method}", "win.md")
            assert not [text for text in strings(found) if "\r" in text], method
        texts, moved = await ed.rename("win.md", 2, 4, "Engine")
        assert moved == {"Pump.md": "Engine.md"}
        assert texts["win.md"] == WIN.replace("[[Pump]]", "[[Engine]]")
        assert "\n" not in texts.get("Pump.md", "").replace("\r\n", "")


async def test_ps_05_added_lines_end_as_the_others(tmp_path: Path) -> None:
    files = {
        "a.md": "# A\r\n\r\n[[ships#Heron]] [[#Own]]\r\n",
        "ships.md": "# Ships\r\n\r\nText\r\n",
    }
    async with asking(tmp_path, files) as ed:
        added = 0
        for action in await ed.actions("a.md"):
            texts, _ = ed.applied(action.get("edit"))
            for path, text in texts.items():
                added += text.count("\n") > files.get(path, "").count("\n")
                assert "\n" not in text.replace("\r\n", ""), action["title"]
        assert added >= 2


async def test_ps_06_frontmatter_shifts_nothing(tmp_path: Path) -> None:
    files = {
        "front.md": FRONT,
        "empty.md": EMPTY,
        "crlf.md": FRONT.replace("\n", "\r\n"),
        "tags.md": "---\ntitle: A\n#hash: no tag\nx: '# none'\n---\n\n# One #real\n",
    }
    async with asking(tmp_path, files) as ed:
        assert await ed.symbols("front.md") == ["Gauge room 4"]
        assert await ed.findings("front.md") == ["6:2-6 unresolved-link"]
        assert await ed.symbols("empty.md") == ["Test 2"]
        assert await ed.findings("empty.md") == ["4:2-6 unresolved-link"]
        assert await ed.symbols("crlf.md") == ["Gauge room 4"]
        assert await ed.findings("crlf.md") == ["6:2-6 unresolved-link"]
        assert [each.rpartition(" ")[2] for each in await ed.symbols("tags.md")] == ["6"]
        tags = ed.client.server.sessions.folders[0].snapshot().tags
        assert list(tags) == ["real"]


@pytest.mark.parametrize("place", [(0, 999), (7, 0), (1, 8), (2, 0), (2**31 - 1, 2**31 - 1)])
async def test_ps_07_positions_out_of_range(
    tmp_path: Path, place: tuple[int, int], caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "vault").mkdir()
    with caplog.at_level(logging.WARNING):
        async with asking(tmp_path, {"edge.md": EDGE, "Pump.md": PUMP}) as ed:
            uris = [ed.uri("edge.md"), ed.uri("Pump.md"), ed.uri("none.md"), "file:///no/such.md",
                    "untitled:Untitled-9", "http://example.org/a.md", ""]  # fmt: skip
            position = {"line": place[0], "character": place[1]}
            for uri in uris:
                document = {"textDocument": {"uri": uri}}
                here = {**document, "position": position}
                for method in AT_A_PLACE:
                    more = (
                        {"context": {"includeDeclaration": True}} if method == "references" else {}
                    )
                    answer = await ed.client.ask(f"textDocument/{method}", {**here, **more})
                    assert "result" in answer, (uri, method, answer)
                    if uri not in uris[:2] and method != "completion":
                        assert not answer["result"], (uri, method)
                spot = {"range": {"start": position, "end": position}}
                actions = {**document, **spot, "context": {"diagnostics": []}}
                assert "result" in await ed.client.ask("textDocument/codeAction", actions)
                chosen = {**document, "positions": [position]}
                assert "result" in await ed.client.ask("textDocument/selectionRange", chosen)
            change(ed.client, ed.uri("edge.md"), 9, (at(0, 999), "Z"))
            assert text_of(ed.client, ed.uri("edge.md")) == "abZ\n[[Pump]]\n"
    assert "Traceback" not in caplog.text
    assert "Error" not in caplog.text


async def test_ps_08_no_character_is_split(tmp_path: Path) -> None:
    async with asking(tmp_path, {"key.md": KEY, "古い鍵.md": "# 古い鍵\n"}) as ed:
        for start in range(16):
            for end in (start, start + 1, start + 3):
                context: Any = {"diagnostics": []}
                asked = {"range": at(0, start, end), "context": context}
                for action in await ed.ask("textDocument/codeAction", "key.md", **asked) or ():
                    resolved = await ed.resolved(action)
                    texts, _ = ed.applied(resolved.get("edit"))
                    for text in texts.values():
                        json.dumps(text).encode()
                        assert "\ufffd" not in text
        wanted = {"range": at(0, 7, 10), "context": {"diagnostics": []}}
        edited = []
        for action in await ed.ask("textDocument/codeAction", "key.md", **wanted) or ():
            texts, _ = ed.applied((await ed.resolved(action)).get("edit"))
            edited.append(texts.get("key.md"))
        assert KEY.replace("古い鍵", "[[古い鍵]]") in edited, edited
