"""Suggested edges: what is suggested, why, and what the edit makes of the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import MindnetError
from core.features.document import Document
from core.features.insertion import insertion
from core.parse import parse_note
from core.retrieval.discover import EXACT_MENTION, INFLECTED_MENTION
from core.retrieval.passages import is_telling, shares_wording
from core.vault.index import VaultIndex
from tests.core.retrieval.kit import Space, applied
from tests.support.fake_embedder import FakeEmbedder

# prose that shares nearly all its words, so that the fake embedder finds the two near
SLEEP = """Sleep debt grows every night that is shorter than needed, attention suffers first,
memory later, and nobody notices how slow their own answers have become until rested again."""
NEARLY = """Every night that is shorter than needed lets sleep debt grow, memory and attention
suffer, own answers become slow, and until rested again nobody notices how their debt grows."""

VAULT = f"""\
//- /debt.md
# Debt of sleep

{SLEEP}
//- /nights.md
# Short nights

{NEARLY}
//- /wheel.md
---
aliases: [Mühlrad]
---
# Wasserrad

Ein Rad aus Eiche, das langsam vom Wasser gedreht wird und nun still steht.
//- /open.md
# Open

Das Mühlrad steht, das Wasserrad auch.

See [[bread]].
//- /bread.md
# Bread

Flour and water and salt.
//- /secret.md
---
embedding_exclude: true
---
# Secret

{SLEEP}

