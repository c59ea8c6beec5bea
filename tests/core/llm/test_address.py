"""Notes stay on this machine unless the user says otherwise."""

from __future__ import annotations

import pytest

from core.errors import LlmError
from core.llm.address import check_address, is_cloud_name, is_local, shown
from core.llm.ollama import Message, Ollama
from core.settings import LlmSettings
from tests.support.fake_ollama import FakeModel, FakeOllama

HELLO = [Message("user", "a secret note")]


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:11434", True),
        ("http://127.8.9.1", True),
        ("http://localhost:11434/", True),
        ("http://[::1]:11434", True),
        ("https://ollama.com", False),
        ("http://192.168.1.5:11434", False),
        ("http://0.0.0.0:11434", False),
        ("http://localhost.example.org", False),
        ("http://127.0.0.1@evil.example", False),
        ("http://127.0.0.1.evil.example", False),
        ("", False),
        ("http://[", False),
    ],
)
async def test_only_this_machine(url: str, local: bool) -> None:
    assert is_local(url) is local
    if not local:
        with pytest.raises(LlmError, match="nothing is sent there") as caught:
            await Ollama(LlmSettings(url=url)).models()
        assert "allow_remote" in caught.value.hint
    check_address(url, allowed=True)


@pytest.mark.parametrize(
    ("name", "cloud"),
    [("gpt-oss:120b-cloud", True), ("x:cloud", True), ("cloud:7b", False), ("x/cloud", False)],
)
def test_names_of_the_cloud(name: str, cloud: bool) -> None:
    assert is_cloud_name(name) is cloud


@pytest.mark.parametrize(
    "model",
    [
        FakeModel("big:120b-cloud"),
        FakeModel("harmless:latest", remote_host="https://ollama.com:443"),
    ],
)
async def test_a_model_that_runs_elsewhere_gets_nothing(model: FakeModel) -> None:
    with FakeOllama(model) as server:
        settings = LlmSettings(url=server.url, model=model.name)
        client = Ollama(settings)
        with pytest.raises(LlmError, match="nothing is sent to it"):
            async with client.chat(HELLO):
                raise AssertionError("it was asked")
        with pytest.raises(LlmError, match="nichts geschickt"):
            async with client.chat(HELLO, locale="de"):
                raise AssertionError("it was asked")
        assert server.asked("/api/chat") == []
        await client.aclose()
        allowed = Ollama(settings.model_copy(update={"allow_remote": True}))
        async with allowed.chat(HELLO) as reply:
            assert await reply.read() == "Fine."
        await allowed.aclose()


def test_no_secret_of_an_address_is_shown() -> None:
    assert shown("http://me:pw@127.0.0.1:1/x?token=y") == "http://127.0.0.1:1"
    assert shown("http://[::1]:8/") == "http://[::1]:8"


async def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOllama(FakeModel("small:latest")) as server, FakeOllama() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("ALL_PROXY", proxy.url)
        client = Ollama(LlmSettings(url=server.url, model="small"))
        assert await client.version()
        await client.aclose()
        assert proxy.requests == []
