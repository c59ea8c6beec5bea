"""Qdrant's own engine without a server: the client's local mode, in memory.

It ignores payload indexes and is not made for threads; both are mended here.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import Any

from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import UnexpectedResponse

_LOCKED = (
    "collection_exists",
    "count",
    "create_collection",
    "delete",
    "delete_collection",
    "get_aliases",
    "get_collections",
    "query_points",
    "retrieve",
    "scroll",
    "set_payload",
    "update_collection_aliases",
    "upsert",
)


class LocalQdrant:
    """`QdrantClient(":memory:")`, one call at a time, that remembers payload indexes."""

    def __init__(self) -> None:
        self._client = QdrantClient(":memory:")
        self._lock = threading.RLock()
        self._indexes: dict[str, dict[str, Any]] = defaultdict(dict)
        self.created: dict[str, dict[str, Any]] = {}
        """The arguments that each collection was created with."""

    def __getattr__(self, name: str) -> Any:
        if name not in _LOCKED:
            raise AttributeError(name)
        method = getattr(self._client, name)

        def locked(*args: Any, **kwargs: Any) -> Any:
            with self._lock:
                if name == "create_collection":
                    self.created[kwargs["collection_name"]] = kwargs
                kwargs.pop("search_params", None)  # it is always exact, and warns of it
                try:
                    return method(*args, **kwargs)
                except ValueError as error:
                    if "not found" not in str(error):
                        raise
                    # as a server says it
                    raise UnexpectedResponse(404, "Not Found", b"", {}) from error  # type: ignore[arg-type]

        return locked

    def create_payload_index(self, collection_name: str, field_name: str, **how: Any) -> None:
        self._indexes[collection_name][field_name] = how["field_schema"]

    def get_collection(self, collection_name: str) -> Any:
        with self._lock:
            found = self._client.get_collection(collection_name)
        return found.model_copy(update={"payload_schema": self._indexes[collection_name]})

    def close(self) -> None:
        """Keep it: several stores of one test are clients of the same server."""
