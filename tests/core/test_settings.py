"""The settings tree: its layers, and what happens to bad values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.settings import DEFAULTS, Settings, from_environment, merge, read_settings
from core.user_config import user_settings


@pytest.mark.parametrize(
    ("layer", "path", "expected"),
    [
        ({"hover": {"max_backlinks": 3}}, "hover.max_backlinks", 3),
        ({"hover": {"maxBacklinks": 3}}, "hover.max_backlinks", 3),
        ({"hover.maxBacklinks": 3}, "hover.max_backlinks", 3),
        ({"diagnostics": {"unresolved-link": "off"}}, "diagnostics.unresolved_link", "off"),
        ({"diagnostics.unresolved-link": "off"}, "diagnostics.unresolved_link", "off"),
        ({"codeLens": {"enabled": False}}, "code_lens.enabled", False),
        ({"vault": {"ignore": ["a", "b"]}}, "vault.ignore", ("a", "b")),
    ],
)
def test_a_key_is_understood_in_every_spelling(
    layer: dict[str, Any], path: str, expected: object
) -> None:
    found: Any
    found, warnings = read_settings(layer)
    for part in path.split("."):
        found = getattr(found, part)
    assert (found, warnings) == (expected, [])


@pytest.mark.parametrize(
    ("layer", "named"),
    [
        ({"hovre": {}}, "mindnet.hovre"),
        ({"hover": {"max_backlinks": "many"}}, "mindnet.hover.max_backlinks"),
        ({"hover": 7}, "mindnet.hover"),
        ({"diagnostics": {"unresolved-link": "loud"}}, "mindnet.diagnostics.unresolved-link"),
        ({"prefix": "no blanks"}, "mindnet.prefix"),
        ({"vault": {"ignore": [1]}}, "mindnet.vault.ignore"),
        ({"llm": {"timeout": -1}}, "mindnet.llm.timeout"),
    ],
)
def test_a_bad_key_is_named_and_its_default_used(layer: dict[str, Any], named: str) -> None:
    settings, warnings = read_settings(layer, {"completion": {"max_items": 7}})
    assert [warning.startswith(named) for warning in warnings] == [True]
    assert settings.hover == DEFAULTS.hover
    assert settings.completion.max_items == 7, "a bad key must not take the good ones with it"


def test_later_layers_win() -> None:
    settings, _ = read_settings(
        {"llm": {"model": "a", "timeout": 5}}, {"llm.model": "b"}, {"locale": "de"}
    )
    assert (settings.llm.model, settings.llm.timeout, settings.locale) == ("b", 5, "de")


def test_merge_leaves_its_arguments_alone() -> None:
    base = {"a": {"b": 1}}
    assert merge(base, {"a": {"c": 2}}) == {"a": {"b": 1, "c": 2}}
    assert base == {"a": {"b": 1}}


def test_environment() -> None:
    tree = from_environment(
        {"COLLECTION_PREFIX": "mine", "MINDNET_LLM_MODEL": "m", "MINDNET_LOCALE": "", "OTHER": "x"}
    )
    assert tree == {"prefix": "mine", "llm": {"model": "m"}}


def test_the_settings_are_complete_without_any_layer() -> None:
    assert read_settings() == (Settings(), [])


def test_user_files(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("mindnet:\n  prefix: file\n  locale: de\n", "utf-8")
    (tmp_path / ".env").write_text(
        "# mine\nexport MINDNET_LLM_MODEL='llama'\nMINDNET_LOCALE=en\n", "utf-8"
    )
    tree, warnings = user_settings(
        {"MINDNET_CONFIG_DIR": str(tmp_path), "COLLECTION_PREFIX": "environment"}
    )
    assert warnings == []
    assert tree == {"prefix": "environment", "locale": "en", "llm": {"model": "llama"}}


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("settings.yaml", b"a: [", ":1: is not YAML"),
        ("settings.yaml", b"- a\n", ": must be a mapping"),
        ("settings.yaml", b"\xff", ": cannot be read"),
        (".env", b"ok=1\nnonsense\n", ":2: is no NAME=value"),
    ],
)
def test_bad_user_files_are_named_and_left_out(
    tmp_path: Path, name: str, content: bytes, place: str
) -> None:
    (tmp_path / name).write_bytes(content)
    tree, warnings = user_settings({"MINDNET_CONFIG_DIR": str(tmp_path)})
    assert tree == {}
    assert len(warnings) == 1
    assert f"{name}{place}" in warnings[0]
