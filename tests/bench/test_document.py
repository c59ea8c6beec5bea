"""The performance document, from two made-up runs."""

from __future__ import annotations

import json
from pathlib import Path

from tests.bench.document import document
from tests.bench.report import as_json
from tests.bench.stats import Row

ABOUT = {
    "measured_at": "2031-03-01T10:00:00+00:00",
    "system": "Linux x86_64",
    "cpus": 2,
    "python": "3.11.7",
    "before": {"load": 0.1, "reference_ms": 9.0},
    "after": {"load": 0.2, "reference_ms": 9.5},
    "editor": "vscode",
    "vault": "made-up",
    "notes": 12000,
    "megabytes": 30.5,
}
ROWS = [
    Row("completion", "completion after [[", "ms", (4.0, 6.0, 30.0), (8.0, 20.0)),
    Row("memory", "memory", "MB", (123.4,), (250.0, None)),
    Row("import", "import", "notes/s", (300.0,), (150.0, None), more_is_better=True),
    Row("rename", "rename", "ms", (), (500.0, None), note="not offered"),
    Row("hover", "hover", "ms", (1.0, 1.0), (3.0, 10.0), faults=2),
]


def test_document(tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    run.write_text(json.dumps(as_json(ABOUT, ROWS)), "utf-8")
    lines = document([run, run]).splitlines()
    assert lines.count("## made-up: 12,000 notes, 30.5 MB") == 2
    assert [line for line in lines if line.startswith("| ") and "(" in line][:5] == [
        "| completion after [[ (ms) | 6.00 | 30.0 | 4.00 | ≤ 8 / 20 | 0.75 / 1.50 |",
        "| memory (MB) | 123 |  |  | ≤ 250 | 0.49 |",
        "| import (notes/s) | 300 |  |  | ≥ 150 | 0.50 |",
        "| rename (ms) | not measured: not offered | | | ≤ 500 | |",
        "| hover (ms) | 1.00 | 1.00 | 1.00 | ≤ 3 / 10 | 0.33 / 0.10 (2 wrong answers) |",
    ]
