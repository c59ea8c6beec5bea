"""A real VS Code: installed from npm into the user's cache, started on a copy of a vault.

Needs npm, Chromium (`CHROMIUM` names another than /usr/bin/chromium) and, for the first time, gcc
and make. `MINDNET_VSCODE` names a folder where it is installed already.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
SCRIPTS = EXTENSION / "test"
CACHE = Path.home() / ".cache" / "mindnet-tests" / "vscode"
INSTALL_LIMIT = 900
START_LIMIT = 180
LIMIT = 600


@dataclass(frozen=True)
class Code:
    """A running VS Code; each script opens its own window."""

    url: str
    vault: Path

    def script(self, name: str, *arguments: str, **environ: str) -> str:
        """Run a script of the extension's tests on this VS Code; its output. Fails as it does."""
        command = ["node", str(SCRIPTS / name), self.url, str(self.vault), *arguments]
        done = subprocess.run(
            command,
            env={**os.environ, **environ},
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        output = done.stdout + done.stderr
        assert done.returncode == 0, output[-6000:]
        return output


def install() -> Path:
    """The folder with VS Code; installs it the first time."""
    folder = Path(os.environ.get("MINDNET_VSCODE") or CACHE)
    script = ["bash", str(SCRIPTS / "install.sh"), str(folder)]
    subprocess.run(script, check=True, timeout=INSTALL_LIMIT)
    return folder


def build(out: Path) -> Path:
    """Package the extension as it is in the tree; the `.vsix`."""
    if not (EXTENSION / "node_modules").is_dir():
        npm("ci", "--ignore-scripts", "--no-audit", "--no-fund")
    vsix = out / "mindnet.vsix"
    npm("run", "--silent", "package", "--", "-o", str(vsix))
    return vsix


def npm(*arguments: str) -> None:
    """Run npm in the extension's folder."""
    done = subprocess.run(
        ["npm", *arguments], cwd=EXTENSION, capture_output=True, text=True, timeout=LIMIT
    )
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def started(vsix: Path, vault: Path, mode: str, **more: str) -> Iterator[Code]:
    """A VS Code with the extension, and the server of this environment, on a copy of `vault`.
    `more` is added to the environment."""
    # sockets lie below, and their paths are limited to about a hundred bytes
    with tempfile.TemporaryDirectory(prefix="mn-", ignore_cleanup_errors=True) as short:
        run = Path(short) / "r"
        port = _free_port()
        environ = {
            **os.environ,
            "VAULT": str(vault),
            "MACHINE_SETTINGS": json.dumps({"mindnet.server.path": sys.executable}),
            "MINDNET_DATA_DIR": str(Path(short) / "data"),
            "MINDNET_EMBEDDING_PROVIDER": "none",
            "MINDNET_CORE_IDLE_EXIT": "3",
            **more,
        }
        command = ["bash", str(SCRIPTS / "start.sh"), str(install()), str(run), str(vsix)]
        done = subprocess.run(
            [*command, str(port), mode],
            env=environ,
            stdout=subprocess.PIPE,
            text=True,
            timeout=START_LIMIT,
            check=True,
        )
        pid = int(done.stdout)
        try:
            yield Code(f"http://127.0.0.1:{port}", run / "vault")
        finally:
            os.kill(pid, signal.SIGTERM)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
