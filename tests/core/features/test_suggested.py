"""Suggested edges where they are shown: actions, hover, completion, and over edited text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.features.hover import hover
from core.features.hover_context import HoverContext
from core.features.ready import NearPassage, Ready, paragraph_at
from core.features.results import CodeAction, VaultEdit
from core.features.suggested import Suggested
from core.model import Span
from core.settings import HoverSettings
from tests.core.features.completion_kit import check as check_completion
from tests.core.features.kit import RELATIONS, TYPES, Vault

NOTES = "//- /Pump.md\n# Pump\n//- /Weir.md\n# Weir\n//- /Lock.md\n# Lock\n"
FIELD = "Suggested: field depends_on:: “Pump”"
OPEN = """\
//- /open.md
---
type: task
---
# Open

The gate needs a pump$0 now.

Water stands behind the weir in spring.
"""


def suggested(vault: Vault) -> tuple[Suggested, ...]:
    """A mention of Pump, and that the last paragraph is about Weir."""
    text = vault.fixture.text
    pump, water = text.find("pump"), text.find("Water")
    made = []
    if pump >= 0:
        about = Span(pump, pump + 4)
        made.append(
            Suggested("Pump.md", "p", "Pump", "depends_on", 0.9, ("names it",), about, True)
        )
    if water >= 0:
        about = Span(water, len(text))
        made.append(Suggested("Weir.md", "w", "Weir", "related_to", 0.6, ("is near",), about))
    made.append(Suggested("Lock.md", "l", "Lock", "related_to", 0.5, ("same company",)))
    return tuple(made)


def offered(source: str, **more: object) -> list[str]:
    vault = Vault.of(source + NOTES)
    found = vault.actions(only="refactor.rewrite", suggested=suggested(vault), **more)
    return [action.title for action in found if "uggest" in action.title]


def done(source: str, title: str) -> str:
    """The open text after the action with this title."""
    vault = Vault.of(source + NOTES)
    kept = suggested(vault)
    action: CodeAction = vault.action(title, suggested=kept)
    assert action.deferred is not None
    context = vault.context(suggested=kept)
    from core.features.code_action import complete_action

    change = complete_action(context, action.deferred.name, action.deferred.arguments, ())
    assert isinstance(change, VaultEdit)
    (edit,) = change.edits
    text = vault.fixture.text
    return text[: edit.start] + edit.new_text + text[edit.end :]  # type: ignore[union-attr]


def test_on_a_mention() -> None:
    assert offered(OPEN) == [
        "Suggested: depends_on → “Pump”",
        "Suggested: link to “Pump”",
        FIELD,
        "Suggested: “Pump” in the edge callout as depends_on",
        "Dismiss the suggestion “Pump”",
    ]
    assert "a [[rel:depends_on Pump|pump]] now." in done(OPEN, "Suggested: depends_on → “Pump”")
    assert "a pump now.\n\ndepends_on:: [[Pump]]\n\nWater" in done(OPEN, FIELD)


def test_an_action_that_is_there_already_is_not_offered_twice() -> None:
    vault = Vault.of(OPEN + NOTES)
    plain = tuple(
        Suggested(one.path, one.note_id, one.title, "references", one.score, (), one.about, True)
        for one in suggested(vault)[:1]
    )
    titles = [action.title for action in vault.actions(only="refactor", suggested=plain)]
    assert titles.count("Link to “Pump”") == 1
    assert "Suggested: link to “Pump”" not in titles
    assert "Dismiss the suggestion “Pump”" in titles


def test_in_a_passage() -> None:
    source = OPEN.replace("$0", "").replace("behind", "be$0hind")
    assert offered(source)[0] == "Suggested: related_to → “Weir”"
    text = done(source, "Suggested: related_to → “Weir”")
    assert text.endswith("in spring.\n\n[[rel:related_to Weir]]\n")


@pytest.mark.parametrize("place", ["# Op$0en", "type$0: task"])
def test_on_the_title_and_in_the_frontmatter_all_are_offered(place: str) -> None:
    source = OPEN.replace("$0", "").replace(place.replace("$0", ""), place)
    found = offered(source)
    assert [title for title in found if title.startswith("Dismiss")] == [
        f"Dismiss the suggestion “{name}”" for name in ("Pump", "Weir", "Lock")
    ]


@pytest.mark.parametrize("place", ["The g$0ate", "See [[x$0]]"])
def test_nothing_elsewhere(place: str) -> None:
    assert offered(OPEN.replace("$0", "").replace("The gate", place)) == []


def test_a_light_bulb_offers_the_usual_form_alone() -> None:
    assert offered(OPEN, automatic=True, explicit=False) == ["Suggested: depends_on → “Pump”"]


def test_dismissing_is_a_command() -> None:
    vault = Vault.of(OPEN + NOTES)
    action = vault.action("Dismiss the suggestion “Pump”", suggested=suggested(vault))
    assert action.run is not None
    assert (action.run.command, action.run.arguments) == (
        "mindnet.dismissSuggestion",
        {"target_note_id": "p"},
    )
    german = Vault.of(OPEN + NOTES).actions("de", only="refactor", suggested=suggested(vault))
    assert "Vorschlag „Pump“ verwerfen" in [found.title for found in german]


def said(source: str, locale: str = "en", found: Sequence[Suggested] | None = None) -> str:
    vault = Vault.of(source + NOTES)
    kept = suggested(vault) if found is None else tuple(found)
    context = HoverContext(
        vault.index, vault.document, HoverSettings(), RELATIONS, TYPES,
        "de" if locale == "de" else "en", vault.text_of, suggested=lambda: kept,
    )  # fmt: skip
    shown = hover(context, vault.at)
    assert shown is not None
    return shown.text


def test_hover_on_the_title() -> None:
    source = OPEN.replace("$0", "").replace("# Open", "# O$0pen")
    text = said(source)
    assert "**3 suggestions**" in text
    assert "- Pump · depends on — names it\n- Weir · is related to — is near\n" in text
    assert "**3 Vorschläge**" in said(source, "de")
    assert "uggest" not in said(source, found=())
    many = suggested(Vault.of(source + NOTES)) * 3
    assert text.count("\n- ") <= said(source, found=many).count("\n- ") <= 6
    assert "… and 4 more" in said(source, found=many)


def test_no_suggestions_on_other_headings() -> None:
    source = OPEN.replace("$0", "").replace("Water", "## Wa$0ter\n\nWater")
    assert "uggest" not in said(source)


NEAR = ("Weir.md", "Lock.md")
MARK = "≈ like this paragraph"


def completed(marked: str, near: tuple[str, ...] = NEAR) -> list[tuple[str, str]]:
    vault = Vault.of(f"//- /open.md\n{marked}\n{NOTES}")
    return [(one.label, one.description) for one in vault.complete(near=near).items]


def test_completion_by_meaning() -> None:
    assert completed("Some text [[$0") == [("Weir", MARK), ("Lock", MARK), ("Pump", "")]
    assert completed("Some text [[$0]]")[:2] == [("Weir", MARK), ("Lock", MARK)]
    check_completion(f"//- /open.md\nA [[$0]]\n{NOTES}", "Weir", "A [[Weir]]", near=NEAR)
    german = Vault.of(f"//- /open.md\nA [[$0\n{NOTES}").complete(locale="de", near=NEAR)
    assert german.items[0].description == "≈ wie dieser Absatz"


@pytest.mark.parametrize(
    "marked",
    ["[[W$0", "![[$0", "[[rel:depends_on $0", "[x]($0", "rel: depends_on [[$0", "[[Weir#$0"],
)
def test_meaning_is_for_bare_links_alone(marked: str) -> None:
    assert MARK not in [description for _, description in completed(marked)]


def test_what_is_linked_gone_or_the_note_itself_is_not_offered() -> None:
    found = completed("[[Weir]] and [[$0", ("open.md", "gone.md", *NEAR))
    assert [label for label, description in found if description == MARK] == ["Lock"]


def test_the_limit_holds() -> None:
    vault = Vault.of(f"//- /open.md\n[[$0\n{NOTES}")
    assert [one.label for one in vault.complete(limit=2, near=NEAR).items] == ["Weir", "Lock"]
    assert [one.label for one in vault.complete(limit=1, near=NEAR).items] == ["Weir"]


def now(before: str, after: str) -> list[tuple[str, str]]:
    """What is left of the suggestions for a text, in another: title and the words."""
    old, new = (Vault.of(f"//- /open.md\n{text}\n{NOTES}") for text in (before, after))
    ready = Ready(old.fixture.text, suggested(old))
    text = new.fixture.text
    return [
        (one.title, text[one.about.start : one.about.end] if one.about else "")
        for one in ready.now(new.index, new.document)
    ]


TEXT = "The pump.\n\nWater stands."


PUMP, LOCK = ("Pump", "pump"), ("Lock", "")
WEIR = ("Weir", "Water stands.\n")


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (TEXT, [PUMP, WEIR, LOCK]),
        ("🦆 One more.\n\n" + TEXT, [PUMP, WEIR, LOCK]),
        ("The pumps.\n\nWater stands.", [WEIR, LOCK]),
        ("The pu-mp.\n\nWater stands.", [WEIR, LOCK]),
        ("The pump.\n\nWater still stands.", [PUMP, ("Weir", "Water still stands.\n"), LOCK]),
        ("The [[Pump|pump]].\n\nWater stands.", [WEIR, LOCK]),
        (TEXT + " [[Weir]] [[Lock]]", [PUMP]),
        ("", [LOCK]),
    ],
)
def test_suggestions_follow_the_text(after: str, expected: list[tuple[str, str]]) -> None:
    assert now(TEXT, after) == expected


def test_near_passages_follow_the_text() -> None:
    text = "One.\n\nTwo is here.\n"
    ready = Ready(text, passages=(NearPassage(Span(6, 18), ("Weir.md",)),))
    vault = Vault.of(f"//- /open.md\nMore.\n\n{text}{NOTES}")
    assert ready.near(vault.document, vault.fixture.text.index("here")) == ("Weir.md",)
    assert ready.near(vault.document, 2) == ()


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("One.\n\nTwo $0is\nhere.\n\nThree.", "Two is here."),
        ("One.\nTwo [[$0]] three.", "One. Two three."),
        ("---\ntype: x\n---\nBo$0dy.", "Body."),
        ("a\n$0\nb", ""),
    ],
)
def test_the_paragraph_of_a_cursor(marked: str, expected: str) -> None:
    vault = Vault.of(f"//- /open.md\n{marked}")
    found = paragraph_at(vault.document, vault.at)
    assert found.key == expected


def test_paragraphs_that_are_alike() -> None:
    def key(text: str) -> str:
        return paragraph_at(Vault.of(f"//- /open.md\n{text}$0").document, 0).key

    paragraph = paragraph_at(Vault.of("//- /open.md\nOne two three four five$0").document, 0)
    assert paragraph.says_something
    assert paragraph.is_like(key("One two three"))
    assert not paragraph.is_like(key("Two three"))
    assert not paragraph.is_like(key("One two three four five" + " and more" * 20))
    assert not paragraph_at(Vault.of("//- /open.md\nOne two$0").document, 0).says_something
