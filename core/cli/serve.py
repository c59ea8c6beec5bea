"""`mindnet serve`: the core with its HTTP interface, in the foreground."""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated

import typer

from core.cli.common import (
    JsonOption,
    PrefixOption,
    VaultOption,
    expected_failures,
    find_vault,
    print_json,
    settings_of,
    settings_tree,
)
from core.paths import vault_data_dir


@expected_failures
def serve(
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")
    ] = 0,
) -> None:
    """Serve a vault on loopback until Ctrl-C. Port and token are in the endpoint file."""
    from core.service.endpoint import ENDPOINT_FILE
    from core.service.lifecycle import serve as serve_vault

    root = find_vault(vault)
    settings = settings_of(settings_tree(prefix))
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    file = vault_data_dir(root) / ENDPOINT_FILE
    if as_json:
        print_json({"vault": str(root), "endpoint_file": str(file)})
    else:
        typer.echo(f"endpoint file: {file}", err=True)
    asyncio.run(serve_vault(root, settings, port=port, idle_exit=None))
