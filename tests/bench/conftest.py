"""A small generated vault, and a bench whose server is the stub."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bench.bench import Bench
from tests.bench.generate import generate

STUB = Path(__file__).with_name("stub_server.py")
NewBench = Callable[..., Bench]


@pytest.fixture(scope="session")
def small_vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("bench") / "vault"
    generate(root, 60, 1)
    return root


@pytest.fixture
def new_bench(small_vault: Path) -> Iterator[NewBench]:
    """Makes a bench whose server has one of the stub's faults, or none."""
    made: list[Bench] = []

    def make(fault: str = "none", **options: object) -> Bench:
        server = (sys.executable, str(STUB), "--fault", fault)
        bench = Bench(small_vault, server, repeat=4, starts=1, timeout=10.0, quiet=0.05, **options)  # type: ignore[arg-type]
        made.append(bench)
        return bench

    yield make
    for bench in made:
        bench.close()
