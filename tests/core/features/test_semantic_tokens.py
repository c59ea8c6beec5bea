"""What each mark of a note is, as `text:type`."""

from __future__ import annotations

import pytest

from core.features.document import Document
from core.features.semantic_tokens import semantic_tokens
from core.features.view_results import Token
from core.model import Span
from core.parse import parse_note
from tests.core.features.kit import Vault

REST = """\

//- /Harbour.md
---
aliases: [Hafen]
id: 2024-hb
---
# Harbour

## Quay ñ

On the quay. ^pier
//- /a/Crew.md
# Crew
//- /pic.png
"""

CASES = {
    "link": ("[[Harbour]]", ["Harbour:note"]),
    "by alias, id and path": ("[[hafen]] [[2024-hb]] [[a/Crew]]",
                              ["hafen:note", "2024-hb:note", "a/Crew:note"]),
    "to nowhere": ("[[Harbor]] [[Harbor#X|y]]",
                   ["Harbor:missing", "Harbor:missing", "X:missing", "y:alias"]),
    "parts": ("[[Harbour#Quay ñ|am 🚢]]", ["Harbour:note", "Quay ñ:heading", "am 🚢:alias"]),
    "a heading that is not there": ("[[Harbour#Pier]]", ["Harbour:note", "Pier:missing"]),
    "blocks": ("[[Harbour#^pier]] [[Harbour#^no]]",
               ["Harbour:note", "^pier:block", "Harbour:note", "^no:missing"]),
    "own heading": ("# Top\n\n[[#Top]] [[#Nope]]", ["Top:heading", "Nope:missing"]),
    "typed": ("[[rel:depends_on Harbour]] (depends_on:: [[Crew]])",
              ["depends_on:relation", "Harbour:note", "depends_on:relation", "Crew:note"]),
    "edge callout": ("> [!edge] related_to: [[Crew]]",
                     ["[!edge]:callout", "related_to:relation", "Crew:note"]),
    "Markdown links": ("[t](Harbour.md#quay-ñ) [u](<no way.md>) <https://x.org>",
                       ["t:alias", "Harbour.md:note", "quay-ñ:heading", "u:alias",
                        "no way.md:missing"]),
    "reference links": ("[text][h] [h]\n\n[h]: Harbour.md\n",
                        ["text:note", "h:note", "Harbour.md:note"]),
    "files": ("![[pic.png]] [[none.png]]", ["pic.png:file", "none.png:missing"]),
    "an image as the text of a link": ("[x ![i](pic.png) y](Harbour.md)",
                                       ["x ![:alias", "i:alias", "](:alias", "pic.png:file",
                                        ") y:alias", "Harbour.md:note"]),
    "old reversed form": ("[[The port|2024-hb]]", ["The port:alias", "2024-hb:note"]),
    "tags": ("#a/b and #ü", ["#a/b:tag", "#ü:tag"]),
    "block id": ("text ^here", ["^here:block!"]),
    "field": ("due:: today", ["due:field"]),
    "frontmatter": ("---\ntags: [x]\ndepends_on: [2024-hb, '[[Crew]]', Nobody]\n---\n",
                    ["x:tag", "depends_on:relation", "2024-hb:note", "Crew:note",
                     "Nobody:missing"]),
    "in a table": ("| [[Harbour\\|x]] |\n|---|\n", ["Harbour:note", "x:alias"]),
    "not in code": ("`[[Harbour]]` %% [[Harbour]] %%\n```\n[[Harbour]]\n```\n", []),
    "alias over two lines": ("[a\nb](Harbour.md)", ["a\nb:alias", "Harbour.md:note"]),
    "nothing": ("", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_tokens(text: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(f"//- /n.md\n{text}{REST}", eol=eol)
    found = semantic_tokens(vault.index, vault.document)
    assert [_short(vault.document, token) for token in found] == expected
    _check_apart(found)


def test_a_text_that_the_index_does_not_have_gets_the_same() -> None:
    """What the index knows of the links must not be taken for that of another text."""
    for text, expected in CASES.values():
        vault = Vault.of(f"//- /n.md\nother [[Crew]]{REST}")
        document = Document.of(parse_note("n.md", text), text)
        found = semantic_tokens(vault.index, document)
        assert [_short(document, token) for token in found] == expected


def test_a_range_gives_what_touches_it() -> None:
    vault = Vault.of(f"//- /n.md\n[[Harbour]] #a\n[[Crew]] #b{REST}")
    text = vault.fixture.text
    span = Span(text.index("[[Crew"), len(text))
    found = semantic_tokens(vault.index, vault.document, span)
    assert [_short(vault.document, token) for token in found] == ["Crew:note", "#b:tag"]
    part = Span(text.index("ur]]"), text.index("ur]]") + 1)
    found = semantic_tokens(vault.index, vault.document, part)
    assert [_short(vault.document, token) for token in found] == ["Harbour:note"]


def test_the_whole_syntax_for_clients_without_one() -> None:
    text = "---\ntitle: X\n---\n# See [[Crew]] now\n\n`code` <!-- c -->\n"
    vault = Vault.of(f"//- /n.md\n{text}{REST}")
    found = semantic_tokens(vault.index, vault.document, whole=True)
    assert [_short(vault.document, token) for token in found] == [
        "title:key", "X:value", "See [[:title", "Crew:note", "]] now:title", "`code`:code",
        "<!-- c -->:comment",
    ]  # fmt: skip
    _check_apart(found)


def _short(document: Document, token: Token) -> str:
    text = document.text[token.start : token.end].replace("\r\n", "\n")
    return f"{text}:{token.type}{'!' if token.defines else ''}"


def _check_apart(found: tuple[Token, ...]) -> None:
    at = 0
    for token in found:
        assert at <= token.start < token.end
        at = token.end
