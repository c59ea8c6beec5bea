"""Smart edges from a saved note to the store, with a scripted model behind Ollama's protocol."""

from __future__ import annotations

import json

import pytest

from core.check.run import check
from core.check.shapes import Finding
from core.check.view import VaultFiles
from core.ingest.hashing import HashOptions
from core.store.ports import Eq
from tests.core.smart.kit import MODEL, Desk, passage_of, relations_of, saying
from tests.support.fake_ollama import FakeModel, Hold, Script, error, last, line
from tests.support.waiting import wait_until

LONG = " ".join(["The river ran high that spring and nobody slept."] * 60)
FLOOD = f"""\
---
type: experience
id: flood
---
# Flood

What [[Grandfather]] said of the water made me write this down.

## Later

{LONG}

## Since then

I look after the [[Mill]] by his rules.
"""
INSPIRED = {"is inspired by → Grandfather": 100, "is derived from → Mill": 75}
FOUND = {("inspired_by", "gf", 0.85), ("derived_from", "mill", 0.75)}
PASSAGES = 4


@pytest.fixture
async def vault(desk: Desk) -> Desk:
    """The note above and its targets, not indexed yet."""
    desk.write("flood.md", FLOOD)
    desk.write("Grandfather.md", "---\nid: gf\ntype: person\n---\n# Grandfather\n\nMy [[Mill]].\n")
    desk.write("Mill.md", "---\nid: mill\ntype: concept\n---\n# Mill\n")
    desk.server.answer = saying(INSPIRED)
    return desk


async def judged(desk: Desk) -> None:
    await desk.start()
    await desk.sync()
    await desk.settled()


def meant(desk: Desk, note_id: str = "flood") -> set[tuple[str, str, float]]:
    return {edge[1:] for edge in desk.smart(note_id)}


async def test_a_note_of_such_a_type_gets_smart_edges(vault: Desk) -> None:
    await judged(vault)
    assert meant(vault) == FOUND  # no model is surer than 0.85
    edges = vault.store.edges.scan(Eq("provenance", "smart"))
    for edge in (point.payload for point in edges):
        assert (edge["rule_id"], edge["scope"]) == (f"smart:{MODEL}", "chunk")
        assert edge["source_id"] == edge["chunk_id"]
        assert edge["note_id"] == "flood"
    # a note whose type does not ask for it is not asked about
    assert len(vault.questions) == PASSAGES
    assert not any("My [[Mill]]" in question for question in vault.questions)
    assert vault.state.state == "ready"


async def test_what_a_passage_states_itself_is_no_question(desk: Desk) -> None:
    text = "---\ntype: experience\n---\nIt was [[rel:inspired_by Mill]] and nothing else.\n"
    desk.write("a.md", text)
    desk.write("Mill.md", "# Mill\n")
    await judged(desk)
    (question,) = desk.questions
    assert list(relations_of(question).values()) == ["is derived from → Mill"]
    assert passage_of(question) == "It was [[rel:inspired_by Mill]] and nothing else."


async def test_the_store_with_smart_edges_passes_its_checks(vault: Desk) -> None:
    await judged(vault)
    files = VaultFiles(vault.root, (), HashOptions(), vault.config, "")
    assert [one for one in check(vault.store, files) if isinstance(one, Finding)] == []


async def test_a_note_that_is_left_out_reaches_no_prompt(vault: Desk) -> None:
    vault.write("flood.md", FLOOD.replace("id: flood", "id: flood\nembedding_exclude: true"))
    # nor does the title of such a note: only what the linking note itself says of it
    secret = "---\nid: mill\nembedding_exclude: true\n---\n# The secret mill\n\nHidden.\n"
    vault.write("Mill.md", secret)
    vault.write("b.md", "---\ntype: experience\nid: b\n---\nI often go to the [[Mill]].\n")
    await judged(vault)
    assert [passage_of(q) for q in vault.questions] == ["I often go to the [[Mill]]."]
    assert relations_of(vault.questions[0])["r1"].endswith("→ Mill")
    everything = json.dumps([one.body for one in vault.server.requests])
    assert "Grandfather" not in everything
    assert "secret mill" not in everything
    assert meant(vault) == set()
    # and a note that asks for it later loses what it had
    assert meant(vault, "b") == {("derived_from", "mill", 0.75)}
    vault.write("b.md", "---\ntype: experience\nid: b\nembedding_exclude: true\n---\n[[Mill]]\n")
    await vault.sync("b.md")
    assert meant(vault, "b") == set()


