"""`./scripts/demo [FOLDER]`: what the real server answers over stdio, in readable colour.

The vault is only read; caches and index go to a temporary folder that is removed at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from demo_client import DemoClient, stop_core  # noqa: E402
from demo_scenes import Scenes, files_of  # noqa: E402
from rich.console import Console  # noqa: E402

EXAMPLE = ROOT / "examples" / "vault"
INDEX_PATIENCE = 25.0
"""Seconds to wait for the search index of a large vault before asking what there is."""


async def play(vault: Path, questions: list[str], console: Console) -> int:
    """Show everything; returns the exit code."""
    before = files_of(vault)
    began = time.perf_counter()
    client = DemoClient(vault)
    try:
        with console.status("starting the language server"):
            await client.start()
        scenes = Scenes(client, console, vault, questions)
        console.print(
            f"[bold]mindnet-lsp[/bold] {client.version} · [cyan]{vault}[/cyan]"
            f" · initialize answered in {client.initialize_ms:.0f} ms\n"
        )
        with console.status("reading the notes"):
            await client.wait_ready(60)
        await scenes.links()
        with console.status("preparing the search (chunks, vectors, edges)") as shown:
            await client.wait_indexed(INDEX_PATIENCE, shown.update)
        await scenes.search()
    finally:
        await client.stop()
    unchanged = files_of(vault) == before
    took = time.perf_counter() - began
    console.print(
        f"[dim]{took:.1f} s. The vault is "
        + ("untouched.[/dim]" if unchanged else "[red]changed![/red][/dim]")
    )
    return 0 if unchanged and not scenes.failures else 1


def main() -> int:
    """Run the demo in a data folder of its own."""
    parser = argparse.ArgumentParser(prog="demo", description="Show mindnet on a vault.")
    parser.add_argument("folder", nargs="?", type=Path, default=EXAMPLE, help="the vault")
    parser.add_argument("--ask", action="append", help="a question of yours; may be repeated")
    options = parser.parse_args()
    console = Console(highlight=False, soft_wrap=False)
    vault = options.folder.expanduser().resolve()
    if not vault.is_dir():
        console.print(f"[red]{vault} is not a folder.[/red] Name the folder of a vault.")
        return 2
    data = tempfile.mkdtemp(prefix="mindnet-demo-")
    os.environ["MINDNET_DATA_DIR"] = data
    os.environ["MINDNET_CORE_IDLE_EXIT"] = "30"
    try:
        return asyncio.run(play(vault, options.ask or [], console))
    except KeyboardInterrupt:
        console.print("[dim]stopped[/dim]")
        return 130
    finally:
        asyncio.run(stop_core(vault))
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
