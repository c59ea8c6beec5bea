"""What a client declares, as the server reads it."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types

from mindnet_lsp.client_facts import ClientFacts
from mindnet_lsp.messages import strict_converter


def facts(experimental: Any, name: str = "code-server") -> ClientFacts:
    """Of a client that says so over the wire."""
    params = strict_converter().structure(
        {
            "processId": None,
            "rootUri": None,
            "clientInfo": {"name": name},
            "capabilities": {"experimental": experimental},
        },
        types.InitializeParams,
    )
    return ClientFacts.from_params(params)


def test_our_extension_says_which_commands_its_editor_has() -> None:
    """VS Code has many relatives, each with another name."""
    assert facts({"commands": {"commands": ["editor.action.triggerSuggest"]}}).suggests_again
    assert facts(None, "Visual Studio Code").suggests_again


@pytest.mark.parametrize(
    "experimental",
    [
        None,
        1,
        [],
        {},
        {"commands": ["editor.action.triggerSuggest"]},
        {"commands": {"commands": 1}},
    ],
)
def test_whatever_else_is_declared_says_nothing(experimental: Any) -> None:
    assert not facts(experimental).suggests_again
