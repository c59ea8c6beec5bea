"""What all rows share: the vault, the server's command, an own data folder, the places."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.editor import Editor
from tests.bench.memory import Memory
from tests.bench.sample import Sample, fingerprint, take_sample

REPOSITORY = Path(__file__).resolve().parents[2]
SERVER = (sys.executable, "-m", "mindnet_lsp")
CORE = (sys.executable, "-m", "core.cli")


class Unavailable(Exception):  # noqa: N818 - a state, not a fault
    """A row cannot be measured with this server; the text says why."""


@dataclass
class Bench:
    """One run. Servers work in an empty folder of their own, never in the vault."""

    vault: Path
    server: tuple[str, ...] = SERVER
    editor: str = "vscode"
    repeat: int = 50
    starts: int = 3
    timeout: float = 300.0
    with_model: bool = False
    busy: bool = False
    """Measure while the core imports, instead of after it."""
    quiet: float = 1.0
    """Seconds without a change after which the caches count as written."""
    work: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="mindnet-bench-")))

    def __post_init__(self) -> None:
        self.vault = self.vault.resolve()
        self.sample: Sample = take_sample(self.vault)
        self.before = fingerprint(self.vault)
        (self.work / "cwd").mkdir()
        self.first_answers: list[float] = []
        """Milliseconds to the answer of `initialize`, of every start."""
        self.cold_peaks: list[Memory] = []
        self.start_publishes = True
        """Whether the unresolved link of the first note opened brought a diagnostic so far."""

    @property
    def data(self) -> Path:
        """The data folder of the servers (`MINDNET_DATA_DIR`)."""
        return self.work / "data"

    def environment(self) -> dict[str, str]:
        env = dict(os.environ)
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # no editor sets it
        known = env.get("PYTHONPATH")
        env["PYTHONPATH"] = f"{REPOSITORY}{os.pathsep}{known}" if known else str(REPOSITORY)
        env["MINDNET_DATA_DIR"] = str(self.data)
        if not self.with_model:
            env["MINDNET_EMBEDDING_PROVIDER"] = "none"
        return env

    def new_editor(self) -> Editor:
        """Start a server and let it answer `initialize`."""
        return Editor(
            self.server,
            self.vault,
            env=self.environment(),
            cwd=self.work / "cwd",
            profile=self.editor,
        )

    def clear_data(self) -> None:
        """Remove the data folder, so that the next start is a cold one."""
        self.stop_cores()
        shutil.rmtree(self.data, ignore_errors=True)

    def wait_for_quiet_data(self, timeout: float = 20.0) -> None:
        """Wait until nothing in the data folder has changed for a while: caches are written."""
        deadline = time.monotonic() + timeout
        seen, since = -1, time.monotonic()
        while time.monotonic() < deadline and time.monotonic() - since < self.quiet:
            now = fingerprint(self.data)
            if now != seen:
                seen, since = now, time.monotonic()
            time.sleep(0.05)

    def vault_is_untouched(self) -> bool:
        return fingerprint(self.vault) == self.before

    def stop_cores(self) -> None:
        """End the cores that our servers started: they would wait for more work."""
        for endpoint in self.data.glob("*/core.json"):
            with suppress(OSError, ValueError, KeyError):  # it has ended by itself
                pid = int(json.loads(endpoint.read_bytes())["pid"])
                os.kill(pid, signal.SIGTERM)
                for _ in range(100):
                    os.kill(pid, 0)
                    time.sleep(0.05)

    def close(self) -> None:
        self.stop_cores()
        shutil.rmtree(self.work, ignore_errors=True)
