"""The feedback loop through the whole way: ask, rate, look back; and why a note is no hit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from core.feedback.history import FEEDBACK_FILE, HISTORY_FILE
from core.paths import vault_data_dir
from tests.e2e.editor import Editor, capabilities, editor
from tests.e2e.test_commands import WORDS_ONLY, one, root, run, until_indexed
from tests.support.cores import fingerprint, kill_core, until, write_vault

pytestmark = pytest.mark.e2e

__all__ = ["one", "root"]


def data(root: Path, tmp: Path) -> Path:
    return vault_data_dir(root, {"MINDNET_DATA_DIR": str(tmp / "data")})


async def test_ask_rate_look_back(one: Editor, tmp_path: Path) -> None:
    before = fingerprint(one.root)
    first = await run(one, "mindnet.query", {"query": "Womit werden die Lager geschmiert?"})
    bare = await run(one, "mindnet.query", {"query": "pond", "explain": False, "top_k": 1})
    assert "why_not" not in first
    assert UUID(first["query_id"]).version == 4
    hit = first["hits"][0]
    assert len(hit["reason_facts"]) == len(hit["reasons"])
    rating = {"query_id": first["query_id"], "node_id": hit["note_id"], "score": 5}
    assert await run(one, "mindnet.feedback", {**rating, "comment": "genau"}) == {"ok": True}
    found = await run(one, "mindnet.history")
    assert [entry["query_id"] for entry in found["entries"]] == [
        bare["query_id"],
        first["query_id"],
    ]
    entry = found["entries"][1]
    assert (entry["query"], entry["mode"]) == ("Womit werden die Lager geschmiert?", "hybrid")
    assert entry["hits"][0]["uri"] == one.uri("Wasserrad.md")
    assert entry["hits"][0]["score_breakdown"] == hit["score_breakdown"]
    assert found["entries"][0]["hits"][0]["score_breakdown"]["total"] > 0
    assert [(r["score"], r["comment"]) for r in entry["feedback"]] == [(5, "genau")]
    assert len((await run(one, "mindnet.history", {"limit": 1}))["entries"]) == 1
    assert fingerprint(one.root) == before
    log = (data(one.root, tmp_path) / "core.log").read_text("utf-8")
    assert "geschmiert" not in log


async def test_what_cannot_be_rated(one: Editor) -> None:
    """A result that says so in the user's language; wrong types are the caller's fault."""
    asked = await run(one, "mindnet.query", {"query": "Lager"})
    good = {"query_id": asked["query_id"], "node_id": asked["hits"][0]["note_id"], "score": 3}
    for wrong, field in (
        ({"query_id": "nonsense"}, "query_id"),
        ({"node_id": "nowhere"}, "node_id"),
        ({"node_id": "generated_answer"}, "node_id"),
        ({"score": 6}, "score"),
        ({"score": 0}, "score"),
        ({"comment": "x" * 3000}, "comment"),
    ):
        error = (await run(one, "mindnet.feedback", {**good, **wrong}))["error"]
        assert error["code"] == "invalid_arguments"
        assert error["message"].startswith(field)
    error = (await run(one, "mindnet.feedback", {**good, "query_id": "nonsense"}))["error"]
    assert "steht nicht im Suchverlauf" in error["message"]
    assert error["hint"]
    for command, arguments in (
        ("mindnet.feedback", {}),
        ("mindnet.feedback", {**good, "score": "3"}),
        ("mindnet.feedback", {**good, "node_id": 7}),
        ("mindnet.history", {"limit": "all"}),
        ("mindnet.query", {"query": "x", "why_not": 3}),
    ):
        with pytest.raises(JsonRpcException) as caught:
            await run(one, command, arguments)
        assert caught.value.code == -32602
    error = (await run(one, "mindnet.history", {"limit": 0}))["error"]
    assert error["code"] == "invalid_arguments"
    assert (await run(one, "mindnet.feedback", good)) == {"ok": True}


async def test_why_not(one: Editor) -> None:
    """By URI, title and id; the place is a URI."""
    uri = one.uri("Diary.md")
    asked = {"query": "Talg", "hops": 0}
    found = [
        (await run(one, "mindnet.query", {**asked, "why_not": name}))["why_not"]
        for name in (uri, "Diary", "Diary.md")
    ]
    assert found[0] == found[1] == found[2]
    assert (found[0]["cause"], found[0]["uri"]) == ("nothing_in_common", uri)
    assert found[0]["sentences"] == ["keines der Wörter kommt darin vor"]
    assert "path" not in found[0]
    for name in ("Dairy", "file:///nowhere/x.md"):
        error = (await run(one, "mindnet.query", {**asked, "why_not": name}))["error"]
        assert error["code"] == "not_a_note"
    assert (
        "Diary" in (await run(one, "mindnet.query", {**asked, "why_not": "Dairy"}))["error"]["hint"]
    )


async def test_switched_off_at_once(root: Path, tmp_path: Path) -> None:
    """The setting counts for the next query, without another core."""
    settings = {**WORDS_ONLY, "history": {"enabled": False}}
    async with editor(root, tmp_path, settings=settings) as there:
        await until_indexed(there)
        asked = await run(there, "mindnet.query", {"query": "pond"})
        hit = asked["hits"][0]["note_id"]
        rating = {"query_id": asked["query_id"], "node_id": hit, "score": 3}
        error = (await run(there, "mindnet.feedback", rating))["error"]
        assert "history.enabled" in error["hint"]
        found = await run(there, "mindnet.history")
        assert (found["entries"], "history.enabled" in found["notice"]) == ([], True)
        assert not {HISTORY_FILE, FEEDBACK_FILE} & set(os.listdir(data(root, tmp_path)))
        there.client.set_configuration({"mindnet": WORDS_ONLY})
        changed = types.DidChangeConfigurationParams(None)
        there.client.workspace_did_change_configuration(changed)

        async def is_on() -> bool:
            return (await run(there, "mindnet.history"))["notice"] is None

        await until(is_on)
        await run(there, "mindnet.query", {"query": "wheel"})
        found = await run(there, "mindnet.history")
        assert [entry["query"] for entry in found["entries"]] == ["wheel"]


async def test_the_vault_that_knows_the_query(root: Path, tmp_path: Path) -> None:
    """Two folders: the rating goes to the one that was asked, and a wrong one names the field."""
    other = write_vault(tmp_path / "other", stork="# Stork\n\nNests on the chimney.")
    folders = [types.WorkspaceFolder(one.as_uri(), one.name) for one in (root, other)]
    params = types.InitializeParams(capabilities("vscode"), workspace_folders=folders)
    try:
        async with editor(root, tmp_path, params=params, ready=False, settings=WORDS_ONLY) as there:
            await there.until_ready(2)
            uri = (other / "stork.md").as_uri()
            asked: dict[str, Any] = {}

            async def answers() -> bool:
                asked.update(await run(there, "mindnet.query", {"query": "chimney", "uri": uri}))
                return bool(asked.get("hits"))

            await until(answers, 40)
            rating = {"query_id": asked["query_id"], "node_id": "nowhere", "score": 4}
            error = (await run(there, "mindnet.feedback", rating))["error"]
            assert error["message"].startswith("node_id:")
            rating["node_id"] = asked["hits"][0]["note_id"]
            assert await run(there, "mindnet.feedback", rating) == {"ok": True}
            entry = (await run(there, "mindnet.history", {"uri": uri}))["entries"][0]
            assert entry["feedback"][0]["score"] == 4
            unknown = {**rating, "query_id": "nonsense"}
            error = (await run(there, "mindnet.feedback", unknown))["error"]
            assert error["message"].startswith("query_id:")
    finally:
        kill_core(other, {"MINDNET_DATA_DIR": str(tmp_path / "data")})
