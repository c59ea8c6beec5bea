"""Places to measure at are certain; the client reads what comes in any pieces."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bench.bench import Bench
from tests.bench.client import _take_message
from tests.bench.conftest import NewBench
from tests.bench.memory import folder_megabytes, memory_of
from tests.bench.sample import Link, fingerprint, read_text, take_sample

NOTES = {
    "a.md": "---\nup: '[[Hub]]'\n---\nSée 🌱 [[Hub]], [[Hub|h]] and [[twice]] and [[Nickname]]\n",
    "b.md": "```\n[[a]]\n```\n`[[a]]` <!-- [[a]] -->\nrel: supports [[a]]\n"
    "[[Hub#x]] [[missing]] [[a]]\n",
    "c.md": "![[a]] see:: [[a]]\n\\[[a]]\n(see:: [[a]]) [[rel:part_of Hub]]\n",
    "x/Hub.md": "---\naliases: [Nickname]\n---\n# Hub\n",
    "x/twice.md": "",
    "y/twice.md": "",
    ".trash/z.md": "[[a]]",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for path, text in NOTES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())
    return tmp_path


def test_only_certain_links_are_chosen(vault: Path) -> None:
    sample = take_sample(vault)
    assert sample.links == [
        Link("a.md", 3, "Sée 🌱 [[H", "x/Hub.md"),
        Link("b.md", 5, "[[Hub#x]] [[missing]] [[a", "a.md"),
        Link("c.md", 0, "![[a]] see:: [[a", "a.md"),
        Link("c.md", 2, "(see:: [[a", "a.md"),
    ]
    assert (sample.notes, sample.hub.target, sample.hub_links) == (6, "x/Hub.md", 3)
    assert (sample.start.path, sample.start_has_unresolved) == ("b.md", True)
    assert sample.edited in {"a.md", "b.md", "c.md"}


def test_a_vault_without_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("nothing")
    with pytest.raises(ValueError, match="no link"):
        take_sample(tmp_path)


def test_positions_are_in_the_servers_encoding(new_bench: NewBench) -> None:
    bench: Bench = new_bench()
    editor = bench.new_editor()
    columns = []
    for encoding in ("utf-8", "utf-16", "utf-32"):
        editor.encoding = encoding
        columns.append(editor.at("a.md", 0, "ä🌱[[")["position"]["character"])
    editor.close()
    assert columns == [8, 5, 4]


def test_a_changed_vault_has_another_fingerprint(vault: Path) -> None:
    before = fingerprint(vault)
    assert fingerprint(vault) == before
    (vault / "a.md").write_text(read_text(vault, "a.md") + "more")
    assert fingerprint(vault) != before


def test_messages_in_pieces_and_in_one() -> None:
    whole = b"Content-Length: 2\r\n\r\n{}Content-Type: x\r\ncontent-length: 4\r\n\r\n\xc3\xa4{}"
    buffer, found = bytearray(), []
    for i in range(len(whole)):
        buffer += whole[i : i + 1]
        while (body := _take_message(buffer)) is not None:
            found.append(body)
    assert found == [b"{}", b"\xc3\xa4{}"]
    assert not buffer


def test_memory_and_folders(tmp_path: Path) -> None:
    found = memory_of(os.getpid())
    assert found.resident > 5
    assert found.peak is None or found.peak >= found.resident * 0.9
    with pytest.raises(ProcessLookupError):
        memory_of(2**22 + 1)
    (tmp_path / "x").mkdir()
    (tmp_path / "x/y").write_bytes(b"01" * 250_000)
    assert folder_megabytes(tmp_path) == pytest.approx(0.5, rel=0.05)
