"""From JSON to typed messages, strictly; what does not fit is named by its field."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from cattrs import Converter
from cattrs.errors import AttributeValidationNote, IterableValidationNote
from lsprotocol import types
from pygls.protocol import default_converter
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage

Path = tuple[str | int, ...]
Raw = dict[str, Any]

MAX_ROUNDS = 100
"""Faults of an `initialize` that are mended one after the other."""

_log = logging.getLogger(__name__)
_OF_FIELD = re.compile(r"\w+\.(\w+) should be in range")


class InvalidMessageError(Exception):
    """The message says which field is wrong and what it must be; it holds no value."""


def strict_converter() -> Converter:
    """lsprotocol's converter without its kindness: there, 5 is the text "5", and null the
    text "None"."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(float, _number)
    converter.register_structure_hook(bool, _flag)
    return converter


def typed(converter: Converter, raw: Raw) -> Any:
    """The message as lsprotocol's type, or as pygls' own for methods that are not LSP's.
    Raises InvalidMessageError."""
    method: str = raw["method"]
    is_request = "id" in raw
    kind = types.METHOD_TO_TYPES.get(method, (None,))[0]
    if kind is None:
        other = JsonRPCRequestMessage if is_request else JsonRPCNotification
        kept = {name: raw[name] for name in ("id", "method", "jsonrpc") if name in raw}
        return converter.structure({**kept, "params": raw.get("params")}, other)
    if method == types.INITIALIZE:
        raw, left_out = mended(converter, raw, kind)
        for name in left_out:
            _log.warning("initialize: %s cannot be read and is left out", name)
    try:
        return converter.structure(raw, kind)
    except Exception as error:  # cattrs raises what its hooks raise
        raise InvalidMessageError(explain(error, raw)) from error


def mended(converter: Converter, raw: Raw, kind: Any) -> tuple[Raw, list[str]]:
    """An `initialize` that can be read, and what was left out for that. An odd capability of
    a new or careless client must not keep the server from starting. Raises InvalidMessageError."""
    if not isinstance(raw.get("params"), dict):
        raise InvalidMessageError("params: must be an object")
    left_out: list[str] = []
    copied = False
    for _ in range(MAX_ROUNDS):
        try:
            converter.structure(raw, kind)
        except Exception as error:
            if not copied:
                raw, copied = deepcopy(raw), True
            found = {_reach(raw, path) for path, _ in _faults(error)}
            if any(len(path) < 2 or path[0] != "params" for path in found):
                raise InvalidMessageError(explain(error, raw)) from error
            # the last first: an item of a list goes without moving those in front of it
            for path in sorted(found, key=_order, reverse=True):
                left_out.append(shown(path))
                _leave_out(raw, path)
        else:
            return raw, left_out
    raise InvalidMessageError("params: cannot be read")


def explain(error: BaseException, raw: Any) -> str:
    """The first fault in words: the field as it is called in JSON, and what it must be."""
    for path, cause in _faults(error):
        reached = _reach(raw, path)
        if len(reached) < len(path) and not isinstance(_at(raw, reached), dict):
            return f"{shown(reached)}: must be an object"
        if isinstance(cause, KeyError):
            return f"{shown(path)}: is missing"
        if _OF_FIELD.match(str(cause)):
            return f"{shown(path)}: must be a whole number from 0 to 2147483647"
        if isinstance(cause, _StrictError):
            return f"{shown(path)}: {cause}"
        if isinstance(cause, TypeError):
            wanted = "a list" if "object is not iterable" in str(cause) else "an object"
            return f"{shown(path)}: must be {wanted}"
        return f"{shown(path)}: has a value that is not allowed"
    return "params: cannot be read"


def shown(path: Path) -> str:
    """`params.position.line`, `params.contentChanges[0]`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".") or "message"


class _StrictError(TypeError):
    """Of our own hooks: the message may be shown."""


def _text(value: Any, kind: Any) -> Any:
    """`kind` may be an enumeration: lsprotocol's are subclasses of str and int."""
    if not isinstance(value, str):
        raise _StrictError("must be a string")
    return value if kind is str else kind(value)


def _whole(value: Any, kind: Any) -> Any:
    # some JSON libraries write whole numbers as 1.0
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _StrictError("must be a whole number")
    return value if kind is int else kind(value)


def _number(value: Any, _: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _StrictError("must be a number")
    return float(value)


def _flag(value: Any, _: Any) -> bool:
    if not isinstance(value, bool):
        raise _StrictError("must be true or false")
    return value


def _faults(error: BaseException, path: Path = ()) -> Iterator[tuple[Path, BaseException]]:
    """The innermost errors with their paths in the JSON."""
    for note in getattr(error, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            path = (*path, _camel(note.name))
        elif isinstance(note, IterableValidationNote):
            path = (*path, note.index)
    inner = getattr(error, "exceptions", None)
    if inner:
        for each in inner:
            yield from _faults(each, path)
        return
    found = _OF_FIELD.match(str(error))
    yield (*path, _camel(found[1])) if found else path, error


def _camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


def _reach(raw: Any, path: Path) -> Path:
    """The part of the path that is there."""
    for depth in range(len(path)):
        if _at(raw, path[: depth + 1], missing := object()) is missing:
            return path[:depth]
    return path


def _at(raw: Any, path: Path, default: Any = None) -> Any:
    for part in path:
        try:
            raw = raw[part]
        except (KeyError, IndexError, TypeError):
            return default
    return raw


def _order(path: Path) -> list[tuple[str, int]]:
    return [("", part) if isinstance(part, int) else (part, 0) for part in path]


def _leave_out(raw: Any, path: Path) -> None:
    """Take away what is at the path; what has to be there becomes empty."""
    holder, last = _at(raw, path[:-1]), path[-1]
    if path == ("params", "capabilities"):
        holder[last] = {}
    elif path in (("params", "processId"), ("params", "rootUri")):
        holder[last] = None
    elif isinstance(holder, dict):
        holder.pop(last, None)
    elif isinstance(holder, list) and isinstance(last, int) and last < len(holder):
        del holder[last]
