"""The form of a suggested edge, and where it goes in the text."""

from __future__ import annotations

import pytest

from core.features.document import Document
from core.features.suggested import Shift, Suggested, list_of_links, write
from core.model import Span
from core.parse import parse_note
from core.vault.index import VaultIndex
from tests.support.fixture import parse_fixture

OTHER = "# Wasserrad\n\nEin Rad.\n"


def check(marked: str, form: str | None, expected: str, *, kind: str = "depends_on") -> None:
    """`$0…$0` marks what the edge is about: words that name the target, or, where these are
    whole lines, a passage; without marks it is the note as a whole."""
    fixture = parse_fixture(f"//- /open.md\n{marked}") if "$0" in marked else None
    text = marked if fixture is None else fixture.text
    about = None if fixture is None else Span(fixture.start, fixture.end)
    mention = about is not None and text[about.start : about.end].startswith("Wasserr")
    notes = [parse_note("open.md", text), parse_note("wheel.md", OTHER)]
    index, document = VaultIndex.build(notes), Document.of(notes[0], text)
    one = Suggested(
        "wheel.md", index.note_id("wheel.md"), "Wasserrad", kind, 0.9, (), about, mention
    )
    found = write(index, document, one, form)  # type: ignore[arg-type]
    edited = text[: found.start] + found.new_text + text[found.end :]
    assert edited == expected
    after = parse_note("open.md", edited)
    index = index.update([after])
    assert "wheel.md" in index.targets("open.md")
    (link,) = [
        link
        for link, target in zip(after.links, index.targets("open.md"), strict=True)
        if target == "wheel.md"
    ]
    assert (link.relation or "references") == found.kind


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (None, "# T\n\nDas [[rel:depends_on wheel|Wasserrads]] Lager.\n\nEnde.\n"),
        ("wikilink", "# T\n\nDas [[wheel|Wasserrads]] Lager.\n\nEnde.\n"),
        ("relation", "# T\n\nDas [[rel:depends_on wheel|Wasserrads]] Lager.\n\nEnde.\n"),
        ("field", "# T\n\nDas Wasserrads Lager.\n\ndepends_on:: [[wheel]]\n\nEnde.\n"),
        ("callout",
         "# T\n\nDas Wasserrads Lager.\n\nEnde.\n\n> [!edge]\n> depends_on: [[wheel]]\n"),
    ],
)  # fmt: skip
def test_forms_of_a_mention(form: str | None, expected: str) -> None:
    check("# T\n\nDas $0Wasserrads$0 Lager.\n\nEnde.\n", form, expected)


def test_a_plain_mention_is_a_wikilink() -> None:
    check("Das $0Wasserrad$0.", None, "Das [[wheel|Wasserrad]].", kind="references")


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (None, "One.\n\n[[rel:depends_on wheel]]\n\nTwo.\n"),
        ("relation", "One.\n\n[[rel:depends_on wheel]]\n\nTwo.\n"),
        ("wikilink", "One.\n\n[[wheel]]\n\nTwo.\n"),
        ("field", "One.\n\ndepends_on:: [[wheel]]\n\nTwo.\n"),
        ("callout", "One.\n\nTwo.\n\n> [!edge]\n> depends_on: [[wheel]]\n"),
    ],
)
def test_forms_of_a_passage(form: str | None, expected: str) -> None:
    check("$0One.$0\n\nTwo.\n", form, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> [!edge] depends_on: [[a]] [[b]]\n", "> [!edge] depends_on: [[a]] [[b]] [[wheel]]\n"),
        ("> [!edge]\n> supports: [[a]]\n\nEnd.\n",
         "> [!edge]\n> supports: [[a]]\n> depends_on: [[wheel]]\n\nEnd.\n"),
        ("- x\n  > [!edge]\n  > supports: [[a]]\n",
         "- x\n  > [!edge]\n  > supports: [[a]]\n  > depends_on: [[wheel]]\n"),
        ("> [!edge]\r\n> supports: [[a]]\r\n",
         "> [!edge]\r\n> supports: [[a]]\r\n> depends_on: [[wheel]]\r\n"),
    ],
)  # fmt: skip
def test_an_edge_callout_that_is_there_is_used(text: str, expected: str) -> None:
    check(text, "callout", expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A.\n\n## Siehe auch\n\n- [[a]] — x\n- [[b]]\n\n## End\n",
         "A.\n\n## Siehe auch\n\n- [[a]] — x\n- [[b]]\n- [[wheel]]\n\n## End\n"),
        ("## 🔗 Related\n* **[[a]]** first\n  more of it", None),
        ("## Links:\n1. [[a]]\n2. [[b]]\n   - below\n",
         "## Links:\n1. [[a]]\n2. [[b]]\n   - below\n3. [[wheel]]\n"),
    ],
)  # fmt: skip
def test_a_list_of_links_gets_one_more(text: str, expected: str | None) -> None:
    check(text, None, expected or f"{text}\n* [[wheel]]")


@pytest.mark.parametrize(
    "text",
    [
        "- [[a]]\n- [[b]]\n",
        "## Members\n- [[a]]\n",
        "## See also\n\nWe like [[a]].\n",
        "## See also\n## Next\n- [[a]]\n",
        "## See also\n- about [[a]]\n",
    ],
)
def test_other_lists_are_left_alone(text: str) -> None:
    assert list_of_links(Document.of(parse_note("open.md", text), text)) is None


@pytest.mark.parametrize(
    ("old", "new", "span", "same", "around"),
    [
        ("abcdef", "abcdef", (2, 4), (2, 4), (2, 4)),
        ("abcdef", "abXcdef", (3, 5), (4, 6), (4, 6)),
        ("abcdef", "abcdeXf", (1, 3), (1, 3), (1, 3)),
        ("abcdef", "abcXdef", (2, 5), None, (2, 6)),
        ("abcdef", "abef", (1, 3), None, (1, 2)),
        ("abcdef", "", (2, 4), None, (0, 0)),
        ("aaaa", "aaaaa", (0, 2), (0, 2), (0, 2)),
        ("ab", "abc", (0, 2), (0, 2), (0, 3)),
    ],
)
def test_where_a_span_went(
    old: str,
    new: str,
    span: tuple[int, int],
    same: tuple[int, int] | None,
    around: tuple[int, int],
) -> None:
    shift = Shift(old, new)
    assert shift.span(Span(*span)) == (None if same is None else Span(*same))
    found = shift.around(Span(*span))
    assert (found.start, found.end) == around
