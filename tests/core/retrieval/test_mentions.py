"""Names in running text."""

from __future__ import annotations

import pytest

from tests.core.retrieval.kit import mentioned

NOTES = """
//- /Wasserrad.md
---
aliases: [Mühlrad, water wheel]
---
//- /Kalkmörtel.md
K
//- /Vektordatenbank.md
V
//- /Flood Wave.md
---
aliases: [Hochwasserwelle]
---
//- /people/Henrike Althaus.md
---
aliases: [Henrike]
---
//- /Embeddings.md
E
//- /Flood.md
F
//- /S.N. Goenka — Vipassana.md
S
//- /Rad.md
R
//- /index.md
---
title: Gedankenwelten
---
//- /x/Material.md
M
//- /y/Material.md
M
//- /Thoma.md
T
"""

WHEEL, LIME, FLOOD = "Wasserrad.md", "Kalkmörtel.md", "Flood Wave.md"
HENRIKE = "people/Henrike Althaus.md"


def in_text(body: str, eol: str = "\n") -> list[tuple[str, str]]:
    return mentioned(f"//- /open.md\n{body}{NOTES}", eol)


@pytest.mark.parametrize(
    ("body", "words", "path"),
    [
        ("Das Wasserrad dreht sich.", "Wasserrad", WHEEL),
        ("Am Mühlrad steht er.", "Mühlrad", WHEEL),
        ("An old Water Wheel.", "Water Wheel", WHEEL),
        ("Das Spiel des Wasserrads wächst.", "Wasserrads", WHEEL),
        ("Viele Wasserräder.", None, None),
        ("Wegen des Kalkmörtels warten.", "Kalkmörtels", LIME),
        ("Über Vektordatenbanken reden.", "Vektordatenbanken", "Vektordatenbank.md"),
        ("Hochwasserwellen laufen schnell.", "Hochwasserwellen", FLOOD),
        ("Von Henrikes Führung.", "Henrikes", HENRIKE),
        ("One Embedding is enough.", "Embedding", "Embeddings.md"),
        ("A flood wave came.", "flood wave", FLOOD),
        ("A flood came.", "flood", "Flood.md"),
        ("A flood\nwave came.", "flood\nwave", FLOOD),
        ("A flood\n\nwave came.", "flood", "Flood.md"),
        ("Über Gedankenwelten.", "Gedankenwelten", "index.md"),
        ("**Wasserrad**: alt", "Wasserrad", WHEEL),
        ("- [ ] Wasserrad prüfen", "Wasserrad", WHEEL),
        ("> [!note] Titel\n> Das Wasserrad.", "Wasserrad", WHEEL),
        ("„Wasserrad“", "Wasserrad", WHEEL),
        ("S.N. Goenka — Vipassana lesen", "S.N. Goenka — Vipassana", "S.N. Goenka — Vipassana.md"),
    ],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_found(body: str, words: str | None, path: str | None, eol: str) -> None:
    expected = [(words.replace("\n", eol), path)] if words else []
    assert in_text(body + "\n", eol) == expected


@pytest.mark.parametrize(
    "body",
    [
        "[[Wasserrad]]", "[[Missing|Wasserrad]]", "[Wasserrad](https://example.org/x)",
        "[das Wasserrad](Wasserrad.md)", "![Wasserrad](a.png)", "[Wasserrad][ref]",
        "[Wasserrad]", "\\[Wasserrad]", "# Das Wasserrad", "Wasserrad\n=========",
        "`Wasserrad`", "```\nWasserrad\n```", "~~~md\nWasserrad", "    Wasserrad",
        "%% Wasserrad %%", "<!-- Wasserrad -->", "$Wasserrad$", "$$\nWasserrad\n$$",
        "| Wasserrad | b |\n|---|---|\n| Wasserrad | d |", "a | Wasserrad\n--|--\nb | Wasserrad",
        "#Wasserrad", "https://example.org/Wasserrad/x", "www.example.org/Wasserrad",
        "a@Wasserrad.de", "src/Wasserrad.py", '<a title="Wasserrad">', "^Wasserrad",
        "Wasserrad:: x", "rel: depends_on [[Wasserrad]]", "Wasserrad-Bau", "Wasserradbau",
        "Das Rad.", "the index of it", "Material ist knapp.", "Thomas Mann", "", "Wasser rad",
    ],
)  # fmt: skip
def test_not_found(body: str) -> None:
    assert in_text(f"Text.\n\n{body}\n") == []


def test_frontmatter_is_no_text() -> None:
    assert in_text("---\nsummary: Das Wasserrad\n---\nText.\n") == []


def test_the_first_mention_of_each_note_in_order() -> None:
    found = in_text("Kalkmörtel am Wasserrad, Kalkmörtels Härte, das Wasserrad.\n")
    assert found == [("Kalkmörtel", LIME), ("Wasserrad", WHEEL)]


def test_a_mention_in_code_does_not_hide_a_later_one() -> None:
    assert in_text("`Wasserrad` und das Wasserrad.\n") == [("Wasserrad", WHEEL)]


def test_a_note_does_not_mention_itself() -> None:
    assert mentioned("//- /Flood Wave.md\nA flood wave.\n//- /b.md\nB\n") == []


def test_a_title_goes_before_an_alias_of_another_note() -> None:
    source = """\
//- /open.md
The sluice gate.
//- /a.md
---
aliases: [sluice gate]
---
//- /Sluice Gate.md
S
"""
    assert mentioned(source) == [("sluice gate", "Sluice Gate.md")]
