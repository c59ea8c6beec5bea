"""Workspace commands through the whole way: editor, language server, core, store."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from core.paths import vault_data_dir
from core.service.endpoint import read_endpoint
from tests.e2e.editor import Editor, editor
from tests.support.cores import fingerprint, kill_core, until, write_vault
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e

WORDS_ONLY = {"embedding": {"provider": "none"}}
NOTES = {
    "Wasserrad": "# Wasserrad\n\nEin oberschlächtiges Rad braucht drei Meter Gefälle. 🦆\n\n"
    "## Lager\n\nDie Lager werden mit Talg geschmiert. Siehe [[Mill Pond]].\n",
    "Mill Pond": "# Mill Pond\n\nThe pond stores water for the wheel overnight.\n",
    "Diary": "# Diary\n\n🦆 Today we walked around the Mill Pond.\n",
}
TERMS = ("semantic", "lexical", "edge_bonus", "centrality")


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A vault whose core is ended with the test."""
    found = write_vault(tmp_path / "vault", **NOTES)
    yield found
    data = {"MINDNET_DATA_DIR": str(tmp_path / "data")}
    if (tmp_path / "data").is_dir():
        kill_core(found, data)


@pytest.fixture
async def one(root: Path, tmp_path: Path) -> AsyncIterator[Editor]:
    """An editor with a German person before it, and its core ready."""
    settings = {**WORDS_ONLY, "locale": "de"}
    async with editor(root, tmp_path, settings=settings) as made:
        await until_indexed(made)
        yield made


def endpoint(root: Path, tmp: Path) -> Any:
    return read_endpoint(vault_data_dir(root, {"MINDNET_DATA_DIR": str(tmp / "data")}))


async def run(there: Editor, command: str, *arguments: Any, token: str | None = None) -> Any:
    params = types.ExecuteCommandParams(command, list(arguments) or None, token)
    answer = there.client.workspace_execute_command_async(params)
    return plain(await asyncio.wait_for(answer, 40))


def plain(found: Any) -> Any:
    """JSON of what the client made objects of."""
    if hasattr(found, "_asdict"):
        found = found._asdict()
    if isinstance(found, dict):
        return {key: plain(value) for key, value in found.items()}
    return [plain(item) for item in found] if isinstance(found, list | tuple) else found


async def until_indexed(there: Editor) -> Any:
    """Wait until the core says that the index is in step with the files."""

    def indexed() -> Any:
        last = plain(there.statuses[-1]) if there.statuses else {}
        ready = last.get("store", {}).get("state") == "ready"
        return last if ready and last["index"]["state"] == "ready" else None

    return await wait_until(indexed, 40, "the core's index")


async def until_found(there: Editor, text: str, path: str) -> float:
    """Seconds until a query finds a note first."""
    began = time.monotonic()
    async with asyncio.timeout(15):
        while True:
            hits = (await run(there, "mindnet.query", {"query": text}))["hits"]
            if hits and hits[0]["uri"] == there.uri(path):
                return time.monotonic() - began


async def test_query_in_two_languages(one: Editor) -> None:
    """Hits that open at their place, with a breakdown that adds up and reasons."""
    before = fingerprint(one.root)
    for text, path, word in (
        ("Womit werden die Lager geschmiert?", "Wasserrad.md", "Lager"),
        ("the pond stores water", "Mill Pond.md", "water"),
    ):
        answer = await run(one, "mindnet.query", {"query": text})
        assert (answer["mode"], answer["notice"]) == (
            "hybrid",
            "nur nach Wörtern gesucht: es gibt kein Embedding-Modell",
        )
        assert answer["took_ms"] > 0
        for hit in answer["hits"]:
            parts = hit["score_breakdown"]
            assert sum(parts[term] for term in TERMS) == pytest.approx(hit["score"], abs=1e-6)
            assert parts["total"] == hit["score"]
        hit = answer["hits"][0]
        assert hit["uri"] == one.uri(path)
        assert word.lower() in " ".join(hit["reasons"]).lower()
        lines = NOTES[path.removesuffix(".md")].split("\n")
        start, end = hit["range"]["start"], hit["range"]["end"]
        first = lines[start["line"]]
        assert first.strip()
        assert first in hit["text"].split("\n")
        assert start["character"] == 0
        assert start["line"] < end["line"] <= len(lines)
        assert {"path", "start_line", "end_line"} & hit.keys() == set()
    bare = await run(one, "mindnet.query", {"query": "Lager", "explain": False, "top_k": 1})
    assert [(hit["score_breakdown"], hit["reasons"]) for hit in bare["hits"]] == [(None, [])]
    filters = {"paths": ["Mill Pond.md"], "types": None}
    only = await run(one, "mindnet.query", {"query": "wheel Rad", "filters": filters})
    assert [hit["title"] for hit in only["hits"]] == ["Mill Pond"]
    assert fingerprint(one.root) == before


