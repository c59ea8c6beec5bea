"""The program `mindnet` in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from core.paths import vault_data_dir
from core.service.endpoint import read_endpoint
from tests.support.cores import kill_core, write_vault
from tests.support.waiting import wait_for

REPOSITORY = Path(__file__).parents[2]
TIMEOUT = 60.0


class Shell:
    """Runs `mindnet` in an environment of its own. What it starts ends with the test."""

    def __init__(self, folder: Path) -> None:
        self.root = write_vault(
            folder / "vault",
            heron="# Heron\n\nWaits in the reeds. See [[otter]].",
            otter="# Otter\n\nSwims in the river.",
        )
        (self.root / ".obsidian").mkdir()
        self.environ = {
            **{name: os.environ[name] for name in ("PATH",) if name in os.environ},
            "HOME": str(folder),
            "MINDNET_DATA_DIR": str(folder / "data"),
            "MINDNET_EMBEDDING_PROVIDER": "none",
            "MINDNET_CORE_IDLE_EXIT": "60",
            "PYTHONPATH": str(REPOSITORY),
            "PYTHONWARNINGS": "error",
            "PYTHONSAFEPATH": "1",
            "LANG": "en_US.UTF-8",
            "COLUMNS": "200",
        }
        self.data = vault_data_dir(self.root, self.environ)
        self._started: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "core.cli", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            **{"cwd": self.root, "env": self.environ, **options},
        )
        self._started.append(process)
        return process

    def run(self, *arguments: str, code: int = 0, **options: Any) -> tuple[str, str]:
        """Standard output and standard error of a command that ends with this code."""
        process = self.start(*arguments, **options)
        out, errors = process.communicate(timeout=TIMEOUT)
        assert "Traceback" not in errors + out
        assert process.returncode == code, (out, errors)
        return out, errors

    def json(self, *arguments: str, code: int = 0) -> Any:
        out, errors = self.run(*arguments, "--json", code=code)
        assert errors == ""
        return json.loads(out)

    def serve(self) -> subprocess.Popen[str]:
        """A core in the foreground, ready to answer."""
        process = self.start("serve")
        wait_for(lambda: read_endpoint(self.data) is not None, TIMEOUT, "the core")
        wait_for(lambda: self.json("status")["index"]["state"] == "ready", TIMEOUT)
        return process

    def close(self) -> None:
        kill_core(self.root, self.environ)
        for process in self._started:
            if process.poll() is None:
                process.kill()
            process.communicate()
