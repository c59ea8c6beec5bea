"""Embedding through Ollama: what is sent, and what happens when something is wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.embedding.ports import RemoteEmbedder
from core.errors import EmbeddingAway, EmbeddingMissing, EmbeddingUnavailable
from core.llm.embedder import AT_ONCE, OllamaEmbedder, name_of
from core.llm.prompts import prefixes
from core.settings import LlmSettings
from tests.support.fake_ollama import FakeModel, FakeOllama, Hold, Script, error, vector_of

NOMIC = "nomic-embed-text"


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with FakeOllama(FakeModel(f"{NOMIC}:latest", ("embedding",), 2048, dim=32)) as fake:
        yield fake


def embedder_of(server: FakeOllama, name: str = NOMIC, **settings: Any) -> OllamaEmbedder:
    tree: dict[str, Any] = {"url": server.url, "timeout": 5, **settings}
    return OllamaEmbedder(LlmSettings(**tree), name)


@pytest.fixture
def embedder(server: FakeOllama) -> OllamaEmbedder:
    made = embedder_of(server)
    made.look()
    return made


def sent(server: FakeOllama) -> list[list[str]]:
    return [one.body["input"] for one in server.asked("/api/embed")]


def test_the_model_is_read_and_not_assumed(server: FakeOllama, embedder: OllamaEmbedder) -> None:
    digest = server.models[f"{NOMIC}:latest"].seal
    assert embedder.model == f"ollama:{NOMIC}@{digest[:12]}"
    assert name_of(embedder.model) == NOMIC
    assert (embedder.dim, embedder.state) == (32, "ready")
    assert isinstance(embedder, RemoteEmbedder)
    assert server.asked("/api/embed") == [], "the model need not be loaded for that"


def test_a_dimension_that_ollama_does_not_know_is_measured(server: FakeOllama) -> None:
    shown = {"capabilities": ["embedding"], "model_info": {}}
    server.script("/api/show", Script([json.dumps(shown).encode()]))
    embedder = embedder_of(server)
    embedder.look()
    assert embedder.dim == 32


def test_documents_and_queries_are_prefixed_and_of_length_one(
    server: FakeOllama, embedder: OllamaEmbedder
) -> None:
    found = embedder.embed_documents(["Ein Wehr", "Grün 🌿"])
    query = embedder.embed_query("Wehr?")
    assert sent(server) == [
        ["search_document: Ein Wehr", "search_document: Grün 🌿"],
        ["search_query: Wehr?"],
    ]
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    assert np.allclose(found[0], vector_of("search_document: Ein Wehr", 32), atol=1e-6)
    assert query.shape == (32,)
    bodies = [one.body for one in server.asked("/api/embed")]
    assert {body["options"]["num_ctx"] for body in bodies} == {2048}
    assert {body["truncate"] for body in bodies} == {False}


@pytest.mark.parametrize(
    ("model", "document", "query"),
    [
        ("nomic-embed-text:v1.5", "search_document: ", "search_query: "),
        ("someone/nomic-embed-text-v2-moe", "search_document: ", "search_query: "),
        ("bge-m3", "", ""),
        ("mxbai-embed-large", "", "Represent this sentence for searching relevant passages: "),
        ("snowflake-arctic-embed2:latest", "", "query: "),
        ("embeddinggemma:300m", "title: none | text: ", "task: search result | query: "),
    ],
)
def test_each_model_gets_its_own_prefixes(model: str, document: str, query: str) -> None:
    assert prefixes(model) == (document, query)


def test_many_texts_go_in_batches_and_keep_their_places(
    server: FakeOllama, embedder: OllamaEmbedder
) -> None:
    asked: list[float] = []
    embedder.wait_for_quiet = lambda seconds: asked.append(seconds) is None
    texts = [f"text {number}" if number % 5 else "  " for number in range(45)]
    found = embedder.embed_documents(texts)
    assert [len(batch) for batch in sent(server)] == [AT_ONCE, AT_ONCE, 4]
    assert len(asked) == 3, "before each, a person's question may go first"
    for text, vector in zip(texts, found, strict=True):
        wanted = vector_of(f"search_document: {text}", 32) if text.strip() else np.zeros(32)
        assert np.allclose(vector, wanted, atol=1e-6)


def test_one_text_that_is_too_long_is_shortened_and_the_others_are_not(
    server: FakeOllama, embedder: OllamaEmbedder
) -> None:
    server.models[f"{NOMIC}:latest"].limit = 3000
    long = "| cell " * 700
    texts = ["one", "two", long, "four"]
    found = embedder.embed_documents(texts)
    assert embedder.shortened() == {long}
    assert np.allclose(found[3], vector_of("search_document: four", 32), atol=1e-6)
    assert np.isclose(np.linalg.norm(found[2]), 1)
    whole = [batch for batch in sent(server) if any(text.endswith("four") for text in batch)]
    assert all("search_document: four" in batch for batch in whole)
    embedder.embed_documents(["one"])
    assert embedder.shortened() == frozenset()


def test_a_text_beyond_the_window_is_cut_before_it_is_sent(
    server: FakeOllama, embedder: OllamaEmbedder
) -> None:
    long = "Wasserkraft " * 4000
    embedder.embed_documents([long])
    [[text]] = sent(server)
    assert len(text) < 2048 * 12 < len(long)
    assert text.endswith("Wasserkraft")
    assert embedder.shortened() == {long}


@pytest.mark.parametrize(
    "vector",
    [[0.0] * 32, [], [1.0] * 7, [float("nan")] * 32, [float("inf")] * 32, None, ["a"] * 32],
)
def test_a_vector_that_says_nothing_is_no_vector(
    server: FakeOllama, embedder: OllamaEmbedder, vector: Any
) -> None:
    good = vector_of("good", 32)
    answer = json.dumps({"embeddings": [good, vector]}).encode()
    server.script("/api/embed", Script([answer]))
    with pytest.raises(EmbeddingUnavailable, match="empty vector") as caught:
        embedder.embed_documents(["good", "bad"])
    assert not isinstance(caught.value, EmbeddingAway), "the next text may be better"


@pytest.mark.parametrize("answer", [{"embeddings": []}, {"embeddings": [[1.0]] * 3}, {}, [], 7])
def test_an_answer_of_another_shape_is_refused(
    server: FakeOllama, embedder: OllamaEmbedder, answer: Any
) -> None:
    server.script("/api/embed", Script([json.dumps(answer).encode()]))
    with pytest.raises(EmbeddingAway, match="not Ollama"):
        embedder.embed_documents(["a", "b"])


def test_another_size_than_announced_is_learned(server: FakeOllama) -> None:
    embedder = embedder_of(server)
    embedder.bind(f"ollama:{NOMIC}@{server.models[f'{NOMIC}:latest'].seal[:12]}", 99)
    with pytest.raises(EmbeddingAway, match="32 numbers, not 99"):
        embedder.embed_documents(["a"])
    embedder.look()
    assert embedder.dim == 32
    assert embedder.embed_query("a").shape == (32,)


def test_a_name_that_means_another_model_is_not_used(
    server: FakeOllama, embedder: OllamaEmbedder
) -> None:
    embedder.embed_query("a")
    before = embedder.model
    server.models[f"{NOMIC}:latest"].digest = "f" * 64
    for embed in (lambda: embedder.embed_query("a"), lambda: embedder.embed_documents(["a"])):
        with pytest.raises(EmbeddingAway, match="another one than before"):
            embed()
    assert embedder.model == before
    assert len(sent(server)) == 1
    embedder.look()
    assert embedder.model == f"ollama:{NOMIC}@{'f' * 12}"
    embedder.embed_query("a")


@pytest.mark.parametrize(
    ("name", "message"),
    [("bge-m3", "has no model bge-m3"), ("chat", "cannot embed"), ("far", "does not run on this")],
)
def test_a_model_that_cannot_be_used(server: FakeOllama, name: str, message: str) -> None:
    server.models["chat:latest"] = FakeModel("chat:latest")
    server.models["far:latest"] = FakeModel(
        "far:latest", ("embedding",), dim=8, remote_host="https://ollama.com:443"
    )
    embedder = embedder_of(server, name)
    with pytest.raises(EmbeddingMissing, match=message):
        embedder.look()
    assert (embedder.state, embedder.dim) == ("unavailable", 0)
    with pytest.raises(EmbeddingAway):
        embedder.embed_documents(["a secret"])
    assert server.asked("/api/embed") == []


def test_nothing_is_sent_to_another_machine() -> None:
    embedder = OllamaEmbedder(LlmSettings(url="http://192.0.2.1:11434"), NOMIC)
    embedder.bind(f"ollama:{NOMIC}@0", 32)
    with pytest.raises(EmbeddingMissing, match="nothing is sent there"):
        embedder.embed_documents(["a secret"])


def test_away_and_back(server: FakeOllama, embedder: OllamaEmbedder) -> None:
    server.stop()
    with pytest.raises(EmbeddingAway, match="does not answer"):
        embedder.embed_documents(["a"])
    assert embedder.state == "unavailable"
    server.start()
    assert embedder.embed_documents(["a"]).any()
    assert embedder.state == "ready"


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (error(503, "server busy"), EmbeddingAway),
        (error(500, "llama runner process has terminated"), EmbeddingAway),
        (error(404, f'model "{NOMIC}" not found, try pulling it first'), EmbeddingMissing),
        (error(500, "embedding contains NaN or Inf values"), EmbeddingUnavailable),
        (error(400, "invalid input type"), EmbeddingUnavailable),
    ],
)
def test_failures_of_one_text_and_of_all(
    server: FakeOllama, embedder: OllamaEmbedder, script: Script, kind: type[EmbeddingUnavailable]
) -> None:
    server.script("/api/embed", script)
    with pytest.raises(EmbeddingUnavailable) as caught:
        embedder.embed_documents(["a"])
    assert type(caught.value) is kind


def test_a_model_that_hangs_is_given_up(server: FakeOllama) -> None:
    embedder = embedder_of(server, timeout=0.2)
    embedder.look()
    server.script("/api/embed", Script([], before=Hold()))
    with pytest.raises(EmbeddingAway, match=r"silent for 0\.2 seconds"):
        embedder.embed_query("a")


def test_a_call_that_nobody_wants_any_more_ends(
    server: FakeOllama, embedder: OllamaEmbedder
) -> None:
    hold = Hold()
    server.script("/api/embed", Script([], before=hold))
    failed: list[str] = []

    def embed() -> None:
        with pytest.raises(EmbeddingAway) as caught:
            embedder.embed_documents(["a"])
        failed.append(caught.value.message)

    thread = threading.Thread(target=embed)
    thread.start()
    assert hold.reached.wait(5)
    embedder.close()
    thread.join(2)
    assert failed == ["mindnet is ending"]
