"""`python -m tests.eval`: how good suggested links and answers are, against plain baselines.

    python -m tests.eval                                  everything, as one document
    python -m tests.eval --vaults quartz-docs,tasks-docs --seeds 1,2 --json out.json
    python -m tests.eval --vaults '' --questions 400
    python -m tests.eval document out.json more.json --write

The vaults are read from `../shared/vaults`, and never written to. Vectors are kept in `--cache`
between runs. One process, one thread; the largest vault takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.eval import document as documents
from tests.eval.indexed import CachedEmbedder
from tests.eval.links import PARTS, predict
from tests.eval.questions import answer, sampled, xquad
from tests.eval.vaults import ARCHIVED, EXAMPLE, LINKED, SHARED, linked_vaults, read_vault

OUT = Path(__file__).parents[2] / "docs" / "evaluation.md"
OWN = "example"
CACHE = Path(tempfile.gettempdir()) / "mindnet-eval" / "vectors.db"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: measured; 2: wrong use, or nothing to measure on."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except (ValueError, OSError) as error:
        print(f"eval: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    summary, _, examples = (__doc__ or "").partition("\n")
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("tests.eval", None, summary, examples, formatter_class=raw)
    names = ",".join((OWN, *LINKED, ARCHIVED))
    parser.add_argument("--vaults", default=names, help=f"of: {names}")
    parser.add_argument("--seeds", default="1,2,3", help="what is hidden depends on them")
    parser.add_argument("--parts", default=",".join(PARTS), help="what to measure on vaults")
    parser.add_argument(
        "--questions", type=int, default=0, help="how many of xquad-de; 0: all, -1: none"
    )
    parser.add_argument("--shared", type=Path, default=SHARED, help="folder of the vaults")
    parser.add_argument("--cache", type=Path, default=CACHE, help="file for the vectors")
    parser.add_argument("--json", type=Path, help="write all figures to this file as well")
    parser.add_argument("--write", action="store_true", help="write docs/evaluation.md")
    parser.set_defaults(run=_measure)
    commands = parser.add_subparsers(title="commands")
    writing = commands.add_parser("document", help="the Markdown of some runs")
    writing.add_argument("runs", type=Path, nargs="+", help="files of --json")
    writing.add_argument("--write", action="store_true", help="write docs/evaluation.md")
    writing.set_defaults(run=lambda found: _show(documents.document(found.runs), found.write))
    return parser


def _measure(options: argparse.Namespace) -> int:
    names = [name.strip() for name in options.vaults.split(",") if name.strip()]
    parts = [part for part in PARTS if part in options.parts.split(",")]
    seeds = [int(seed) for seed in options.seeds.split(",")]
    vaults = linked_vaults(names, options.shared)
    if OWN in names:
        vaults = [read_vault(EXAMPLE, OWN), *vaults]
    questions = xquad(options.shared) if options.questions >= 0 else None
    if not vaults and questions is None:
        raise ValueError(f"none of these vaults is in {options.shared}")
    embedder = CachedEmbedder(options.cache)
    measured: list[dict[str, Any]] = []
    for vault in vaults:
        outcome = predict(vault, seeds, embedder, parts=parts, tell=_tell)
        about = {"name": vault.name, "version": vault.version, "notes": len(vault.texts)}
        links = {mode: documents.figures(rows) for mode, rows in outcome.links.items()}
        sentences = documents.figures(outcome.sentences)
        found = {"links": {"seeds": seeds, **links}, "sentences": {"seeds": seeds, **sentences}}
        measured.append({**about, **{part: found[part] for part in parts}})
    asked: list[dict[str, Any]] = []
    if questions is not None:
        vault, by_language = questions
        chosen = {name: sampled(all_, options.questions) for name, all_ in by_language.items()}
        answered = answer(vault, chosen, embedder, tell=_tell)
        languages = {name: documents.figures(rows) for name, rows in answered.items()}
        about = {"name": vault.name, "version": vault.version, "notes": len(vault.texts)}
        asked.append({**about, "languages": languages})
    run = documents.as_json({"model": embedder.model}, measured, asked)
    embedder.close()
    if options.json is not None:
        options.json.write_text(json.dumps(run, indent=1) + "\n", "utf-8")
    return _show(documents.render([run]), options.write)


def _show(text: str, write: bool) -> int:
    if write:
        OUT.write_text(text, "utf-8")
    else:
        print(text)
    return 0


def _tell(what: str) -> None:
    """Say what is measured now, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{what}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
