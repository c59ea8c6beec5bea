"""Importing through a real core: saved while it imports, cancelled, killed, embedded anew."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.chunking.profiles import CHUNKING_VERSION
from core.errors import InvalidArguments
from core.service.client import CoreClient
from core.service.lifecycle import vault_lock
from core.store.manifest import Expected
from core.store.ports import Eq
from core.store.store import open_store
from tests.support.cores import (
    Cores,
    fingerprint,
    is_alive,
    kill_core,
    until,
    until_ready,
    write_vault,
)
from tests.support.waiting import wait_until

MANY = 180
PATIENCE = 6.0
"""Seconds from a save to its being findable: well below one on a machine at rest."""
SAVED = "A kingfisher waits above the weir."


async def pending(client: CoreClient) -> int:
    index = (await client.call("GET", "/status"))["index"]
    return int(index["pending"]) if index["state"] == "indexing" else 0


async def hits(client: CoreClient, text: str, **more: Any) -> list[str]:
    answer = await client.call("POST", "/query", {"query": text, **more})
    return [hit["path"] for hit in answer["hits"]]


async def shut_down(client: CoreClient) -> None:
    pid = (await client.call("POST", "/shutdown"))["pid"]
    await wait_until(lambda: not is_alive(pid), what="the end of the core")


async def test_a_kill_in_the_middle_of_an_import(core: Cores, tmp_path: Path) -> None:
    """At several moments: the next start goes on, nothing is lost or doubled."""
    root = write_vault(tmp_path / "vault", MANY)
    before = fingerprint(root)
    moments = random.Random(2)
    client = core.client(root)
    left = MANY
    for _ in range(3):
        wanted = moments.randrange(left // 2, left)

        async def far_enough(most: int = wanted) -> bool:
            index = (await client.call("GET", "/status"))["index"]
            return index["state"] == "ready" or 0 < index["pending"] <= most

        await until(far_enough, 20)
        left = max(2, await pending(client))
        assert kill_core(root)
    status = await until_ready(client)
    assert (status["notes"], status["chunks"]) == (MANY, MANY * 4)
    again = [line async for line in client.stream("/index/sync", {})][-1]
    assert (again["changed"], again["deleted"], again["failed"]) == (0, 0, [])
    await shut_down(client)
    expected = Expected(chunking_version=CHUNKING_VERSION)
    with vault_lock(client.folder), open_store(client.folder / "store", "mindnet", expected) as it:
        assert it.report.state == "ready"
        paths = Counter(str(point.payload["path"]) for point in it.notes.scan(fields=["path"]))
        assert paths == {f"n{number:04}.md": 1 for number in range(MANY)}
        assert it.edges.count(Eq("kind", "belongs_to")) == it.chunks.count() == MANY * 4
    assert fingerprint(root) == before


async def test_saved_while_everything_is_imported(core: Cores, tmp_path: Path) -> None:
    root = write_vault(tmp_path / "vault", MANY)
    client = core.client(root)

    async def importing() -> bool:
        return await pending(client) > MANY // 2

    await until(importing, 20, "the import")
    write_vault(root, saved=SAVED)
    began = time.monotonic()
    result = await client.call("POST", "/ingest/save", {"paths": ["saved.md"]})
    assert (result["changed"], result["failed"]) == (1, [])
    assert result["notes"] <= MANY
    assert (await hits(client, "kingfisher"))[0] == "saved.md"
    assert time.monotonic() - began < PATIENCE
    assert await pending(client) > 0, "it was found before the import had ended"
    assert (await until_ready(client))["notes"] == MANY + 1
    began = time.monotonic()
    write_vault(root, quiet="A dipper under the bridge.")
    await client.call("POST", "/ingest/save", {"paths": ["quiet.md"]})
    assert (await hits(client, "dipper"))[0] == "quiet.md"
    assert time.monotonic() - began < PATIENCE
    (root / "quiet.md").unlink()
    result = await client.call("POST", "/ingest/save", {"paths": ["quiet.md", "../x.md"]})
    assert (result["deleted"], result["notes"]) == (1, MANY + 1)
    lines = client.stream("/index/sync", {"full": True})
    async for line in lines:
        if line["kind"] == "progress" and line["phase"] == "write":
            break
    await lines.aclose()

    async def at_rest() -> bool:
        return await pending(client) == 0

    await until(at_rest, 20, "the end of a cancelled import")
    counts = [line async for line in client.stream("/index/sync", {})][-1]
    assert (counts["notes"], counts["changed"]) == (MANY + 1, 0)


async def test_what_is_wrong_with_a_request_is_named(core: Cores, tmp_path: Path) -> None:
    client = core.client(write_vault(tmp_path / "vault", a="A"))
    for path, body, field in (
        ("/query", {}, "query"),
        ("/query", {"query": " "}, "query"),
        ("/query", {"query": "x", "top_k": 0}, "top_k"),
        ("/query", {"query": "x", "hops": 9}, "hops"),
        ("/query", {"query": "x", "mode": "magic"}, "mode"),
        ("/query", {"query": "x", "filters": {"types": "y"}}, "filters.types"),
        ("/ingest/save", {"paths": []}, "paths"),
        ("/ingest/analyze", {"path": "a.md", "top_k": -1}, "top_k"),
        ("/ingest/analyze", {"path": "a.md", "start_line": -1}, "start_line"),
    ):
        await until_ready(client)
        with pytest.raises(InvalidArguments) as caught:
            await client.call("POST", path, body)
        assert caught.value.message.startswith(f"{field}: "), (path, body)
    with pytest.raises(InvalidArguments):
        async for _ in client.stream("/index/sync", {"paths": 3}):
            pass


async def test_the_bundled_model_takes_over_from_words(core: Cores, tmp_path: Path) -> None:
    """The old index answers while the new one is made; then meaning finds what words do not."""
    root = write_vault(
        tmp_path / "vault",
        40,
        schlaf="# Schlaf\n\nWer zu wenig schläft, ist am nächsten Tag müde und unkonzentriert.",
        mauer="# Mauer\n\nEine Wand aus Bruchstein wird mit Kalkmörtel verfugt.",
    )
    client = core.client(root)
    assert (await until_ready(client))["embedding"]["state"] == "off"
    await shut_down(client)
    embedded = core.client(root, {"embedding": {"provider": "bundled"}})
    status = await embedded.call("GET", "/status")
    assert status["store"]["state"] == "rebuild"
    assert (await hits(embedded, "Kalkmörtel"))[0] == "mauer.md"
    status = await until_ready(embedded)
    assert (status["store"]["state"], status["notes"]) == ("ready", 42)
    assert status["embedding"]["dim"] == 512
    assert (await hits(embedded, "fatigue after a short night", mode="semantic"))[0] == "schlaf.md"
    answer = await embedded.call("POST", "/query", {"query": "being tired"})
    assert answer["hits"][0]["path"] == "schlaf.md"
    assert answer["notice"] is None
    began = time.monotonic()
    write_vault(root, fish="# Fish\n\nSalmon climb the ladder at the weir in autumn.")
    await embedded.call("POST", "/ingest/save", {"paths": ["fish.md"]})
    assert (await hits(embedded, "Lachse wandern flussaufwärts", mode="semantic"))[0] == "fish.md"
    assert time.monotonic() - began < PATIENCE
