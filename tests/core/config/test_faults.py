"""What is wrong in a vault's YAML files: file, line, key, and what to do."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.config.globs import folder_pattern
from core.config.load import Config, load_config
from core.model import Note

SHIPPED = load_config()


def configured(tmp_path: Path, **files: str) -> Config:
    (tmp_path / ".mindnet").mkdir(exist_ok=True)
    for name, text in files.items():
        (tmp_path / ".mindnet" / f"{name}.yaml").write_bytes(text.encode())
    return load_config(tmp_path)


def faults(config: Config) -> list[tuple[str, int, str]]:
    """Key, line from 1 and message."""
    return [(p.key, p.line + 1, p.message) for p in config.problems]


TYPES = {
    "unknown key": (
        "types:\n  task:\n    path: [tasks/]\n",
        ("types.task.path", 3, "unknown key (did you mean “paths”?)"),
    ),
    "unknown key, far from all": (
        "types:\n  task:\n    colour: red\n",
        ("types.task.colour", 3, "unknown key; there are chunk_profile, edge_defaults"),
    ),
    "forgot types": (
        "# mine\nrecipe:\n  chunk_profile: long\n",
        ("recipe", 2, "names of your own belong below `types:`"),
    ),
    "forgot the name": (
        "types:\n  chunk_profile: long\n",
        ("types.chunk_profile", 2, "below one of the names in `types:`"),
    ),
    "too deep": (
        "types:\n  task:\n    default_type: task\n",
        ("types.task.default_type", 3, "belongs at the beginning of a line"),
    ),
    "a list of types": ("types:\n- task\n", ("types", 1, "must be a mapping")),
    "a text for a type": ("types:\n  task: long\n", ("types.task", 2, "must be a mapping")),
    "no number": (
        "default:\n  retriever_weight: heavy\n",
        ("default.retriever_weight", 2, "must be a number"),
    ),
    "too large": (
        "types:\n  task: {retriever_weight: 11}\n",
        ("types.task.retriever_weight", 2, "must be at most 10"),
    ),
    "no truth value": (
        "types:\n  task:\n    enable_smart_edge_allocation: perhaps\n",
        ("types.task.enable_smart_edge_allocation", 3, "must be true or false"),
    ),
    "a number among the kinds": (
        "types:\n  task:\n    edge_defaults:\n    - blocks\n    - 7\n",
        ("types.task.edge_defaults", 5, "must be a text"),
    ),
    "no kind": (
        "types:\n  task:\n    edge_defaults: [blocks, '[[A]]']\n",
        ("types.task.edge_defaults", 3, "is no relation kind"),
    ),
    "profile": (
        "types:\n  Task:\n    chunk_profile: huge\n",
        ("types.Task.chunk_profile", 3, "by_heading"),
    ),
    "key twice": (
        "types:\n  task:\n    chunk_profile: long\n  task:\n    chunk_profile: short\n",
        ("types.task", 4, "is there already, in line 2"),
    ),
    "name twice": (
        "types:\n  task:\n    chunk_profile: long\n  Task:\n    retriever_weight: 1\n",
        ("types.Task", 4, "is the same as “task”"),
    ),
    "default type": (
        "default_type: taks\n",
        ("default_type", 1, "no type “taks” is described (did you mean “task”?)"),
    ),
    "folder of two": (
        "types:\n  a:\n    paths: [x/, z]\n  b:\n    paths:\n    - y\n    - /X\n",
        ("types.b.paths.1", 7, "is a folder of `a` already"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TYPES.values(), ids=TYPES.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_types(tmp_path: Path, text: str, expected: tuple[str, int, str], eol: str) -> None:
    config = configured(tmp_path, types=text.replace("\n", eol))
    ((key, line, message),) = faults(config)
    assert (key, line) == expected[:2]
    assert expected[2] in message
    assert config.problems[0].file == str(tmp_path / ".mindnet" / "types.yaml")


@pytest.mark.parametrize(
    "glob", ["", "/", "../other", "a/./b", "a//b", "C:/notes", "~/notes", "a\\b", "a**/b", "x/**y"]
)
def test_globs_that_could_never_match(tmp_path: Path, glob: str) -> None:
    text = f"types:\n  recipe:\n    retriever_weight: 2\n    paths:\n    - ok/\n    - '{glob}'\n"
    config = configured(tmp_path, types=text)
    assert [(key, line) for key, line, _ in faults(config)] == [("types.recipe.paths", 6)]
    spec = config.types.types["recipe"]
    assert spec is not None
    assert (spec.retriever_weight, spec.paths) == (2, ())


def test_a_glob_of_many_stars_takes_no_time() -> None:
    pattern = folder_pattern("**/**/" + "*a" * 30 + "*b")
    began = time.process_time()
    assert not pattern.match("a" * 250 + "/" + "a" * 200 + "/x.md")
    assert pattern.match("x/" + "a" * 60 + "b/x.md")
    assert time.process_time() - began < 1


def test_spelling_of_names_makes_no_second_entry(tmp_path: Path) -> None:
    """`Depends On` is laid over `depends_on`, which keeps all that is not said anew."""
    config = configured(
        tmp_path,
        types="types:\n  Task: {retriever_weight: 0.1}\n  RISK:\n",
        relations="relations:\n  Depends On: {label: needs}\n  Blocks:\n  feeds:\n",
    )
    assert faults(config) == []
    task = config.types.types["task"]
    assert task is not None
    assert (task.retriever_weight, task.chunk_profile) == (0.1, "short")
    assert config.types.types["risk"] == SHIPPED.types.types["risk"]
    assert config.relations.label("depends_on") == "needs"
    assert config.relations.inverse("depends_on") == "blocks"
    assert config.relations.relations["blocks"] == SHIPPED.relations.relations["blocks"]
    assert config.relations.known("feeds")


def test_a_scalar_is_a_list_of_one_and_words_are_no_truth_values(tmp_path: Path) -> None:
    config = configured(
        tmp_path, types="types:\n  no:\n    paths: on/\n    edge_defaults: Depends On\n"
    )
    assert faults(config) == []
    note = Note(path="On/x.md", title="x")
    effective = config.types.effective(note)
    assert (effective.name, effective.edge_defaults) == ("no", ("depends_on",))


RELATIONS = {
    "does not point back": (
        "relations:\n  depends_on: {inverse: enables}\n",
        ("relations.depends_on.inverse", 2, "does not point back"),
    ),
    "points to one that points elsewhere": (
        "relations:\n  hinders:\n    label: hinders\n    inverse: Depends-On\n",
        ("relations.hinders.inverse", 4, "`depends_on`, that has `blocks`"),
    ),
    "points to one without direction": (
        "relations:\n  hinders: {inverse: related_to}\n",
        ("relations.hinders.inverse", 2, "does not point back"),
    ),
    "symmetric with an inverse": (
        "relations:\n  blocks: {symmetric: true}\n",
        ("relations.blocks.symmetric", 2, "is symmetric, so it has no inverse"),
    ),
    "its own inverse": (
        "relations:\n  mirrors: {inverse: mirrors}\n",
        ("relations.mirrors.inverse", 2, "symmetric: true"),
    ),
    "inverse of two": (
        "relations:\n  a: {inverse: c}\n  b: {inverse: c}\n",
        ("relations.b.inverse", 3, "does not point back"),
    ),
    "alias of two kinds": (
        "relations:\n  a: {aliases: [x]}\n  b:\n    aliases: [y, X]\n",
        ("relations.b.aliases", 4, "“x” stands for `b` and for `a`"),
    ),
    "alias of a shipped kind": (
        "relations:\n  hinders: {aliases: [requires]}\n",
        ("relations.hinders.aliases", 2, "and for `depends_on`"),
    ),
    "alias that is a kind": (
        "relations:\n  hinders: {aliases: [blocks]}\n",
        ("relations.hinders.aliases", 2, "`blocks` counts"),
    ),
    "a label of no language": (
        "relations:\n  hinders: {label: {fr: empêche}}\n",
        ("relations.hinders.label.fr", 2, "unknown key; there are de, en"),
    ),
    "forgot relations": (
        "hinders: {label: x}\n", ("hinders", 1, "names of your own belong below `relations:`"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), RELATIONS.values(), ids=RELATIONS.keys())
def test_relations(tmp_path: Path, text: str, expected: tuple[str, int, str]) -> None:
    found = [
        (key, line)
        for key, line, message in faults(configured(tmp_path, relations=text))
        if expected[2] in message
    ]
    assert found == [expected[:2]]


def test_an_inverse_may_be_named_by_an_alias(tmp_path: Path) -> None:
    config = configured(tmp_path, relations="relations:\n  eats: {inverse: food}\n  f:\n"
                        "    aliases: food\n    inverse: eats\n")  # fmt: skip
    assert faults(config) == []
    assert (config.relations.inverse("eats"), config.relations.inverse("f")) == ("f", "eats")


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x, x]\n" + "".join(f"{c}: &{c} [{', '.join(['*' + p] * 9)}]\n"
                                   for p, c in zip("abcdefgh", "bcdefghi", strict=True)),
        "types: &t\n  a: *t\n",
        "x" * (1 << 21),
        "types:\n" + " " * 3 + "[" * 5000,
    ],
    ids=["bomb", "itself", "huge", "deep"],
)  # fmt: skip
def test_files_that_are_meant_to_hurt(tmp_path: Path, text: str) -> None:
    began = time.process_time()
    config = configured(tmp_path, types=text)
    assert len(config.problems) == 1
    assert config.types == SHIPPED.types
    assert time.process_time() - began < 5


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / ".mindnet" / "types.yaml").mkdir(parents=True)
    (problem,) = load_config(tmp_path).problems
    assert "cannot be read" in str(problem)
    assert problem.file in str(problem)
