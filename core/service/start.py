"""Starting a core process, the way a client does: detached, with its log in the data folder."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from core.paths import ensure_private
from core.service.endpoint import LOG_FILE

IDLE_EXIT_VARIABLE = "MINDNET_CORE_IDLE_EXIT"
"""Seconds without a request after which a started core ends; for tests and scripts."""
MAX_LOG_BYTES = 1_000_000


class CoreProcess(subprocess.Popen[bytes]):
    """A process that outlives its starter on purpose."""

    def __del__(self, *_: Any) -> None:
        """Without the warning that it still runs."""


def start_core(root: Path, folder: Path, settings: dict[str, Any]) -> CoreProcess:
    """Start a core for the vault at `root`; it outlives this process. Raises `OSError`.

    `-P` keeps the working folder off the module path, so that no file of a vault is run.
    """
    ensure_private(folder)
    log = folder / LOG_FILE
    fresh = not log.exists() or log.stat().st_size > MAX_LOG_BYTES
    command = [sys.executable, "-P", "-m", "core.service", "--vault", str(root)]
    if idle := os.environ.get(IDLE_EXIT_VARIABLE):
        command += ["--idle-exit", idle]
    # the child finds this very copy of the packages, installed or not, and nothing of the vault
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    with open(log, "wb" if fresh else "ab") as errors:
        process = CoreProcess(
            [*command, "--settings-from-stdin"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd=folder,
            env=environ,
            start_new_session=True,
        )
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):  # it ended already; its exit code says why
        process.stdin.write(json.dumps(settings).encode())
        process.stdin.close()
    return process
