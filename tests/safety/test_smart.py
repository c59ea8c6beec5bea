"""Smart edges of notes with hidden instructions, and of a model that obeys them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from core.ingest.pipeline import Importer
from core.llm import local
from core.smart import judge
from core.store.manifest import Expected
from core.store.store import Store, memory_store
from tests.core.smart.kit import Desk, ollama, passage_of, relations_of
from tests.safety.hostile import MARK, Connections, hostile_notes, obedient, outside_fences
from tests.support.cores import fingerprint

ALLOWED = {"/api/tags", "/api/show", "/api/chat"}


@pytest.fixture
async def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    """All hostile notes in one vault, with two notes that they link to."""
    monkeypatch.setattr(judge, "SOONEST", 0.001)
    monkeypatch.setattr(judge, "LATEST", 0.002)
    monkeypatch.setattr(judge, "TRIES", 1)
    monkeypatch.setattr(local, "FRESH_SECONDS", 60)
    with ollama() as server:
        made = Desk(tmp_path, server)
        for one in hostile_notes():
            made.write(f"{one.name}.md", one.note)
        made.write("Mill.md", "---\nid: mill\n---\n# Mill\n")
        made.write("Grandfather.md", "---\nid: grandfather\n---\n# Grandfather\n")
        yield made
        await made.stop()


def edges(store: Store) -> dict[str, dict[str, object]]:
    return {point.id: dict(point.payload) for point in store.edges.scan()}


def obeying(messages: list[dict[str, str]]) -> str:
    """Does what the passage says."""
    return obedient(messages[-1]["content"])


def eager(messages: list[dict[str, str]]) -> str:
    """Keeps to the form, and says yes to everything."""
    return json.dumps(dict.fromkeys(relations_of(messages[-1]["content"]), 100))


def test_there_are_thirty_of_them() -> None:
    assert len({one.name for one in hostile_notes()}) == 30
    assert all(MARK in one.text and "[[Mill]]" in one.text for one in hostile_notes())


@pytest.mark.parametrize("model", [obeying, eager])
async def test_only_a_choice_among_the_notes_own_edges_results(
    desk: Desk, connections: Connections, model: object
) -> None:
    desk.server.answer = model  # type: ignore[assignment]
    files = fingerprint(desk.root)
    with connections.seen() as addresses:
        await desk.start()
        await desk.sync()
        await desk.settled(None)
    # one question at least for each note, and each note's words are material in it
    passages = "".join(passage_of(question) for question in desk.questions)
    assert [one.name for one in hostile_notes() if one.mark not in passages] == []
    for question in desk.questions:
        assert MARK not in outside_fences(question)
        assert "evil" not in outside_fences(question).lower()
        assert "<|im_end|>" not in question
    # no file
    assert fingerprint(desk.root) == files
    # no edge but those that are there without a model, and choices among them
    plain = memory_store(expected=Expected())
    Importer(desk.root, plain, None, desk.config).sync()
    without, found = edges(plain), edges(desk.store)
    smart = {key: edge for key, edge in found.items() if edge["provenance"] == "smart"}
    assert {key: edge for key, edge in found.items() if key not in smart} == without
    candidates = {
        (edge["note_id"], edge["kind"], edge["target_id"])
        for edge in without.values()
        if edge["provenance"] in ("explicit", "rule")
    }
    for edge in smart.values():
        assert (edge["note_id"], edge["kind"], edge["target_id"]) in candidates
        assert edge["target_id"] in ("mill", "grandfather")
        assert float(str(edge["confidence"])) <= 0.85
    if model is eager:
        assert len(smart) >= 30, "a model that keeps to the form is heard"
    # no address
    assert addresses == {("127.0.0.1", urlsplit(desk.server.url).port)}
    assert {one.path for one in desk.server.requests} <= ALLOWED
