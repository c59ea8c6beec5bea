"""`docs/evaluation.md`, written from the JSON of evaluation runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.eval.metrics import Figures

INTRO = """\
# Evaluation

Written by `python -m tests.eval document`, from runs of `python -m tests.eval`, through the
product's own importer, embedded store, suggestions and search. The same vaults, seeds and model
give the same figures.

**Suggested links.** A fifth of the linked pairs of a vault (12 to 40) are hidden in both
directions, so that no backlink gives them away; then each note that had one is asked what it
should link to. *masked* takes the whole link out of the text, *mention* leaves what a reader sees
of it as plain text. Candidates are all notes that are not linked with it. recall@10: share of the
hidden links whose target is among the first ten. MRR: mean of 1 / place; other hidden targets of
the same note in front of it do not count against it (the *filtered* ranking of Bordes et al.
2013). `mindnet` is the whole order of `mindnet.suggestEdges`; `as shown` is what an editor shows
by default: only those with enough evidence of their own, in the same order. Baselines score whole
notes: in-degree; the longest title, file name or alias that stands in the text; BM25 over stems;
cosine of the notes' mean vectors; common neighbours after Adamic and Adar; and the sum of TF-IDF
cosine, common neighbours and title match, each min-max scaled. The rows without a part are of
the first seed alone, like `first seed` in front of them.

**Sentences.** The sentence around each hidden link, without the link, is asked as a query
(`hybrid`, one hop); its target should be found. The note in which it stands does not count.

**Questions.** xquad-de: German questions, and the same in English, to 240 German paragraphs. The
vault has neither links nor types, so rows without them would be the same.
"""


def as_json(
    about: Mapping[str, Any],
    vaults: Sequence[Mapping[str, Any]],
    questions: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """What `document` reads."""
    return {"about": dict(about), "vaults": list(vaults), "questions": list(questions)}


def figures(rows: Mapping[str, Figures]) -> dict[str, dict[str, float]]:
    """The figures of each method, rounded as they are shown."""
    return {
        name: {
            "count": len(one.places),
            "recall@1": round(one.recall(1), 3),
            "recall@10": round(one.recall(), 3),
            "mrr": round(one.mrr(), 3),
            "mrr@10": round(one.mrr(10), 3),
        }
        for name, one in rows.items()
    }


def document(files: Iterable[Path]) -> str:
    """Markdown from files of `--json`; of two with one vault the last counts. Raises OSError, and
    ValueError for a bad file."""
    runs = [json.loads(file.read_text("utf-8")) for file in files]
    return render(runs)


def render(runs: Sequence[Mapping[str, Any]]) -> str:
    """Markdown of some runs."""
    vaults: dict[str, dict[str, Any]] = {}
    for run in runs:
        for one in run["vaults"]:
            vaults.setdefault(one["name"], {}).update(one)
    questions = {one["name"]: one for run in runs for one in run["questions"]}
    models = sorted({run["about"]["model"] for run in runs})
    parts = [INTRO, f"Embedding model: {', '.join(models)}.", ""]
    if vaults:
        parts += [
            "## Vaults",
            "",
            "| vault | version | notes | links hidden | seeds | sentences | seeds |",
        ]
        parts.append("|---|---|---:|---:|---|---:|---|")
        for name, one in vaults.items():
            hidden = _counted(one.get("links", {}).get("masked", {}), one.get("links", {}))
            asked = _counted(one.get("sentences", {}), one.get("sentences", {}))
            parts.append(f"| {name} | `{one['version']}` | {one['notes']} | {hidden} | {asked} |")
        for mode in ("masked", "mention"):
            parts += ["", f"## Suggested links, {mode}: recall@10 / MRR", ""]
            parts += _table(
                {name: one["links"][mode] for name, one in vaults.items() if "links" in one}, "mrr"
            )
        parts += ["", "## Sentences: recall@10 / MRR", ""]
        parts += _table(
            {name: one["sentences"] for name, one in vaults.items() if "sentences" in one}, "mrr"
        )
    for name, one in questions.items():
        counts = {next(iter(rows.values()))["count"] for rows in one["languages"].values()}
        asked = ", ".join(map(str, sorted(counts)))
        parts += ["", f"## Questions: {name} (`{one['version']}`, {one['notes']} notes)", ""]
        parts += [f"{asked} questions in each language; recall@1 / MRR@10.", ""]
        parts += _table(one["languages"], "mrr@10", "recall@1")
    return "\n".join([*parts, ""])


def _counted(rows: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    """How many there are, and the seeds, as two cells."""
    first = next((row for name, row in rows.items() if name != "seeds"), {"count": 0})
    return f"{first['count']} | {', '.join(map(str, about.get('seeds', [])))}"


def _table(
    columns: Mapping[str, Mapping[str, Mapping[str, float]]], mrr: str, recall: str = "recall@10"
) -> list[str]:
    names = list(dict.fromkeys(name for rows in columns.values() for name in rows))
    names = [name for name in names if name != "seeds"]
    lines = [f"| | {' | '.join(columns)} |", f"|---|{'---:|' * len(columns)}"]
    for name in names:
        cells = [
            f"{rows[name][recall]:.3f} / {rows[name][mrr]:.3f}" if name in rows else ""
            for rows in columns.values()
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines
