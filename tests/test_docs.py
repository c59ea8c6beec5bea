"""What the documents say must be what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from core.settings import DiagnosticSettings

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md")),
]


def test_the_readme_has_the_configuration_that_is_tested() -> None:
    (block,) = re.findall(r"```lua\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert block == (ROOT / "tests" / "e2e" / "nvim" / "init.lua").read_text("utf-8")
    assert len(block.splitlines()) == 10


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_relative_link_leads_somewhere(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [link for link in links if not ((ROOT / name).parent / link).exists()] == []


def test_every_dependency_has_its_reason() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    block = project.split("dependencies = [", 1)[1].split("]", 1)[0]
    names = re.findall(r'"([A-Za-z0-9_-]+)', block)
    reasons = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("## Dependencies")[1]
    assert names
    assert [name for name in names if name.lower() not in reasons.lower()] == []


def test_the_faults_of_the_example_vault_are_where_its_readme_says() -> None:
    """Lines count from 1, paths start at the vault."""
    readme = (ROOT / "examples" / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| `([^`]+\.md)` \| (\d+) \|", readme, re.MULTILINE)
    assert len(rows) == 11
    assert {code for code, _, _ in rows} >= {"unresolved-link", "duplicate-id", "unknown-type"}
    for _, path, line in rows:
        lines = (ROOT / "examples" / "vault" / path).read_text("utf-8").split("\n")
        assert lines[int(line) - 1].strip()


def test_the_questions_name_notes_that_exist() -> None:
    asked = yaml.safe_load((ROOT / "examples" / "questions.yaml").read_text("utf-8"))["questions"]
    vault = ROOT / "examples" / "vault"
    assert len(asked) == 12
    assert [p for one in asked for p in one["expected"] if not (vault / p).is_file()] == []


def test_every_diagnostic_code_is_explained() -> None:
    text = (ROOT / "docs" / "diagnostics.md").read_text("utf-8")
    explained = re.findall(r"^## ([a-z-]+)$", text, re.MULTILINE)
    codes = [name.replace("_", "-") for name in DiagnosticSettings.model_fields]
    assert sorted(explained) == sorted(codes)
    for code in codes:
        section = text.split(f"## {code}\n")[1].split("\n## ")[0]
        assert f"Default: {DiagnosticSettings().of(code)}" in section