async def test_a_suggested_edge_becomes_a_link(one: Editor) -> None:
    """Also in text that is not saved, and only within the range."""
    text = NOTES["Diary"] + "\n🦆 The Wasserrad stood still.\n"
    one.open("Diary.md")
    one.change("Diary.md", text)
    found = await run(one, "mindnet.suggestEdges", {"uri": one.uri("Diary.md")})
    assert {s["title"] for s in found["suggestions"]} == {"Mill Pond", "Wasserrad"}
    for one_of in found["suggestions"]:
        start, end = (types.Position(**one_of["range"][at]) for at in ("start", "end"))
        edit = types.TextEdit(types.Range(start, end), one_of["new_text"])
        assert f"[[{one_of['title']}]]" in one.apply("Diary.md", [edit])
        assert one_of["reasons"]
        assert one_of["uri"] == one.uri(f"{one_of['title']}.md")
        assert one_of["score"] >= 0.35
    place = {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 9}}
    found = await run(
        one, "mindnet.suggestEdges", {"uri": one.uri("Diary.md"), "range": place, "top_k": 1}
    )
    assert [s["title"] for s in found["suggestions"]] == ["Wasserrad"]


async def test_graph_and_path(one: Editor) -> None:
    found = await run(one, "mindnet.graph", {"uri": one.uri("Wasserrad.md")})
    assert [(node["title"], node["degree"], node["hops"]) for node in found["nodes"]] == [
        ("Wasserrad", 1, 0),
        ("Mill Pond", 1, 1),
    ]
    assert [node["uri"] for node in found["nodes"]] == [
        one.uri("Wasserrad.md"),
        one.uri("Mill Pond.md"),
    ]
    names = {node["id"]: node["title"] for node in found["nodes"]}
    first = next(edge for edge in found["edges"] if edge["provenance"] == "explicit")
    assert (names[first["source"]], first["kind"], names[first["target"]]) == (
        "Wasserrad",
        "references",
        "Mill Pond",
    )
    whole = await run(one, "mindnet.graph", {"limit": 2})
    assert (len(whole["nodes"]), whole["truncated"]) == (2, True)

    ends = {"from_uri": one.uri("Mill Pond.md"), "to_uri": one.uri("Wasserrad.md")}
    steps = (await run(one, "mindnet.path", ends))["paths"][0]
    assert [(step["title"], step["kind"], step["forward"]) for step in steps] == [
        ("Mill Pond", "", True),
        ("Wasserrad", "references", False),
    ]
    assert steps[1]["uri"] == one.uri("Wasserrad.md")
    alone = {**ends, "to_uri": one.uri("Diary.md")}
    assert await run(one, "mindnet.path", alone) == {"paths": []}


async def test_reindex_with_progress(one: Editor) -> None:
    (one.root / "outside.md").write_text("# Outside\n\nA badger.")
    reports = one.client.progress_reports
    reports.update({"mine": [], "protocol": []})
    result = await run(one, "mindnet.reindex", {"workDoneToken": "mine", "full": True})
    assert (result["notes"], result["changed"], result["failed"]) == (4, 4, [])
    assert result["chunks"] > 0 < result["edges"]
    assert result["took_ms"] > 0
    again = await run(one, "mindnet.reindex", {"uri": one.uri("Diary.md")}, token="protocol")
    for token in ("mine", "protocol"):
        await wait_until(lambda: reports[token] and reports[token][-1].kind == "end")  # noqa: B023
        assert [report.kind for report in reports[token]] == ["begin", "report", "end"]
        assert reports[token][1].percentage == 100
    assert (again["changed"], again["deleted"]) == (0, 0)

    async def has_links() -> bool:
        return bool((await run(one, "mindnet.status"))["notes"] == 4)

    await until(has_links)
    status = await run(one, "mindnet.status")
    assert status["vault"] == str(one.root)
    assert (status["chunks"], status["edges"]) == (again["chunks"], again["edges"])
    assert status["store"] == {"mode": "embedded", "state": "ready"}
    assert status["embedding"]["provider"] == "none"


