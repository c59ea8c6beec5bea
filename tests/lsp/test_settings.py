"""The settings of a client, in the forms that clients send them."""

from __future__ import annotations

import pytest

from mindnet_lsp.settings import ClientSettings, section_of


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
    found = ClientSettings({"COLLECTION_PREFIX": "env", "MINDNET_LLM_MODEL": "env"})
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
    found = ClientSettings({})
    found.push({"mindnet": {"prefix": "pushed"}})
    found.push(None)
    assert found.read()[0].prefix == "pushed"


def test_a_warning_is_given_once() -> None:
    found = ClientSettings({})
    settings, warnings = found.read({"completion": {"max_items": "many"}, "colour": "red"})
    assert settings.completion.max_items == 60
    assert len(warnings) == 2
    assert any("mindnet.completion" in line for line in warnings)
    assert any("mindnet.colour" in line for line in warnings)
    assert found.read({"completion": {"max_items": "many"}})[1] == []
