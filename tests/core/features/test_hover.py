"""What hover says."""

from __future__ import annotations

import pytest

from core.features.hover import hover
from core.features.results import Markup
from core.locale import Locale
from core.settings import HoverSettings
from tests.core.features.kit import RELATIONS, Vault

PUMP = """
//- /wet/Pump.md
---
type: concept
tags: [water]
---
# Pump *one*

It lifts water.

## Oil

Change it `yearly`.

```sh
echo 1
echo 2
echo 3
echo 4
echo 5
echo 6
echo 7
echo 8
```
//- /b.md
[[rel:depends_on Pump]]
//- /c.md
[[Pump]] [[Pump]]
"""


def said(
    source: str, locale: Locale = "en", markup: Markup = "markdown", limit: int = 8, eol: str = "\n"
) -> str | None:
    vault = Vault.of(source, eol=eol)
    found = hover(
        vault.index, vault.document, vault.at, HoverSettings(max_backlinks=limit), RELATIONS,
        locale, vault.text_of, markup,
    )  # fmt: skip
    if found is None:
        return None
    assert found.span.touches(vault.at)
    assert "\r" not in found.text
    return found.text


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_link(eol: str) -> None:
    assert said(f"//- /a.md\n[[Pu$0mp]]{PUMP}", eol=eol) == (
        "**Pump one**\n\n"
        "concept · wet · `#water`\n\n"
        "It lifts water.\n\n## Oil\n\nChange it `yearly`.\n\n```sh\necho 1\n```\n\n…\n\n"
        "---\n\n"
        "**4 backlinks**\n\n"
        "- b · depends on\n- a\n- c (2 ×)"
    )


def test_plain_text_in_german() -> None:
    text = said(f"//- /a.md\n[[Pu$0mp]]{PUMP}", "de", "plaintext")
    assert text is not None
    assert text.startswith("Pump one\n\nconcept · wet · #water\n\nIt lifts water.")
    assert text.endswith("4 Rückverweise\n\n- b · hängt ab von\n- a\n- c (2 ×)")


def test_section() -> None:
    text = said(f"//- /a.md\n[[Pump#Oi$0l]]{PUMP}")
    assert text is not None
    assert text.startswith("**Pump one** › **Oil**\n")
    assert "Change it" in text
    assert "lifts" not in text


def test_block() -> None:
    text = said("//- /a.md\n[[N#^b$01]]\n//- /N.md\nBefore\n\nDeep water\nhere ^b1\n\nAfter\n")
    assert text is not None
    assert "Deep water\nhere" in text
    assert "Before" not in text
    assert "^b1" not in text


def test_backlinks_are_limited() -> None:
    text = said(f"//- /a.md\n[[Pu$0mp]]{PUMP}", limit=1)
    assert text is not None
    assert text.endswith("- b · depends on\n\n… and 3 more")


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", "**1 backlink**\n\n- b"),
        ("de", "**1 Rückverweis**\n\n- b"),
    ],
)
@pytest.mark.parametrize("own", ["# O$0ne", "---\nty$0pe: x\n---", "$0---\n---"])
def test_own_backlinks(locale: Locale, expected: str, own: str) -> None:
    assert said(f"//- /one.md\n{own}\n//- /b.md\n[[one]]\n", locale) == expected


def test_unresolved_link_names_the_nearest() -> None:
    source = "//- /a.md\n[[Harbor$0 wall]]\n//- /Harbour wall.md\n//- /Other.md\n"
    assert said(source) == "No note is called **Harbor wall**\n\nNearest:\n\n- Harbour wall"
    assert said(source, "de") == (
        "Keine Notiz heißt **Harbor wall**\n\nÄhnlich heißen:\n\n- Harbour wall"
    )


def test_missing_heading() -> None:
    text = said("//- /a.md\n[[N#Go$0ne]]\n//- /N.md\ntext\n")
    assert text is not None
    assert "`Gone`" in text


def test_relation_kind() -> None:
    assert said("//- /a.md\n[[rel:depends$0_on b]]\n//- /b.md\n") == (
        "`depends_on` · depends on\n\nIt needs the target.\n\nInverse: `blocks`\n\nUsed 1 ×"
    )
    text = said("//- /a.md\n[[rel:related$0_to b]]\n//- /b.md\n", "de")
    assert text == (
        "`related_to` · hängt zusammen mit\n\nGilt in beide Richtungen\n\n1 × verwendet"
    )


def test_tag() -> None:
    source = "//- /a.md\n#we$0t\n//- /b.md\n#wet/deep\n//- /c.md\n#dry\n"
    assert said(source) == "`#wet` · 2 notes\n\n- a\n- b"
    assert said(source, "de", limit=1) == "`#wet` · 2 Notizen\n\n- a\n\n… und 1 weitere"


def test_attachment() -> None:
    assert said("//- /a.md\n![[ma$0p.png]]\n//- /map.png\nx\n") == "File `map.png`"


@pytest.mark.parametrize("text", ["wo$0rd", "`[[Pu$0mp]]`", "[x](https://ex.org/$0)", "$0"])
def test_nothing(text: str) -> None:
    assert said(f"//- /a.md\n{text}{PUMP}") is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("```\nopen", "```\nopen\n```"),
        ("~~~~ py\n```\nx\n", "~~~~ py\n```\nx\n~~~~"),
        ("<details>\n<pre>\n", "\\<details>\n\\<pre>"),
        ("A <!-- hidden\nand more", "A"),
        ("A %% hidden %% B", "A  B"),
    ],
)
def test_text_of_a_note_is_safe(body: str, expected: str) -> None:
    text = said(f"//- /a.md\n[[N$0]]\n//- /N.md\n{body}")
    assert text is not None
    assert text.split("\n\n---\n\n")[0] == f"**N**\n\n{expected}"


def test_titles_are_escaped() -> None:
    text = said("//- /a.md\n[[N$0]]\n//- /N.md\n---\ntitle: '*a* [b](c) <i>'\n---\n")
    assert text is not None
    assert text.startswith("**\\*a\\* \\[b\\](c) \\<i\\>**")
