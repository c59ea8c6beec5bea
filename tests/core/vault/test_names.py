"""Completion and fuzzy search of names."""

from __future__ import annotations

import unicodedata

import pytest

from core.vault.index import VaultIndex
from tests.core.vault.kit import note

VAULT = VaultIndex.build(
    [
        note("ports/Hafen.md", title="Hafen Hamburg", aliases=["Harbour", "⚓ Harbour round"]),
        note("ports/Hafenmeister.md"),
        note("2032-05-17 Dredge crew.md"),
        note("Der alte Hafen.md"),
        note("Größe.md", aliases=["Übung macht den Meister"]),
        note("v1.2 plan.md"),
        note("naïve.md"),
        note("notes/api-design.md"),
    ]
)


def found(query: str, limit: int = 20) -> list[tuple[str, str]]:
    return [(hit.name, hit.kind) for hit in VAULT.names.search(query, limit)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("hafen", ("Hafen", "stem")),
        ("HAFENM", ("Hafenmeister", "stem")),
        ("hamb", ("Hafen Hamburg", "title")),
        ("2032-05 dredge c", ("2032-05-17 Dredge crew", "stem")),
        ("dredge crew", ("2032-05-17 Dredge crew", "stem")),
        ("crew dredge", ("2032-05-17 Dredge crew", "stem")),
        ("harb", ("Harbour", "alias")),
        ("⚓", ("⚓ Harbour round", "alias")),
        ("v1", ("v1.2 plan", "stem")),
        ("v1.2", ("v1.2 plan", "stem")),
        ("GRÖSSE", ("Größe", "stem")),
        (unicodedata.normalize("NFD", "grö"), ("Größe", "stem")),
        ("groesse", ("Größe", "stem")),
        ("uebung", ("Übung macht den Meister", "alias")),
        ("naiv", ("naïve", "stem")),
        ("ports/", ("ports/Hafen", "path")),
        ("ports/hafenm", ("ports/Hafenmeister", "path")),
        ("apds", ("api-design", "stem")),
        ("meister", ("Übung macht den Meister", "alias")),
        ("enmeist", ("Hafenmeister", "stem")),
    ],
)
def test_first_hit(query: str, first: tuple[str, str]) -> None:
    assert found(query)[0] == first


def test_order_of_ways() -> None:
    """Exact, then prefix, then start of a word, then inside."""
    assert [name for name, _ in found("hafen")] == [
        "Hafen", "Hafenmeister", "Hafen Hamburg", "Der alte Hafen",
    ]  # fmt: skip


def test_limit_and_nothing() -> None:
    assert len(found("h", 2)) == 2
    assert found("xyzzy") == []
    assert len(found("", 3)) == 3


def test_path_only_with_slash() -> None:
    assert ("ports/Hafen", "path") not in found("hafen")
    assert all(kind != "path" for _, kind in found("ports"))


@pytest.mark.parametrize("query", ["[", "^", "-", "]a", "\\", ".*", "a-b", "\n", "(", "^-]"])
def test_queries_are_no_patterns(query: str) -> None:
    found(query)


@pytest.mark.parametrize(
    ("typo", "path"),
    [
        ("Hafn", "ports/Hafen.md"),
        ("hafen-hamburg", "ports/Hafen.md"),
        ("Hamburg Hafen", "ports/Hafen.md"),
        ("Groesse", "Größe.md"),
        ("Grosse", "Größe.md"),
        ("Uebung macht den Meister", "Größe.md"),
        ("api_design", "notes/api-design.md"),
        ("Harbor", "ports/Hafen.md"),
        ("ports/Hafenmeistr", "ports/Hafenmeister.md"),
        ("elsewhere/Hafenmeistr", "ports/Hafenmeister.md"),
        ("naive", "naïve.md"),
        ("ports/long/way/away/api-design", "notes/api-design.md"),
    ],
)
def test_nearest(typo: str, path: str) -> None:
    assert VAULT.names.nearest(typo)[0].path == path


def test_nearest_gives_each_note_once() -> None:
    hits = VAULT.names.nearest("Hafen", 3)
    assert len({hit.path for hit in hits}) == len(hits)
    assert VAULT.names.nearest("qqqqqqqq") == []


def test_follows_changes() -> None:
    later = VAULT.update([note("Hafenkante.md")], ["ports/Hafenmeister.md"])
    assert [hit.name for hit in later.names.search("hafen")][:2] == ["Hafen", "Hafenkante"]
    assert found("hafenm")[0] == ("Hafenmeister", "stem")
    assert VAULT.update([note("v1.2 plan.md", "[[Hafen]]")]).names is VAULT.names
