"""The neighbours of a note by kind, as `path: labels @ places`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.features.call_hierarchy import incoming_calls, note_at, outgoing_calls
from core.features.view_results import Call
from core.locale import Locale
from tests.core.features.kit import RELATIONS, Vault

VAULT = """\
//- /a.md
---
depends_on: [B note]
---
# Title of A

Plain [[b]] and [[c#X|y]], [[rel:related_to d]], again [[d]], [[a]], [[Gone]], ![[p.png]].

odd_kind:: [[c]]
[r]: c.md
//- /b.md
# B note

blocks:: [[a]]
//- /c.md
[x](a.md) [[rel:supports a]]
//- /d.md
# Title of D
//- /p.png
"""


def _out(path: str, locale: Locale = "en") -> list[str]:
    return _short(outgoing_calls(Vault.of(VAULT).index, path, RELATIONS, locale))


def _in(path: str, locale: Locale = "en") -> list[str]:
    return _short(incoming_calls(Vault.of(VAULT).index, path, RELATIONS, locale))


def test_outgoing_typed_ones_first() -> None:
    assert _out("a.md") == [
        "b.md: depends on, references @ 1:13 5:6",
        "c.md: odd kind, references @ 5:16 7:11",
        "d.md: is related to, references @ 5:27 5:55",
    ]


def test_incoming_reads_the_other_way_round() -> None:
    assert _in("a.md") == [
        "b.md: depends on @ 2:9",
        "c.md: ← supports, ← references @ 0:0 0:10",
        "d.md: is related to @ 0:2",
    ]
    assert _in("b.md") == ["a.md: blocks, ← references @ 1:13 5:6"]


def test_in_german() -> None:
    assert _out("b.md", "de") == ["a.md: blockiert @ 2:9"]
    assert _in("b.md", "de") == ["a.md: blockiert, ← references @ 1:13 5:6"]


def test_a_symmetric_kind_holds_in_both_directions() -> None:
    """Where the note does not say it itself, its title is the place."""
    assert _out("d.md") == ["a.md: is related to @ 0:2"]
    assert _in("d.md") == ["a.md: is related to, ← references @ 5:27 5:55"]
    vault = Vault.of("//- /a.md\n[[rel:related_to b]]\n//- /b.md\nno title\n")
    (call,) = outgoing_calls(vault.index, "b.md", RELATIONS, "en")
    assert call.places == (None,)


def test_a_note_that_is_gone_has_no_neighbours() -> None:
    assert _out("z.md") == []
    assert _in("z.md") == []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[[b$0]]", "b.md"),
        ("[[b#H|ali$0as]]", "b.md"),
        ("---\ndepends_on: [b$0]\n---\n", "b.md"),
        ("plain$0 [[b]]", "n.md"),
        ("# Ti$0tle", "n.md"),
        ("$0", "n.md"),
        ("[[Go$0ne]]", None),
        ("![[p.png$0]]", None),
    ],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_what_a_cursor_means(text: str, path: str | None, eol: str) -> None:
    vault = Vault.of(f"//- /n.md\n{text}\n//- /b.md\n# H\n//- /p.png\n", eol=eol)
    assert note_at(vault.index, vault.document, vault.at) == path


def test_defaults_of_a_type_are_no_calls() -> None:
    vault = Vault.of("//- /a.md\n---\ntype: task\n---\n[[b]]\n//- /b.md\n")
    found = outgoing_calls(vault.index, "a.md", RELATIONS, "en")
    assert [call.labels for call in found] == [("references",)]


def _short(found: Sequence[Call]) -> list[str]:
    return [
        f"{call.path}: {', '.join(call.labels)} @ "
        + " ".join(f"{place.line}:{place.col}" if place else "top" for place in call.places)
        for call in found
    ]
