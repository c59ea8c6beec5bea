"""The settings of one client: the user's own, initializationOptions, live changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.settings import Settings, read_settings
from core.user_config import user_settings

SECTION = "mindnet"


class ClientSettings:
    """The layers that all folders share, and what the client says for each folder.

    Warnings about bad keys are handed out once, not with every change.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._user, self._unread = user_settings(environ)
        self._options: dict[str, Any] = {}
        self._pushed: dict[str, Any] = {}
        self._seen: set[str] = set()

    def set_options(self, options: object) -> None:
        """Take `initializationOptions`: the section itself, or an object that holds it."""
        self._options = section_of(options)

    def push(self, settings: object) -> None:
        """Take the settings of a `didChangeConfiguration`; without any, the last ones stand."""
        found = section_of(settings)
        if found:
            self._pushed = found

    def read(self, answer: object = None) -> tuple[Settings, list[str]]:
        """The settings where the client answered `answer` to `workspace/configuration`, and the
        warnings that have not been given yet."""
        settings, warnings = read_settings(
            self._user, self._options, self._pushed, section_of(answer)
        )
        warnings = self._unread + warnings
        new = [warning for warning in dict.fromkeys(warnings) if warning not in self._seen]
        self._seen.update(new)
        return settings, new


def section_of(value: object) -> dict[str, Any]:
    """The section `mindnet` in what a client sent, in any of the forms that clients use."""
    if not isinstance(value, Mapping):
        return {}
    own = value.get(SECTION)
    if isinstance(own, Mapping):
        return dict(own)
    # null means unset; VS Code sends it for settings without a default
    return {str(key): item for key, item in value.items() if item is not None and key != SECTION}
