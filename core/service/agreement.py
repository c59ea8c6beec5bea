"""Whether a running core has the settings that a client means.

A vault has one core, and the first who needs it starts it with what he has set. Another client
that has set something else would get answers from another store or another model than it names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from core.api import Health
from core.errors import OtherSettings
from core.locale import Locale, say
from core.settings import Section, Settings

INDEX = ("prefix", "vault.ignore", "store", "embedding")
"""What decides which index a core keeps, and how; sections and single settings."""
MODEL = ("llm.enabled", "llm.url", "llm.model", "llm.allow_remote")
"""What decides which language model it asks."""


class Difference(NamedTuple):
    """A setting by its dotted name, as the core has it and as the client means it."""

    name: str
    core: Any
    client: Any

    def __str__(self) -> str:
        if self.name == "store.api_key":  # a digest says nothing to people
            return self.name
        return f"{self.name}: {_shown(self.core)} ≠ {_shown(self.client)}"


def in_use(settings: Settings) -> dict[str, Any]:
    """The settings of `INDEX` and `MODEL` by their dotted names, as JSON values; those that
    have no effect beside the others are left out, and of a key there is only a digest."""
    found = {
        name: value
        for name, value in _leaves(settings, explicit=False)
        if _named(name, (*INDEX, *MODEL))
    }
    idle = ["store.shards", "store.replicas"]  # of a new collection only
    embedded = settings.store.mode == "embedded"
    idle += ["store.url", "store.api_key"] if embedded else ["store.path"]
    if settings.embedding.provider in ("bundled", "none"):
        idle.append("embedding.model")
    return {name: value for name, value in found.items() if name not in idle}


def differences(
    given: Settings, core: Mapping[str, Any], names: Collection[str] = (*INDEX, *MODEL)
) -> list[Difference]:
    """What a client has set that the core has otherwise; `core` is its `Health.settings`. A
    setting that was not given says nothing, and takes the core as it is."""
    mine = in_use(given)
    explicit = {name for name, _ in _leaves(given, explicit=True)}
    return [
        Difference(name, core[name], mine[name])
        for name in sorted(mine.keys() & core.keys() & explicit)
        if _named(name, names) and core[name] != mine[name]
    ]


def require_agreement(given: Settings, health: Health, locale: Locale) -> None:
    """Raise `OtherSettings` where a core keeps another index than these settings name."""
    found = differences(given, health.settings, INDEX)
    if found:
        raise OtherSettings(
            said(found, locale),
            say(
                locale,
                "Close the editors that have the vault open or end process"
                f" {health.pid}, then run it again; or use the same settings.",
                f"Editoren mit diesem Vault schließen oder Prozess {health.pid} beenden,"
                " dann wiederholen; oder dieselben Einstellungen verwenden.",
            ),
        )


def said(found: list[Difference], locale: Locale) -> str:
    """The differences in one line."""
    parts = "; ".join(map(str, found))
    return say(
        locale,
        f"the core that serves this vault has other settings ({parts})",
        f"der laufende Kern dieses Vaults hat andere Einstellungen ({parts})",
    )


def _leaves(section: Section, *, explicit: bool, above: str = "") -> Iterator[tuple[str, Any]]:
    names = section.model_fields_set if explicit else type(section).model_fields
    for name in names:
        value = getattr(section, name)
        if isinstance(value, Section):
            yield from _leaves(value, explicit=explicit, above=f"{above}{name}.")
        else:
            yield f"{above}{name}", _plain(f"{above}{name}", value)


def _plain(name: str, value: Any) -> Any:
    """A value that two programs can compare, and that tells no secret."""
    if value is None:
        return None
    if name == "store.api_key":
        return hashlib.sha256(value.encode()).hexdigest()[:16]
    if name == "store.path":
        return str(Path(value).expanduser())
    if name.endswith(".url"):
        return value.rstrip("/")
    return list(value) if isinstance(value, tuple) else value


def _named(name: str, names: Collection[str]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in names)


def _shown(value: Any) -> str:
    return "–" if value in (None, []) else str(value)
