"""Whether the language model is there: asked seldom, and never waited for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest
from pydantic import BaseModel

from core.errors import LlmError
from core.llm import local
from core.llm.local import FRESH_SECONDS, LocalModel, look
from core.llm.ollama import Message
from core.locale import Locale
from core.settings import LlmSettings
from tests.support.fake_ollama import FakeModel, FakeOllama, Hold, Script, line
from tests.support.waiting import wait_for

SMALL = FakeModel("small:latest")
FAR = FakeModel("far:latest", remote_host="https://ollama.com:443")


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        ({"model": "small"}, "ready"),
        ({"model": "small:latest"}, "ready"),
        ({"model": "small:7b"}, "missing"),
        ({"model": "far"}, "missing"),
        ({"model": "far", "allow_remote": True}, "ready"),
        ({"model": "x:cloud"}, "missing"),
        ({"url": "http://192.0.2.1:1"}, "missing"),
        ({"url": "http://127.0.0.1:9"}, "unavailable"),
        ({"url": "no address"}, "missing"),
        ({"enabled": False}, "off"),
    ],
)
def test_what_a_status_says(settings: dict[str, object], state: str) -> None:
    with FakeOllama(SMALL, FAR) as server:
        found = LocalModel(LlmSettings.model_validate({"url": server.url, **settings}))
        assert found.state == state


@pytest.mark.parametrize("answer", [Script([b"<html>"]), Script([b"[]"]), Script([b"x"], 500)])
def test_what_is_not_ollama_is_unavailable(answer: Script) -> None:
    with FakeOllama() as server:
        server.script("/api/tags", answer)
        assert look(LlmSettings(url=server.url)) == "unavailable"


@pytest.mark.parametrize("silent", ["before", "between"])
def test_an_ollama_that_hangs_costs_a_moment(silent: str) -> None:
    hold = Hold()
    script = Script([], before=hold) if silent == "before" else Script([b'{"models":[', hold])
    with FakeOllama(SMALL) as server:
        server.script("/api/tags", script)
        begun = time.monotonic()
        assert look(LlmSettings(url=server.url), 0.2) == "unavailable"
        assert time.monotonic() - begun < 2


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_is_asked_once_and_an_old_answer_is_looked_after_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    states = iter(["ready", "unavailable"])
    ask: Callable[[LlmSettings], str] = lambda _: asked.append(1) or next(states)  # noqa: E731
    monkeypatch.setattr(local, "look", ask)
    clock = Clock()
    model = LocalModel(LlmSettings(), clock)
    assert asked == []
    assert [model.state for _ in range(5)] == ["ready"] * 5
    assert len(asked) == 1
    clock.now += FRESH_SECONDS + 1
    assert model.state == "ready", "the old answer, at once"
    wait_for(lambda: model.state == "unavailable")
    assert len(asked) == 2


async def test_the_status_shows_the_traffic() -> None:
    model = LocalModel(LlmSettings(enabled=False, model="m"))
    async with model.traffic.realtime():
        told = model.status
    assert (told.model, told.state, told.running, told.waiting) == ("m", "off", 1, 0)


class Verdict(BaseModel):
    related: bool


QUESTION = [Message("user", "Are they related?")]


async def test_a_person_goes_before_background_work() -> None:
    with FakeOllama(SMALL) as server:
        hold = Hold()
        model = LocalModel(LlmSettings(url=server.url, model="small"))
        server.answer = lambda _: '{"related": true}'
        server.script("/api/chat", Script([line('{"rel'), hold]))
        slow = asyncio.create_task(model.ask(QUESTION, Verdict, background=True))
        assert await asyncio.to_thread(hold.reached.wait, 5)
        async with model.chat(QUESTION) as reply:
            assert await reply.read() == '{"related": true}'
            assert model.status.waiting == 1
        assert (await slow).related
        asked = server.asked("/api/chat")
        assert [one.left for one in asked] == [True, False, False], "stopped, and asked again"
        assert (await model.ask(QUESTION, Verdict, background=False)).related
        assert (model.status.running, model.status.waiting) == (0, 0)
        await model.ollama.aclose()


@pytest.mark.parametrize(("locale", "message"), [("en", "switched off"), ("de", "ausgeschaltet")])
async def test_a_model_that_is_switched_off_is_not_asked(locale: Locale, message: str) -> None:
    with FakeOllama(SMALL) as server:
        model = LocalModel(LlmSettings(url=server.url, model="small", enabled=False))
        with pytest.raises(LlmError, match=message):
            async with model.chat(QUESTION, locale=locale):
                raise AssertionError("it was asked")
        with pytest.raises(LlmError, match=message):
            await model.ask(QUESTION, Verdict, background=True, locale=locale)
        assert server.requests == []
