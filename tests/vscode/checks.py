"""The extension in a real VS Code, with the real server.

Not collected with the others, as it installs 600 MB from npm the first time:

    python -m pytest tests/vscode/checks.py
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.fake_ollama import FakeModel, FakeOllama
from tests.vscode.code import EXTENSION, ROOT, SCRIPTS, build, npm, started

pytestmark = [pytest.mark.editor]

VAULT = ROOT / "examples" / "vault"
ANSWER = (
    "Two things hold it up: the **frost** in the headrace [1], and the oak that has to dry "
    "before the paddles can be cut [2]. Nothing says that money is short [77]."
)
"""What the scripted model says; the last number is of no source."""


@pytest.fixture(scope="module")
def vsix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("vsix"))


def test_types_and_units(vsix: Path) -> None:
    assert vsix.is_file()
    npm("run", "--silent", "check")
    npm("run", "--silent", "unit")


def test_the_features_in_the_extension_host(vsix: Path) -> None:
    suite = EXTENSION / "dist" / "test"
    subprocess.run(["node", str(SCRIPTS / "host" / "build.mjs"), str(suite)], check=True)
    with started(vsix, VAULT, "test") as code:
        output = code.script("suite.mjs", str(suite / "index.js"), SUITE_TIMEOUT="500")
    assert "passing" in output
    assert "failing" not in output


def test_renaming_with_keys(vsix: Path) -> None:
    with started(vsix, VAULT, "ui") as code:
        output = code.script("ui/renaming.mjs")
    assert output.split() == ["renamed", "undone", "moved"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_to_be_seen(
    vsix: Path, tmp_path: Path, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"Default {theme.capitalize()} Modern"
    monkeypatch.setenv("USER_SETTINGS", f'{{"workbench.colorTheme": "{name}"}}')
    with started(vsix, VAULT, "ui") as code:
        code.script("ui/pictures.mjs", str(tmp_path), theme)
    sizes = [path.stat().st_size for path in tmp_path.glob(f"vscode-*-{theme}.png")]
    assert len(sizes) == 5
    assert max(sizes) < 150_000


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_views(vsix: Path, tmp_path: Path, theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"Default {theme.capitalize()} Modern"
    monkeypatch.setenv("USER_SETTINGS", f'{{"workbench.colorTheme": "{name}"}}')
    model = FakeOllama(FakeModel("phi3:mini"))
    model.answer = lambda _: ANSWER
    model.start()
    try:
        with started(vsix, VAULT, "ui", MINDNET_OLLAMA_URL=model.url) as code:
            output = code.script("ui/views.mjs", str(tmp_path), theme)
    finally:
        model.stop()
    assert output.split() == ["side", "chat", "cited", "graph"]
    pictures = {path.stem for path in tmp_path.glob("vscode-*.png")}
    assert pictures == {f"vscode-{what}-{theme}" for what in ("side", "chat", "graph")}
