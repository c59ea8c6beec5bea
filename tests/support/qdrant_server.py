"""A Qdrant server for tests where none is installed: its REST interface, as far as we use it,
over the client's own engine in memory. It can be stopped and started again on its port."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel
from qdrant_client import models
from qdrant_client.http.exceptions import UnexpectedResponse

from tests.support.qdrant import LocalQdrant


class QdrantServer:
    """Serves at `url` between `start` and `stop`; its points outlive both."""

    def __init__(self, api_key: str | None = None) -> None:
        self.engine = LocalQdrant()
        self.api_key = api_key
        self.refuse = 0
        """HTTP status of all answers, 0 for real ones."""
        self.requests: list[str] = []
        self._port = 0
        self._http: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> QdrantServer:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = json.loads(self.rfile.read(length)) if length else {}
                status, result = owner.answer(
                    self.command, urlsplit(self.path).path, body, self.headers.get("api-key")
                )
                data = json.dumps({"result": result, "status": "ok", "time": 0}).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815

            def log_message(self, *_: Any) -> None: ...

        ThreadingHTTPServer.allow_reuse_address = True
        self._http = ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        self._http.daemon_threads = True
        self._port = self._http.server_address[1]
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def stop(self) -> None:
        if self._http is not None:
            http, self._http = self._http, None
            http.shutdown()
            http.server_close()

    def answer(self, method: str, path: str, body: Any, key: str | None) -> tuple[int, Any]:
        """HTTP status and result of a request."""
        self.requests.append(f"{method} {path}")
        if self.api_key is not None and key != self.api_key:
            return 401, None
        if self.refuse:
            return self.refuse, None
        try:
            return 200, _plain(
                self._do(method, [unquote(p) for p in path.strip("/").split("/")], body)
            )
        except UnexpectedResponse as error:
            return error.status_code or 500, None

    def _do(self, method: str, parts: list[str], body: Any) -> Any:
        engine = self.engine
        match method, parts:
            case "GET", ["aliases"]:
                return engine.get_aliases()
            case "GET", ["collections"]:
                return engine.get_collections()
            case "POST", ["collections", "aliases"]:
                found = models.ChangeAliasesOperation.model_validate(body)
                return engine.update_collection_aliases(change_aliases_operations=found.actions)
        name, rest = parts[1], parts[2:]
        match method, rest:
            case "GET", ["exists"]:
                return {"exists": engine.collection_exists(collection_name=name)}
            case "GET", []:
                return engine.get_collection(collection_name=name)
            case "DELETE", []:
                return engine.delete_collection(collection_name=name)
            case "PUT", []:
                asked = models.CreateCollection.model_validate(body)
                return engine.create_collection(
                    collection_name=name,
                    vectors_config=asked.vectors,
                    sparse_vectors_config=asked.sparse_vectors,
                    hnsw_config=asked.hnsw_config,
                    shard_number=asked.shard_number,
                    replication_factor=asked.replication_factor,
                )
            case "PUT", ["index"]:
                kind = models.PayloadSchemaType(body["field_schema"])
                indexed = models.PayloadIndexInfo(data_type=kind, points=0)
                engine.create_payload_index(name, body["field_name"], field_schema=indexed)
            case "PUT", ["points"]:
                points = [models.PointStruct.model_validate(one) for one in body["points"]]
                more = {"update_filter": where} if (where := _filter(body, "update_filter")) else {}
                engine.upsert(collection_name=name, points=points, **more)
            case "POST", ["points", "delete"]:
                chosen = (
                    models.PointIdsList(points=body["points"])
                    if "points" in body
                    else models.FilterSelector.model_validate(body)
                )
                engine.delete(collection_name=name, points_selector=chosen)
            case "POST", ["points", "payload"]:
                where = _filter(body)
                engine.set_payload(collection_name=name, payload=body["payload"], points=where)
            case "POST", ["points"]:
                return engine.retrieve(
                    collection_name=name,
                    ids=body["ids"],
                    with_payload=body.get("with_payload", True),
                    with_vectors=body.get("with_vector", False),
                )
            case "POST", ["points", "scroll"]:
                records, offset = engine.scroll(
                    collection_name=name,
                    scroll_filter=_filter(body),
                    limit=body.get("limit", 10),
                    offset=body.get("offset"),
                    with_payload=body.get("with_payload", True),
                    with_vectors=body.get("with_vector", False),
                )
                return {"points": records, "next_page_offset": offset}
            case "POST", ["points", "count"]:
                return engine.count(collection_name=name, count_filter=_filter(body))
            case "POST", ["points", "query"]:
                asked_for = models.QueryRequest.model_validate(body)
                query = asked_for.query
                return engine.query_points(
                    collection_name=name,
                    query=query.nearest if isinstance(query, models.NearestQuery) else query,
                    using=asked_for.using,
                    query_filter=asked_for.filter,
                    limit=asked_for.limit,
                    with_payload=asked_for.with_payload,
                )
            case _:
                raise AssertionError(f"{method} {parts}: nobody answers that")
        return {"operation_id": 0, "status": "completed"}


def _filter(body: Any, key: str = "filter") -> Any:
    return models.Filter.model_validate(body[key]) if body.get(key) is not None else None


def _plain(found: Any) -> Any:
    if isinstance(found, BaseModel):
        return found.model_dump(mode="json", exclude_none=True)
    if isinstance(found, list):
        return [_plain(one) for one in found]
    if isinstance(found, dict):
        return {key: _plain(value) for key, value in found.items()}
    return found
