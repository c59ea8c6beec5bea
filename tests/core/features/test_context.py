"""What stands under the cursor."""

from __future__ import annotations

import pytest

from core.features.context import LinkPart, thing_at
from tests.core.features.kit import Vault

CASES: dict[str, tuple[str, str]] = {
    # text with cursor: what it is, and the text of its span
    "target": ("[[tw$0o]]", "target two"),
    "heading": ("[[two#Ol$0d part|see]]", "heading Old part"),
    "alias": ("[[two#Old part|s$0ee]]", "alias see"),
    "block": ("[[two#^b$01]]", "block ^b1"),
    "brackets": ("$0[[two]]", "link [[two]]"),
    "target edge": ("[[two$0|x]]", "target two"),
    "kind": ("[[rel:dep$0ends_on two]]", "KindMention depends_on"),
    "relation target": ("[[rel:depends_on tw$0o]]", "target two"),
    "markdown target": ("[text](tw$0o.md#s)", "target two.md"),
    "slug": ("[text](two.md#sl$0ug)", "heading slug"),
    "markdown text": ("[te$0xt](two.md)", "alias text"),
    "title": ("# On$0e", "Heading One"),
    "marks": ("$0## One", "Heading One"),
    "link in a heading": ("# See [[tw$0o]]", "target two"),
    "tag": ("#ta$0g/sub", "Tag #tag/sub"),
    "block id": ("Text ^b$01", "Block ^b1"),
    "frontmatter link": ('---\na: "[[tw$0o]]"\n---\n', "target two"),
    "plain": ("wo$0rd", "nothing"),
    "escaped pipe": ("| x |\n|---|\n| [[two\\|al$0ias]] |", "alias alias"),
    "emoji": ("🚢🚢 ü [[tw$0o]]", "target two"),
    "empty note": ("$0", "nothing"),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_thing_at(text: str, expected: str, eol: str) -> None:
    vault = Vault.of(f"//- /one.md\n{text}\n", eol=eol)
    thing = thing_at(vault.document.note, vault.at)
    if thing is None:
        assert expected == "nothing"
        return
    what = thing.part if isinstance(thing, LinkPart) else type(thing).__name__
    assert f"{what} {vault.fixture.text[thing.span.start : thing.span.end]}" == expected


def test_frontmatter_stands_for_the_note() -> None:
    vault = Vault.of("//- /one.md\n---\nstat$0us: draft\n---\n")
    assert type(thing_at(vault.document.note, vault.at)).__name__ == "FrontmatterBlock"
