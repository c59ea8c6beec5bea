"""How a selection grows, from the cursor `$0` outwards."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.features.document import Document
from core.features.selection_range import selection_ranges
from core.model import Span
from core.parse import parse_note
from tests.core.features.kit import Vault

CASES = {
    "alias": ("One. See [[Foo bar#Sec|an ali$0as]] now. End.",
              ["alias", "an alias", "[[Foo bar#Sec|an alias]]",
               "See [[Foo bar#Sec|an alias]] now."]),
    "target": ("[[Foo b$0ar#Sec|x]]", ["bar", "Foo bar", "[[Foo bar#Sec|x]]"]),
    "heading of a link": ("[[Foo#Sec ti$0on]]", ["tion", "Sec tion"]),
    "relation kind": ("[[rel:depends$0_on Foo]]", ["depends_on", "[[rel:depends_on Foo]]"]),
    "Markdown link": ("[te$0xt here](a/b.md)", ["text", "text here", "[text here](a/b.md)"]),
    "tag": ("is #a/b$0c now", ["bc", "#a/bc", "is #a/bc now"]),
    "code span": ("see `co$0de here` now", ["code", "`code here`", "see `code here` now"]),
    "a sentence does not end in a link":
        ("A [[Dr. No]] se$0es. Then.", ["sees", "A [[Dr. No]] sees."]),
    "nor at an abbreviation": ("Das gilt z. B. Mon$0tag am 3. Mai. Ja.",
                               ["Montag", "Das gilt z. B. Montag am 3. Mai."]),
    "a sentence over two lines": ("Eins. Zwei\ndr$0ei. Vier.", ["drei", "Zwei\ndrei."]),
    "apostrophe": ("it's$0 x", ["it's"]),
    "umlaut that is composed": ("scho\u0308$0n x", ["scho\u0308n"]),
    "item, list": ("- a b$0\n  - c\n- d\n\ntext", ["b", "a b", "- a b\n  - c",
                                                   "- a b\n  - c\n- d"]),
    "inner item": ("- a\n  - c$0 d\n- e\n", ["c", "c d", "- c d", "- a\n  - c d",
                                             "- a\n  - c d\n- e"]),
    "cell, row, table": ("| a | b |\n|---|---|\n| 1 2$0 | 3 |\n",
                         ["2", "1 2", "| 1 2 | 3 |", "| a | b |\n|---|---|\n| 1 2 | 3 |"]),
    "escaped pipe": ("| a |\n|---|\n| [[X\\|y$0]] |\n", ["y", "[[X\\|y]]", "| [[X\\|y]] |"]),
    "quote": ("> Ein Sa$0tz. Zwei.\n> - x\n",
              ["Satz", "Ein Satz.", "Ein Satz. Zwei.", "> Ein Satz. Zwei.\n> - x"]),
    "fence": ("```\nco$0de x\n```\n", ["code", "```\ncode x\n```"]),
    "sections": ("# A\n\nx\n\n## B\n\nw$0\n\n## C\n",
                 ["w", "## B\n\nw\n\n", "# A\n\nx\n\n## B\n\nw\n\n## C\n"]),
    "heading": ("# Ein Ti$0tel\n\ntext\n", ["Titel", "Ein Titel", "# Ein Titel",
                                            "# Ein Titel\n\ntext\n"]),
    "block id": ("text ^ab$0-c\n", ["ab-c", "^ab-c"]),
    "frontmatter value": ("---\ntags: [a, b$0c]\nid: x\n---\ntext",
                          ["bc", "tags: [a, bc", "---\ntags: [a, bc]\nid: x\n---"]),
    "quoted frontmatter link": ("---\ndepends_on: '[[A$0 b]]'\n---\n",
                                ["A", "A b", "[[A b]]", "'[[A b]]'", "depends_on: '[[A b]]'",
                                 "---\ndepends_on: '[[A b]]'\n---"]),
    "list in frontmatter": ("---\naliases:\n  - On$0e x\n  - Two\nid: x\n---\n",
                            ["One", "One x", "aliases:\n  - One x\n  - Two",
                             "---\naliases:\n  - One x\n  - Two\nid: x\n---"]),
    "frontmatter key": ("---\nti$0tle: A\n---\n", ["title", "title: A", "---\ntitle: A\n---"]),
    "blank": ("a\n\n$0\n\nb", ["a\n\n\n\nb"]),
    "nothing": ("$0", [""]),
    "emoji": ("🚢 see [[Ha$0fen 🚢]].",
              ["Hafen", "Hafen 🚢", "[[Hafen 🚢]]", "🚢 see [[Hafen 🚢]]."]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_growing(text: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(f"//- /n.md\n{text}", eol=eol)
    (found,) = selection_ranges(vault.document, [vault.at])
    shown = [vault.fixture.text[span.start : span.end].replace("\r\n", "\n") for span in found]
    assert shown[: len(expected)] == expected
    _check(vault.document, vault.at, found)


def test_many_positions_are_answered_in_their_order() -> None:
    vault = Vault.of("//- /n.md\none two\n\nthree\n")
    found = selection_ranges(vault.document, [9, 0, 4])
    text = vault.fixture.text
    assert [text[spans[0].start : spans[0].end] for spans in found] == ["three", "one", "two"]


_PIECES = st.sampled_from(
    ["# A\n", "- x\n", "  - y\n", "> q\n", "| a |\n|---|\n", "| b |\n", "```\n", "text. More. ",
     "[[A#b|c]]", "[t](u.md)", "\n", "---\n", "k: v\n", "#tag ", "`c` ", "%% x\n%%\n", "🚢",
     "^id\n", "    code\n", "\r\n", "$$x$$", "1. n\n", "Titel\n===\n", "[x]\n", "<!-- c -->"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=25).map("".join), st.data())
def test_whatever_the_text_each_range_holds_the_one_before(text: str, data: st.DataObject) -> None:
    document = Document.of(parse_note("n.md", text), text)
    offset = data.draw(st.integers(0, len(text)))
    (found,) = selection_ranges(document, [offset])
    _check(document, offset, found)


def _check(document: Document, offset: int, found: tuple[Span, ...]) -> None:
    assert found[-1] == Span(0, len(document.text))
    for span in found:
        assert span.start <= offset <= span.end
    for inner, outer in pairwise(found):
        assert outer.start <= inner.start <= inner.end <= outer.end
        assert inner != outer
