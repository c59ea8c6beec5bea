"""What hover says on links, headings and blocks; words of their own are in `test_hover_words`."""

from __future__ import annotations

import unicodedata

import pytest

from tests.core.features.hovering import said

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


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_link(eol: str) -> None:
    assert said(f"//- /a.md\n[[Pu$0mp]]{PUMP}", eol=eol) == (
        "**Pump one**\n\n"
        "concept · wet · `#water`\n\n"
        "It lifts water.\n\n## Oil\n\nChange it `yearly`.\n\n```sh\necho 1\n```\n\n…\n\n"
        "---\n\n"
        "**4 backlinks**\n\n"
        "- ← depends on (1): b\n- ← refers to (3): c (2 ×) · a"
    )


def test_plain_text_in_german() -> None:
    text = said(f"//- /a.md\n[[Pu$0mp]]{PUMP}", "de", "plaintext")
    assert text is not None
    assert text.startswith("Pump one\n\nconcept · wet · #water\n\nIt lifts water.")
    assert text.endswith(
        "4 Rückverweise\n\n- ← hängt ab von (1): b\n- ← verweist auf (3): c (2 ×) · a"
    )


def test_relation_of_a_link_is_explained() -> None:
    text = said("//- /a.md\n[[rel:depends_on N$0]]\n//- /N.md\nx\n")
    assert text is not None
    assert text.startswith("`depends_on` · depends on: It needs the target.\n\n**N**\n\nx")
    text = said("//- /a.md\ndepends_on:: [[N$0]]\n//- /N.md\nx\n", "de")
    assert text is not None
    assert text.startswith("`depends_on` · hängt ab von: Braucht das Ziel.\n\n**N**")


def test_section() -> None:
    text = said(f"//- /a.md\n[[Pump#Oi$0l]] [[Pump]]{PUMP}\n//- /d.md\n[x](wet/Pump.md#oil)\n")
    assert text is not None
    assert text.startswith("**Pump one** › **Oil**\n")
    assert "Change it" in text
    assert "lifts" not in text
    assert text.endswith(
        "---\n\n**2 links to this section**\n\n- ← refers to: a · d\n\n6 to the whole note"
    )


def test_block() -> None:
    text = said("//- /a.md\n[[N#^b$01]]\n//- /N.md\nBefore\n\nDeep water\nhere ^b1\n\nAfter\n")
    assert text is not None
    assert "Deep water\nhere" in text
    assert "Before" not in text
    assert "^b1" not in text
    assert "**1 link to this block**" in text


def test_backlinks_share_the_limit() -> None:
    sources = "".join(f"//- /s{n}.md\n[[rel:depends_on N]] [[N]]\n" for n in range(5))
    source = f"//- /a.md\n[[N$0]]\n//- /N.md\nx\n{sources}"
    text = said(source, limit=3)
    assert text is not None
    assert text.endswith(
        "**11 backlinks**\n\n- ← depends on (5): s0 · s1 · … 3 more\n"
        "- ← refers to (6): a · … 5 more"
    )
    text = said(source, "de", limit=0)
    assert text is not None
    assert text.endswith("- ← hängt ab von (5): 5 Notizen\n- ← verweist auf (6): 6 Notizen")


def test_an_alias_of_a_kind_counts_as_the_kind() -> None:
    text = said("//- /N.md\n# N$0\n//- /a.md\nrequires:: [[N]]\n//- /b.md\ndepends_on:: [[N]]\n")
    assert text == "**2 backlinks**\n\n- ← depends on: a · b"


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", "**1 backlink**\n\n- ← refers to: b"),
        ("de", "**1 Rückverweis**\n\n- ← verweist auf: b"),
    ],
)
@pytest.mark.parametrize("own", ["# O$0ne", "---\nid: o$0ne\n---", "$0---\n---"])
def test_own_backlinks(locale: str, expected: str, own: str) -> None:
    assert said(f"//- /one.md\n{own}\n//- /b.md\n[[one]]\n", locale) == expected


def test_a_heading_tells_its_links_and_those_of_the_note() -> None:
    source = "//- /one.md\n# One\n\n## T$0wo\n//- /b.md\n[[one#Two]] [[one]]\n"
    assert said(source) == (
        "**1 link to this section**\n\n- ← refers to: b\n\n---\n\n"
        "**2 backlinks**\n\n- ← refers to: b (2 ×)"
    )
    assert said("//- /one.md\n# One\n\n## T$0wo\n", "de") == (
        "Keine Links auf diesen Abschnitt\n\n---\n\nKeine Rückverweise"
    )


def test_a_block_tells_its_links() -> None:
    assert said("//- /one.md\ntext ^b$01\n//- /b.md\n[[one#^b1]]\n") == (
        "`^b1`\n\n**1 link to this block**\n\n- ← refers to: b\n\n---\n\n"
        "**1 backlink**\n\n- ← refers to: b"
    )