async def test_a_changed_note_is_asked_about_its_changed_passages_alone(vault: Desk) -> None:
    await judged(vault)
    vault.write("flood.md", FLOOD.replace("by his rules", "by my own rules"))
    await vault.sync("flood.md")
    await vault.settled()
    assert len(vault.questions) == PASSAGES + 1
    assert "by my own rules" in vault.questions[-1]
    assert meant(vault) == FOUND


async def test_a_new_import_asks_nothing_and_keeps_all(vault: Desk) -> None:
    await judged(vault)
    before = vault.smart("flood")
    vault.server.stop()
    await vault.start()
    assert (await vault.sync()).changed == 0
    assert vault.smart("flood") == before
    vault.write("flood.md", FLOOD + "\nOne word more.\n")
    await vault.sync("flood.md")
    left = vault.state
    assert (left.waiting, left.state) == (1, "waiting")
    assert {edge[1:] for edge in before if edge[2] == "gf"} <= meant(vault)


async def test_it_goes_on_where_it_was_stopped(vault: Desk) -> None:
    hold = Hold()
    vault.server.script("/api/chat", _answer(vault), Script([hold]))
    await vault.start()
    await vault.sync()
    await wait_until(hold.reached.is_set)
    assert vault.state.waiting == PASSAGES - 1
    await vault.start()
    await vault.settled()
    assert meant(vault) == FOUND
    asked = [passage_of(question) for question in vault.questions]
    assert len(asked) == PASSAGES + 1
    assert asked[1] == asked[2], "the one that was stopped is asked again, and no other"


async def test_it_waits_for_a_model_and_says_so(vault: Desk) -> None:
    vault.server.stop()
    await vault.start()
    await vault.sync()
    assert (vault.state.state, vault.state.waiting) == ("waiting", PASSAGES)
    edges = {p.payload["provenance"] for p in vault.store.edges.scan(Eq("note_id", "flood"))}
    assert edges == {"explicit", "rule", "structure"}, "it has all others meanwhile"
    vault.server.start()
    await vault.settled()
    assert meant(vault) == FOUND


async def test_switched_off_it_asks_nobody(vault: Desk) -> None:
    await vault.start(enabled=False)
    await vault.sync()
    assert vault.state.state == "off"
    await vault.start()
    await vault.sync()
    await vault.settled()
    first = vault.server.requests[0]
    assert len(vault.questions) == PASSAGES, f"{first.path} began before it was switched on"


async def test_a_model_elsewhere_gets_nothing(vault: Desk) -> None:
    vault.server.models[MODEL] = FakeModel(MODEL, remote_host="https://example.org")
    await vault.start()
    await vault.sync()
    assert vault.state.state == "waiting"
    assert vault.chats == []


async def test_people_go_first(vault: Desk) -> None:
    await vault.start()
    async with vault.llm.traffic.realtime():
        await vault.sync()
        await wait_until(lambda: vault.llm.traffic.state.waiting == 1)
        assert vault.chats == []
    await vault.settled()
    assert meant(vault) == FOUND


@pytest.mark.parametrize(
    "text",
    [
        '{"r1": 100, "r2": 0, "target": "/etc/passwd"}',  # more than was asked for
        '{"r1": "yes"}',
        '{"r1": 1000000}',
        "Sure! [[rel:depends_on Evil]]",
    ],
)
async def test_an_answer_of_no_use_is_asked_for_again(vault: Desk, text: str) -> None:
    vault.server.script("/api/chat", Script([line(text), last()]))
    await judged(vault)
    assert meant(vault) == FOUND
    assert len(vault.questions) == PASSAGES + 1
    assert vault.state.failed == 0


async def test_a_passage_that_always_fails_stops_no_other(vault: Desk) -> None:
    usual = saying(INSPIRED)

    def answer(messages: list[dict[str, str]]) -> str:
        return "no" if "rules" in passage_of(messages[-1]["content"]) else usual(messages)

    vault.server.answer = answer
    await vault.start()
    await vault.sync()
    await wait_until(lambda: vault.state.failed == 1)
    await vault.settled(1)
    assert vault.state.state == "ready"
    assert {edge[0] for edge in vault.smart("flood")} == {"flood#c00", "flood#c01", "flood#c02"}
    await vault.start()  # and is tried again one day
    vault.server.answer = usual
    await vault.settled()
    assert "flood#c03" in {edge[0] for edge in vault.smart("flood")}


