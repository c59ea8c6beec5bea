"""Tags, relation kinds and block ids under another name."""

from __future__ import annotations

import pytest

from core.errors import AlreadyExists, InvalidArguments
from tests.core.features.rename_kit import check

TAGS: dict[str, tuple[str, str, str]] = {
    "everywhere, with what is below it": (
        "//- /a.md\n🚢 #ar$0ea, #Area/sub. (#area) #areal #area-x `#area` x#area\n"
        "//- /b.md\n---\ntags: [area, \"area/x\", '#AREA', other]\n---\n#area/x/y\n"
        "//- /c.md\n---\ntags:\n  - area\n  - \"#area/x\"\n---\n"
        "//- /d.md\n---\ntag: area, areal other area/z\n---\n",
        "zone/ü",
        "//- /a.md\n🚢 #zone/ü, #zone/ü/sub. (#zone/ü) #areal #area-x `#area` x#area\n"
        "//- /b.md\n---\ntags: [zone/ü, \"zone/ü/x\", '#zone/ü', other]\n---\n#zone/ü/x/y\n"
        "//- /c.md\n---\ntags:\n  - zone/ü\n  - \"#zone/ü/x\"\n---\n"
        "//- /d.md\n---\ntag: zone/ü, areal other zone/ü/z\n---\n",
    ),
    "a segment": (
        "//- /a.md\n#area/s$0ub/x #area/sub #area #area/subway\n",
        "#area/top",
        "//- /a.md\n#area/top/x #area/top #area #area/subway\n",
    ),
    "from frontmatter": (
        "//- /a.md\n---\ntags: [\"are$0a/x\", 'area']\n---\n#area/x\n",
        "zone",
        "//- /a.md\n---\ntags: [\"zone/x\", 'zone']\n---\n#zone/x\n",
    ),
    "into one that exists": ("//- /a.md\n#on$0e #two #one/x\n", "two", "//- /a.md\n#two "
    "#two #two/x\n"),
    "letter case": ("//- /a.md\n#on$0e #One #ONE/x\n", "One", "//- /a.md\n#One #One #One/x\n"),
    "below itself": ("//- /a.md\n#on$0e #one/x\n", "one/one", "//- /a.md\n#one/one #one/one/x\n"),
    "in a heading": (
        "//- /a.md\n# Plan #to$0do\n[[#Plan todo]] [x](#plan-todo)\n"
        "//- /b.md\n[[a#Plan todo|x]] [[Plan #todo]]\n",
        "task",
        "//- /a.md\n# Plan #task\n[[#Plan task]] [x](#plan-task)\n"
        "//- /b.md\n[[a#Plan task|x]] [[Plan #task]]\n",
    ),
}  # fmt: skip

KINDS: dict[str, tuple[str, str, str]] = {
    "each form": (
        "//- /a.md\n[[rel:depends_$0on b]] rel: depends-on [[b]], [[a]] 🚢 (Depends on:: "
        "[[b]])\n\n"
        "**depends_on**:: [[b]]\n\n> [!edge] Depends On: [[a]] [[b]]\n> depends_on: "
        "[[b]]; see: [[a]]\n\n"
        "depends_on `depends_on:: [[b]]` depends_on: x\n"
        "//- /b.md\n---\ndepends_on: \"[[a]]\"\n---\n[depends_on:: [[a]]] "
        "[[rel:depends_on_more a]]\n"
        "//- /c.md\n---\n\"depends on\": [\"[[a]]\"]\n'x': y\n---\n",
        "Needs it",
        "//- /a.md\n[[rel:needs_it b]] rel: needs_it [[b]], [[a]] 🚢 (needs_it:: [[b]])\n\n"
        "**needs_it**:: [[b]]\n\n> [!edge] needs_it: [[a]] [[b]]\n> needs_it: [[b]]; "
        "see: [[a]]\n\n"
        "depends_on `depends_on:: [[b]]` depends_on: x\n"
        "//- /b.md\n---\nneeds_it: \"[[a]]\"\n---\n[needs_it:: [[a]]] [[rel:depends_on_more a]]\n"
        "//- /c.md\n---\n\"needs_it\": [\"[[a]]\"]\n'x': y\n---\n",
    ),
    "plain values stay links": (
        "//- /a.md\n---\ndepends_on: [b, 'c d', \"[[b]]\"]\n---\n(depends_on$0:: [[b]])\n"
        "//- /b.md\n---\ndepends_on:\n  - c d\n---\n//- /c d.md\nx\n",
        "needs",
        "//- /a.md\n---\nneeds: [\"[[b]]\", \"[[c d]]\", \"[[b]]\"]\n---\n(needs:: [[b]])\n"
        "//- /b.md\n---\nneeds:\n  - \"[[c d]]\"\n---\n//- /c d.md\nx\n",
    ),
    "and under a key where they are links anyway": (
        "//- /a.md\n---\ndepends_on: [b]\n---\n(depends_on$0:: [[b]])\n//- /b.md\nx\n",
        "assigned to",
        "//- /a.md\n---\nassigned_to: [b]\n---\n(assigned_to:: [[b]])\n//- /b.md\nx\n",
    ),
    "into one that exists": (
        "//- /a.md\n(on$0e:: [[a]]) (two:: [[a]])\n", "two", "//- /a.md\n(two:: [[a]]) "
        "(two:: [[a]])\n"
    ),
    "in a heading": (
        "//- /a.md\n## Has (on$0e:: [[a]])\n[[#Has (one a)]] [x](#has-one-a)\n",
        "two",
        "//- /a.md\n## Has (two:: [[a]])\n[[#Has (two:: a)]] [x](#has-two-a)\n",
    ),
}  # fmt: skip

