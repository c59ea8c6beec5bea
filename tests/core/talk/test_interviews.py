"""A note from a conversation: asked for, answered field by field, never written by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.chat.shapes import DraftRequest
from core.chat.turns import heard
from core.config.load import load_chat, load_config
from core.errors import OutsideVault
from core.parse import parse_note
from core.service.engine import Engine
from tests.core.talk.room import Room, engine_for, fake
from tests.support.cores import fingerprint
from tests.support.fake_ollama import FakeOllama

WISH = "Create a task: grease the mill"
HINTS = ("What exactly has to be done?", "How do you know that it is done?")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engine, FakeOllama]]:
    with fake() as server, engine_for(tmp_path_factory.mktemp("room"), server) as engine:
        before = fingerprint(engine.root)
        yield engine, server
        assert fingerprint(engine.root) == before, "no talk writes into the vault"


@pytest.fixture
async def room(home: tuple[Engine, FakeOllama]) -> AsyncIterator[Room]:
    engine, server = home
    server.requests.clear()
    server.scripts.clear()
    server.answer = lambda messages: "Fine."
    made = Room(engine, server)
    yield made
    await made.aclose()


def written(title: str = "Grease the mill", *sections: str) -> str:
    head = f"---\ntitle: {title}\ntype: task\n---\n# {title}\n\n"
    return "Here you are:\n```markdown\n" + head + "\n\n".join(sections) + "\n```"


def parsed(found: Any) -> Any:
    note = parse_note(found.draft.path, found.draft.markdown)
    assert note.problems == ()
    assert note.title == found.draft.title
    return note


async def test_asked_for_what_is_missing_field_by_field(room: Room) -> None:
    room.server.answer = lambda messages: written()
    first = await room.say(WISH)
    assert (first.intent, first.intent_source) == ("INTERVIEW", "keyword")
    assert first.draft is not None
    assert (first.draft.type, first.draft.path) == ("task", "grease-the-mill.md")
    assert first.answer.endswith(HINTS[0])
    assert "“Grease the mill”" in first.answer
    assert first.sources == []
    assert len(room.prompts) == 1
    second = await room.say("Take it apart and grease it with tallow, see [[Weir]].")
    assert second.answer.endswith(HINTS[1])
    assert second.intent == "INTERVIEW"
    last = await room.say("It turns without a sound & <b>alone</b>")
    assert last.draft is not None
    assert last.draft.missing_fields == []
    assert "?" not in last.answer
    assert "It turns without a sound & <b>alone</b>" in last.draft.markdown
    assert [link.target for link in parsed(last).links] == ["Weir"]
    assert len(room.prompts) == 1, "answers are put in their place without a model"
    done = await room.say("What does the weir dam?")
    assert (done.intent, done.draft) == ("FACT", None)


async def test_skipped_interrupted_given_up(room: Room) -> None:
    await room.say(WISH)
    between = await room.say("What does the weir dam?")
    assert between.intent == "FACT"
    assert between.sources[0].title == "Weir"
    assert between.draft is not None
    assert "still waits for an answer" in between.notice
    skipped = await room.say("skip")
    assert skipped.answer.endswith(HINTS[1])
    stopped = await room.say("forget it")
    assert (stopped.answer, stopped.draft) == ("No note then.", None)
    await room.say(WISH)
    done = await room.say("that's all")
    assert done.draft is not None
    assert len(done.draft.missing_fields) == 2
    assert not done.answer.endswith("?")
    other = await room.say("What does the weir dam?")
    assert other.draft is None
    again = await room.say("Neue Aufgabe: Öl kaufen")
    assert again.draft is not None
    assert again.draft.path == "oel-kaufen.md"
    assert again.answer.endswith("Was genau ist zu tun?"), "in the language of the message"
    skipped = await room.say("weiter")
    assert skipped.answer.startswith("Hier ist der Entwurf")
    replaced = await room.say("Create a task: buy tallow")
    assert replaced.draft is not None
    assert replaced.draft.title == "Buy tallow"


async def test_a_model_that_asks_back(room: Room) -> None:
    room.server.answer = lambda messages: "Which mill do you mean?"
    first = await room.say(WISH)
    assert first.answer == "Which mill do you mean?"
    room.server.answer = lambda messages: written("Grease the old mill", "## What\nTallow.")
    second = await room.say("The old one")
    assert "The old one" in room.told
    assert WISH in room.told
    assert second.draft is not None
    assert second.draft.title == "Grease the old mill"
    assert second.draft.missing_fields[0].field == "done_when"
    # one that never stops asking does not get its way
    room.server.answer = lambda messages: "And which one?"
    room.session = None
    asked = [(await room.say(message)).answer for message in (WISH, "this", "that", "all")]
    assert asked[:3] == ["And which one?"] * 3
    assert asked[3].endswith(HINTS[1])


async def test_without_a_model_the_template_is_filled(room: Room) -> None:
    room.server.stop()
    try:
        first = await room.say(WISH)
        assert first.error is None
        assert first.draft is not None
        assert "does not answer" in first.notice
        assert first.answer.endswith(HINTS[0])
        second = await room.say("With tallow")
        assert second.draft is not None
        assert "With tallow" in second.draft.markdown
        parsed(second)
    finally:
        room.server.start()


async def test_a_model_that_runs_in_circles_writes_no_note(room: Room) -> None:
    room.server.answer = lambda messages: "# Mill\n\n" + "The mill is a task.\n\n" * 40
    found = await room.say(WISH)
    assert found.draft is not None
    assert "only repeated itself" in found.notice
    assert "is a task" not in found.draft.markdown
    assert found.draft.title == "Grease the mill"


async def test_links_are_offered_and_not_put_in(room: Room) -> None:
    room.server.answer = lambda messages: written("Wheels", "## What\nThe hinges near the Weir.")
    found = await room.say("Create a task about the wheels")
    assert found.draft is not None
    link = next(one for one in found.draft.suggestions if one.title == "Weir")
    markdown = found.draft.markdown
    assert "[[" not in markdown
    accepted = markdown[: link.start] + link.new_text + markdown[link.end :]
    assert "[[" in accepted


async def test_a_draft_alone(room: Room) -> None:
    room.server.answer = lambda messages: written("Dach", "## Was\nLärche.")
    asked = DraftRequest(message=WISH, answers={"done_when": "Dry."})
    found: Any = await anext(room.talk.draft(asked))
    assert found.title == "Dach"
    assert "Dry." in found.markdown
    assert found.missing_fields == [] or found.missing_fields[0].field == "what"
    with pytest.raises(OutsideVault):
        await anext(room.talk.draft(DraftRequest(message=WISH, folder="../up")))


async def test_a_draft_of_a_conversation(room: Room) -> None:
    async def draft(**more: Any) -> Any:
        asked = DraftRequest.model_validate({"session_id": room.session, **more})
        return await anext(room.talk.draft(asked))

    room.server.answer = lambda messages: written()
    await room.say(WISH)
    found = await draft(answers={"done_when": "It is quiet."})
    assert "It is quiet." in found.markdown
    assert [one.field for one in found.missing_fields] == ["what"]
    assert len(room.prompts) == 1
    last = await room.say("Tallow on the bearings")
    assert last.draft is not None
    assert "It is quiet." in last.draft.markdown
    assert "Tallow on the bearings" in last.draft.markdown
    assert last.draft.missing_fields == []
    # begun by a draft, gone on with by the chat, told anew by another draft
    room.session = "new"
    await draft(message="Create a task: oil the door")
    went_on = await room.say("With linseed oil")
    assert went_on.intent == "INTERVIEW"
    assert "With linseed oil" in str(went_on.draft)
    again = await draft(message="It is the cellar door")
    assert "oil the door" in room.told
    assert "It is the cellar door" in room.told
    assert "With linseed oil" in again.markdown


async def test_a_vaults_own_prompts_count(tmp_path: Path) -> None:
    with fake() as server, engine_for(tmp_path, server) as engine:
        folder = engine.root / ".mindnet"
        folder.mkdir()
        (folder / "prompts.yaml").write_text(
            "persona: You are a heron.\nno_context: Nothing.\n", "utf-8"
        )
        room = Room(engine, server)
        await room.say("What does the weir dam?")
        assert "You are a heron." in room.told
        assert (await room.say("How do rockets fly?")).answer == "Nothing."
        await room.aclose()


@pytest.mark.parametrize(
    ("message", "what"),
    [
        ("I greased it.", "answer"),
        ("Ich fühle mich überfordert", "answer"),
        ("skip", "skip"),
        ("Weiß nicht.", "skip"),
        ("Fertig!", "done"),
        ("Abbrechen", "stop"),
        ("Never mind.", "stop"),
        ("What is the weir?", "other"),
        ("Und wer hat das gebaut?", "other"),
        ("Neue Aufgabe: Öl", "other"),
        ("next week", "answer"),
        ("stop the wheel first", "answer"),
    ],
)
def test_what_a_message_does_to_an_interview(message: str, what: str) -> None:
    assert heard(message, load_chat().decision, load_config().types) == what
