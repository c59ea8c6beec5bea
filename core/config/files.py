"""Where the YAML files are, how a vault's own are laid over them, and what is wrong in them.

The packaged defaults always load. A vault overrides any of them with a file of the same
name in `.mindnet/` (deep merge: mappings join, lists and scalars win whole). A key that
does not fit is reported with file, key and line, and its default stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import msgspec
from pydantic import BaseModel, ConfigDict, ValidationError

from core.config.faults import describe
from core.config.source import read_source
from core.settings import merge

VAULT_FOLDER = ".mindnet"
"""Folder of a vault's own configuration, at its root."""

_CORE = Path(__file__).resolve().parent.parent

_LONGEST = 1 << 20

Keys = tuple[str, ...]
"""Where something stands in a tree."""


class Strict(BaseModel):
    """Base of all YAML shapes: frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    named: ClassVar[Mapping[str, Callable[[str], str]]] = {}
    """Fields whose keys are names of the user's own, and how those are compared."""


Model = TypeVar("Model", bound=Strict)


class ConfigProblem(msgspec.Struct, frozen=True):
    """Something wrong in a YAML file. `key` is a dotted path, "" for the whole file;
    `line` is 0-based, -1 where it is not known."""

    file: str
    key: str
    line: int
    message: str

    def __str__(self) -> str:
        place = self.file if self.line < 0 else f"{self.file}:{self.line + 1}"
        return f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"


class Overlay(msgspec.Struct, frozen=True):
    """A vault's file: its name for messages, its text, its tree, and the 0-based lines of its
    keys and list items by path."""

    file: str
    text: str
    tree: dict[str, Any]
    lines: dict[Keys, int] = {}

    def problem(self, path: Keys, message: str) -> ConfigProblem:
        """Something wrong at a path, at the line of the deepest part of it that there is."""
        depths = range(len(path), 0, -1)
        line = next((self.lines[path[:n]] for n in depths if path[:n] in self.lines), -1)
        return ConfigProblem(self.file, ".".join(path), line, message)


def packaged_config_dir() -> Path:
    """The folder of the packaged defaults, in an installed wheel and in a checkout."""
    installed = _CORE / "_config"
    return installed if installed.is_dir() else _CORE.parent / "config"


def load_packaged(name: str) -> dict[str, Any]:
    """The tree of a packaged file such as `types.yaml`; raises OSError if it is missing."""
    tree = read_source((packaged_config_dir() / name).read_text("utf-8")).tree
    if not isinstance(tree, dict):
        raise TypeError(f"{name}: the packaged file is no mapping")
    return tree


def load_overlay(path: Path) -> tuple[Overlay | None, list[ConfigProblem]]:
    """A file that may override a packaged one; `(None, [])` if there is none."""
    import yaml

    try:
        text = path.read_text("utf-8-sig", errors="replace")
    except FileNotFoundError:
        return None, []
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return None, [ConfigProblem(str(path), "", -1, f"cannot be read ({reason})")]
    try:
        if len(text) > _LONGEST:
            raise ValueError(f"it is longer than {_LONGEST} characters")
        source = read_source(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else -1
        return None, [ConfigProblem(str(path), "", line, error.problem or "is not valid YAML")]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return None, [ConfigProblem(str(path), "", -1, f"is not valid YAML ({error})")]
    if source.tree is None:
        return None, []
    if not isinstance(source.tree, dict):
        return None, [ConfigProblem(str(path), "", 0, "must be a mapping of keys to values")]
    repeated = [
        ConfigProblem(
            str(path),
            ".".join(again.path),
            again.line,
            f"is there already, in line {again.first_line + 1}; only this one counts",
        )
        for again in source.repeated
    ]
    return Overlay(str(path), text, source.tree, source.lines), repeated


def validate(
    model: type[Model], packaged: Mapping[str, Any], overlay: Overlay | None
) -> tuple[Model, list[ConfigProblem]]:
    """The model of the packaged tree with the overlay on it, and what did not fit.

    Only keys that do not fit are left out. Raises ValidationError where the packaged
    tree itself is wrong, which a test excludes.
    """
    if overlay is None:
        return model.model_validate(packaged), []
    tree, spelled, problems = _by_name(model, overlay)
    _without_empty(tree, packaged)
    while True:
        try:
            return model.model_validate(merge(packaged, tree)), problems
        except ValidationError as error:
            dropped = False
            for item in error.errors():
                loc = tuple(str(part) for part in item["loc"])
                message = describe(model, overlay.tree, {**item, "loc": loc})
                path = _drop(tree, loc)
                if path:
                    dropped = True
                    # the line of the very item of a list, but the key that holds it
                    found = overlay.problem(_as_written(loc, spelled), message)
                    key = ".".join(_as_written(path, spelled))
                    problems.append(msgspec.structs.replace(found, key=key))
            if not dropped:
                reason = error.errors()[0]["msg"].removeprefix("Value error, ")
                problems.append(ConfigProblem(overlay.file, "", -1, f"{reason}; file ignored"))
                return model.model_validate(packaged), problems


def _by_name(
    model: type[Strict], overlay: Overlay
) -> tuple[dict[str, Any], dict[tuple[str, str], str], list[ConfigProblem]]:
    """The overlay's tree with names as they are compared, so that `Depends On` is laid over
    `depends_on`; how they were spelled; and names that are there twice."""
    tree = dict(overlay.tree)
    spelled: dict[tuple[str, str], str] = {}
    problems: list[ConfigProblem] = []
    for section, normal in model.named.items():
        written = tree.get(section)
        if not isinstance(written, dict):
            continue
        joined: dict[str, Any] = {}
        for name, value in written.items():
            key = normal(name)
            if key in joined:
                first = spelled[section, key]
                problems.append(overlay.problem((section, name), f"is the same as “{first}”"))
                joined = merge(joined, {key: value})
            else:
                spelled[section, key] = name
                joined[key] = value
        tree[section] = joined
    return deepcopy(tree), spelled, problems


def _as_written(path: Keys, spelled: Mapping[tuple[str, str], str]) -> Keys:
    if len(path) < 2:
        return path
    return (path[0], spelled.get((path[0], path[1]), path[1]), *path[2:])


def _without_empty(tree: dict[str, Any], packaged: Mapping[str, Any]) -> None:
    """A key with nothing behind it says nothing of a mapping that is there."""
    for key in list(tree):
        below = packaged.get(key)
        if tree[key] is None and isinstance(below, Mapping):
            del tree[key]
        elif isinstance(tree[key], dict) and isinstance(below, Mapping):
            _without_empty(tree[key], below)


def _drop(tree: dict[str, Any], path: tuple[str, ...]) -> tuple[str, ...]:
    """Remove the deepest mapping key on `path`; return its path, () if it is not there."""
    node: Any = tree
    for depth, part in enumerate(path):
        if part not in node:
            return _drop(tree, path[:depth]) if depth > 1 else ()
        child = node[part]
        if depth == len(path) - 1 or not isinstance(child, dict):
            # an error inside a list or a scalar drops the value that holds it
            del node[part]
            return path[: depth + 1]
        node = child
    # the mapping itself is what is wrong (a check over several of its keys)
    return ()


def line_of(text: str, path: tuple[str, ...]) -> int:
    """The 0-based line of the deepest key on `path` that a YAML text has, -1 for none."""
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return -1
    line = -1
    for part in path:
        if not isinstance(node, yaml.MappingNode):
            break
        for key, value in node.value:
            if key.value == part:
                line, node = key.start_mark.line, value
                break
        else:
            break
    return line
