"""What is kept of findings, and until when."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.parse import parse_note
from core.vault.index import VaultIndex
from mindnet_lsp import findings
from mindnet_lsp.findings import Findings, View
from mindnet_lsp.server import create_server
from mindnet_lsp.session import Change, Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[tuple[Session, Findings]]:
    """A session with `a.md`, which links to `b.md`, and what is found in it."""
    ls = create_server({})
    del ls.sessions.on_open[1:]
    made = ls.sessions.add_folder(tmp_path.as_uri())
    assert made is not None
    made.hooks[1:] = []
    made.index = VaultIndex.build([parse_note("a.md", "[[b]]\n"), parse_note("b.md", "# B\n")])
    yield made, ls.findings[made]
    ls.scheduler.abandon()


def codes(kept: Findings, view: View, path: str = "a.md") -> list[Any]:
    note = view.index.get(path)
    assert note is not None
    return [item["code"] for item in json.loads(kept.of(view, note).items)]


@pytest.mark.parametrize("many", [0, 200], ids=["all anew", "what is touched"])
def test_a_late_answer_of_an_old_snapshot_is_not_kept(
    session: tuple[Session, Findings], many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker may still look at the snapshot from before a change."""
    monkeypatch.setattr(findings, "MANY", many)
    made, kept = session
    old = kept.snapshot()
    made.apply(Change(removed=("b.md",)))
    assert codes(kept, old) == []
    assert codes(kept, kept.snapshot()) == ["unresolved-link"]


def test_what_nothing_touched_is_kept(session: tuple[Session, Findings]) -> None:
    made, kept = session
    view = kept.snapshot()
    note = view.index.get("a.md")
    assert note is not None
    found = kept.of(view, note)
    made.apply(Change((parse_note("c.md", "[[a]]\n"),)))
    made.apply(Change((parse_note("b.md", "# B\n\ntext\n"),)))
    assert kept.of(kept.snapshot(), note) is found
    made.apply(Change((parse_note("b.md", "# Other\n"),)))
    assert kept.of(kept.snapshot(), note) is not found
    kept.clear()
    assert kept.of(kept.snapshot(), note).result_id == found.result_id
