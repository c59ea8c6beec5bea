"""What a cursor renames, and renaming notes from their links."""

from __future__ import annotations

import pytest

from core.errors import AlreadyExists, InvalidArguments
from core.locale import Locale
from tests.core.features.rename_kit import check, prepared

VAULT = """
//- /herbs/reed.md
---
id: reed-1
title: "Reeds and rushes"
aliases: [Schilf, "Alias two"]
alias: One, Two too
status: draft
description: |
  Schilf
---
# Reeds

## Old *part* ^h1

text ^b1
//- /map.png
//- /v1.2 plan.md
"""

CURSORS: list[tuple[str, tuple[str, str] | None]] = [
    # links: the file's name, whatever else the link says
    ("[[re$0ed]]", ("reed", "reed")),
    ("[[herbs/re$0ed]]", ("reed", "reed")),
    ("[[her$0bs/reed|x]]", ("reed", "reed")),
    ("[$0[reed]]", ("reed", "reed")),
    ("[[reed.m$0d]]", ("reed", "reed")),
    ("[[v1.2 pl$0an]]", ("v1.2 plan", "v1.2 plan")),
    ("![t](<herbs/reed$0.md>)", ("reed", "reed")),
    ("[t](v1.2%20p$0lan.md)", ("v1.2%20plan", "v1.2 plan")),
    ("[[Reeds and$0 rushes]]", ("Reeds and rushes", "reed")),
    ("[[Schi$0lf]]", ("Schilf", "reed")),
    ("[[rel:part_of re$0ed]]", ("reed", "reed")),
    # behind `#`
    ("[[reed#Old p$0art|see]]", ("Old part", "Old *part*")),
    ("[[reed#Ree$0ds#Old part]]", ("Reeds", "Reeds")),
    ("[[reed#Reeds#Old$0 part]]", ("Old part", "Old *part*")),
    ("[t](herbs/reed.md#old-p$0art)", ("old-part", "Old *part*")),
    ("[[reed#^b$01]]", ("b1", "b1")),
    ("[[reed#Reeds#^b$01]]", ("b1", "b1")),
    ("[[reed#Gone$0]]", None),
    ("[[reed#^gone$0]]", None),
    # the old reversed form is named on its right
    ("[[Words|reed-$01]]", ("reed-1", "reed")),
    ("[[Words|reed-1#Old pa$0rt]]", ("Old part", "Old *part*")),
    ("[[Wor$0ds|reed-1]]", None),
    # what a link shows is no name
    ("[[reed|sho$0wn]]", None),
    ("[sho$0wn](herbs/reed.md)", None),
    ("[shown][la$0bel]\n\n[label]: herbs/reed.md", None),
    ("[shown][label]\n\n[label]: herbs/re$0ed.md", ("reed", "reed")),
    # missing notes, and what is no note
    ("[[Gone to$0o|x]]", ("Gone too", "Gone too")),
    ("[t](Gone%20to$0o.md)", ("Gone%20too.md", "Gone too")),
    ("![[map$0.png]]", None),
    ("[t](https://ex.org/re$0ed)", None),
    # everything else
    ("pla$0in", None),
    ("`[[re$0ed]]`", None),
    ("#ar$0ea/sub/x", ("area", "area")),
    ("#area/s$0ub/x", ("area/sub", "area/sub")),
    ("#area/sub/x$0", ("area/sub/x", "area/sub/x")),
    ("text ^my-$0id", ("my-id", "my-id")),
    ("$0## Two `words` ##", ("Two `words`", "Two `words`")),
    ("## Two words$0 ^x1", ("Two words", "Two words")),
    ("Two\nwo$0rds\n---", ("Two\nwords", "Two\nwords")),
    ("(Depends $0on:: [[reed]])", ("Depends on", "Depends on")),
    ("[[rel:part$0_of reed]]", ("part_of", "part_of")),
    ("> [!edge] see_$0also: [[reed]]", ("see_also", "see_also")),
]


