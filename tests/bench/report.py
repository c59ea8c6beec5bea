"""The table, and the same as JSON."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from tests.bench.bench import Bench
from tests.bench.stats import Row, calibrate

_HEAD = ("row", "median", "p95", "best", "unit", "budget", "used", "n", "")


def load_now() -> dict[str, float]:
    """How busy the machine is: taken before and after, as others may work on it."""
    return {"load": round(os.getloadavg()[0], 1), "reference_ms": round(calibrate(), 1)}


def facts(bench: Bench, before: dict[str, float], after: dict[str, float]) -> dict[str, Any]:
    """Where and on what was measured."""
    sample = bench.sample
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "system": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "before": before,
        "after": after,
        "editor": bench.editor,
        "server": " ".join(os.path.basename(part) for part in bench.server),
        "vault": bench.vault.name,
        "notes": sample.notes,
        "megabytes": round(sample.bytes / 1e6, 1),
        "hub_links": sample.hub_links,
        "edited_bytes": len((bench.vault / sample.edited).read_bytes()),
        "repeat": bench.repeat,
    }


def as_json(about: dict[str, Any], rows: Iterable[Row]) -> dict[str, Any]:
    """Everything that was measured, with each single value."""
    return {"about": about, "rows": [_row_json(row) for row in rows]}


def _row_json(row: Row) -> dict[str, Any]:
    shape: dict[str, Any] = {"key": row.key, "label": row.label, "unit": row.unit}
    if row.values:
        used_median, used_p95 = row.ratios()
        shape |= {
            "median": row.median,
            "p95": row.p95,
            "best": row.best,
            "used": {"median": used_median, "p95": used_p95},
            "values": list(row.values),
        }
    return {
        **shape,
        "budget": {"median": row.budgets[0], "p95": row.budgets[1]},
        "more_is_better": row.more_is_better,
        "faults": row.faults,
        "note": row.note,
    }


def heading(about: dict[str, Any]) -> str:
    """Two lines above the table."""
    before, after = about["before"], about["after"]
    return (
        f"{about['server']} as {about['editor']} sees it, on {about['notes']:,} notes "
        f"({about['megabytes']} MB, hub of {about['hub_links']:,} notes) in {about['vault']}\n"
        f"{about['system']}, {about['cpus']} CPUs, Python {about['python']}; before and after: "
        f"load {before['load']} and {after['load']}, "
        f"reference work {before['reference_ms']} and {after['reference_ms']} ms"
    )


def table(rows: Iterable[Row], width: int = 10_000) -> str:
    """An aligned table. `used` is the share of the budget: over 1.00 it is missed. Notes are
    cut at `width` columns, figures never."""
    lines = [_HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(_HEAD) - 1)]
    text = []
    for line in lines:
        cells = [
            cell.ljust(size) if i in (0, 4) else cell.rjust(size)
            for i, (cell, size) in enumerate(zip(line[:-1], widths, strict=True))
        ]
        figures = "  ".join(cells)
        note = _fit(line[-1], max(20, width - len(figures) - 2))
        text.append(f"{figures}  {note}".rstrip())
    return "\n".join([text[0], "-" * len(figures), *text[1:]])


def _fit(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"


def _cells(row: Row) -> tuple[str, ...]:
    note = row.note.splitlines()[0] if row.note else ""
    if row.faults:
        note = f"{row.faults} WRONG ANSWERS. {note}".rstrip(". ")
    if not row.values:
        return (row.label, "–", "–", "–", row.unit, _budget(row), "–", "0", note)
    single = len(row.values) == 1
    return (
        row.label,
        _number(row.median),
        "" if single else _number(row.p95),
        "" if single else _number(row.best),
        row.unit,
        _budget(row),
        " / ".join(f"{ratio:.2f}" for ratio in row.ratios() if ratio is not None),
        str(len(row.values)),
        note,
    )


def _budget(row: Row) -> str:
    sign = "≥ " if row.more_is_better else "≤ "
    limits = " / ".join(f"{limit:,.0f}" for limit in row.budgets if limit is not None)
    return sign + limits if limits else ""


def _number(value: float) -> str:
    """Three digits that mean something."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
