"""What hover says on kinds, tags, frontmatter, callouts and footnotes."""

from __future__ import annotations

import pytest

from core.features.frontmatter_keys import KEYS
from tests.core.features.hovering import said


def test_relation_kind() -> None:
    assert said("//- /a.md\n[[rel:depends$0_on b]]\n//- /b.md\n") == (
        "`depends_on` · depends on: It needs the target.\n\nInverse: `blocks`\n\nUsed 1 ×"
    )
    text = said("//- /a.md\n[[rel:related$0_to b]]\n//- /b.md\n", "de")
    assert text == (
        "`related_to` · hängt zusammen mit\n\nGilt in beide Richtungen\n\n1 × verwendet"
    )


def test_relation_kind_tells_its_usual_targets() -> None:
    source = (
        "//- /a.md\nrequi$0res:: [[b]]\n//- /b.md\n[[rel:depends_on c]]\n"
        "//- /c.md\n---\ndepends_on: [b]\n---\n"
    )
    assert said(source) == (
        "`requires` · depends on: It needs the target.\n\nAnother name of `depends_on`\n\n"
        "Inverse: `blocks`\n\nUsed 3 ×, mostly with b (2 ×) · c"
    )


def test_unknown_kind() -> None:
    assert said("//- /a.md\n[[rel:pays$0_for b]]\n//- /b.md\n") == (
        "`pays_for` · pays for\n\nUsed 1 ×"
    )


def test_tag() -> None:
    source = "//- /a.md\n#we$0t\n//- /b.md\n#wet/deep\n//- /c.md\n#dry\n"
    assert said(source) == "`#wet` · 2 notes\n\nBelow it: `#wet/deep` (1)\n\n- a\n- b"
    assert said(source, "de", limit=1) == (
        "`#wet` · 2 Notizen\n\nDarunter: `#wet/deep` (1)\n\n- a\n\n… und 1 weitere"
    )
    assert said("//- /a.md\n---\ntags: [we$0t]\n---\n") == "`#wet` · 1 note\n\n- a"


@pytest.mark.parametrize("key", sorted(KEYS))
def test_each_known_key_is_explained_in_both_languages(key: str) -> None:
    english, german = (said(f"//- /a.md\n---\n{key}$0: x\n---\n", lang) for lang in ("en", "de"))
    if key in ("depends_on", "assigned_to"):  # then it is a relation kind
        assert english is not None
        return
    assert english is not None
    assert german is not None
    assert english.startswith(f"`{key}` · in 1 note\n\n")
    assert german.startswith(f"`{key}` · in 1 Notiz\n\n")
    assert english.partition("\n")[2] != german.partition("\n")[2]


def test_key_with_few_values() -> None:
    assert said("//- /a.md\n---\nsta$0tus: x\n---\n//- /b.md\n---\nstatus: y\n---\n") == (
        "`status` · in 2 notes\n\nHow far the note is.\n\n"
        "One of `draft`, `active`, `done`, `archived`"
    )


def test_key_without_links_that_is_a_relation() -> None:
    text = said("//- /a.md\n---\ndepends_on$0:\n---\n")
    assert text is not None
    assert "Notes that this one needs first" in text
    text = said("//- /a.md\n---\nrelated_to$0:\n---\n")
    assert text is not None
    assert "`related_to` · is related to" in text


def test_key_of_ones_own() -> None:
    text = said("//- /a.md\n---\nmood$0: 3\n---\n", "de")
    assert text is not None
    assert "Ein eigener Schlüssel" in text


def test_type() -> None:
    source = "//- /a.md\n---\ntype: ta$0sk\n---\n//- /b.md\n---\ntype: Task\n---\n"
    assert said(source) == (
        "`task` · 2 notes\n\n- Cut for the search: `short`\n- Weight of a hit: 0.80\n"
        "- Its links also mean: depends on, belongs to"
    )
    text = said(source, "de")
    assert text is not None
    assert "- Gewicht eines Treffers: 0,80" in text


def test_unknown_type() -> None:
    text = said("//- /a.md\n---\ntype: tas$0kk\n---\n")
    assert text is not None
    assert "No known type" in text
    assert "`task`" in text


def test_callout() -> None:
    assert said("//- /a.md\n> [!ti$0p] Do it\n") == (
        "`[!tip]` · used 1 ×\n\nA tip; the same as `[!hint]`, `[!important]`"
    )
    text = said("//- /a.md\n> [!ed$0ge] related_to: [[b]]\n//- /b.md\n", "de")
    assert text is not None
    assert "Beziehungen dieser Notiz" in text
    text = said("//- /a.md\n> [!rec$0ipe]\n")
    assert text is not None
    assert "A type of your own" in text


FOOTNOTES = """\
One[^a] and two[^a].

[^a]: The *text*
    goes on.
[^b]: Other
"""


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_footnote(eol: str) -> None:
    text = said(f"//- /a.md\n{FOOTNOTES.replace('One[^a]', 'One[^$0a]')}", eol=eol)
    assert text == "The \\*text\\* goes on."
    text = said(f"//- /a.md\n{FOOTNOTES.replace('[^a]:', '[^$0a]:')}", eol=eol)
    assert text == "Footnote, used 2 ×"
    assert said("//- /a.md\nx[^$0z]\n", eol=eol) == "There is no line `[^z]:`"
    assert said("//- /a.md\n`x[^$0a]`\n", eol=eol) is None
