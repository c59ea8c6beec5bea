"""One way through everything with a model that really writes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.store.ports import Eq
from tests.core.smart.kit import Desk
from tests.support.real_ollama import CHAT, RealOllama

NOTE = "---\ntype: experience\nid: a\n---\nThe [[Mill]] taught me all that I know of water.\n"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    with RealOllama() as server:
        made = Desk(tmp_path, server)
        yield made
        await made.stop()


async def test_a_small_model_keeps_to_the_form_and_is_asked_once(desk: Desk) -> None:
    desk.write("a.md", NOTE)
    desk.write("Mill.md", "---\nid: mill\n---\n# Mill\n")
    await desk.start(model=CHAT, timeout=120)
    await desk.sync()
    await desk.settled()
    assert (desk.state.waiting, desk.state.failed) == (0, 0), "it gave an answer of the form"
    found = desk.smart("a")
    for source, kind, target, confidence in found:
        assert (source, target) == ("a#c00", "mill")
        assert kind in ("derived_from", "inspired_by")
        assert 0.5 <= confidence <= 0.85
    rules = {p.payload["rule_id"] for p in desk.store.edges.scan(Eq("provenance", "smart"))}
    assert rules == ({f"smart:{CHAT}"} if found else set())
    # a start and a whole import later it says the same, without being asked again
    await desk.start(model=CHAT, timeout=120)
    await desk.sync()
    await desk.settled()
    assert desk.smart("a") == found
    assert len(desk.chats) == 1