Das Wasserrad.
"""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    return Space.of(tmp_path_factory.mktemp("discover"), VAULT)


def targets(space: Space, path: str, **options: object) -> list[str]:
    return [one.path for one in space.suggest(path, **options)]


def test_a_mention_becomes_a_link_over_the_words(space: Space) -> None:
    found = space.suggest("open.md")
    assert [(one.path, one.kind, one.score) for one in found] == [
        ("wheel.md", "references", EXACT_MENTION)
    ]
    assert found[0].reasons == ["line 3 names “Wasserrad” as “Mühlrad”"]
    text = applied(space.text("open.md"), found[0])
    assert "Das [[wheel|Mühlrad]] steht, das Wasserrad auch." in text
    german = space.suggest("open.md", locale="de")[0]
    assert german.reasons == ["Zeile 3 nennt „Wasserrad“ als „Mühlrad“"]


def test_meaning_becomes_a_relation_behind_the_passage(space: Space) -> None:
    (found,) = [one for one in space.suggest("debt.md") if one.path == "nights.md"]
    assert found.kind in ("related_to", "similar_to")
    assert found.start == found.end
    assert found.reasons[0].startswith("close in meaning to lines 3–4 (cosine 0.")
    text = applied(space.text("debt.md"), found)
    assert text.rstrip().endswith(f"[[rel:{found.kind} nights]]")


def test_linked_notes_and_the_note_itself_are_left_out(space: Space) -> None:
    text = space.text("open.md") + "\nOpen, Bread.\n"
    assert targets(space, "open.md", text=text) == ["wheel.md"]
    linked = text + "\n[[wheel]]\n"
    assert targets(space, "open.md", text=linked) == []


def test_a_note_that_is_linked_from_the_other_side_needs_no_relation(space: Space) -> None:
    assert "nights.md" in targets(space, "debt.md")
    root = space.root.parent / "other"
    root.mkdir()
    for path in ("debt.md", "nights.md", "bread.md", "wheel.md", "open.md"):
        (root / path).write_text(space.text(path), "utf-8")
    (root / "nights.md").write_text(space.text("nights.md") + "\n[[debt]]\n", "utf-8")
    other = Space(root, FakeEmbedder(dim=64))
    assert "nights.md" not in targets(other, "debt.md")


def test_unsaved_text_is_what_counts_and_a_new_note_may_ask(space: Space) -> None:
    assert targets(space, "open.md", text="Nothing.\n") == []
    assert targets(space, "new.md", text="Ein Mühlrad.\n") == ["wheel.md"]
    assert "new.md" not in space.index.notes


def test_without_text_the_file_is_read(space: Space) -> None:
    with pytest.raises(MindnetError):
        space.suggest("nowhere.md")


def test_a_range_restricts_what_is_looked_at(space: Space) -> None:
    text = "One.\n\nDas Mühlrad.\n\nThe end.\n"
    assert targets(space, "open.md", text=text, start_line=2, end_line=2) == ["wheel.md"]
    assert targets(space, "open.md", text=text, start_line=3) == []
    assert targets(space, "open.md", text=text, end_line=1) == []
    assert targets(space, "open.md", text=text, start_line=90, end_line=3) == []


def test_an_excluded_note_has_mentions_but_no_meaning(space: Space) -> None:
    assert isinstance(space.embedder, FakeEmbedder)
    before = len(space.embedder.inputs)
    found = space.suggest("secret.md")
    assert [one.path for one in found] == ["debt.md", "wheel.md"]
    assert all("names" in one.reasons[0] and len(one.reasons) == 1 for one in found)
    assert len(space.embedder.inputs) == before
    assert "secret.md" not in targets(space, "debt.md"), "it has no vectors to be near"


def test_stored_vectors_are_used_again(space: Space) -> None:
    assert isinstance(space.embedder, FakeEmbedder)
    before = len(space.embedder.inputs)
    space.suggest("debt.md")
    assert len(space.embedder.inputs) == before
    space.suggest("debt.md", text=space.text("debt.md") + "More words, which nobody has yet.\n")
    assert len(space.embedder.inputs) == before + 1


def test_top_k_and_order(space: Space) -> None:
    text = f"{SLEEP}\n\nDas Mühlrad, Bread, Short nights.\n"
    every = space.suggest("new.md", text=text)
    assert [one.score for one in every] == sorted((one.score for one in every), reverse=True)
    assert [one.path for one in space.suggest("new.md", text=text, top_k=2)] == [
        one.path for one in every[:2]
    ]
    assert every == space.suggest("new.md", text=text)


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("words", "score"),
    [("Wasserrad", EXACT_MENTION), ("Wasserrads", INFLECTED_MENTION)],
)
@pytest.mark.parametrize(
    "body",
    [
        "Das {} dreht sich.\n", "- eins\n- {}\n- drei\n", "> [!note] Titel\n> Das {}.\n",
        "**{}**", "Am Ende {}", "🌊 Flut am {}!\n", "1. {}\n", "> {}\n",
    ],
)  # fmt: skip
def test_the_edit_of_a_mention_resolves(
    space: Space, body: str, words: str, score: float, eol: str
) -> None:
    text = ("# T\n\n" + body.format(words)).replace("\n", eol)
    (found,) = space.suggest("new.md", text=text)
    assert found.score == score
    edited = applied(text, found)
    check_resolves(space, edited, "new.md", found.path)
    assert edited.replace(found.new_text, words) == text


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "behind",
    [
        "", "\n", "\n---\n\n## Next\n", "\n\n- a\n- b\n", "\n## Next\n", "\n\n| a | b |\n|--|--|\n",
    ],
)  # fmt: skip
def test_the_edit_of_a_relation_resolves(space: Space, behind: str, eol: str) -> None:
    text = f"# Debt of sleep\n\n{SLEEP}{behind}".replace("\n", eol)
    found = next(one for one in space.suggest("debt.md", text=text) if one.path == "nights.md")
    edited = applied(text, found)
    check_resolves(space, edited, "debt.md", "nights.md")
    before = parse_note("debt.md", text)
    after = parse_note("debt.md", edited)
    assert [h.text for h in after.headings] == [h.text for h in before.headings]
    assert edited.replace(found.new_text, "") == text
    assert "\n" not in edited.replace("\r\n", "") or eol == "\n"


def check_resolves(space: Space, text: str, path: str, target: str) -> None:
    note = parse_note(path, text)
    index = space.index.update([note])
    assert target in index.targets(path)
    assert index.unresolved_in(path) == ()


def test_a_name_that_wikilinks_cannot_hold_is_linked_by_id(tmp_path: Path) -> None:
    space = Space.of(
        tmp_path, f"//- /Debt #1.md\n{SLEEP}\n//- /nights.md\n{NEARLY}\n//- /x.md\nBread.\n"
    )
    (found,) = space.suggest("nights.md")
    assert found.new_text.endswith("|Debt #1]]") or found.new_text.endswith("|Debt 1]]")
    check_resolves(space, applied(space.text("nights.md"), found), "nights.md", "Debt #1.md")


def test_a_word_that_many_notes_use_is_no_mention(tmp_path: Path) -> None:
    others = "".join(f"//- /n{i}.md\nThe layout of page {i} is common.\n" for i in range(30))
    space = Space.of(
        tmp_path,
        f"{others}//- /Layout.md\nBoxes.\n//- /Sluice.md\nA gate.\n"
        "//- /open.md\nThe layout of a sluice.\n",
        vectors=False,
    )
    assert targets(space, "open.md") == ["Sluice.md"]


def test_a_word_of_a_linked_notes_name_means_that_note(tmp_path: Path) -> None:
    space = Space.of(
        tmp_path,
        """\
