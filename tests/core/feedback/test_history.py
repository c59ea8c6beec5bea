"""The history and feedback files: what is in them, and what they survive."""

from __future__ import annotations

import errno
import json
import logging
import os
import stat
import subprocess
import sys
import threading
from datetime import datetime
from pathlib import Path

import pytest

from core.errors import InvalidArguments
from core.feedback.history import History
from tests.core.feedback.kit import Memory, hit

REPOSITORY = Path(__file__).parents[3]


def test_what_is_remembered(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "data")
    first = memory.ask(1, "Wie altert Kalkmörtel?\n2. Zeile", [hit("heron", semantic=0.5)])
    second = memory.ask(2, "Hallo", [], source="chat", weights={"semantic_weight": 1.0})
    lines = [json.loads(line) for line in memory.history_file.read_bytes().splitlines()]
    assert [line["query_id"] for line in lines] == [first, second]
    assert lines[0]["query"] == "Wie altert Kalkmörtel?\n2. Zeile"
    assert lines[0]["hits"][0]["score_breakdown"]["semantic"] == 0.5
    assert (lines[0]["mode"], lines[1]["source"]) == ("hybrid", "chat")
    assert datetime.fromisoformat(lines[0]["timestamp"]).tzinfo is not None
    assert b"SECRET TEXT" not in memory.history_file.read_bytes()
    assert stat.S_IMODE(memory.history_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(memory.folder.stat().st_mode) == 0o700
    assert memory.queries == ["Hallo", "Wie altert Kalkmörtel?\n2. Zeile"]
    assert [entry.query for entry in memory.entries(1)] == ["Hallo"]


def test_odd_text_is_remembered(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    odd = ['"\\', "a\u2028b\r\nc\x00", "😀", "x" * 10_000]
    for number, query in enumerate(odd):
        memory.ask(number, query)
    assert memory.queries[::-1] == [*odd[:-1], "x" * 4000]


def test_off_means_nothing_is_written(tmp_path: Path) -> None:
    """The setting, and a request that says otherwise."""
    off = Memory(tmp_path / "off", enabled=False)
    off.ask(1)
    assert not off.folder.exists()
    assert "history.enabled" in (off.history.read().notice or "")
    off.ask(2, "wanted", remember=True)
    on = Memory(tmp_path / "on")
    on.ask(1, "unwanted", remember=False)
    assert (off.queries, on.queries) == (["wanted"], [])


def test_feedback_is_joined(tmp_path: Path) -> None:
    """The last rating of a note counts; the answer of a chat can be rated too."""
    memory = Memory(tmp_path)
    query = memory.ask(1, hits=[hit("heron", lexical=0.5), hit("otter", lexical=0.4)])
    chat = memory.ask(2, source="chat")
    memory.rate(query, "heron", 1)
    memory.rate(query, "otter", 2, comment="für später")
    memory.rate(query, "heron", 5)
    memory.rate(chat, "generated_answer", 4)
    answer, entry = memory.entries()
    assert [(r.node_id, r.score, r.comment) for r in entry.feedback] == [
        ("otter", 2, "für später"),
        ("heron", 5, ""),
    ]
    assert [(r.node_id, r.score) for r in answer.feedback] == [("generated_answer", 4)]
    assert len(memory.feedback_file.read_bytes().splitlines()) == 4


@pytest.mark.parametrize("locale", ["de", "en"])
def test_what_cannot_be_rated(tmp_path: Path, locale: str) -> None:
    memory = Memory(tmp_path)
    query = memory.ask(1)
    for query_id, node_id, field in (
        ("nonsense", "heron", "query_id"),
        (query, "otter", "node_id"),
        (query, "generated_answer", "node_id"),
    ):
        with pytest.raises(InvalidArguments) as failed:
            memory.rate(query_id, node_id, 3, locale=locale)
        assert failed.value.message.startswith(f"{field}: ")
        assert failed.value.hint
    assert not memory.feedback_file.exists()


@pytest.mark.parametrize(
    "torn", [b'{"query_id": "x', b'{"a": "\xc3', b"\x00\x00\x00", b"[1]\n", b"7"]
)
def test_a_torn_line_is_left_out_alone(tmp_path: Path, torn: bytes) -> None:
    """What a crash, a full disk or a hand left behind; reading says where it stands."""
    memory = Memory(tmp_path)
    memory.ask(1, "before")
    with memory.history_file.open("ab") as file:
        file.write(torn)
    assert memory.queries == ["before"]
    memory.ask(2, "after")
    assert memory.queries == ["after", "before"]
    assert "search_history.jsonl:2" in (memory.history.read().notice or "")


def test_lines_of_another_version_are_left_out(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    memory.ask(1, "kept")
    with memory.history_file.open("ab") as file:
        file.write(b'{"query_id": 5}\n{}\n')
    assert memory.queries == ["kept"]


def test_rotation_loses_no_feedback(tmp_path: Path) -> None:
    """Old entries go; those that somebody rated stay, and the files stay few and small."""
    memory = Memory(tmp_path, max_bytes=3000)
    rated = []
    for number in range(100):
        query = memory.ask(number, f"query {number}")
        if number % 20 == 3:
            memory.rate(query, "heron", 5)
            rated.append(f"query {number}")
    names = sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".jsonl")
    assert names == [
        "feedback.jsonl",
        *(f"search_history{age}.jsonl" for age in (".1", ".2", ".3", "")),
    ]
    assert all(path.stat().st_size < 6000 for path in tmp_path.iterdir())
    assert set(rated) < set(memory.queries)
    assert memory.queries[:10] == [f"query {number}" for number in range(99, 89, -1)]
    assert len(memory.queries) < 60
    memory.rate(memory.entries()[-1].query_id, "heron", 2)


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    """Threads, each with a history of its own as processes have, while files are put aside."""

    def write(base: int) -> None:
        history = Memory(tmp_path, max_bytes=20_000)
        for number in range(25):
            history.ask(base + number, f"{base + number}")

    threads = [threading.Thread(target=write, args=(base,)) for base in (0, 100, 200, 300)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = Memory(tmp_path, max_bytes=20_000)
    assert sorted(map(int, found.queries)) == [b + n for b in (0, 100, 200, 300) for n in range(25)]
    assert found.history.read().notice is None


def test_a_full_disk_fails_no_query(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Half a line is written: it is left out, and the next one is whole. No text in the log."""
    memory = Memory(tmp_path)
    memory.ask(1, "before")
    whole = os.write

    def half(handle: int, data: bytes) -> int:
        return whole(handle, data[: len(data) // 2])

    with monkeypatch.context() as patched, caplog.at_level(logging.DEBUG):
        patched.setattr("core.feedback.journal.os.write", half)
        memory.ask(2, "PRIVATE")
    assert os.strerror(errno.ENOSPC) in caplog.text
    assert "PRIVATE" not in caplog.text
    memory.ask(3, "after")
    assert memory.queries == ["after", "before"]


def test_nothing_there(tmp_path: Path) -> None:
    """Reading creates no folder."""
    history = History(tmp_path / "none")
    assert history.read().entries == []
    assert not (tmp_path / "none").exists()


WRITER = """
import sys
from pathlib import Path
from tests.core.feedback.kit import Memory

memory = Memory(Path(sys.argv[1]), max_bytes=1_000_000)
for number in range(int(sys.argv[2]), 10**9):
    memory.ask(number, str(number))
    print(number, flush=True)
"""


def test_killed_writers_lose_nothing(tmp_path: Path) -> None:
    """Two processes write and are killed at any moment: what they said is written is there, and
    the next one goes on."""
    before = Memory(tmp_path, max_bytes=1_000_000)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(base)],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            text=True,
        )
        for base in (1_000_000, 2_000_000)
    ]
    said = []
    for writer in writers:
        assert writer.stdout is not None
        said += [writer.stdout.readline() for _ in range(20)]
    for writer in writers:
        writer.kill()
        said += [line for line in writer.communicate()[0].splitlines(True) if line.endswith("\n")]
    newest = before.queries
    for first in "12":
        written = [int(query) for query in newest if query[0] == first]
        assert written == list(range(written[0], written[-1] - 1, -1))
        assert written[0] >= max(int(line) for line in said if line[0] == first)
    before.ask(1, "after")
    assert before.queries[0] == "after"
    assert before.history.read().notice is None
