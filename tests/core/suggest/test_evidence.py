"""What counts as evidence, and what only looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.retrieval.passages import formula, labels
from core.suggest.evidence import Evidence
from tests.core.retrieval.kit import Space
from tests.core.retrieval.test_discover import SLEEP

# the same words in another order: near for the fake embedder, with no wording in common
NEARLY = " ".join(sorted(SLEEP.split(), key=lambda word: word[::-1]))

NAMES = """\
//- /Hartmut Rosa — Resonanz.md
---
aliases: [Rosa]
---
R
//- /Layout.md
Boxes.
//- /open.md
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("So sieht es Rosa.", ["Hartmut Rosa — Resonanz.md"]),
        ("Rosa sagt es.", ["Hartmut Rosa — Resonanz.md"]),
        ("Rosa Parks blieb sitzen.", []),
        ("Rosa, Parks und andere.", ["Hartmut Rosa — Resonanz.md"]),
        ("Hier nennt Rosa Resonanz ein Wort.", ["Hartmut Rosa — Resonanz.md"]),
        ("Rosa Parks blieb sitzen. Rosa nicht.", ["Hartmut Rosa — Resonanz.md"]),
        ("The Layout of a page.", ["Layout.md"]),
        ("The Layout Components are many.", []),
        ("The Layout API.", ["Layout.md"]),
    ],
)
def test_the_first_word_of_a_longer_name(tmp_path: Path, text: str, found: list[str]) -> None:
    space = Space.of(tmp_path, NAMES + text, vectors=False)
    assert [one.path for one in space.suggest("open.md")] == found


def test_sections_of_one_template_are_near_for_what_they_are(tmp_path: Path) -> None:
    """Each note has a section of the same name; only in one vault it is a habit of many."""
    few = f"//- /a.md\n# A\n\n## About\n\n{SLEEP}\n//- /b.md\n# B\n\n## About\n\n{NEARLY}\n"
    space = Space.of(tmp_path, few)
    assert [one.path for one in space.suggest("a.md")] == ["b.md"]
    words = [f"w{chr(97 + n)}" for n in range(4)]
    many = few + "".join(
        f"//- /{w}.md\n# {w}\n\n## About\n\n{NEARLY.replace('debt', w).replace('slow', w)}\n"
        for w in words
    )
    (tmp_path / "many").mkdir()
    other = Space.of(tmp_path / "many", many)
    assert [one.path for one in other.suggest("a.md")] == []


def test_the_labels_of_a_chunk() -> None:
    text = "> [!info] Wer spricht?\n> Sie.\n\n> [!note]-  Zwei \n> x"
    assert labels(text, "Titel › Über mich") == {"wer spricht?", "zwei", "über mich"}
    assert labels("x", "") == frozenset()


def test_formulas() -> None:
    text = "Red wheels are a part of the plugin, see its page for the options."
    others = [f"{name} are a part of the plugin, see its page." for name in ("Blue", "Old", "Big")]
    assert formula(text, others) == pytest.approx(8 / 13)
    assert formula(text, others[:2]) == 0
    assert formula("", others) == formula(text, []) == 0


def test_scores() -> None:
    assert Evidence().score == 0
    assert Evidence(company=1.0).score < 0.4 <= Evidence(company=1.0, meaning=0.2).score
    assert Evidence(meaning=1.0).score == pytest.approx(0.8)
    assert Evidence(meaning=0.5).score < Evidence(meaning=0.5, company=0.5).score < 1


def test_company_confirms_and_says_so(tmp_path: Path) -> None:
    # the fake embedder finds the two near; both are in the company of the same two notes
    source = (
        f"//- /debt.md\n{SLEEP}\n\n[[x]] [[y]]\n//- /nights.md\n{NEARLY}\n\n[[x]] [[y]]\n"
        "//- /x.md\n# Ix\n//- /y.md\n# Ypsilon\n"
    )
    (one,) = Space.of(tmp_path, source).suggest("debt.md")
    assert one.path == "nights.md"
    assert one.reasons[-1] == "both link to “Ix” and “Ypsilon”"
    (tmp_path / "alone").mkdir()
    bare = source.replace("\n\n[[x]] [[y]]", "")
    (alone,) = Space.of(tmp_path / "alone", bare).suggest("debt.md")
    assert alone.score < one.score


def test_the_weakest_that_is_wanted(tmp_path: Path) -> None:
    source = "//- /a.md\nThe Weir and the Mühlräder.\n//- /Weir.md\nW\n//- /Mühlräd.md\nM\n"
    space = Space.of(tmp_path, source, vectors=False)
    assert [(one.title, one.score) for one in space.suggest("a.md")] == [
        ("Weir", 0.85),
        ("Mühlräd", 0.7),
    ]
    assert [one.title for one in space.suggest("a.md", min_score=0.8)] == ["Weir"]
    assert space.suggest("a.md", min_score=1.0) == []