def test_unresolved_link_names_the_nearest_and_its_other_places() -> None:
    source = "//- /a.md\n[[Harbor$0 wall]]\n//- /Harbour wall.md\n//- /Other.md\n"
    assert said(source) == "No note is called **Harbor wall**\n\nNearest:\n\n- Harbour wall"
    source += "//- /b.md\n[[harbor wall]] [[Harbor wall|x]]\n//- /c.md\n[[Harbor walls]]\n"
    assert said(source, "de") == (
        "Keine Notiz heißt **Harbor wall**\n\nÄhnlich heißen:\n\n- Harbour wall\n\n"
        "3-mal verlinkt: a · b (2 ×)"
    )


def test_ambiguous_link_names_the_candidates() -> None:
    source = "//- /z/a.md\n[[In$0tro]]\n//- /y/Intro.md\nY\n//- /x/Intro.md\nX\n"
    text = said(source)
    assert text is not None
    assert text.startswith(
        "**Intro** fits 2 notes; the first one is taken:\n\n- `x/Intro.md`\n- `y/Intro.md`\n\n"
        "---\n\n**Intro**\n\nx\n\nX"
    )


def test_missing_heading() -> None:
    text = said("//- /a.md\n[[N#Go$0ne]]\n//- /N.md\ntext\n")
    assert text is not None
    assert "has no `Gone`" in text


def test_attachment() -> None:
    source = "//- /a.md\n![[ma$0p.png]]\n//- /map.png\nx\n"
    assert said(source, sizes={"map.png": 812}) == "File `map.png` · 812 B"
    assert said(source, "de", sizes={"map.png": 1_512_000}) == "Datei `map.png` · 1,5 MB"
    assert said(source, images=True) == "File `map.png`\n\n![](file:///map.png|width=300)"
    assert said(source, markup="plaintext", images=True) == "File map.png"
    text = said("//- /a.md\n[[doc.p$0df]]\n//- /doc.pdf\nx\n", images=True)
    assert text == "File `doc.pdf`"
    assert said("//- /a.md\n![[no$0pe.png]]\n") == "There is no file `nope.png`"


@pytest.mark.parametrize("text", ["wo$0rd", "`[[Pu$0mp]]`", "[x](https://ex.org/$0)", "$0"])
def test_nothing(text: str) -> None:
    assert said(f"//- /a.md\n{text}{PUMP}") is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("```\nopen", "```\nopen\n```"),
        ("A\n\n```\n" + "x" * 600, "A\n\n…"),
        ("~~~~ py\n```\nx\n", "~~~~ py\n```\nx\n~~~~"),
        ("<details>\n<pre>\n", "\\<details>\n\\<pre>"),
        ("A <!-- hidden\nand more", "A"),
        ("A %% hidden %% B", "A  B"),
        ("See ![a map](https://ex.org/track.png)!", "See [a map](https://ex.org/track.png)!"),
        ("```\n![x](y)\n```", "```\n![x](y)\n```"),
    ],
)
def test_text_of_a_note_is_safe(body: str, expected: str) -> None:
    text = said(f"//- /a.md\n[[N$0]]\n//- /N.md\n{body}")
    assert text is not None
    assert text.split("\n\n---\n\n")[0] == f"**N**\n\n{expected}"


def test_titles_are_escaped_and_bounded() -> None:
    text = said("//- /a.md\n[[N$0]]\n//- /N.md\n---\ntitle: '*a* [b](c) <i>'\n---\n")
    assert text is not None
    assert text.startswith("**\\*a\\* \\[b\\](c) \\<i\\>**")
    long = "x" * 5_000
    text = said(f"//- /a.md\n[[N$0]]\n//- /N.md\n---\ntitle: {long}\n---\n{long}\n")
    assert text is not None
    assert len(text) < 1_000


def test_a_written_summary_goes_before_the_text() -> None:
    text = said("//- /a.md\n[[N$0]]\n//- /N.md\n---\ndescription: All of *it*.\n---\nText\n")
    assert text is not None
    assert text.startswith("**N**\n\nAll of \\*it\\*.\n\n---")


def test_a_type_by_folder_is_told() -> None:
    text = said("//- /a.md\n[[N$0]]\n//- /10_thoughts/N.md\nText\n")
    assert text is not None
    assert text.startswith("**N**\n\nthought · 10\\_thoughts\n\nText")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_umlauts_in_any_form(form: str) -> None:
    link = unicodedata.normalize("NFD" if form == "NFC" else "NFC", "[[Über$0sicht#Größe]]")
    note = unicodedata.normalize(form, "//- /Übersicht.md\n## Größe\n\n🚢 Text\n")
    text = said(f"//- /a.md\n🚢🚢 {link}\n{note}")
    assert text is not None
    assert "🚢 Text" in text


@pytest.mark.parametrize(
    "source",
    [
        "| a |\n|---|\n| [[N\\|x$0]] |",
        '---\nrelated: "[[N$0]]"\n---\n',
        "---\ndepends_on: [N$0]\n---\n",
        "[text][r$0]\n\n[r]: N.md\n",
        "[text][r]\n\n[r]: N$0.md\n",
        "> [!note] [[N$0]]\n",
    ],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_links_wherever_they_stand(source: str, eol: str) -> None:
    text = said(f"//- /a.md\n{source}\n//- /N.md\nWhat it is.\n", eol=eol)
    assert text is not None
    assert "What it is." in text