BLOCKS: dict[str, tuple[str, str, str]] = {
    "each form": (
        "//- /a.md\n# A\n\ntext ^b$01\n\n[[#^b1]] ^b2\n"
        "//- /s/b.md\n🚢 [[a#^b1|^b1]] ![[a#^B1]] [[a#A#^b1]] [x](../a.md#^b1) [y](../a.md#%5Eb1) "
        "[[a#^b10]] `^b1` [at ^b1][l]\n\n[l]: ../a.md#^b1\n\n| [[a#^b1\\|x]] |\n"
        "//- /c.md\n---\nsee: \"[[a#^b1]]\"\n---\nown ^b1 [[#^b1]]\n",
        "^New-2",
        "//- /a.md\n# A\n\ntext ^New-2\n\n[[#^New-2]] ^b2\n"
        "//- /s/b.md\n🚢 [[a#^New-2|^b1]] ![[a#^New-2]] [[a#A#^New-2]] [x](../a.md#^New-2) "
        "[y](../a.md#%5ENew-2) [[a#^b10]] `^b1` [at ^b1][l]\n\n[l]: ../a.md#^New-2\n\n"
        "| [[a#^New-2\\|x]] |\n"
        "//- /c.md\n---\nsee: \"[[a#^New-2]]\"\n---\nown ^b1 [[#^b1]]\n",
    ),
    "from a link": (
        "//- /a.md\ntext ^b1\n//- /b.md\n[[a#^b$01]]\n",
        "c",
        "//- /a.md\ntext ^c\n//- /b.md\n[[a#^c]]\n",
    ),
    "of a heading": (
        "//- /a.md\n## H ^b$01\n[[#H]] [[#h]] [x](#h) [[#^b1]]\n",
        "c",
        "//- /a.md\n## H ^c\n[[#H]] [[#h]] [x](#h) [[#^c]]\n",
    ),
    "letter case": ("//- /a.md\nx ^b$01\n\n[[#^b1]]\n", "B1", "//- /a.md\nx ^B1\n\n[[#^B1]]\n"),
    "the second of two": (
        "//- /a.md\nx ^b1\n\ny ^b1$0\n\n[[#^b1]]\n", "c", "//- /a.md\nx ^b1\n\ny ^c\n\n[[#^b1]]\n"
    ),
}  # fmt: skip

GROUPS = {"tag": TAGS, "kind": KINDS, "block": BLOCKS}
CASES = {f"{what}: {name}": case for what, cases in GROUPS.items() for name, case in cases.items()}


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_words(case: tuple[str, str, str], eol: str) -> None:
    check(*case, eol=eol)


@pytest.mark.parametrize(
    "name",
    ["", "#", "12", "a b", "a,b", "/a", "a/", "a//b", "a#b", "a.b", "a\nb", "-", "null", "a'b"],
)
def test_no_tag(name: str) -> None:
    with pytest.raises(InvalidArguments):
        check("//- /n.md\n#ta$0g\n", name, "")


@pytest.mark.parametrize(
    "name",
    ["", "1a", "_a", "a_", "a.b", "a:b", "[[a]]", "rel", "Title", "tags", "a\u2028(", "x" * 61],
)
def test_no_kind(name: str) -> None:
    with pytest.raises(InvalidArguments):
        check("//- /n.md\nki$0nd:: [[n]]\n", name, "")


@pytest.mark.parametrize(
    "source",
    [
        "//- /a.md\n---\none: \"[[b]]\"\ntwo: x\n---\n(on$0e:: [[b]])\n",
        "//- /a.md\n---\none: \"[[b]]\"\n\"One\": \"[[a]]\"\n---\n(on$0e:: [[b]])\n",
        "//- /a.md\n(depends_on$0:: [[b]])\n//- /b.md\n---\ndepends_on: [\"a|b\"]\n---\n",
    ],
    ids=["key exists", "two spellings", "no wikilink"],
)  # fmt: skip
def test_kinds_that_a_frontmatter_cannot_take(source: str) -> None:
    with pytest.raises(AlreadyExists):
        check(source, "two", "")


@pytest.mark.parametrize("name", ["", "^", "a b", "a_b", "ä", "^^a"])
def test_no_block_id(name: str) -> None:
    with pytest.raises(InvalidArguments):
        check("//- /n.md\nx ^b$01\n", name, "")
