"""The JSON object of a command, read with messages that name the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lsprotocol import types

from core.errors import InvalidArguments


class Arguments:
    """Raises `InvalidArguments` for a field of the wrong type; null counts as missing."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given

    @property
    def token(self) -> types.ProgressToken | None:
        """The `workDoneToken`, if the client sent one."""
        token = self._given.get("workDoneToken")
        return token if isinstance(token, str | int) else None

    def progress_token(self, name: str) -> types.ProgressToken | None:
        """A token by which the client wants to hear of partial results."""
        token = self._given.get(name)
        if token is not None and (isinstance(token, bool) or not isinstance(token, str | int)):
            raise InvalidArguments(f"{name}: must be a string or a whole number")
        return token

    def has(self, name: str) -> bool:
        """Whether the field is there."""
        return self._given.get(name) is not None

    def text(self, name: str) -> str:
        """A string that must be there."""
        value = self._given.get(name)
        if not isinstance(value, str) or not value.strip():
            raise InvalidArguments(f"{name}: must be a non-empty string")
        return value

    def optional_text(self, name: str) -> str | None:
        """A string, which may be empty; None where it is missing."""
        value = self._given.get(name)
        if value is not None and not isinstance(value, str):
            raise InvalidArguments(f"{name}: must be a string")
        return value

    def number(self, name: str, default: int) -> int:
        """A whole number."""
        value = self._given.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidArguments(f"{name}: must be a whole number")
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """A boolean."""
        value = self._given.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise InvalidArguments(f"{name}: must be true or false")
        return value

    def choice(self, name: str, allowed: Sequence[str], default: str) -> str:
        """One of some strings."""
        value = self._given.get(name)
        if value is None:
            return default
        if value not in allowed:
            raise InvalidArguments(f"{name}: must be one of {', '.join(allowed)}")
        return str(value)

    def texts(self, name: str) -> list[str]:
        """A list of strings; empty where it is missing."""
        value = self._given.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise InvalidArguments(f"{name}: must be a list of strings")
        return list(value)

    def mapping(self, name: str) -> dict[str, Any]:
        """An object; empty where it is missing."""
        value = self._given.get(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise InvalidArguments(f"{name}: must be an object")
        return {str(key): item for key, item in value.items() if item is not None}

    def objects(self, name: str) -> list[dict[str, Any]] | None:
        """A list of objects; None where it is missing."""
        value = self._given.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            raise InvalidArguments(f"{name}: must be a list of objects")
        return [dict(item) for item in value]

    def position(self, name: str) -> types.Position | None:
        """An LSP position."""
        value = self._given.get(name)
        if value is None:
            return None
        try:
            return _position(value)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidArguments(f"{name}: must be a position") from error

    def range(self, name: str) -> types.Range | None:
        """An LSP range."""
        value = self._given.get(name)
        if value is None:
            return None
        try:
            ends = [_position(value[end]) for end in ("start", "end")]
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidArguments(f"{name}: must be a range of start and end") from error
        return types.Range(*ends)


def _position(value: Any) -> types.Position:
    line, character = value["line"], value["character"]
    for number in (line, character):
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ValueError(number)
    return types.Position(line, character)
