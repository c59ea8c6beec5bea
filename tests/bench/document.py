"""`docs/performance.md`, written from the JSON of bench runs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_INTRO = """\
# Performance

Written by `python -m tests.bench document`, from runs of `python -m tests.bench` through a real
server process over stdio, as an editor speaks to it. Budgets are for two cores of an ordinary
machine; `used` is the share of the budget, over 1.00 it is missed. Two figures are the median and
the 95th percentile. The reference work is a fixed piece of Python, timed before and after each
run: it says how fast the machine was just then. Runs on one virtual machine had it at 9 ms in some
hours and at 15 to 35 ms in others, and the figures follow it.
"""


def document(files: Iterable[Path]) -> str:
    """Markdown with a section for each run; raises OSError and ValueError for bad files."""
    parts = [_INTRO]
    for file in files:
        found = json.loads(file.read_text("utf-8"))
        parts.append(_section(found["about"], found["rows"]))
    return "\n".join(parts)


def _section(about: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    before, after = about["before"], about["after"]
    lines = [
        f"## {about['vault']}: {about['notes']:,} notes, {about['megabytes']} MB",
        "",
        f"{about['measured_at'][:10]}, {about['system']}, {about['cpus']} CPUs, Python"
        f" {about['python']}; load {before['load']} before and {after['load']} after, reference"
        f" work {before['reference_ms']} and {after['reference_ms']} ms; as {about['editor']}.",
        "",
        "| what | median | p95 | best | budget | used |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    return "\n".join([*lines, *(_row(row) for row in rows), ""])


def _row(row: dict[str, Any]) -> str:
    limits = [row["budget"][part] for part in ("median", "p95")]
    budget = " / ".join(f"{limit:,.0f}" for limit in limits if limit is not None)
    if budget:
        budget = ("≥ " if row["more_is_better"] else "≤ ") + budget
    label = f"{row['label']} ({row['unit']})"
    if "median" not in row:
        return f"| {label} | not measured: {row['note'].splitlines()[0]} | | | {budget} | |"
    used = [row["used"][part] for part in ("median", "p95")]
    shown = " / ".join(f"{share:.2f}" for share in used if share is not None)
    if row["faults"]:
        shown += f" ({row['faults']} wrong answers)"
    figures = [_number(row[part]) for part in ("median", "p95", "best")]
    if len(row["values"]) == 1:
        figures[1:] = ["", ""]
    return f"| {label} | {' | '.join(figures)} | {budget} | {shown} |"


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