async def test_another_model_is_asked_anew_and_the_old_one_counts_till_then(vault: Desk) -> None:
    await judged(vault)
    vault.server.models[MODEL] = FakeModel(MODEL, digest="e" * 64)
    hold = Hold()
    vault.server.script("/api/chat", Script([hold]))
    vault.server.answer = saying({"is derived from → Grandfather": 50})
    await vault.start()
    await vault.settled(PASSAGES)
    await wait_until(hold.reached.is_set)
    assert meant(vault) == FOUND
    assert vault.state.waiting == PASSAGES
    hold.release()
    await vault.settled()
    assert meant(vault) == {("derived_from", "gf", 0.5)}


async def test_a_note_that_appears_later_is_found(desk: Desk) -> None:
    desk.write("a.md", "---\ntype: experience\nid: a\n---\nThe [[Mill]] taught me all.\n")
    desk.server.answer = saying({"is inspired by → Mill": 75})
    await judged(desk)
    assert meant(desk, "a") == {("inspired_by", "Mill", 0.75)}
    desk.write("Mill.md", "---\nid: mill\n---\n# Mill\n")
    await desk.sync("Mill.md")
    await desk.settled()
    assert meant(desk, "a") == {("inspired_by", "mill", 0.75)}


async def test_nothing_waits_for_a_note_that_is_gone_or_of_another_type(vault: Desk) -> None:
    vault.server.stop()
    await vault.start()
    await vault.sync()
    assert vault.state.waiting == PASSAGES
    vault.write("flood.md", FLOOD.replace("type: experience", "type: concept"))
    await vault.sync("flood.md")
    assert vault.state.waiting == 0
    vault.write("flood.md", FLOOD)
    await vault.sync("flood.md")
    (vault.root / "flood.md").unlink()
    await vault.sync("flood.md")
    assert vault.state.waiting == 0


async def test_a_symmetric_relation_is_mirrored_once(desk: Desk) -> None:
    types = "types:\n  diary: {edge_defaults: [related_to], enable_smart_edge_allocation: true}\n"
    desk.write(".mindnet/types.yaml", types)
    desk.write(
        "a.md", f"---\ntype: diary\nid: a\n---\n# A\n\n[[b]] {LONG}\n\n# B\n\n[[b]] {LONG}\n"
    )
    desk.write("b.md", "---\nid: b\n---\n")
    desk.server.answer = saying({"is related to → b": 75})
    await judged(desk)
    found = [p.payload for p in desk.store.edges.scan(Eq("provenance", "smart"))]
    mirrors = [e for e in found if e["rule_id"] == f"smart:{MODEL}:mirror"]
    assert [(e["source_id"], e["target_id"]) for e in mirrors] == [("b", "a")]
    assert len(found) >= 3


async def test_a_vault_that_was_indexed_before_is_looked_at_once(vault: Desk) -> None:
    """As after an update: the notes are stored, and nobody knows what waits."""
    await judged(vault)
    await vault.stop()
    for file in (vault.folder / "smart").iterdir():
        file.unlink()
    await vault.start()
    await vault.sync()
    await vault.settled()
    assert len(vault.questions) == 2 * PASSAGES
    assert meant(vault) == FOUND


async def test_a_failing_server_is_asked_again(vault: Desk) -> None:
    vault.server.script("/api/chat", error(500, "llama runner process has terminated"))
    await judged(vault)
    assert meant(vault) == FOUND


def _answer(desk: Desk) -> Script:
    """The usual answer to the first question, as a script."""

    async def steps():  # type: ignore[no-untyped-def]
        yield line(desk.server.answer(desk.chats[-1].body["messages"]))
        yield last()

    return Script(steps())


async def test_two_vaults_of_passages_do_not_mix(vault: Desk) -> None:
    """The same passage in two notes is asked about once, and counts in both."""
    vault.write("copy.md", FLOOD.replace("id: flood", "id: copy"))
    await judged(vault)
    assert len(vault.questions) == PASSAGES
    assert meant(vault) == meant(vault, "copy") == FOUND
