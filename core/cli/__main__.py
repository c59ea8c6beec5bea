"""The program `mindnet`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from core.cli.chat import chat
from core.cli.check import check
from core.cli.common import FAILURE
from core.cli.doctor import doctor
from core.cli.draft import draft
from core.cli.dryrun import dryrun
from core.cli.feedback import feedback
from core.cli.graph import graph
from core.cli.history import history
from core.cli.imports import import_
from core.cli.lint import lint
from core.cli.pages import PAGES
from core.cli.query import query
from core.cli.reset import reset
from core.cli.resolve import resolve
from core.cli.roundtrip import compare, export
from core.cli.serve import serve
from core.cli.status import status
from core.cli.suggest import related, suggest
from core.cli.tune import tune
from core.version import __version__

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""click's `UsageError`, which newer versions of typer carry under a name of their own."""

app = typer.Typer(
    name="mindnet",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
COMMANDS: dict[str, Callable[..., None]] = {
    "import": import_,
    "dryrun": dryrun,
    "query": query,
    "suggest": suggest,
    "related": related,
    "graph": graph,
    "chat": chat,
    "draft": draft,
    "history": history,
    "feedback": feedback,
    "tune": tune,
    "lint": lint,
    "resolve": resolve,
    "check": check,
    "export": export,
    "compare": compare,
    "reset": reset,
    "status": status,
    "doctor": doctor,
    "serve": serve,
}
for name, command in COMMANDS.items():
    page = PAGES[name]
    app.command(name, epilog=page.epilog, rich_help_panel=page.panel)(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mindnet {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """A Markdown vault with a memory: index it, ask it, see what it knows.

    Every command takes --vault, --prefix and --json. Notes are only read (draft --save alone
    writes a new one); what is derived from them lies in the data folder (MINDNET_DATA_DIR). A core
    that runs for the vault is asked, else the command does the work itself.
    """


def main() -> None:
    """Run the command line; never returns."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            # a terminal that cannot show a character is no reason to fail
            stream.reconfigure(errors="replace")
    try:
        sys.exit(app(prog_name="mindnet", standalone_mode=False))
    except USAGE_ERROR as error:
        usage: Any = error
        if type(error).__name__ == "NoArgsIsHelpError":
            usage.show()
            sys.exit(FAILURE)
        command = usage.ctx.command_path if usage.ctx else "mindnet"
        typer.echo(
            f"mindnet: {usage.format_message().rstrip('.')}. Try `{command} --help`.", err=True
        )
        sys.exit(FAILURE)


if __name__ == "__main__":
    main()