//- /Ada Lovelace — Letters.md
L
//- /Ada Lovelace — Notes.md
---
aliases: [Lovelace]
---
//- /open.md
After [[Ada Lovelace — Letters]] Lovelace wrote more.
//- /free.md
Lovelace wrote more.
""",
        vectors=False,
    )
    assert targets(space, "open.md") == []
    assert targets(space, "free.md") == ["Ada Lovelace — Notes.md"]


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        (SLEEP, True),
        (f"## Why\n\n{SLEEP}", True),
        ("Too short to say anything.", False),
        (f"### → [[Other note]]\n\n{SLEEP}", False),
        ("- [[A note]] on one\n- [[Another]] on two\n- [[Third]] three\n" * 4, False),
        ("| " + " | ".join(SLEEP.replace("\n", " ").split()) + " |", False),
        (f"```\n{SLEEP}\n```", False),
    ],
)
def test_what_tells_something(text: str, telling: bool) -> None:
    assert is_telling(text) is telling


def test_templates() -> None:
    assert shares_wording(SLEEP, f"# Another\n\n{SLEEP}")
    assert not shares_wording(SLEEP, NEARLY)
    assert not shares_wording("", SLEEP)


REL = "[[rel:related_to b]]"


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", "a\nb\n\n+"),
        ("a\n", "a\n\n+\n"),
        ("a\n\n", "a\n\n+\n\n"),
        ("a\nb\n\nc\n", "a\nb\n\n+\n\nc\n"),
        ("a\n---\n", "a\n\n+\n\n---\n"),
        ("- a\n- b\n\nc\n", "- a\n- b\n\n+\n\nc\n"),
        ("- a\n\n- b\n  more\n\nc\n", "- a\n\n- b\n  more\n\n+\n\nc\n"),
        ("| a | b |\n|--|--|\n| c | d |\n", "| a | b |\n|--|--|\n| c | d |\n\n+\n"),
        ("> [!note] A\n> b\n\nc\n", "> [!note] A\n> b\n\n+\n\nc\n"),
        ("```\na\n\nb\n```\nc\n", "```\na\n\nb\n```\nc\n\n+\n"),
        ("```\na\n\nb\n", "```\na\n\nb\n\n+\n"),
        ("%%\na\n\nb\n%%\n\nc\n", "%%\na\n\nb\n%%\n\n+\n\nc\n"),
        ("a\n\n^id\n\nb\n", "a\n\n^id\n\n+\n\nb\n"),
        ("a\n## B\nc\n", "a\n\n+\n\n## B\nc\n"),
    ],
)
def test_where_a_relation_is_written(text: str, expected: str, eol: str) -> None:
    text, expected = text.replace("\n", eol), expected.replace("\n", eol)
    document = Document.of(parse_note("n.md", text), text)
    offset, written = insertion(document, REL, (0, 0))
    assert text[:offset] + written + text[offset:] == expected.replace("+", REL)


def test_a_note_of_nothing(space: Space) -> None:
    assert targets(space, "empty.md", text="") == []
    assert targets(space, "empty.md", text="---\ntitle: X\n---") == []
    assert VaultIndex().get("empty.md") is None
