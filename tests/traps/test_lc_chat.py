"""Group LC of the trap cases, as far as the chat is concerned: the same failures as of the model's
client (`test_lc_client.py`), seen by who chats."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from core.llm.budget import prompt_tokens
from tests.core.talk.room import Room, engine_for, fake
from tests.support.fake_ollama import CLOSE, Script, last, line

QUESTION = "What was decided about the weir?"
LONG = "\n".join(
    f"//- /n{number}.md\n# Weir {number}\n\n"
    + "\n\n".join(f"The weir {number} 🌊 staut den Fluss. " * 7 for _ in range(40))[:8000]
    for number in range(5)
)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    with fake() as server, engine_for(tmp_path, server, LONG, context_tokens=1536) as engine:
        made = Room(engine, server)
        yield made
        await made.aclose()


async def test_lc_01_what_was_left_out_is_named(room: Room) -> None:
    found = await room.say(QUESTION)
    body = room.server.asked("/api/chat")[0].body
    assert body["options"]["num_ctx"] == 1536
    sent = [one["content"] for one in body["messages"]]
    assert prompt_tokens(sent) + body["options"]["num_predict"] <= 1536
    assert "Answer the message from the notes below" in sent[0]
    assert QUESTION in sent[-1]
    names = {one.title for one in [*found.sources, *found.left_out]}
    assert names == {f"Weir {number}" for number in range(5)}
    assert found.left_out
    assert all(one.title in found.notice for one in found.left_out)
    room.server.script("/api/chat", Script([line("Yes."), last(prompt=1530)]))
    again = await room.say("Should I mend the weir?", session_id="other")
    assert "may not have read everything" in again.notice


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([b'{"error":"runner stopped"}\n'], "runner stopped"),
        ([], "answer incomplete"),
        ([CLOSE], "answer incomplete"),
        ([b"this is not JSON\n"], "answer incomplete"),
    ],
)
async def test_lc_03_half_an_answer_is_shown_and_is_no_turn(
    room: Room, steps: list[Any], message: str
) -> None:
    good = line("Grün ") + line("🌿 ja")
    pieces = [good[at : at + 3] for at in range(0, len(good), 3)]
    room.server.script("/api/chat", Script([*pieces, *steps]))
    found = await room.say(QUESTION)
    assert found.error is not None
    assert message in found.error.message
    assert (found.answer, found.incomplete) == ("Grün 🌿 ja", True)
    assert room.talk.conversations.open(found.session_id)[0].turns == []
    assert (await room.say(QUESTION)).answer == "Fine."


def thinking(text: str) -> bytes:
    return line("", message={"role": "assistant", "content": "", "thinking": text})


@pytest.mark.parametrize(
    "steps",
    [
        [thinking("the plan"), line("Ans"), line("wer"), last()],
        [line("<thi"), line("nk>the plan</th"), line("ink>Answer"), last()],
    ],
)
async def test_lc_04_no_thinking_in_chat_history_and_drafts(room: Room, steps: list[bytes]) -> None:
    room.server.script("/api/chat", Script(steps))
    found = await room.say(QUESTION)
    assert found.answer == "Answer"
    turns = room.talk.conversations.open(found.session_id)[0].turns
    assert [turn.content for turn in turns] == [QUESTION, "Answer"]
    room.server.script("/api/chat", Script(steps))
    drafted = await room.say("Create a task: mend the weir", session_id="draft")
    assert drafted.draft is not None
    assert "the plan" not in drafted.model_dump_json()


async def test_lc_04_a_budget_used_up_by_thinking(room: Room) -> None:
    room.server.script("/api/chat", Script([thinking("so many thoughts"), last("length")]))
    found = await room.say(QUESTION)
    assert found.error is not None
    assert found.error.message == "no answer, budget used for thinking"
    assert (found.answer, found.incomplete) == ("", True)
    assert room.talk.conversations.open(found.session_id)[0].turns == []
