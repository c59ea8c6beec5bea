"""The smallest valid parameters of any LSP method, made from lsprotocol's types."""

from __future__ import annotations

import enum
import types as python
from collections.abc import Iterator
from typing import Any, Union, get_args, get_origin

import attrs
from lsprotocol import types
from lsprotocol.converters import get_converter

get_converter()  # resolves the forward references of the types

Path = tuple[str | int, ...]


def params_type(method: str) -> Any:
    """The type of a method's parameters, None where it has none."""
    message = types.METHOD_TO_TYPES[method][0]
    found = {field.name: field.type for field in attrs.fields(message)}.get("params")
    return next((each for each in _options(found) if attrs.has(each)), None)


def sample(kind: Any) -> Any:
    """A value of the type as JSON; optional fields are left out."""
    options = _options(kind)
    kind = next((each for each in options if attrs.has(each)), options[0])
    if kind is type(None):
        return None
    if attrs.has(kind):
        return {
            camel(field.name): sample(field.type)
            for field in attrs.fields(kind)
            if field.default is attrs.NOTHING
        }
    origin = get_origin(kind)
    if origin is not None and issubclass(origin, python.MappingProxyType | dict):
        return {}
    if origin is not None:
        return [sample(get_args(kind)[0])]
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return next(iter(kind)).value
    return {str: "file:///v/a.md", int: 1, bool: True, float: 1.0}.get(kind, {})


def places(kind: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every required field below a type that has one plain type, with that type."""
    for field in attrs.fields(kind):
        options = _options(field.type)
        if field.default is not attrs.NOTHING or len(options) != 1:
            continue
        here = (*path, camel(field.name))
        yield here, options[0]
        if attrs.has(options[0]):
            yield from places(options[0], here)


def camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


def _options(kind: Any) -> list[Any]:
    """The types of a union without None; of a plain type itself."""
    if get_origin(kind) in (Union, python.UnionType):
        return [each for each in get_args(kind) if each is not type(None)] or [type(None)]
    return [kind]
