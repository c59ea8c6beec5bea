"""What a store on a server knows of itself: `<prefix>_meta`, a small collection beside the data.

It holds a manifest a generation, and the lease: who writes. One machine writes at a time,
everybody reads. The lease is taken for a job and given back when all is quiet; a writer
renews it, and one that was not renewed for `LEASE_SECONDS` may be taken by others. A writer
that finds its lease gone stops; what it left half done is mended by whoever writes next,
since the manifest is not clean.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from core.errors import StoreLocked
from core.ids import point_id
from core.store.manifest import Manifest
from core.store.server_calls import call

logger = logging.getLogger(__name__)

LEASE_SECONDS = 60.0
RENEW_SECONDS = 15.0
_LEASE = "lease"


class Meta:
    """The collection `<prefix>_meta` behind `client`, a `QdrantClient`."""

    def __init__(self, client: Any, prefix: str, *, replicas: int = 1) -> None:
        self.name = f"{prefix}_meta"
        self._client = client
        self._replicas = replicas
        self._there = False

    def manifests(self) -> dict[str, Manifest | None]:
        """All manifests by generation; None for one that cannot be read."""
        from qdrant_client import models

        if not self._exists():
            return {}
        condition = models.Filter(
            must=[models.FieldCondition(key="role", match=models.MatchValue(value="manifest"))]
        )
        records, _ = self._do("scroll", scroll_filter=condition, limit=1000)
        return {str(r.payload.get("generation")): _manifest(r.payload) for r in records}

    def manifest(self, generation: str) -> Manifest | None:
        """The manifest of a generation; None where it is missing or cannot be read."""
        return _manifest(self.read(f"manifest/{generation}") or {})

    def put_manifest(self, generation: str, manifest: Manifest) -> None:
        """Replace the manifest of a generation."""
        payload = {
            "role": "manifest",
            "generation": generation,
            "manifest": msgspec.to_builtins(manifest),
        }
        self.write(f"manifest/{generation}", payload)

    def drop_manifest(self, generation: str) -> None:
        """Remove the manifest of a generation; a missing one is fine."""
        from qdrant_client import models

        ids: list[Any] = [point_id(f"manifest/{generation}")]
        self._do("delete", points_selector=models.PointIdsList(points=ids), wait=True)

    def read(self, key: str) -> dict[str, Any] | None:
        """The record under a key, None where there is none."""
        from qdrant_client import models

        if not self._exists():
            return None
        records = self._do(
            "retrieve", ids=[point_id(key)], consistency=models.ReadConsistencyType.MAJORITY
        )
        return dict(records[0].payload or {}) if records else None

    def write(self, key: str, payload: dict[str, Any], *, after: str | None = None) -> None:
        """Replace the record under a key. With `after`, only where the stored record still has
        that `beat` (or is missing): read it again to see who won. Servers before 1.16 do
        not know conditions and always write."""
        from qdrant_client import models

        if not self._exists():
            make = partial(
                self._client.create_collection,
                collection_name=self.name,
                vectors_config={},
                replication_factor=self._replicas,
            )
            call(make)
            self._there = True
        more: dict[str, Any] = {}
        if after is not None:
            match = models.MatchValue(value=after)
            more["update_filter"] = models.Filter(
                must=[models.FieldCondition(key="beat", match=match)]
            )
        record = models.PointStruct(id=point_id(key), vector={}, payload=payload)
        strong = models.WriteOrdering.STRONG
        self._do("upsert", points=[record], wait=True, ordering=strong, **more)

    def _exists(self) -> bool:
        if not self._there:
            exists = partial(self._client.collection_exists, collection_name=self.name)
            self._there = bool(call(exists))
        return self._there

    def _do(self, method: str, **arguments: Any) -> Any:
        made: Callable[..., Any] = getattr(self._client, method)
        return call(partial(made, collection_name=self.name, **arguments))


class Lease:
    """The right to write, for the machine `holder`.

    A machine has one core a vault, so a lease in its own name is left from one that died.
    """

    def __init__(self, meta: Meta, holder: str, *, clock: Callable[[], float] = time.time) -> None:
        self.held = False
        self._meta = meta
        self._holder = holder
        self._clock = clock
        self._renewed = 0.0

    def take(self) -> bool:
        """Take the lease; False where it was held already. Raises `StoreLocked`."""
        if self.held:
            self.keep()
            return False
        found = self._meta.read(_LEASE) or {}
        holder, renewed = found.get("holder") or "", float(found.get("renewed") or 0)
        # a time from the future is a wrong clock, and does not hold for ever either
        fresh = abs(self._clock() - renewed) < LEASE_SECONDS
        if holder not in ("", self._holder) and fresh:
            raise _locked()
        self._put(self._holder, str(found.get("beat") or ""))
        self.held = True
        return True

    def keep(self) -> None:
        """Renew the lease where that is due. Raises `StoreLocked` where it is not ours any
        more."""
        if not self.held or abs(self._clock() - self._renewed) < RENEW_SECONDS:
            return
        found = self._meta.read(_LEASE) or {}
        if found.get("holder") != self._holder:
            self.held = False
            raise _locked()
        self._put(self._holder, str(found.get("beat") or ""))

    def give_back(self) -> None:
        """Let others write; fine where it is not held."""
        if self.held:
            self.held = False
            found = self._meta.read(_LEASE) or {}
            if found.get("holder") == self._holder:
                self._write("", str(found.get("beat") or ""))

    def _put(self, holder: str, before: str) -> None:
        beat = self._write(holder, before)
        if (self._meta.read(_LEASE) or {}).get("beat") != beat:
            self.held = False
            raise _locked()
        self._renewed = self._clock()

    def _write(self, holder: str, before: str) -> str:
        beat = uuid.uuid4().hex
        record = {"role": _LEASE, "holder": holder, "beat": beat, "renewed": self._clock()}
        self._meta.write(_LEASE, record, after=before)
        return beat


def _manifest(payload: dict[str, Any]) -> Manifest | None:
    try:
        return msgspec.convert(payload.get("manifest"), Manifest)
    except msgspec.ValidationError:
        return None


def _locked() -> StoreLocked:
    return StoreLocked(
        "another machine is writing to the index on the server",
        "It is tried again by itself; searching goes on meanwhile.",
    )
