"""Reads the whole configuration of a vault."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from core.config.consistent import check_relations, check_types
from core.config.files import (
    VAULT_FOLDER,
    ConfigProblem,
    Overlay,
    load_overlay,
    load_packaged,
    validate,
)
from core.config.note_types import TypesConfig
from core.config.relations import RelationsConfig
from core.config.retriever import RetrieverConfig
from core.config.templates import TemplatesConfig
from core.text import fold

if TYPE_CHECKING:
    from core.config.decision import DecisionConfig
    from core.config.prompts import PromptsConfig

TYPES_FILE_VARIABLE = "MINDNET_TYPES_FILE"
DECISION_FILE, PROMPTS_FILE = "decision_engine.yaml", "prompts.yaml"
NAMES = (
    "types.yaml",
    "relations.yaml",
    "retriever.yaml",
    "templates.yaml",
    DECISION_FILE,
    PROMPTS_FILE,
)
"""The files that a vault may have of its own."""


class Config(msgspec.Struct, frozen=True):
    """Everything that YAML files configure, and what was wrong in a vault's own ones."""

    types: TypesConfig
    relations: RelationsConfig
    retriever: RetrieverConfig
    problems: tuple[ConfigProblem, ...] = ()
    templates: TemplatesConfig = TemplatesConfig()


def load_config(root: Path | None = None, environ: Mapping[str, str] | None = None) -> Config:
    """The configuration of the vault at `root`, of none for the packaged defaults.

    A types file named by `MINDNET_TYPES_FILE` takes the place of the vault's own. Never
    raises for what a user wrote: see `Config.problems`.
    """
    types, type_problems = load_types(root, environ)
    relations, relation_problems = load_relations(root)
    overlay, read_problems = _vault_overlay(root, "retriever.yaml")
    retriever, problems = validate(RetrieverConfig, load_packaged("retriever.yaml"), overlay)
    templates, template_problems = load_templates(root)
    found = (
        *type_problems,
        *relation_problems,
        *read_problems,
        *problems,
        *template_problems,
        *_chat_problems(root),
    )
    return Config(types, relations, retriever, found, templates)


class ChatConfig(msgspec.Struct, frozen=True):
    """What chat and drafts need besides, and what was wrong in a vault's own files."""

    decision: DecisionConfig
    prompts: PromptsConfig
    problems: tuple[ConfigProblem, ...] = ()


def load_chat(root: Path | None = None) -> ChatConfig:
    """The decision engine and the prompts; as `load_config`. Read when somebody talks, so
    that nobody else waits for them."""
    from core.config.decision import DecisionConfig
    from core.config.prompts import PromptsConfig

    own, decision_problems = _vault_overlay(root, DECISION_FILE)
    decision, more = validate(DecisionConfig, load_packaged(DECISION_FILE), own)
    overlay, prompt_problems = _vault_overlay(root, PROMPTS_FILE)
    prompts, last = validate(PromptsConfig, load_packaged(PROMPTS_FILE), overlay)
    return ChatConfig(decision, prompts, (*decision_problems, *more, *prompt_problems, *last))


def _chat_problems(root: Path | None) -> tuple[ConfigProblem, ...]:
    names = (DECISION_FILE, PROMPTS_FILE)
    if root is None or not any((root / VAULT_FOLDER / name).exists() for name in names):
        return ()
    return load_chat(root).problems


class ConfigFiles:
    """The files of one vault's configuration, and whether they changed since they were read."""

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self._root, self._environ = root, environ
        own = [root / VAULT_FOLDER / name for name in NAMES]
        named = environ.get(TYPES_FILE_VARIABLE)
        self._paths = [*own, Path(named).expanduser()] if named else own
        self._stamps: tuple[tuple[int, int], ...] = ()

    def read(self) -> Config:
        """The configuration as the files have it now."""
        # before they are read: what is written meanwhile is a change
        self._stamps = self._look()
        return load_config(self._root, self._environ)

    def changed(self) -> bool:
        """Whether any of them is another one than when they were read; looks at their stamps."""
        return self._look() != self._stamps

    def _look(self) -> tuple[tuple[int, int], ...]:
        return tuple(stamp_of(path) for path in self._paths)


def stamp_of(path: Path) -> tuple[int, int]:
    """What differs where a file was changed: its bytes and nanoseconds; -1 for no file."""
    try:
        found = path.stat()
    except OSError:
        return (-1, -1)
    return (found.st_size, found.st_mtime_ns)


def load_types(
    root: Path | None = None, environ: Mapping[str, str] | None = None
) -> tuple[TypesConfig, list[ConfigProblem]]:
    """The note types alone. The vault's `paths` are matched before the packaged ones."""
    named = (environ or {}).get(TYPES_FILE_VARIABLE)
    if named:
        path = Path(named).expanduser()
        overlay, read_problems = load_overlay(path)
        if overlay is None and not read_problems:
            read_problems = [
                ConfigProblem(str(path), "", -1, f"no such types file ({TYPES_FILE_VARIABLE})")
            ]
    else:
        overlay, read_problems = _vault_overlay(root, "types.yaml")
    packaged = load_packaged("types.yaml")
    if overlay is not None:
        packaged = _vault_first(packaged, overlay)
    config, problems = validate(TypesConfig, packaged, overlay)
    if overlay is not None:
        problems += check_types(config, overlay)
    return config, [*read_problems, *problems]


def load_relations(root: Path | None = None) -> tuple[RelationsConfig, list[ConfigProblem]]:
    """The relation kinds alone."""
    overlay, read_problems = _vault_overlay(root, "relations.yaml")
    config, problems = validate(RelationsConfig, load_packaged("relations.yaml"), overlay)
    if overlay is not None:
        problems += check_relations(config, overlay)
    return config, [*read_problems, *problems]


def load_templates(root: Path | None = None) -> tuple[TemplatesConfig, list[ConfigProblem]]:
    """What new notes begin with, alone."""
    overlay, read_problems = _vault_overlay(root, "templates.yaml")
    config, problems = validate(TemplatesConfig, load_packaged("templates.yaml"), overlay)
    return config, [*read_problems, *problems]


def _vault_overlay(root: Path | None, name: str) -> tuple[Overlay | None, list[ConfigProblem]]:
    return (None, []) if root is None else load_overlay(root / VAULT_FOLDER / name)


def _vault_first(packaged: dict[str, Any], overlay: Overlay) -> dict[str, Any]:
    own = overlay.tree.get("types")
    if not isinstance(own, dict):
        return packaged
    types = packaged.get("types", {})
    # an empty mapping holds the place; validation lays the vault's values over it
    first = {name: types.get(name, {}) for name in map(fold, own)}
    return {**packaged, "types": {**first, **types}}
