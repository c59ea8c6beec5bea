"""What `mindnet doctor` says of an embedding model that Ollama has, or should have."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.support.fake_ollama import FakeModel, FakeOllama


def embedding(shell: Shell, code: int) -> tuple[str, str, str]:
    [one] = [one for one in shell.json("doctor", code=code)["parts"] if one["part"] == "embedding"]
    return one["state"], one["message"], one["hint"]


def test_doctor_looks_for_the_embedding_model(shell: Shell) -> None:
    model = FakeModel("nomic-embed-text:latest", ("embedding",), dim=32)
    chat = FakeModel("phi3:mini")
    shell.environ["MINDNET_EMBEDDING_PROVIDER"] = "ollama"
    with FakeOllama(model, chat) as server:
        shell.environ["MINDNET_OLLAMA_URL"] = server.url
        assert embedding(shell, 0) == ("ok", "nomic-embed-text of Ollama, 32 dimensions", "")
        del server.models["nomic-embed-text:latest"]
        assert embedding(shell, 1) == (
            "wrong",
            "Ollama has no model nomic-embed-text",
            "`ollama pull nomic-embed-text`",
        )
        assert server.asked("/api/embed") == []
    state, message, hint = embedding(shell, 1)
    assert (state, "does not answer" in message, "ollama serve" in hint) == ("wrong", True, True)
