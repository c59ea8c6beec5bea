"""The program `mindnet`."""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.imports import import_
from core.cli.query import query
from core.cli.serve import serve
from core.cli.status import status
from core.version import __version__

app = typer.Typer(
    name="mindnet",
    help="A Markdown vault with a memory: index it, ask it, see what it knows.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("import")(import_)
app.command("query")(query)
app.command("status")(status)
app.command("serve")(serve)


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
    """A Markdown vault with a memory: index it, ask it, see what it knows."""


def main() -> None:
    """Run the command line; never returns."""
    app()


if __name__ == "__main__":
    main()