async def test_what_is_wrong_with_arguments_is_named(one: Editor) -> None:
    uri = one.uri("Diary.md")
    for command, arguments, field in (
        ("mindnet.query", [], "query"),
        ("mindnet.query", [{"query": 3}], "query"),
        ("mindnet.query", [{"query": "x", "top_k": "3"}], "top_k"),
        ("mindnet.query", [{"query": "x", "top_k": 0}], "top_k"),
        ("mindnet.query", [{"query": "x", "top_k": True}], "top_k"),
        ("mindnet.query", [{"query": "x", "mode": "magic"}], "mode"),
        ("mindnet.query", [{"query": "x", "explain": 1}], "explain"),
        ("mindnet.query", [{"query": "x", "filters": []}], "filters"),
        ("mindnet.query", [{"query": "x", "filters": {"tags": "t"}}], "filters.tags"),
        ("mindnet.query", [{"query": "x", "filters": {"updated_since": "?"}}], "updated_since"),
        ("mindnet.query", [{"query": "x", "uri": 1}], "uri"),
        ("mindnet.suggestEdges", [{}], "uri"),
        ("mindnet.suggestEdges", [{"uri": uri, "range": {"start": 1}}], "range"),
        ("mindnet.reindex", [{"full": "yes"}], "full"),
        ("mindnet.graph", [{"hops": 99}], "hops"),
        ("mindnet.graph", [{"kinds": "rel"}], "kinds"),
        ("mindnet.graph", [{"limit": "all"}], "limit"),
        ("mindnet.path", [{"from_uri": uri}], "to_uri"),
        ("mindnet.query", ["text"], "mindnet.query"),
        ("mindnet.fly", [{}], "Unknown command: mindnet.fly"),
    ):
        with pytest.raises(JsonRpcException) as caught:
            await run(one, command, *arguments)
        assert caught.value.code == -32602, (command, arguments)
        assert field in str(caught.value), (command, arguments)
    for command in ("mindnet.query", "mindnet.suggestEdges", "mindnet.reindex"):
        elsewhere = {"query": "x", "uri": "file:///nowhere/x.md"}
        error = (await run(one, command, elsewhere))["error"]
        assert (error["code"], error["hint"]) == ("not_a_note", "Open its vault as a folder.")
    commands = one.result.capabilities.execute_command_provider
    assert commands
    own = {"mindnet.query", "mindnet.reindex", "mindnet.status", "mindnet.suggestEdges"}
    assert own | {"mindnet.graph", "mindnet.path"} <= set(commands.commands)


async def test_saved_text_is_found(one: Editor) -> None:
    one.open("Diary.md")
    one.change("Diary.md", "# Diary\n\nA zeppelin passed over the valley.\n")
    one.save("Diary.md")
    assert await until_found(one, "zeppelin", "Diary.md") < 6  # below one on a machine at rest
    (one.root / "new.md").write_text("# New\n\nA gyrocopter landed.")
    one.touch("new.md", types.FileChangeType.Created)
    assert await until_found(one, "gyrocopter", "new.md") < 6


async def test_a_killed_core_comes_back(one: Editor, tmp_path: Path) -> None:
    data = {"MINDNET_DATA_DIR": str(tmp_path / "data")}
    first = kill_core(one.root, data)
    links = one.client.text_document_definition_async(
        types.DefinitionParams(**one.mark("Diary.md", "# Diary\n\n[[Mill $0Pond]]\n"))
    )
    assert await links
    assert await until_found(one, "overnight", "Mill Pond.md") >= 0
    assert endpoint(one.root, tmp_path).pid != first
    one.save("Diary.md")
    assert (await run(one, "mindnet.status"))["index"]["state"] in ("ready", "indexing")


async def test_two_windows_share_a_core(one: Editor, tmp_path: Path) -> None:
    pid = endpoint(one.root, tmp_path).pid
    async with editor(one.root, tmp_path, "neovim", settings=WORDS_ONLY) as two:
        await until_indexed(two)
        two.open("Diary.md")
        two.change("Diary.md", "# Diary\n\nAn airship passed.\n")
        two.save("Diary.md")
        assert await until_found(one, "airship", "Diary.md") >= 0
        assert await until_found(two, "airship", "Diary.md") >= 0
        assert endpoint(one.root, tmp_path).pid == pid
    assert await until_found(one, "airship", "Diary.md") >= 0


async def test_without_a_core_links_work_and_commands_say_so(root: Path, tmp_path: Path) -> None:
    """The data folder cannot be made."""
    os.close(os.open(tmp_path / "data", os.O_CREAT))
    async with editor(root, tmp_path, settings=WORDS_ONLY) as there:
        began = time.monotonic()
        for command in ("mindnet.query", "mindnet.reindex", "mindnet.suggestEdges"):
            uri = there.uri("Diary.md")
            error = (await run(there, command, {"query": "x", "uri": uri}))["error"]
            assert error["code"] == "store_unavailable"
            assert "cannot be started" in error["message"]
            assert str(tmp_path / "data") in error["hint"]
        status = await run(there, "mindnet.status")
        assert time.monotonic() - began < 10
        assert (status["notes"], status["index"]["state"]) == (3, "ready")
        assert "cannot be started" in status["store"]["state"]
        there.open("Mill Pond.md", "# Mill Pond\n\n[[Nowhere]]\n")
        await there.until_codes("Mill Pond.md", ["unresolved-link"])
