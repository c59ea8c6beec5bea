"""What a client that means other settings than the running core is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.api import Health
from core.errors import OtherSettings
from core.service.agreement import INDEX, differences, in_use, require_agreement
from core.settings import Settings, read_settings
from tests.support.cores import Cores, until_ready, write_vault

SERVER = {"store": {"mode": "server"}}


def settings(tree: dict[str, Any]) -> Settings:
    read, warnings = read_settings(tree)
    assert warnings == []
    return read


@pytest.mark.parametrize(
    ("core", "client", "names"),
    [
        ({}, {}, []),
        ({"prefix": "a"}, {}, []),  # nothing is meant
        ({"prefix": "a"}, {"prefix": "a"}, []),
        ({}, {"prefix": "mindnet"}, []),
        ({}, {"prefix": "a"}, ["prefix"]),
        ({"prefix": "a"}, {"prefix": "mindnet"}, ["prefix"]),
        ({}, {"store.path": "/a"}, ["store.path"]),
        ({"store": {"path": "~/a"}}, {"store": {"path": "~/b"}}, ["store.path"]),
        ({}, {"store": {"url": "http://there:6333"}}, []),  # of no effect while embedded
        (SERVER, {"store": {"path": "/a"}}, []),
        (SERVER, {"store.mode": "server", "store.url": "http://127.0.0.1:6333/"}, []),
        (SERVER, {"store.url": "http://there:6333"}, []),  # of no effect where it is said
        (SERVER, {"store.mode": "server", "store.url": "http://there:6333"}, ["store.url"]),
        (SERVER, {"store": {"mode": "server", "apiKey": "swordfish"}}, ["store.api_key"]),
        ({}, SERVER, ["store.mode"]),
        (SERVER, {"store": {"shards": 3}}, []),
        ({}, {"vault": {"ignore": ["old"]}}, ["vault.ignore"]),
        ({"vault": {"ignore": ["old"]}}, {"vault": {"ignore": ["old"]}}, []),
        ({}, {"embedding": {"provider": "none"}}, ["embedding.provider"]),
        ({}, {"embedding": {"model": "bge-m3"}}, ["embedding.model"]),
        ({"embedding.provider": "none"}, {"embedding.model": "bge-m3"}, []),
        ({}, {"llm": {"model": "qwen"}, "prefix": "b"}, ["llm.model", "prefix"]),
        ({}, {"llm": {"timeout": 5}, "locale": "de", "hover": {"maxBacklinks": 2}}, []),
    ],
)
def test_differences(core: dict[str, Any], client: dict[str, Any], names: list[str]) -> None:
    running = Health(
        version="1", api_version=1, vault="/v", pid=4711, settings=in_use(settings(core))
    )
    over_http = Health.model_validate_json(running.model_dump_json())
    found = differences(settings(client), over_http.settings)
    assert [one.name for one in found] == names
    of_the_index = [name for name in names if not name.startswith("llm")]
    assert [one.name for one in differences(settings(client), over_http.settings, INDEX)] == (
        of_the_index
    )
    if not of_the_index:
        require_agreement(settings(client), over_http, "en")
        return
    for locale, word in (("en", "process 4711"), ("de", "Prozess 4711")):
        with pytest.raises(OtherSettings) as refused:
            require_agreement(settings(client), over_http, locale)  # type: ignore[arg-type]
        said = f"{refused.value.message} {refused.value.hint}"
        assert all(name in said for name in of_the_index)
        assert word in said
        assert "swordfish" not in said


def test_a_key_is_no_part_of_what_a_core_says() -> None:
    said = in_use(settings({"store": {"mode": "server", "api_key": "swordfish"}}))
    assert said["store.api_key"]
    assert "swordfish" not in repr(said)


def test_a_core_of_an_older_program_says_nothing() -> None:
    assert differences(settings({"prefix": "a"}), {}) == []


async def test_a_running_core_says_it(core: Cores, tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault", a="# A\n")
    tree = {"prefix": "second", "embedding": {"provider": "none"}}
    client = core.client(vault, tree)
    await until_ready(client)
    assert client.health is not None
    assert client.health["settings"] == in_use(settings(tree))
    other = core.client(client.root, {"prefix": "third"})
    await other.call("GET", "/status")
    assert other.health == client.health
    assert [
        str(one) for one in differences(settings(other.settings), other.health["settings"])
    ] == ["prefix: second ≠ third"]
