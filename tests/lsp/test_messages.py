"""What comes over the wire is checked before anything is done with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import attrs
import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter

from mindnet_lsp.messages import InvalidMessageError, mended, shown, strict_converter, typed
from tests.support.samples import Path as Place
from tests.support.samples import params_type, places, sample

CLIENTS = Path(__file__).parents[1] / "e2e" / "clients"
CONVERTER = strict_converter()
REQUESTS = sorted(
    method
    for method, (message, answer, *_) in types.METHOD_TO_TYPES.items()
    if answer is not None and params_type(method) and method != types.INITIALIZE and message
)
NOTIFICATIONS = sorted(
    method
    for method, (_, answer, *_) in types.METHOD_TO_TYPES.items()
    if answer is None and params_type(method)
)
WRONG: dict[Any, list[Any]] = {
    str: [5, None, True, ["a"], {}],
    int: ["1", -1, 1.5, None, True, [], 1 << 40],
    bool: ["yes", 1, None, []],
}


def raw(method: str, params: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    return found if method in NOTIFICATIONS else {**found, "id": 1}


def fault(message: dict[str, Any]) -> str | None:
    try:
        typed(CONVERTER, message)
    except InvalidMessageError as error:
        return str(error)
    return None


def faulty(method: str) -> Iterator[tuple[Place, Any, bool]]:
    """Places of the parameters with wrong values for them; True where it is taken away."""
    for path, kind in places(params_type(method)):
        yield path, None, True
        if attrs.has(kind):
            # cattrs takes a text for an object of which nothing is required
            wrong_objects = (5, True, "x") if sample(kind) else (5, True)
            yield from ((path, wrong, False) for wrong in wrong_objects)
        for wrong in WRONG.get(kind, ()):
            # only positions are unsigned everywhere
            if wrong not in (-1, 1 << 40) or path[-1] in ("line", "character"):
                yield path, wrong, False


@pytest.mark.parametrize("method", [*REQUESTS, *NOTIFICATIONS])
def test_bad_params_are_named_by_their_field(method: str) -> None:
    good = sample(params_type(method))
    assert fault(raw(method, good)) is None
    for wrong in (None, 5, "x", []):
        if good:
            assert (fault(raw(method, wrong)) or "").startswith("params: must be an object")
    for path, wrong, taken in faulty(method):
        params = deepcopy(good)
        holder = params
        for part in path[:-1]:
            holder = holder[part]
        if taken:
            del holder[path[-1]]
        else:
            holder[path[-1]] = wrong
        name, found = shown(("params", *path)), fault(raw(method, params))
        assert found is not None, (name, wrong)
        assert found.startswith(f"{name}: "), (found, wrong)
        if taken:
            assert found.endswith("is missing")


@pytest.mark.parametrize(
    ("position", "text"),
    [
        ({"line": -1, "character": 0}, "line: must be a whole number from 0 to 2147483647"),
        ({"line": 1 << 31, "character": 0}, "line: must be a whole number from 0 to 2147483647"),
        ({"line": "3", "character": 0}, "line: must be a whole number"),
        ({"line": 0}, "character: is missing"),
    ],
)
def test_a_message_for_people(position: Any, text: str) -> None:
    params = {"textDocument": {"uri": "file:///a.md"}, "position": position}
    assert fault(raw("textDocument/hover", params)) == f"params.position.{text}"


def test_a_message_holds_no_text_of_a_note() -> None:
    params = {
        "textDocument": {"uri": "file:///a.md", "version": 1},
        "contentChanges": [{"text": ["secret"]}],
    }
    found = fault(raw("textDocument/didChange", params))
    assert found is not None
    assert "secret" not in found
    assert "contentChanges[0]" in found


def test_whole_numbers_of_careless_json_libraries() -> None:
    params = {"textDocument": {"uri": "file:///a.md"}, "position": {"line": 1.0, "character": 0}}
    assert typed(CONVERTER, raw("textDocument/hover", params)).params.position.line == 1


@pytest.mark.parametrize("client", sorted(path.stem for path in CLIENTS.glob("*.json")))
def test_every_real_client_is_read_whole(client: str) -> None:
    recorded = json.loads((CLIENTS / f"{client}.json").read_text("utf-8"))
    message = raw("initialize", {"processId": None, "rootUri": None, **recorded})
    assert mended(CONVERTER, message, types.InitializeRequest)[1] == []


@pytest.mark.parametrize(
    "capabilities",
    [
        {"workspace": {"symbol": {"symbolKind": {"valueSet": [1, 99, 2]}}}},
        {"textDocument": {"hover": {"contentFormat": ["html", "markdown"]}}},
        {"textDocument": {"hover": True, "completion": 5}},
        {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}},
        {"workspace": {"fileOperations": "yes", "workspaceEdit": {"documentChanges": "true"}}},
        {"window": {"workDoneProgress": "yes"}, "general": 3, "experimental": [None]},
        {"textDocument": None, "workspace": None, "window": None},
        {"nonsense": {"a": 1}},
    ],
)
def test_ed_06_odd_capabilities_keep_no_client_out(capabilities: Any) -> None:
    good = {"textDocument": {"definition": {"linkSupport": True}}}
    joined = {**capabilities, "textDocument": capabilities.get("textDocument")}
    if isinstance(joined["textDocument"], dict) or joined["textDocument"] is None:
        joined["textDocument"] = {**(joined["textDocument"] or {}), **good["textDocument"]}
    message = raw("initialize", {"processId": None, "rootUri": None, "capabilities": joined})
    found = typed(CONVERTER, message).params.capabilities
    assert found.text_document.definition.link_support is True


def test_ed_06_odd_parameters_of_initialize() -> None:
    params = {
        "processId": "12",
        "rootUri": 5,
        "rootPath": [],
        "capabilities": "all",
        "trace": "compact",
        "locale": 7,
        "clientInfo": {"version": "1"},
        "workspaceFolders": [{"uri": 5, "name": "x"}, {"uri": "file:///v", "name": "v"}],
    }
    found = typed(CONVERTER, raw("initialize", params)).params
    assert found.capabilities == types.ClientCapabilities()
    assert (found.process_id, found.root_uri, found.locale) == (None, None, None)
    assert [folder.uri for folder in found.workspace_folders] == ["file:///v"]
    assert params["trace"] == "compact", "what came is not changed"
    for wrong in ([], None, {"processId": None}):
        with pytest.raises(InvalidMessageError):
            typed(CONVERTER, raw("initialize", wrong))


def test_valid_messages_are_read_as_lsprotocol_reads_them() -> None:
    """Strict about types, and nothing else."""
    for method in REQUESTS:
        message = raw(method, sample(params_type(method)))
        kind = types.METHOD_TO_TYPES[method][0]
        assert repr(typed(CONVERTER, message)) == repr(get_converter().structure(message, kind))
