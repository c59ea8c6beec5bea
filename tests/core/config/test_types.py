"""Types and the effective type of a note."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.config.load import load_config, load_types
from core.config.note_types import TypesConfig, folder_pattern
from core.model import Frontmatter, Note, Property, Scalar

NAMED = [
    "concept",
    "thought",
    "experience",
    "task",
    "project",
    "journal",
    "person",
    "meeting",
    "milestone",
    "profile",
    "source",
    "decision",
    "value",
    "principle",
    "goal",
    "risk",
    "resource",
    "recommendation",
]


def note(path: str = "a.md", type_: str | None = None, **properties: str) -> Note:
    values = tuple(
        Property(0, 0, 0, key, key=key, values=(Scalar(0, 0, 0, value, text=value),))
        for key, value in properties.items()
    )
    front = Frontmatter(0, 0, 0, properties=values) if values else None
    return Note(path=path, title="A", type=type_, frontmatter=front)


def vault(tmp_path: Path, **files: str) -> Path:
    (tmp_path / ".mindnet").mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (tmp_path / ".mindnet" / f"{name}.yaml").write_text(text, "utf-8")
    return tmp_path


def test_packaged_types_are_complete_and_sound() -> None:
    config = load_config()
    assert config.problems == ()
    assert config.types.names() == tuple(sorted(NAMED))
    known = set(config.relations.names(structural=True))
    for name in NAMED:
        effective = config.types.effective(note(type_=name))
        assert effective.known
        assert set(effective.edge_defaults) <= known


@pytest.mark.parametrize(
    ("name", "profile", "weight", "defaults", "smart"),
    [
        ("concept", "medium", 0.60, ("references", "related_to"), False),
        ("task", "short", 0.80, ("depends_on", "belongs_to"), False),
        ("experience", "sliding_smart_edges", 0.90, ("derived_from", "inspired_by"), True),
        ("project", "long", 0.97, ("references", "depends_on"), False),
        ("profile", "long", 0.66, ("references", "depends_on"), False),
        ("risk", "short", 0.90, ("blocks",), False),
    ],
)
def test_shipped_values(
    name: str, profile: str, weight: float, defaults: tuple[str, ...], smart: bool
) -> None:
    effective = load_config().types.effective(note(type_=name))
    assert (effective.chunk_profile, effective.retriever_weight) == (profile, weight)
    assert (effective.edge_defaults, effective.smart_edges) == (defaults, smart)


@pytest.mark.parametrize(
    ("path", "type_", "expected"),
    [
        ("10_thoughts/x.md", None, ("thought", "path")),
        ("10_Thoughts/deep/x.md", None, ("thought", "path")),
        ("10_thoughts_old/x.md", None, ("concept", "default")),
        ("sub/10_thoughts/x.md", None, ("concept", "default")),
        ("40_experiences/x.md", "Task", ("task", "frontmatter")),
        ("x.md", "unheard of", ("unheard of", "frontmatter")),
        ("x.md", "  ", ("concept", "default")),
    ],
)
def test_effective_type(path: str, type_: str | None, expected: tuple[str, str]) -> None:
    effective = load_config().types.effective(note(path, type_))
    assert (effective.name, effective.source) == expected


def test_unknown_type_has_the_defaults() -> None:
    effective = load_config().types.effective(note(type_="recipe"))
    assert not effective.known
    assert (effective.chunk_profile, effective.retriever_weight) == ("medium", 0.60)


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("a/", "a/x.md", True),
        ("a", "a/b/x.md", True),
        ("a", "ab/x.md", False),
        ("a/*/c", "a/b/c/x.md", True),
        ("a/*/c", "a/b/b/c/x.md", False),
        ("**/c", "a/b/c/x.md", True),
        ("**/c", "c/x.md", True),
        ("a/**/c", "a/c/x.md", True),
        ("a/**", "a/b/x.md", True),
        ("Übung", "übung/x.md", True),
        ("a.b", "aXb/x.md", False),
        ("a/x.md", "a/x.md", True),
    ],
)
def test_folder_pattern(glob: str, path: str, matches: bool) -> None:
    assert bool(folder_pattern(glob).match(path)) is matches


def test_a_vault_adds_and_changes_types(tmp_path: Path) -> None:
    root = vault(
        tmp_path,
        types="""
types:
  recipe: {chunk_profile: by_heading, retriever_weight: 1.2, paths: [10_thoughts/food]}
  task: {retriever_weight: 0.1}
""",
    )
    config = load_config(root)
    assert config.problems == ()
    task = config.types.effective(note(type_="task"))
    assert (task.retriever_weight, task.chunk_profile) == (0.1, "short")
    assert config.types.effective(note("10_thoughts/food/x.md")).name == "recipe"
    assert config.types.effective(note("10_thoughts/x.md")).name == "thought"
    assert "recipe" in config.types.names()


def test_a_bad_key_is_reported_with_its_line_and_the_rest_counts(tmp_path: Path) -> None:
    root = vault(
        tmp_path,
        types="types:\n  task:\n    retriever_weight: heavy\n    chunk_profile: long\n"
        "  risk:\n    colour: red\n",
    )
    config = load_config(root)
    task = config.types.effective(note(type_="task"))
    assert (task.retriever_weight, task.chunk_profile) == (0.80, "long")
    found = {(p.key, p.line) for p in config.problems}
    assert found == {("types.task.retriever_weight", 2), ("types.risk.colour", 5)}
    assert all(p.file.endswith("types.yaml") for p in config.problems)


@pytest.mark.parametrize("text", ["types: [", "- a", "just text", "types: {a: !!python/x 1}"])
def test_a_broken_file_is_reported_and_the_defaults_stay(tmp_path: Path, text: str) -> None:
    config = load_config(vault(tmp_path, types=text))
    assert len(config.problems) == 1
    assert config.types == load_config().types


def test_an_unknown_profile_names_those_that_exist(tmp_path: Path) -> None:
    config = load_config(vault(tmp_path, types="default:\n  chunk_profile: huge\n"))
    assert "by_heading" in config.problems[0].message
    assert config.types.default.chunk_profile == "medium"


def test_types_file_variable_takes_the_place_of_the_vaults(tmp_path: Path) -> None:
    root = vault(tmp_path, types="default: {retriever_weight: 0.1}")
    other = tmp_path / "other.yaml"
    other.write_text("default: {retriever_weight: 0.3}", "utf-8")
    environ = {"MINDNET_TYPES_FILE": str(other)}
    types, problems = load_types(root, environ)
    assert (types.default.retriever_weight, problems) == (0.3, [])
    _, problems = load_types(root, {"MINDNET_TYPES_FILE": str(tmp_path / "no.yaml")})
    assert len(problems) == 1


@pytest.mark.parametrize(("allowed", "expected"), [(False, ("medium", 0.6)), (True, ("long", 2.0))])
def test_frontmatter_overrides_only_where_allowed(
    allowed: bool, expected: tuple[str, float]
) -> None:
    packaged = load_config().types
    types = TypesConfig(
        allow_frontmatter_overrides=allowed, default=packaged.default, types=packaged.types
    )
    effective = types.effective(note(chunk_profile="long", retriever_weight="2"))
    assert (effective.chunk_profile, effective.retriever_weight) == expected


def test_the_configuration_loads_nothing_heavy() -> None:
    code = "import sys, core.config.load; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
