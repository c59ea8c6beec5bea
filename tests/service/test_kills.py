"""Importers and cores that are killed, or find no room on the disk, at any moment.

After each of them the vault changes a little. In the end one import must bring about the very
store that a fresh import makes, with no lock file in the way and nobody to help.
`MINDNET_KILLS` says how many kills each test makes.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.config.load import load_config
from core.ingest.pipeline import Importer
from core.paths import store_dir, vault_data_dir
from core.store.manifest import Expected
from core.store.store import Store, memory_store, open_store
from tests.support.cores import Cores, is_alive, kill_core
from tests.support.waiting import wait_until

KILLS = int(os.environ.get("MINDNET_KILLS", "12"))
NOTES = 60
REPOSITORY = Path(__file__).parents[2]
TIMEOUT = 120.0
_KINDS = ("depends_on", "similar_to", "rhymes_with")


class Den:
    """A vault that changes at random, and the programs that index it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.root = folder / "vault"
        self.chance = random.Random(seed)
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "MINDNET_DATA_DIR": os.environ["MINDNET_DATA_DIR"],
            "MINDNET_EMBEDDING_PROVIDER": "none",
            "PYTHONPATH": str(REPOSITORY),
            "PYTHONWARNINGS": "error",
            "LANG": "en_US.UTF-8",
        }
        self.root.mkdir()
        for number in range(NOTES):
            self.write(number)

    def write(self, number: int) -> None:
        chance = self.chance
        links = [f"[[n{chance.randrange(NOTES + 5)}]]" for _ in range(3)]
        typed = f"rel: {chance.choice(_KINDS)} [[n{chance.randrange(NOTES)}]]"
        words = " ".join(f"wort{chance.randrange(400)}" for _ in range(chance.randrange(20, 900)))
        parts = (f"# Note {number} · {chance.random()}", " ".join(links), words, "## T", typed)
        text = "\n\n".join((*parts, ""))
        (self.root / f"n{number}.md").write_text(text, encoding="utf-8")

    def change(self) -> None:
        """A few notes are written, one goes."""
        for _ in range(self.chance.randrange(1, 6)):
            self.write(self.chance.randrange(NOTES))
        (self.root / f"n{self.chance.randrange(NOTES)}.md").unlink(missing_ok=True)

    def start(self, *options: str, **more: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "core.cli", "import", "--apply", *options]
        return subprocess.Popen(
            command,
            cwd=self.root,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **{"start_new_session": True, **more},
        )

    def import_(self, *options: str) -> None:
        process = self.start(*options)
        out, errors = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 0, (out, errors)
        assert errors == ""

    def stored(self) -> dict[str, Any]:
        folder = store_dir(vault_data_dir(self.root, self.environ), None)
        store = open_store(folder, "mindnet", Expected())
        try:
            assert store.report.state == "ready", store.report
            return _content(store)
        finally:
            store.close()

    def fresh(self) -> dict[str, Any]:
        store = memory_store(expected=Expected())
        result = Importer(self.root, store, None, load_config(self.root)).sync()
        assert result.failed == []
        return _content(store)


def _content(store: Store) -> dict[str, Any]:
    roles = {"notes": store.notes, "chunks": store.chunks, "edges": store.edges}
    return {role: {p.id: dict(p.payload) for p in found.scan()} for role, found in roles.items()}


@pytest.fixture
def den(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Den]:
    made = Den(tmp_path, request.param)
    yield made
    kill_core(made.root)


@pytest.mark.parametrize("den", [1], indirect=True)
def test_importers_killed_at_any_moment(den: Den) -> None:
    killed = 0
    while killed < KILLS:
        whole = den.chance.random() < 0.3
        process = den.start(*(["--full"] if whole else []))
        try:
            process.wait(den.chance.uniform(0.2, 2.5))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            killed += 1
        process.communicate(timeout=TIMEOUT)
        assert process.returncode in (0, -signal.SIGKILL), process.returncode
        den.change()
    den.import_()
    assert den.stored() == den.fresh()


