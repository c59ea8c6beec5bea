"""The status of a vault, in the shape of `mindnet.status` and of `mindnet/status`."""

from __future__ import annotations

from typing import Any

from core.version import __version__
from mindnet_lsp.session import Session

STATUS_METHOD = "mindnet/status"


def status_of(session: Session) -> dict[str, Any]:
    """`core.api.Status` as JSON: what the link index knows, and what the core last said."""
    counts = session.index.counts
    status: dict[str, Any] = {
        "version": __version__,
        "vault": str(session.root or ""),
        "notes": counts.notes,
        "chunks": 0,
        "edges": 0,
        "unresolved": counts.unresolved,
        "index": {"state": session.state, "pending": 0, "last_error": session.last_error},
        "store": {"mode": "none", "state": "unknown"},
        "embedding": {"provider": "none", "model": "", "dim": 0, "state": "unknown"},
        "llm": {"model": "", "state": "unknown"},
    }
    if session.core is not None:
        status.update(session.core.status())
    return status
