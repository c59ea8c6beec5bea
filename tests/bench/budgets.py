"""What each row may cost: the project's budgets at 10,000 and at 50,000 notes."""

from __future__ import annotations

from typing import NamedTuple

from tests.bench.stats import Row

LARGE_VAULT = 30_000
"""From so many notes on the budgets of the large vault count."""


class Budget(NamedTuple):
    """A row's label and unit, and its limits for the median and the 95th percentile."""

    label: str
    unit: str
    median: float | None = None
    p95: float | None = None
    large_median: float | None = None
    large_p95: float | None = None
    more_is_better: bool = False


BUDGETS = {
    "initialize": Budget("initialize answered, from process start", "ms", 1000),
    "cold": Budget("cold start: initialized to complete links", "ms", 4000, None, 20_000),
    "warm": Budget("warm start: link cache on disk", "ms", 1000, None, 4000),
    "completion": Budget("completion after [[", "ms", 8, 20, 20, 50),
    "hover": Budget("hover on a link", "ms", 3, 10),
    "definition": Budget("definition of a link", "ms", 3, 10),
    "symbols": Budget("documentSymbol", "ms", 3, 10),
    "references": Budget("references of the hub", "ms", 30),
    "workspace-symbol": Budget("workspace/symbol", "ms", 30, None, 120),
    "rename": Budget("rename of the hub", "ms", 500),
    "keystroke-links": Budget("keystroke to its links (definition)", "ms", 5),
    "keystroke-symbols": Budget("keystroke to its headings (documentSymbol)", "ms", 5),
    "keystroke-diagnostics": Budget("keystroke to its diagnostics", "ms", 150),
    "added": Budget("a new note to the links that name it", "ms", 10, None, 15),
    "memory": Budget("memory of the language server", "MB", 250, None, 900),
    "peak": Budget("peak memory of the language server", "MB"),
    "import": Budget("import into the store", "notes/s", 150, more_is_better=True),
    "reimport": Budget("import again, nothing changed", "s"),
    "store": Budget("size of the data folder", "MB"),
    "query": Budget("mindnet.query, hybrid with explanation", "ms", 60, 150, 200, 500),
}
KEYS = tuple(BUDGETS)


def row(key: str, notes: int, values: list[float], note: str = "", faults: int = 0) -> Row:
    """A row with the budgets for a vault of so many notes. A large vault without limits of its
    own has the same ones."""
    budget = BUDGETS[key]
    median, p95 = budget.median, budget.p95
    if notes >= LARGE_VAULT:
        median = budget.large_median or median
        p95 = budget.large_p95 or p95
    return Row(
        key,
        budget.label,
        budget.unit,
        tuple(values),
        (median, p95),
        note,
        budget.more_is_better,
        faults,
    )
