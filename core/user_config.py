"""The user's own settings: `settings.yaml` and `.env` in the config folder, and the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.settings import from_environment, merge

CONFIG_DIR_VARIABLE = "MINDNET_CONFIG_DIR"
SETTINGS_FILE = "settings.yaml"
ENV_FILE = ".env"


def config_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The user's config folder: `MINDNET_CONFIG_DIR`, else where the platform has it."""
    named = (os.environ if environ is None else environ).get(CONFIG_DIR_VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    from platformdirs import user_config_path

    return user_config_path("mindnet", appauthor=False)


def user_settings(environ: Mapping[str, str] | None = None) -> tuple[dict[str, Any], list[str]]:
    """The settings tree of the user, and a warning for each file that cannot be read.

    Later wins: `settings.yaml` (the section `mindnet`, or its content), `.env`, environment.
    """
    given = os.environ if environ is None else environ
    folder = config_dir(given)
    tree, warnings = _settings_file(folder / SETTINGS_FILE)
    variables, more = _env_file(folder / ENV_FILE)
    return merge(tree, from_environment({**variables, **given})), warnings + more


def _settings_file(path: Path) -> tuple[dict[str, Any], list[str]]:
    text, warnings = _read(path)
    if not text.strip():
        return {}, warnings
    import yaml

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}" if mark else str(path)
        return {}, [f"{place}: is not YAML; the file is left out"]
    if found is None:
        return {}, warnings
    if not isinstance(found, dict):
        return {}, [f"{path}: must be a mapping; the file is left out"]
    own = found.get("mindnet", found)
    return ({str(key): value for key, value in own.items()} if isinstance(own, dict) else {}), []


def _env_file(path: Path) -> tuple[dict[str, str], list[str]]:
    """`NAME=value` lines; `#` comments, `export` and one pair of quotes are understood."""
    text, warnings = _read(path)
    variables = {}
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip().removeprefix("export ").strip()
        if not content or content.startswith("#"):
            continue
        name, equals, value = content.partition("=")
        if not equals:
            warnings.append(f"{path}:{number}: is no NAME=value; the line is left out")
            continue
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        variables[name.strip()] = value
    return variables, warnings


def _read(path: Path) -> tuple[str, list[str]]:
    try:
        return path.read_text("utf-8"), []
    except FileNotFoundError:
        return "", []
    except (OSError, UnicodeDecodeError) as error:
        return "", [f"{path}: cannot be read ({type(error).__name__}); it is left out"]
