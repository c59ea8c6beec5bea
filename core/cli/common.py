"""What all commands share: options, the vault, output, errors as one clear line."""

from __future__ import annotations

import functools
import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NoReturn, ParamSpec, TypeVar

import typer
from pydantic import BaseModel

from core.errors import MindnetError
from core.locale import Locale, locale_of
from core.settings import Settings, read_settings
from core.user_config import user_settings

P = ParamSpec("P")
R = TypeVar("R")

MARKERS = (".mindnet", ".obsidian")
FINE, FINDINGS, FAILURE, INTERRUPTED = 0, 1, 2, 130

VaultOption = Annotated[
    Path | None,
    typer.Option(
        "--vault", help="The vault; default: the nearest folder with .mindnet or .obsidian."
    ),
]
PrefixOption = Annotated[str | None, typer.Option("--prefix", help="Prefix of the collections.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def find_vault(given: Path | None) -> Path:
    """The vault that a command means. Raises `typer.Exit` with a line on stderr."""
    if given is not None:
        if not given.is_dir():
            fail(f"{given} is not a folder", "Name the vault's folder with --vault.")
        return given.resolve()
    here = Path.cwd().resolve()
    for folder in (here, *here.parents):
        if any((folder / marker).is_dir() for marker in MARKERS):
            return folder
    return here


def settings_tree(prefix: str | None) -> dict[str, Any]:
    """The settings that the user's files, the environment and options give."""
    tree, warnings = user_settings()
    for warning in warnings:
        typer.echo(f"mindnet: {warning}", err=True)
    return tree if prefix is None else {**tree, "prefix": prefix}


def settings_quietly(prefix: str | None) -> tuple[dict[str, Any], Settings]:
    """The settings, before and after validation, for a command that reports on them itself."""
    tree, _ = user_settings()
    tree = tree if prefix is None else {**tree, "prefix": prefix}
    return tree, read_settings(tree)[0]


def settings_of(tree: dict[str, Any]) -> Settings:
    """The validated settings; a bad one is named on stderr and its default used."""
    settings, warnings = read_settings(tree)
    for warning in warnings:
        typer.echo(f"mindnet: {warning}", err=True)
    return settings


def user_locale(settings: Settings) -> Locale:
    """The language to speak: the setting, else the terminal's."""
    if settings.locale != "auto":
        return settings.locale
    named = next(
        (os.environ[n] for n in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(n)), None
    )
    return locale_of(named)


def fail(message: str, hint: str = "") -> NoReturn:
    """One clear line on stderr, exit code 2."""
    typer.echo(f"mindnet: {message}" + (f". {hint}" if hint else ""), err=True)
    raise typer.Exit(FAILURE)


def expected_failures(command: Callable[P, R]) -> Callable[P, R]:
    """Turn errors into `fail`, and Ctrl-C into its usual exit code: never a traceback."""

    @functools.wraps(command)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except MindnetError as error:
            fail(error.message, error.hint)
        except KeyboardInterrupt:
            typer.echo("mindnet: interrupted; run it again to go on", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # the reader of our output went away (`mindnet query x | head`)
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(FINE) from None
        except OSError as error:
            fail(f"{error.filename or 'a file'}: {error.strerror or type(error).__name__}")
        except typer.Exit:
            raise
        except Exception as error:  # a fault of ours: say where, and show no text of a note
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(last.filename).name}:{last.lineno}"
            fail(f"internal error: {type(error).__name__} at {place}", "Please report it.")

    return guarded


def print_json(shape: BaseModel | dict[str, Any]) -> None:
    """Print one JSON object."""
    found = shape.model_dump() if isinstance(shape, BaseModel) else shape
    typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
