"""The endpoint file: how a client finds the core that serves a vault.

It lies in the vault's data folder, can be read by its user alone, and holds the port
and the token of the running core. It is a hint and no truth: whoever reads it asks
`GET /health` before relying on it.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from core.store.files import write_atomically

ENDPOINT_FILE = "core.json"
LOCK_FILE = "core.lock"
LOG_FILE = "core.log"


class Endpoint(msgspec.Struct, frozen=True):
    """Where a core listens, and what proves that the caller may speak to it."""

    port: int
    token: str
    pid: int
    version: str
    api_version: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def read_endpoint(folder: Path) -> Endpoint | None:
    """The endpoint in a vault's data folder; None where there is none, or a damaged one."""
    try:
        return msgspec.json.decode((folder / ENDPOINT_FILE).read_bytes(), type=Endpoint)
    except (OSError, msgspec.DecodeError):
        return None


def write_endpoint(folder: Path, endpoint: Endpoint) -> None:
    """Replace the endpoint file atomically; only its user can read it. Raises `OSError`."""
    # a temporary file made by mkstemp has mode 0600, and keeps it
    write_atomically(folder / ENDPOINT_FILE, msgspec.json.encode(endpoint))


def remove_endpoint(folder: Path, token: str) -> None:
    """Remove the endpoint file if it is still the one with this token."""
    found = read_endpoint(folder)
    if found is not None and found.token == token:
        (folder / ENDPOINT_FILE).unlink(missing_ok=True)
