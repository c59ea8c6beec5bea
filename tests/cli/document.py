"""Writes `docs/cli.md` from the commands: `python -m tests.cli.document`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import UnionType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo, OptionInfo

from core.cli.__main__ import COMMANDS
from core.cli.pages import PAGES

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"

INTRODUCTION = """\
# The command line

<!-- Written by `python -m tests.cli.document`; a test keeps it true. -->

`mindnet` works on one vault: the nearest folder with `.mindnet` or `.obsidian`, or the one that
`--vault` names. It is the same core as in the editors: one that runs for the vault is asked, else
the command does the work itself. Notes are only read; `draft --save` alone writes one, a new one.
Results go to standard output, everything else to standard error; progress bars come on a terminal
only.

| exit code | means |
|---|---|
| 0 | fine |
| 1 | findings: what that is, each command says |
| 2 | wrong usage or failure, with one line on standard error that says what to do |
| 130 | interrupted; run it again to go on |

`mindnet --install-completion` teaches your shell to complete commands and options.

Settings come from `settings.yaml` and `.env` in the user's config folder (`MINDNET_CONFIG_DIR`) and
from the environment (`MINDNET_*`, `COLLECTION_PREFIX`); what is derived lies in the data folder
(`MINDNET_DATA_DIR`). What makes a note a changed one: `MINDNET_HASH_COMPARE` (body, frontmatter or
full; a note's `hash_mode` wins), `MINDNET_HASH_SOURCE` (parsed or raw frontmatter) and
`MINDNET_HASH_NORMALIZE` (canonical, or none: then line ends and Unicode form count).
"""


def render() -> str:
    """The whole document."""
    parts = [INTRODUCTION]
    for panel in dict.fromkeys(page.panel for page in PAGES.values()):
        parts.append(f"## {panel}\n")
        parts += [_command(name) for name in COMMANDS if PAGES[name].panel == panel]
    return "\n".join(parts)


_KINDS = {Path: "path", int: "number", str: "text"}


class Parameter(NamedTuple):
    """One argument or option, from the signature: that is the same in every version of typer."""

    info: ArgumentInfo | OptionInfo
    name: str
    type: Any
    default: Any

    @property
    def is_argument(self) -> bool:
        return isinstance(self.info, ArgumentInfo)

    @property
    def usage(self) -> str:
        if not self.is_argument:
            # in an annotation, typer takes the first name for the default
            first = self.info.default
            own = [first] if isinstance(first, str) and first.startswith("-") else []
            names = [*own, *(self.info.param_decls or ())]
            names = names or ["--" + self.name.replace("_", "-")]
            return ", ".join(f"`{name}`" for name in names) + self._values()
        shown = self.info.metavar or self.name.upper()
        if "[" in shown:
            return f"`{shown}`"
        shown += "…" if get_origin(self.type) is list else ""
        return f"`{shown}`" if self.default is inspect.Parameter.empty else f"`[{shown}]`"

    def _values(self) -> str:
        (kind,) = get_args(self.type) if get_origin(self.type) is list else (self.type,)
        if kind is bool:
            return ""
        if get_origin(kind) is Literal:
            return " " + " ".join(f"`{one}`" for one in get_args(kind))
        return f" *{_KINDS[kind]}*"

    def says(self) -> str:
        text = str(self.info.help or "").replace("|", "\\|")
        if self.default is inspect.Parameter.empty and not self.is_argument:
            return f"{text} Required."
        known = isinstance(self.default, str | int) and not isinstance(self.default, bool)
        return f"{text} Default: {self.default}." if known else text


def parameters(command: Callable[..., None]) -> list[Parameter]:
    """The arguments and options of a command, arguments first."""
    hints = get_type_hints(command, include_extras=True)
    found = []
    for name, given in inspect.signature(command).parameters.items():
        kind, info = get_args(hints[name])
        chosen = [one for one in get_args(kind) if one is not type(None)]
        optional = isinstance(kind, UnionType)
        found.append(Parameter(info, name, chosen[0] if optional else kind, given.default))
    return sorted(found, key=lambda one: not one.is_argument)


def _command(name: str) -> str:
    page, function = PAGES[name], COMMANDS[name]
    params = parameters(function)
    arguments = [one.usage.strip("`") for one in params if one.is_argument]
    lines = [
        f"### mindnet {name}\n",
        f"```\n{' '.join(['mindnet', name, *arguments, '[OPTIONS]'])}\n```\n",
        inspect.cleandoc(function.__doc__ or "") + "\n",
        "| argument or option | |\n|---|---|",
        *(f"| {one.usage} | {one.says()} |" for one in params),
    ]
    if page.findings:
        lines.append(f"\nExit code 1 {page.findings}.")
    examples = [f"{line}  # {does}" for line, does in page.examples]
    return "\n".join([*lines, "\n```sh", *examples, "```\n"])


if __name__ == "__main__":
    DOCUMENT.write_text(render(), "utf-8")