@pytest.mark.parametrize("den", [2], indirect=True)
async def test_cores_killed_at_any_moment(core: Cores, den: Den) -> None:
    """While they import what was saved, or all. Who asks next finds another one."""
    client = core.client(den.root)
    for _ in range(KILLS):
        den.change()
        paths = [f"n{den.chance.randrange(NOTES)}.md" for _ in range(20)]
        body = {"paths": paths} if den.chance.random() < 0.7 else {"full": True}
        await client.call("GET", "/health")
        asked = asyncio.ensure_future(
            client.call("POST", "/ingest/save", body) if "paths" in body else _whole(client, body)
        )
        await asyncio.wait([asked], timeout=den.chance.uniform(0.0, 0.8))
        kill_core(den.root)
        await asyncio.wait([asked])
        asked.exception()  # whatever it is: the next call must work
    lines = [line async for line in client.stream("/index/sync", {})]
    assert lines[-1]["kind"] == "result"
    assert lines[-1]["failed"] == []
    pid = (await client.call("POST", "/shutdown"))["pid"]
    await client.aclose()
    await wait_until(lambda: not is_alive(pid), TIMEOUT, "the end of the core")
    den.import_()
    assert den.stored() == den.fresh()


async def _whole(client: Any, body: dict[str, Any]) -> None:
    async for _ in client.stream("/index/sync", body):
        pass


@pytest.mark.parametrize("den", [3], indirect=True)
def test_writes_that_fail_at_any_moment(den: Den) -> None:
    """No file may grow beyond some size, as on a full disk: one clear line, and what is there
    stays good."""
    failed = 0
    while failed < max(3, KILLS // 3):
        most = den.chance.randrange(4_000, 3_000_000)

        def full(most: int = most) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        process = den.start("--full", preexec_fn=full)
        _, errors = process.communicate(timeout=TIMEOUT)
        if process.returncode == 0:
            den.change()
            continue
        failed += 1
        assert "Traceback" not in errors
        if process.returncode > 0:
            assert process.returncode in (1, 2), errors
            assert errors.strip(), "a failure must say so"
        den.change()
    den.import_()
    assert den.stored() == den.fresh()


_ON_A_SMALL_DISK = """
mount -t tmpfs -o size=300m tmpfs "$1" && cp -a "$2/." "$1/" || exit 99
"$3" -m core.cli import --apply --full & importer=$!
while kill -0 $importer 2>/dev/null && ! ls "$1"/*/store >/dev/null 2>&1; do :; done
dd if=/dev/zero of="$1/filler" bs=64k 2>/dev/null
wait $importer; code=$?
rm -f "$1/filler"; cp -a "$1/." "$2/" || exit 99
exit $code
"""
"""Copies the data folder to a disk of its own, fills that while the import writes, copies it
back. The mount ends with the process."""

_CAN_MOUNT = (
    bool(shutil.which("unshare"))
    and not subprocess.run(
        ["unshare", "-Urm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"], capture_output=True
    ).returncode
)


@pytest.mark.parametrize("den", [4] if _CAN_MOUNT else [], indirect=True)
def test_a_disk_that_fills_while_it_is_written(den: Den, tmp_path: Path) -> None:
    """On a real file system without room, where the system lets us make one."""
    data, disk = Path(den.environ["MINDNET_DATA_DIR"]), tmp_path / "disk"
    disk.mkdir()
    data.mkdir(exist_ok=True)
    environ = {**den.environ, "MINDNET_DATA_DIR": str(disk)}
    script = ["unshare", "-Urm", "sh", "-c", _ON_A_SMALL_DISK, "sh"]
    for _ in range(max(2, KILLS // 10)):
        done = subprocess.run(
            [*script, str(disk), str(data), sys.executable],
            cwd=den.root,
            env=environ,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        assert done.returncode != 99, done.stderr
        assert "Traceback" not in done.stderr
        if done.returncode > 0:
            assert done.stderr.strip(), "a failure must say so"
        den.change()
    den.import_()
    assert den.stored() == den.fresh()
