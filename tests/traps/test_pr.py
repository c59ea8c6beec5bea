"""PR: what is parsed as a link, and what it means. Each case by its number."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.parse import parse_note
from tests.traps.asking import Asking, asking

TOOLS = """\
# Tools

Use `[[Nowhere]]` or `#nope`.

```sh
#!/bin/sh
echo [[Nowhere]] # not-a-tag
```

    [[Nowhere]] indented

[[Anvil]] #forge
"""


async def test_pr_01_nothing_in_code_is_a_link_or_tag(tmp_path: Path) -> None:
    note = parse_note("tools.md", TOOLS)
    assert [(x.target, x.line, x.col, x.col + len(x.raw)) for x in note.links] == [
        ("Anvil", 11, 0, 9)
    ]
    assert [tag.name for tag in note.tags] == ["forge"]
    files = {"tools.md": TOOLS, "Anvil.md": "", "user.md": "[[Nowhere]]\n"}
    async with asking(tmp_path, files) as ed:
        assert await ed.findings("tools.md") == []
        assert await ed.definition("tools.md", 2, 7) is None
        assert await ed.definition("tools.md", 6, 7) is None
        assert await ed.definition("tools.md", 11, 3) == "Anvil.md"
    files["Nowhere.md"] = "# N\n"
    async with asking(tmp_path / "again", files) as ed:
        texts, _ = await ed.rename("user.md", 0, 4, "Somewhere")
        assert texts == {"user.md": "[[Somewhere]]\n"}


@pytest.mark.parametrize(
    "text",
    [
        "~~~\n[[Nowhere]] #nope\n~~~\n",
        "````md\n```\n[[Nowhere]]\n```\n#nope\n````\n",
        "> ```\n> [[Nowhere]] #nope\n> ```\n",
        "- item\n\n  ```\n  [[Nowhere]] #nope\n  ```\n",
        "```\nnever closed\n[[Nowhere]] #nope\n",
        "``[[Nowhere]] ` #nope``\n",
        "text\n\n\t[[Nowhere]] #nope\n",
        "# Heading\n    [[Nowhere]] #nope\n",
        "## A\n\tdep:: [[Nowhere]]\n\t[x](y.md) #nope [[rel:k Nowhere]]\n\n    ^b [[x]]\n",
        "- item\n\n      [[Nowhere]] #nope\n",
        "%% [[Nowhere]] #nope %%\n",
        "<!-- [[Nowhere]] #nope -->\n",
        "$$\n[[Nowhere]] #nope\n$$\n",
        "Inline $a[[Nowhere]]b$ math\n",
        "`dep:: [[Nowhere]]`\n",
    ],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_pr_01_more_kinds_of_code(text: str, eol: str) -> None:
    note = parse_note("n.md", (text + "\nlast\n").replace("\n", eol))
    assert (note.links, note.tags, note.kinds, note.fields) == ((), (), (), ())


TAGS = """\
See https://ex.org/x.html#part, issue #412, word#tag, \\#no, `#ff8800`.
Real: #ok #ok/sub #2031-plan #été #港
"""


async def test_pr_02_what_is_a_tag(tmp_path: Path) -> None:
    note = parse_note("tags.md", TAGS)
    assert [tag.name for tag in note.tags] == ["ok", "ok/sub", "2031-plan", "été", "港"]
    assert [tag.raw for tag in note.tags] == ["#ok", "#ok/sub", "#2031-plan", "#été", "#港"]
    async with asking(
        tmp_path, {"tags.md": f"🚢 {TAGS.splitlines()[1]}\n", "b.md": "#été\n"}
    ) as ed:
        # UTF-16: the ship counts two
        assert await ed.references("b.md", 0, 2) == ["b.md 0:0-4", "tags.md 0:32-36"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#a", ["a"]),
        ("#", []),
        ("# a", []),
        ("#a" * 5000, ["a"]),
        ("#港", ["港"]),
        ("#" * 5000, []),
    ],
)
def test_pr_02_short_and_long_tags_take_no_time(text: str, names: list[str]) -> None:
    begun = time.perf_counter()
    note = parse_note("n.md", text)
    assert time.perf_counter() - begun < 0.3
    assert [tag.name for tag in note.tags] == names


TABLE = "| Part | Where |\n|---|---|\n| [[Pump\\|main pump]] | [[Pump]] |\n"


async def test_pr_03_an_escaped_bar_in_a_table(tmp_path: Path) -> None:
    note = parse_note("table.md", TABLE)
    assert [(x.target, x.alias) for x in note.links] == [("Pump", "main pump"), ("Pump", None)]
    files = {"table.md": TABLE, "Pump.md": "---\naliases: [Pumpe]\n---\n"}
    async with asking(tmp_path, files) as ed:
        assert await ed.findings("table.md") == []
        texts, moved = await ed.rename("table.md", 2, 4, "Motor")
        assert moved == {"Pump.md": "Motor.md"}
        assert texts["table.md"].splitlines()[2] == "| [[Motor\\|main pump]] | [[Motor]] |"
        ed.open("table.md", "| Part | Where |\n|---|---|\n| [[Pumpe | x |\n")
        offered = await ed.completion("table.md", 2, 9)
        alias = [text.splitlines()[2] for label, text in offered.items() if "Pumpe" in label]
        assert alias[0].startswith("| [[Pump\\|Pumpe]]")


async def test_pr_04_brackets_without_a_definition(tmp_path: Path) -> None:
    text = "She praised [the harbour] and [1].[^a]\n\n[^a]: a later note\n"
    assert parse_note("quote.md", text).links == ()
    async with asking(tmp_path, {"quote.md": text, "harbour.md": ""}) as ed:
        assert await ed.findings("quote.md") == []
        assert await ed.definition("quote.md", 0, 18) is None
        assert await ed.references("quote.md", 0, 18) == []


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("[the harbour][h]\n\n[h]: Pump.md\n", ["Pump.md", "Pump.md"]),
        ("[h] and [H][]\n\n[h]: Pump.md\n", ["Pump.md", "Pump.md", "Pump.md"]),
        ("[x][y] [z]\n", []),
        ("- [ ] task\n- [x] done\n", []),
        ("[x]: https://ex.org\n\n[x]\n", []),
    ],
)
def test_pr_04_references_need_a_definition(text: str, targets: list[str]) -> None:
    assert [link.target for link in parse_note("n.md", text).links] == targets


async def test_pr_05_parentheses_in_destinations(tmp_path: Path) -> None:
    text = "[a](Pump_(old).md) (see [b](Pump.md))\n"
    files = {"paren.md": text, "Pump_(old).md": "", "Pump.md": ""}
    note = parse_note("paren.md", text)
    assert [(x.target, x.col + x.target_at, x.col + x.target_end) for x in note.links] == [
        ("Pump_(old).md", 4, 17),
        ("Pump.md", 28, 35),
    ]
    async with asking(tmp_path, files) as ed:
        assert await ed.findings("paren.md") == []
        assert await ed.definition("paren.md", 0, 5) == "Pump_(old).md"
        texts, moved = await ed.rename("paren.md", 0, 30, "Motor")
        assert moved == {"Pump.md": "Motor.md"}
        assert texts["paren.md"] == "[a](Pump_(old).md) (see [b](Motor.md))\n"


DOTS = {
    "dots.md": "[[v1.2 plan]] [[v1.2 plan.md]] [[Pump]] [[map.png]] [[#Step 1.5]]\n\n## Step 1.5\n"
}


async def test_pr_06_dots_in_names(tmp_path: Path) -> None:
    files = {**DOTS, "v1.2 plan.md": "", "Pump.md": "", "map.png": ""}
    async with asking(tmp_path, files) as ed:
        assert await ed.findings("dots.md") == []
        meant = [await ed.definition("dots.md", 0, at) for at in (3, 17, 34, 43, 56)]
        assert meant == ["v1.2 plan.md", "v1.2 plan.md", "Pump.md", "map.png", "dots.md:2"]
        ed.open("dots.md", "[[v1")
        assert (await ed.completion("dots.md", 0, 4))["v1.2 plan"] == "[[v1.2 plan]]"
        ed.open("dots.md", "[[v1.2 plan]]")
        assert await ed.findings("dots.md") == []


async def test_pr_06_marks_in_names(tmp_path: Path) -> None:
    """A `#` in a file name: Obsidian cannot follow such a link, people write it all the same."""
    text = "🚢 [[Talk #24 — x]] [[Talk #24 — x|t]] [[Talk #25]]\n"
    async with asking(tmp_path, {"a.md": text, "Talk #24 — x.md": "# First\n"}) as ed:
        assert await ed.findings("a.md") == ["0:41-45 unresolved-link"]
        assert await ed.definition("a.md", 0, 6) == "Talk #24 — x.md"
        assert await ed.definition("a.md", 0, 14) == "Talk #24 — x.md"
        uses = await ed.references("Talk #24 — x.md", 0, 3)
        assert uses[-2:] == ["a.md 0:5-17", "a.md 0:22-34"]
        texts, moved = await ed.rename("a.md", 0, 6, "Rede 24")
        assert moved == {"Talk #24 — x.md": "Rede 24.md"}
        assert texts["a.md"] == "🚢 [[Rede 24]] [[Rede 24|t]] [[Talk #25]]\n"


async def test_pr_07_whole_names_only(tmp_path: Path) -> None:
    names = ("lock", "upper-lock", "lock-key", "2031-02-03", "2031-02-03_b")
    titles = {"lock-key.md": "# Aaa lock\n", "upper-lock.md": "# a lock\n"}
    files = {"start.md": "[[lock]] [t](2031-02-03)\n", **{f"{name}.md": "" for name in names}}
    async with asking(tmp_path, {**files, **titles}) as ed:
        assert await ed.definition("start.md", 0, 3) == "lock.md"
        assert await ed.definition("start.md", 0, 15) == "2031-02-03.md"
        assert await ed.findings("start.md") == []


async def test_pr_08_a_folder_is_no_match_by_itself(tmp_path: Path) -> None:
    files = {
        "home.md": "[[2031 Dam]] [[2031 Dam/valve]] [[Empty]] [[Full]]\n",
        "2031 Dam/2031 Dam.md": "", "2031 Dam/valve.md": "", "2031 Dam/a.md": "",
        "Empty/x.md": "", "Full/index.md": "",
    }  # fmt: skip
    async with asking(tmp_path, files) as ed:
        meant = [await ed.definition("home.md", 0, at) for at in (4, 17, 35, 45)]
        assert meant == ["2031 Dam/2031 Dam.md", "2031 Dam/valve.md", None, "Full/index.md"]
        assert await ed.findings("home.md") == ["0:34-39 unresolved-link"]


AMBIGUOUS = {
    "top.md": "[[Intro]]\n",
    "y/Read.md": "[[Intro]]\n",
    "y/Intro.md": "",
    "x/Intro.md": "",
}


async def test_pr_09_two_notes_of_one_name(tmp_path: Path) -> None:
    async with asking(tmp_path, AMBIGUOUS) as ed:
        await _check_ambiguous(ed)
        offered = await ed.completed("top.md", 0, 7)
        assert sorted(text for _, text in offered) == ["[[x/Intro]]\n", "[[y/Intro]]\n"]
        (ed.root / "x/Intro.md").write_text("touched\n")
        event = {"uri": ed.uri("x/Intro.md"), "type": 2}
        ed.client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
        await _check_ambiguous(ed)
    reverse = dict(reversed(AMBIGUOUS.items()))
    async with asking(tmp_path / "again", reverse) as ed:
        await _check_ambiguous(ed)


async def _check_ambiguous(ed: Asking) -> None:
    assert await ed.definition("y/Read.md", 0, 3) == "y/Intro.md"
    assert await ed.findings("y/Read.md") == []
    assert await ed.definition("top.md", 0, 3) == "x/Intro.md"
    (found,) = await ed.diagnostics("top.md")
    assert await ed.findings("top.md") == ["0:2-7 ambiguous-link"]
    assert found["severity"] >= 2
    related = [ed.path(item["location"]["uri"]) for item in found["relatedInformation"]]
    assert related == ["x/Intro.md", "y/Intro.md"]
    fixes = [ed.applied(action["edit"])[0] for action in await ed.actions("top.md", found["code"])]
    assert {"top.md": "[[x/Intro]]\n"} in fixes
    assert {"top.md": "[[y/Intro]]\n"} in fixes


async def test_pr_10_blanks_in_each_style(tmp_path: Path) -> None:
    text = "[p](Pump%20House.md) [q](<Pump House.md>) [[Pump House]]\n"
    async with asking(tmp_path, {"enc.md": text, "Pump House.md": "# H\n"}) as ed:
        assert await ed.findings("enc.md") == []
        meant = [await ed.definition("enc.md", 0, at) for at in (6, 28, 47)]
        assert meant == ["Pump House.md"] * 3
        assert len(await ed.references("enc.md", 0, 47)) == 3
        texts, _ = await ed.rename("enc.md", 0, 47, "Motor House")
        assert texts["enc.md"] == "[p](Motor%20House.md) [q](<Motor House.md>) [[Motor House]]\n"
        ed.open("enc.md", "[[Pump")
        assert (await ed.completion("enc.md", 0, 6))["Pump House"] == "[[Pump House]]"
        ed.open("enc.md", "[x](Pump")
        (completed,) = (await ed.completion("enc.md", 0, 8)).values()
        assert completed in ("[x](Pump%20House.md)", "[x](<Pump House.md>)")


async def test_pr_11_reserved_characters_in_file_names(tmp_path: Path) -> None:
    files = {"C# tips.md": "# Hi\n\n[d](100%25%20done.md) [[100% done]]\n", "100% done.md": ""}
    async with asking(tmp_path, files) as ed:
        assert ed.uri("C# tips.md").endswith("/C%23%20tips.md")
        assert await ed.symbols("C# tips.md") == ["Hi 0"]
        for at in (3, 27):
            (found,) = await ed.at("textDocument/definition", "C# tips.md", 2, at)
            assert found["targetUri"] == f"{ed.root.as_uri()}/100%25%20done.md"
        assert await ed.findings("C# tips.md") == []


NOTES = "# Log\n\n## `init` step?\n\n## Wind / Tide: A & B\n\n## 港の話\n"
USE = (
    "[[Notes#`init` step?]] [[Notes#init step]] [[Notes#Wind Tide A & B]] [[Notes#港の話]] "
    "[m](Notes.md#init-step)\n"
)


async def test_pr_12_headings_with_marks(tmp_path: Path) -> None:
    async with asking(tmp_path, {"use.md": USE, "Notes.md": NOTES}) as ed:
        assert await ed.findings("use.md") == []
        places = [
            USE.index(part) + 9
            for part in ("[[Notes#`", "[[Notes#init s", "[[Notes#W", "[[Notes#港")
        ]
        lines = [await ed.definition("use.md", 0, at) for at in [*places, USE.index("#init-") + 2]]
        assert lines == ["Notes.md:2", "Notes.md:2", "Notes.md:4", "Notes.md:6", "Notes.md:2"]
        ed.open("use.md", "[[Notes#")
        offered = await ed.completion("use.md", 0, 8)
        assert len(offered) == 4
        for text in offered.values():
            anchor = text.removeprefix("[[Notes#").removesuffix("]]")
            assert not set(anchor) & set("[]|#^")
            ed.open("use.md", text)
            assert await ed.findings("use.md") == []


HOSTILE = (
    "[][][]", "[x](y" + "()" * 60, "[[" * 5000, "![" * 5000, "a[b](c " * 25000, "> " * 200 + "x",
    "# " + "()" * 5000, "[" * 50_000, "<" * 50_000, "*" * 50_000, "`" * 50_001, "%%" * 25_001,
    "[a]: <" * 20_000, "|" * 100_000, "- " * 20_000, "[[a#" * 20_000, "$" * 50_001,
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:8] for text in HOSTILE])
async def test_pr_13_hostile_texts(tmp_path: Path, text: str) -> None:
    begun = time.perf_counter()
    parse_note("n.md", text)
    assert time.perf_counter() - begun < 0.3
    async with asking(tmp_path, {"other.md": "# Other\n", "hostile.md": text}) as ed:
        ed.open("hostile.md")
        assert await ed.symbols("other.md") == ["Other 0"]
