"""The settings of a client, in the forms that clients send them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindnet_lsp.settings import ClientSettings, section_of

NOWHERE = {"MINDNET_CONFIG_DIR": "/nonexistent"}
"""An environment in which the user has no settings of their own."""


@pytest.mark.parametrize(
    ("sent", "section"),
    [
        ({"mindnet": {"prefix": "x"}}, {"prefix": "x"}),
        ({"prefix": "x"}, {"prefix": "x"}),
        ({"mindnet": None}, {}),
        ({"mindnet": {}}, {}),
        (None, {}),
        ([], {}),
        ("text", {}),
    ],
)
def test_where_the_section_is(sent: object, section: dict[str, object]) -> None:
    assert section_of(sent) == section


def test_what_wins() -> None:
    found = ClientSettings(NOWHERE | {"COLLECTION_PREFIX": "env", "MINDNET_LLM_MODEL": "env"})
    assert found.read()[0].prefix == "env"
    found.set_options({"prefix": "options", "completion": {"maxItems": 5}})
    assert found.read()[0].prefix == "options"
    found.push({"mindnet": {"prefix": "pushed"}})
    settings, warnings = found.read({"prefix": "asked"})
    assert (settings.prefix, settings.llm.model) == ("asked", "env")
    assert settings.completion.max_items == 5
    assert warnings == []
    # a folder for which the client says nothing
    assert found.read()[0].prefix == "pushed"


def test_a_notification_without_settings_keeps_them() -> None:
    found = ClientSettings(NOWHERE)
    found.push({"mindnet": {"prefix": "pushed"}})
    found.push(None)
    assert found.read()[0].prefix == "pushed"


def test_a_warning_is_given_once() -> None:
    found = ClientSettings(NOWHERE)
    settings, warnings = found.read({"completion": {"max_items": "many"}, "colour": "red"})
    assert settings.completion.max_items == 60
    assert len(warnings) == 2
    assert any("mindnet.completion" in line for line in warnings)
    assert any("mindnet.colour" in line for line in warnings)
    assert found.read({"completion": {"max_items": "many"}})[1] == []


def test_the_users_own_file_is_below_the_client(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("prefix: mine\nlocale: de\n")
    (tmp_path / ".env").write_text("MINDNET_LLM_MODEL=own\nnonsense\n")
    found = ClientSettings({"MINDNET_CONFIG_DIR": str(tmp_path)})
    settings, warnings = found.read({"prefix": "client"})
    assert (settings.prefix, settings.locale, settings.llm.model) == ("client", "de", "own")
    assert len(warnings) == 1
    assert found.read()[1] == []
