"""Where the YAML files are, how a vault's own are laid over them, and what is wrong in them.

The packaged defaults always load. A vault overrides any of them with a file of the same
name in `.mindnet/` (deep merge: mappings join, lists and scalars win whole). A key that
does not fit is reported with file, key and line, and its default stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from pydantic import BaseModel, ConfigDict, ValidationError

from core.settings import merge

VAULT_FOLDER = ".mindnet"
"""Folder of a vault's own configuration, at its root."""

_CORE = Path(__file__).resolve().parent.parent

Model = TypeVar("Model", bound=BaseModel)


class Strict(BaseModel):
    """Base of all YAML shapes: frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


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
    """A vault's file: its name for messages, its text, and its tree."""

    file: str
    text: str
    tree: dict[str, Any]


def packaged_config_dir() -> Path:
    """The folder of the packaged defaults, in an installed wheel and in a checkout."""
    installed = _CORE / "_config"
    return installed if installed.is_dir() else _CORE.parent / "config"


def load_packaged(name: str) -> dict[str, Any]:
    """The tree of a packaged file such as `types.yaml`; raises OSError if it is missing."""
    tree = _parse((packaged_config_dir() / name).read_text("utf-8"))
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
        tree = _parse(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else -1
        return None, [ConfigProblem(str(path), "", line, error.problem or "is not valid YAML")]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return None, [ConfigProblem(str(path), "", -1, f"is not valid YAML ({error})")]
    if tree is None:
        return None, []
    if not isinstance(tree, dict):
        return None, [ConfigProblem(str(path), "", 0, "must be a mapping of keys to values")]
    return Overlay(str(path), text, _string_keys(tree)), []


def validate(
    model: type[Model], packaged: Mapping[str, Any], overlay: Overlay | None
) -> tuple[Model, list[ConfigProblem]]:
    """The model of the packaged tree with the overlay on it, and what did not fit.

    Only keys that do not fit are left out. Raises ValidationError where the packaged
    tree itself is wrong, which a test excludes.
    """
    if overlay is None:
        return model.model_validate(packaged), []
    tree = merge({}, overlay.tree)
    problems: list[ConfigProblem] = []
    while True:
        try:
            return model.model_validate(merge(packaged, tree)), problems
        except ValidationError as error:
            dropped = False
            for item in error.errors():
                path = _drop(tree, tuple(str(part) for part in item["loc"]))
                if path:
                    dropped = True
                    line = line_of(overlay.text, path)
                    message = item["msg"].removeprefix("Value error, ")
                    problems.append(ConfigProblem(overlay.file, ".".join(path), line, message))
            if not dropped:
                reason = error.errors()[0]["msg"].removeprefix("Value error, ")
                problems.append(ConfigProblem(overlay.file, "", -1, f"{reason}; file ignored"))
                return model.model_validate(packaged), problems


def _parse(text: str) -> Any:
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _string_keys(tree: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        str(key): _string_keys(value) if isinstance(value, dict) else value
        for key, value in tree.items()
    }


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
