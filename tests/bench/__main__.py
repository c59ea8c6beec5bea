"""`python -m tests.bench`: measure a language server on a vault, print one table.

    python -m tests.bench                            10,000 generated notes, all rows
    python -m tests.bench --notes 1000 --rows cold,hover
    python -m tests.bench --vault DIR --json out.json
    python -m tests.bench --server 'marksman server'
    python -m tests.bench generate --notes 1000 --out DIR --seed 1
    python -m tests.bench profile DIR

The vault is never written to. Caches and stores go into a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.bench import report
from tests.bench.bench import SERVER, Bench
from tests.bench.budgets import KEYS
from tests.bench.document import document
from tests.bench.editor import EDITORS
from tests.bench.generate import generate
from tests.bench.profile import deviations, measure
from tests.bench.rows import measure as measure_rows
from tests.bench.stats import Row


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 1: a row has no values or wrong answers; 2: wrong use."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except (ValueError, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    summary, _, examples = (__doc__ or "").partition("\n")
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("tests.bench", None, summary, examples, formatter_class=raw)
    parser.add_argument("--notes", type=int, default=10_000, help="size of the generated vault")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vault", type=Path, help="measure on this folder instead")
    parser.add_argument("--server", default="", help="command line of the server")
    parser.add_argument("--editor", choices=EDITORS, default="vscode", help="who to play")
    parser.add_argument("--repeat", type=int, default=50, help="requests of each row")
    parser.add_argument("--starts", type=int, default=3, help="starts of each kind")
    parser.add_argument("--rows", default=",".join(KEYS), help="of: " + ", ".join(KEYS))
    parser.add_argument("--model", action="store_true", help="import with the embedding model")
    parser.add_argument("--busy", action="store_true", help="measure while the core imports")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for one start")
    parser.add_argument("--json", type=Path, help="write all values to this file as well")
    parser.set_defaults(run=_bench)
    commands = parser.add_subparsers(title="commands")
    making = commands.add_parser("generate", help="write a vault")
    making.add_argument("--notes", type=int, required=True)
    making.add_argument("--out", type=Path, required=True)
    making.add_argument("--seed", type=int, default=1)
    making.set_defaults(run=_generate)
    measuring = commands.add_parser("profile", help="measure a vault's sizes and links")
    measuring.add_argument("folder", type=Path)
    measuring.set_defaults(run=_profile)
    writing = commands.add_parser("document", help="write the Markdown of some runs")
    writing.add_argument("runs", type=Path, nargs="+", help="files of --json")
    writing.add_argument("--out", type=Path, required=True)
    writing.set_defaults(run=_document)
    return parser


def _generate(options: argparse.Namespace) -> int:
    start = time.perf_counter()
    done = generate(options.out, options.notes, options.seed)
    seconds = time.perf_counter() - start
    print(
        f"{done.notes:,} notes, {done.bytes / 1e6:.1f} MB, {done.links:,} links in {seconds:.1f} s"
    )
    return 0


def _profile(options: argparse.Namespace) -> int:
    found = measure(options.folder)
    print(json.dumps(asdict(found), indent=2))
    for line in deviations(found):
        print(line, file=sys.stderr)
    return 0


def _document(options: argparse.Namespace) -> int:
    options.out.write_text(document(options.runs), "utf-8")
    return 0


def _bench(options: argparse.Namespace) -> int:
    keys = {key.strip() for key in options.rows.split(",") if key.strip()}
    if unknown := keys - set(KEYS):
        raise ValueError(f"no such rows: {', '.join(sorted(unknown))}; there are {', '.join(KEYS)}")
    if options.vault is not None and not options.vault.is_dir():
        raise ValueError(f"{options.vault} is no folder")
    with tempfile.TemporaryDirectory(prefix="mindnet-bench-") as folder:
        vault = options.vault
        if vault is None:
            vault = Path(folder) / f"generated-{options.notes}-{options.seed}"
            _tell(f"generating {options.notes:,} notes")
            generate(vault, options.notes, options.seed)
        _tell("reading the vault")
        bench = Bench(
            vault,
            server=_command(options.server),
            editor=options.editor,
            repeat=options.repeat,
            starts=options.starts,
            timeout=options.timeout,
            with_model=options.model,
            busy=options.busy,
        )
        try:
            return _run(bench, keys, options.json)
        finally:
            bench.close()


def _command(line: str) -> tuple[str, ...]:
    """The server's command; its program as seen from here, as it runs in another folder."""
    if not line:
        return SERVER
    program, *arguments = shlex.split(line)
    found = shutil.which(program)
    if found is None:
        raise ValueError(f"there is no program {program}")
    return (os.path.abspath(found), *arguments)


def _run(bench: Bench, keys: set[str], json_file: Path | None) -> int:
    before = report.load_now()
    rows: list[Row] = sorted(measure_rows(bench, keys, _tell), key=lambda row: KEYS.index(row.key))
    _tell("")
    about = report.facts(bench, before, report.load_now())
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
    print(f"{report.heading(about)}\n\n{report.table(rows, width)}")
    if json_file is not None:
        json_file.write_text(json.dumps(report.as_json(about, rows), indent=1) + "\n", "utf-8")
    if not bench.vault_is_untouched():
        print("bench: the vault was changed while it was measured", file=sys.stderr)
        return 1
    return 0 if all(row.sound for row in rows) else 1


def _tell(what: str) -> None:
    """Say what is measured now, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{what}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
