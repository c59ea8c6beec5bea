"""Parts of notes that move into notes of their own, and back: text, levels, and every link."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.features.kit import Vault
from tests.support.fixture import Fixture

GARDEN = """\
# Garden

Intro.

## Trees$0

Old ones. See [[#Roses]] and [[#Trees]].

### Apple

Sweet. ^a1

## Roses

Red, under [[#Apple|apples]] and [t](#trees), [[Garden#^a1]].
"""
TREES = """\
# Trees

Old ones. See [[Garden#Roses]] and [[#Trees]].

## Apple

Sweet. ^a1
"""
LEFT = """\
# Garden

Intro.

[[Trees]]

## Roses

Red, under [[Trees#Apple|apples]] and [t](Trees.md#trees), [[Trees#^a1]].
"""
ELSEWHERE = (
    "[[Garden]] [[Garden#Trees]] [[Garden#Trees#Apple|x]] ![[Garden#^a1]] [[garden#Roses]] "
    "[m](../Garden.md#apple)\n"
)
FOLLOWED = (
    "[[Garden]] [[Trees#Trees]] [[Trees#Trees#Apple|x]] ![[Trees#^a1]] [[garden#Roses]] "
    "[m](../Trees.md#apple)\n"
)


def check(
    source: str, title: str, expected: dict[str, str], eol: str = "\n", drafts: str = ""
) -> None:
    vault = Vault.of(source, eol=eol)
    files = vault.after(vault.action(title, drafts=drafts), drafts=drafts)
    changed = {path: text for path, text in files.items() if vault.fixture.files.get(path) != text}
    assert changed == {path: text.replace("\n", eol) for path, text in expected.items()}


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_section_with_all_links_to_it(eol: str) -> None:
    source = f"//- /Garden.md\n{GARDEN}//- /s/use.md\n{ELSEWHERE}"
    expected = {"Garden.md": LEFT, "Trees.md": TREES, "s/use.md": FOLLOWED}
    check(source, "Extract to new note “Trees”", expected, eol)
    vault = Vault.of(source, eol=eol)
    files = vault.after(vault.action("Extract to new note “Trees”"))
    for path in ("Garden.md", "s/use.md", "Trees.md"):
        assert Vault(Fixture(files, path, 0, 0)).diagnose() == ()


def test_equal_headings() -> None:
    """A heading that was the second of its name is the first one in its own note."""
    check(
        "//- /a.md\n# A\n\n## D\n\n## D$0\n\n[m](#d-1) [[#D]] [[#A#Sub]]\n\n### Sub\n\n## C\n\n"
        '[n](#d-1) [o](#d)\n//- /f.md\n[p](a.md#d-1 "t")\n//- /d.md\n',
        "Extract to new note “D”",
        {
            "a.md": "# A\n\n## D\n\n[[D 2]]\n\n## C\n\n[n](D%202.md#d) [o](#d)\n",
            "D 2.md": "# D\n\n[m](#d) [[a#D]] [[#Sub]]\n\n## Sub\n",
            "f.md": '[p](D%202.md#d "t")\n',
        },
    )


def test_links_in_yaml() -> None:
    check(
        "//- /a.md\n# A\n\n## It's$0\n\nx\n"
        "//- /f.md\n---\nup: ['[[a#A]]', '[[a#its|b]]', \"[[a#It's]]\"]\n---\n",
        "Extract to new note “It's”",
        {
            "a.md": "# A\n\n[[It's]]\n",
            "It's.md": "# It's\n\nx\n",
            "f.md": "---\nup: ['[[a#A]]', '[[It''s#its|b]]', \"[[It's#It's]]\"]\n---\n",
        },
    )


def test_embedded() -> None:
    check(
        "//- /a.md\n# A\n\n## B$0\n\nx\n",
        "Extract to new note “B” and embed it",
        {"a.md": "# A\n\n![[B]]\n", "B.md": "# B\n\nx\n"},
    )


LONG = "word " * 19 + "word"
SELECTED: dict[str, tuple[str, str, dict[str, str]]] = {
    "lines without a heading": (
        "One.\n\n$0Two *three* [[x|four]]: five\nsix.$0\n\nSeven.\n",
        "Two three four: five",
        {"a.md": "One.\n\n[[Two three four five]]\n\nSeven.\n",
         "Two three four five.md": "Two *three* [[x|four]]: five\nsix.\n"}),
    "part of the first and last line": (
        "# A\n\nOne $0two\nthree$0 four\n", "One two",
        {"a.md": "# A\n\n[[One two]]\n", "One two.md": "One two\nthree four\n"}),
    "a list item with what is below": (
        "- a\n$0  - b c\n    - d\n$0- e\n", "b c",
        {"a.md": "- a\n  - [[b c]]\n- e\n", "b c.md": "- b c\n  - d\n"}),
    "underlined heading": (
        "# A\n\n$0Sec tion\n-------\n\nx\n\n### Deep$0\n", "Sec tion",
        {"a.md": "# A\n\n[[Sec tion]]\n", "Sec tion.md": "# Sec tion\n\nx\n\n## Deep\n"}),
    "levels from a text on": (
        "$0text\n\n## C$0\n", "C", {"a.md": "[[C]]\n", "C.md": "text\n\n## C\n"}),
    "a long first line is cut at a word": (
        f"$0{LONG}$0\n", LONG[:59], {"a.md": f"[[{LONG[:59]}]]\n", f"{LONG[:59]}.md": f"{LONG}\n"}),
    "definitions that it uses": (
        "$0See [t][x] and [^1].$0\n\n[x]: b.md\n[y]: b.md\n[^1]: note\n", "See t and",
        {"a.md": "[[See t and]]\n\n[x]: b.md\n[y]: b.md\n[^1]: note\n",
         "See t and.md": "See [t][x] and [^1].\n\n[x]: b.md\n[^1]: note\n"}),
    "definitions that the rest uses": (
        "$0One.\n\n[x]: b.md\n$0\n[t][x]\n", "One",
        {"a.md": "[[One]]\n\n[x]: b.md\n\n[t][x]\n", "One.md": "One.\n\n[x]: b.md\n"}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "title", "expected"), SELECTED.values(), ids=SELECTED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_selected_lines(text: str, title: str, expected: dict[str, str], eol: str) -> None:
    check(f"//- /a.md\n{text}//- /b.md\n", f"Extract to new note “{title}”", expected, eol)


@pytest.mark.parametrize(
    "text",
    [
        "---\n$0title: x\n$0---\n",
        "```\n$0code\n$0more\n```\n",
        "$0text\n```\ncode$0\n```\n",
        "one $0two$0 three\n",
        "$0\n\n$0text\n",
        "# Whole$0\n\n## B\n",
        "text$0\n",
        "$0---\n***\n$0",
    ],
)
def test_what_cannot_be_a_note(text: str) -> None:
    vault = Vault.of(f"//- /a.md\n{text}")
    assert not [a for a in vault.actions(only="refactor.extract") if "Extract" in a.title]


def test_into_another_folder_links_go_on_meaning_the_same() -> None:
    check(
        "//- /s/a.md\n# A\n\n## B$0\n\n[m](x.md) [n](../y.md#h) ![i](pic.png) [[x]] [[y]] [[#A]] "
        "[[pic.png]] [r](<x.md>)\n//- /s/x.md\n//- /in/x.md\n//- /y.md\n# h\n//- /s/pic.png\n",
        "Extract to new note “B”",
        {
            "s/a.md": "# A\n\n[[B]]\n",
            "in/B.md": "# B\n\n[m](../s/x.md) [n](../y.md#h) ![i](../s/pic.png) [[s/x]] [[y]] "
            "[[a#A]] [[pic.png]] [r](<../s/x.md>)\n",
        },
        drafts="in",
    )


def test_a_taken_name_gets_a_number() -> None:
    check(
        "//- /a.md\n# A\n\n## B?$0\n\nx\n//- /b.md\nprecious\n",
        "Extract to new note “B?”",
        {"a.md": "# A\n\n[[B 2]]\n", "B 2.md": "# B?\n\nx\n"},
    )


INLINED: dict[str, tuple[str, str, str]] = {
    "embed": ("# T\n\n![[X$0]]\n\nEnd.\n", "Insert the text of “X” here",
              "# T\n\n## X\n\nBody [[#Sub]] [[sub/y]] [p](sub/y.md).\n\n### Sub\n\nLow\n\nEnd.\n"),
    "link": ("[[X|x$0]]\n", "Insert the text of “X” here",
             "# X\n\nBody [[#Sub]] [[sub/y]] [p](sub/y.md).\n\n## Sub\n\nLow\n"),
    "section": ("# T\n\n## U\n\n![[X#Sub$0]]\n", "Insert the text of “X › Sub” here",
                "# T\n\n## U\n\n### Sub\n\nLow\n"),
    "markdown": ("[x$0](sub/X.md)\n", "Insert the text of “X” here",
                 "# X\n\nBody [[#Sub]] [[sub/y]] [p](sub/y.md).\n\n## Sub\n\nLow\n"),
}  # fmt: skip
X = (
    "//- /sub/X.md\n---\ntags: [a]\n---\n\n# X\n\nBody [[#Sub]] [[y]] [p](y.md).\n\n"
    "## Sub\n\nLow\n\n//- /sub/y.md\n//- /a/y.md\n"
)


@pytest.mark.parametrize(("text", "title", "expected"), INLINED.values(), ids=INLINED.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_inline(text: str, title: str, expected: str, eol: str) -> None:
    check(f"//- /a.md\n{text}{X}", title, {"a.md": expected}, eol)


@pytest.mark.parametrize(
    "text",
    ["See ![[X$0]]\n", "- [[X$0]]\n", "> ![[X$0]]\n", "![[Nowhere$0]]\n", "![[X#^b$0]]\n",
     "[[#A$0]]\n\n# A\n", "[[rel:blocks X$0]]\n", "![[sub/y$0]]\n"],
)  # fmt: skip
def test_no_inline(text: str) -> None:
    assert not Vault.of(f"//- /a.md\n{text}{X}").actions(only="refactor.inline")


_LINE = st.text(st.sampled_from("ab Ä🚢-*_.|`"), max_size=12).map(lambda text: f"c{text}".strip())
_PARAGRAPH = st.lists(_LINE, min_size=1, max_size=3)


@st.composite
def _sections(draw: st.DrawFn) -> str:
    """A section of level 2 with others in it, levels one by one."""
    parts, level = [f"## S {draw(st.sampled_from(['x', 'Größe', 'a b']))}"], 2
    for _ in range(draw(st.integers(0, 4))):
        if draw(st.booleans()):
            level = draw(st.integers(3, min(level + 1, 6)))
            parts.append(f"{'#' * level} h{draw(st.integers(0, 3))}")
        else:
            parts.append("\n".join(draw(_PARAGRAPH)))
    return "\n\n".join(parts)


@settings(max_examples=60, deadline=None)
@given(section=_sections(), before=_PARAGRAPH, eol=st.sampled_from(["\n", "\r\n"]))
def test_extract_and_inline_keep_the_text(section: str, before: list[str], eol: str) -> None:
    text = "# Top\n\n" + "\n".join(before) + "\n\n" + section + "\n\n## Last\n\nend\n"
    head, rest = text.split("## S", 1)
    vault = Vault.of(f"//- /a.md\n{head}## $0S{rest}", eol=eol)
    (title,) = {a.title for a in vault.actions(only="refactor.extract") if "embed" not in a.title}
    files = vault.after(vault.action(title))
    (made,) = set(files) - {"a.md"}
    at = files["a.md"].index("[[") + 2
    again = Vault(Fixture(files, "a.md", at, at))
    (action,) = again.actions(only="refactor.inline")
    assert again.after(action) == {"a.md": text.replace("\n", eol), made: files[made]}