@pytest.mark.parametrize(("text", "expected"), CURSORS, ids=[text for text, _ in CURSORS])
def test_what_is_renamed(text: str, expected: tuple[str, str] | None) -> None:
    assert prepared(f"//- /n.md\n🚢 ñ\n\n{text}\n{VAULT.lstrip()}") == expected


FRONTMATTER: list[tuple[str, tuple[str, str] | None]] = [
    ("id: re$0ed-1", ("reed-1", "reed-1")),
    ('title: "Reeds a$0nd rushes"', ("Reeds and rushes", "Reeds and rushes")),
    ("[Schi$0lf,", ("Schilf", "Schilf")),
    ('"Alias$0 two"', ("Alias two", "Alias two")),
    ("alias: O$0ne, Two", ("One", "One")),
    ("One, Two$0 too", ("Two too", "Two too")),
    ("status: dr$0aft", None),
    ("ti$0tle:", None),
    ("  Sch$0ilf\n", None),
]


@pytest.mark.parametrize(("at", "expected"), FRONTMATTER, ids=[at for at, _ in FRONTMATTER])
def test_what_is_renamed_in_frontmatter(at: str, expected: tuple[str, str] | None) -> None:
    without = at.replace("$0", "")
    assert without in VAULT
    assert prepared(VAULT.lstrip().replace(without, at)) == expected


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_rn_01_the_note_that_a_link_means(eol: str) -> None:
    check(
        "//- /one.md\n# One\n\n[[tw$0o]]\n//- /two.md\n# Two\n", "three",
        "//- /one.md\n# One\n\n[[three]]\n//- /three.md\n# Two\n", eol,
    )  # fmt: skip


def test_rn_03_each_link_keeps_its_path() -> None:
    check(
        "//- /index.md\na [[reed]] b [[herbs/re$0ed]] c [m](herbs/reed.md)\n"
        "//- /herbs/reed.md\nx\n",
        "sedge",
        "//- /index.md\na [[sedge]] b [[herbs/sedge]] c [m](herbs/sedge.md)\n"
        "//- /herbs/sedge.md\nx\n",
    )


def test_rn_05_links_of_a_note_to_itself() -> None:
    check(
        "//- /self.md\n# Self\n\n[[se$0lf]] [[#Self]] [[self#Self]] [x](self.md)\n", "me",
        "//- /me.md\n# Self\n\n[[me]] [[#Self]] [[me#Self]] [x](me.md)\n",
    )  # fmt: skip


def test_links_to_a_heading_that_holds_a_link_to_a_renamed_note() -> None:
    check(
        "//- /a.md\n## See [[o$0ld]] now\n[[#See old now]] [m](#see-old-now)\n"
        "//- /b.md\n[[a#see old Now|x]]\n//- /old.md\nx\n",
        "new one",
        "//- /a.md\n## See [[new one]] now\n[[#See new one now]] [m](#see-new-one-now)\n"
        "//- /b.md\n[[a#See new one now|x]]\n//- /new one.md\nx\n",
    )


@pytest.mark.parametrize(
    ("source", "name", "error", "locale", "message"),
    [
        ("pla$0in", "x", InvalidArguments, "en", "There is nothing to rename here"),
        ("pla$0in", "x", InvalidArguments, "de", "Hier gibt es nichts umzubenennen"),
        ("# A$0", "a\nb", InvalidArguments, "de", "eine Zeile"),
        ("# A$0", "  ", InvalidArguments, "en", "one line"),
        ("# A$0", "...", InvalidArguments, "en", "as something else"),
        ("x ^a$0\n\ny ^B", "b", AlreadyExists, "en", "Another block"),
        ("x ^a$0", "ä", InvalidArguments, "de", "Block-ID"),
        ("#a$0", "a b", InvalidArguments, "de", "kann kein Tag sein"),
        ("kind$0:: [[n]]", "Tags", InvalidArguments, "en", "cannot be a relation kind"),
        ("[[Gone$0]]", "a|b", InvalidArguments, "en", "target of a link"),
    ],
)
def test_refusals(
    source: str, name: str, error: type[Exception], locale: Locale, message: str
) -> None:
    with pytest.raises(error, match=message):
        check(f"//- /n.md\n{source}\n", name, "", locale=locale)
