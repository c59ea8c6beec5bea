"""FM: frontmatter as people write it, valid YAML or not. Each case by its number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.parse import parse_note
from tests.traps.asking import asking

REL = '---\nrelated: [[Foo]]\nparent: "[[Bar|b]]"\nlist:\n  - [[Baz]]\n---\n'


async def test_fm_01_links_without_quotes(tmp_path: Path) -> None:
    found = parse_note("rel.md", REL).links
    assert [(x.target, x.alias, x.relation, x.line, x.col, x.col + len(x.raw)) for x in found] == [
        ("Foo", None, "related", 1, 9, 16),
        ("Bar", "b", "parent", 2, 9, 18),
        ("Baz", None, "list", 4, 4, 11),
    ]
    files = {"rel.md": REL, "Foo.md": "", "Bar.md": "", "Baz.md": "# B\n"}
    async with asking(tmp_path, files) as ed:
        assert await ed.findings("rel.md") == []
        meant = [await ed.definition("rel.md", line, 13) for line in (1, 2)]
        assert [*meant, await ed.definition("rel.md", 4, 7)] == ["Foo.md", "Bar.md", "Baz.md"]
        assert await ed.references("Baz.md", 0, 2) == ["rel.md 4:6-9"]
        for line, name, quoted in ((1, "Foo", '"[[Foo]]"'), (4, "Baz", '"[[Baz]]"')):
            here = {"line": line, "character": 12 if line == 1 else 7}
            actions = await ed.ask(
                "textDocument/codeAction", "rel.md",
                range={"start": here, "end": here}, context={"diagnostics": []},
            )  # fmt: skip
            (quoting,) = [action for action in actions if "Quote" in action["title"]]
            texts, _ = ed.applied(quoting["edit"])
            assert texts["rel.md"] == REL.replace(f"[[{name}]]", quoted)
        texts, _ = await ed.rename("rel.md", 1, 12, "Fee")
        assert texts["rel.md"] == REL.replace("Foo", "Fee")
        texts, _ = await ed.rename("rel.md", 2, 13, "Bär")
        assert texts["rel.md"] == REL.replace("[[Bar|b]]", "[[Bär|b]]")


BAD = "---\nrank: 3\ntopics:\n  * star\n\t- tab\nempty:\n---\n\n# Keep\n\n[[Other]] [[Gone]]\n"


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_fm_02_a_broken_block_is_never_rewritten(tmp_path: Path, eol: str) -> None:
    text = BAD.replace("\n", eol)
    note = parse_note("bad.md", text)
    assert (note.title, [link.target for link in note.links]) == ("Keep", ["Other", "Gone"])
    async with asking(tmp_path, {"bad.md": text, "Other.md": "[[bad]]\n"}) as ed:
        assert await ed.definition("bad.md", 10, 4) == "Other.md"
        found = await ed.findings("bad.md")
        assert found[-1] == "10:12-16 unresolved-link"
        broken = [item for item in found if "invalid-frontmatter" in item]
        assert len(broken) == 1
        assert 1 <= int(broken[0].partition(":")[0]) <= 5
        for action in await ed.actions("bad.md"):
            texts, _ = ed.applied(action.get("edit"))
            assert _lost(text, texts.get("bad.md", text)) == ""
        ed.client.notify("textDocument/didSave", {"textDocument": {"uri": ed.uri("bad.md")}})
        await ed.rename("Other.md", 0, 3, "good")
        assert (ed.root / "bad.md").read_bytes() == text.encode()


def _lost(before: str, after: str) -> str:
    """What an edit removed: lines of `before` that are not in `after`, the fixed ones aside."""
    kept = after.splitlines()
    return "".join(
        line
        for line in before.splitlines()
        if line not in kept and not any(line.strip(" \t-*") in other for other in kept)
    )


TYPES = """\
---
id: 0123
tags: 2031
aliases: [NO, 1.10, 2031-03-01]
time: 12:30
on: yes
---
"""


async def test_fm_03_values_stay_as_they_are_written(tmp_path: Path) -> None:
    note = parse_note("types.md", TYPES)
    assert (note.note_id, note.aliases) == ("0123", ("NO", "1.10", "2031-03-01"))
    assert note.tags == ()
    assert note.frontmatter is not None
    values = {prop.key: [v.text for v in prop.values] for prop in note.frontmatter.properties}
    assert values == {
        "id": ["0123"], "tags": ["2031"], "aliases": ["NO", "1.10", "2031-03-01"],
        "time": ["12:30"], "on": ["yes"],
    }  # fmt: skip
    files = {"use.md": "[[NO]] [[2031-03-01]] [[0123]] [[1.10]]\n", "types.md": TYPES}
    async with asking(tmp_path, files) as ed:
        assert await ed.findings("use.md") == []
        meant = [await ed.definition("use.md", 0, at) for at in (3, 10, 25, 34)]
        assert meant == ["types.md"] * 4


@pytest.mark.parametrize(
    "value",
    ["0o17", "1e3", "~x", "yes", "No", "on", "1:1", "0x1F", "1_000", ".5", "2031-03-01T10:00:00Z",
     "12:30:45", "+1", "null1", "=", "<<", "1.0", "007"],
)  # fmt: skip
def test_fm_03_no_plain_value_gets_another_type(value: str) -> None:
    note = parse_note("n.md", f"---\nid: {value}\nx: [{value}, a]\n---\n")
    assert note.note_id == value
    assert note.frontmatter is not None
    assert [v.text for v in note.frontmatter.properties[1].values] == [value, "a"]
    assert json.loads(json.dumps(note.note_id)) == value


DUP = "---\naliases: [First]\ntitle: T\naliases: [Second]\n---\n"


async def test_fm_04_a_key_twice(tmp_path: Path) -> None:
    files = {"dup.md": DUP, "use.md": "[[First]] [[Second]]\n"}
    async with asking(tmp_path, files) as ed:
        (found,) = await ed.diagnostics("dup.md")
        assert await ed.findings("dup.md") == ["3:0-7 invalid-frontmatter"]
        assert (found["severity"], "aliases" in found["message"]) == (2, True)
        (related,) = found["relatedInformation"]
        assert related["location"]["range"]["start"] == {"line": 1, "character": 0}
        assert await ed.findings("use.md") == []
        assert [await ed.definition("use.md", 0, at) for at in (3, 14)] == ["dup.md"] * 2
        assert (ed.root / "dup.md").read_text() == DUP


@pytest.mark.parametrize(
    ("block", "lines"),
    [("a: 1\na: 2\na: 3", [2, 3]), ("a:\n- x\nb: 1\na: y", [4]), ('"a": 1\na: 2', [2])],
)
def test_fm_04_every_repetition_is_named(block: str, lines: list[int]) -> None:
    note = parse_note("n.md", f"---\n{block}\n---\n")
    assert [problem.line for problem in note.problems] == lines
    assert {problem.reason for problem in note.problems} == {"duplicate-key"}


T1 = "---\ntitle: Dams: a start\naliases: [Dam book]\n---\n"
T2 = "---\ntitle: Ticket #12\nauthor: @kim\n---\n# Ticket twelve\n"


async def test_fm_05_values_that_need_quotes(tmp_path: Path) -> None:
    files = {"use.md": "[[Dam book]] [[Dams: a start]] [[sound]]\n", "t1.md": T1, "t2.md": T2,
             "sound.md": "# Sound\n"}  # fmt: skip
    assert parse_note("t1.md", T1).title == "Dams: a start"
    assert parse_note("t2.md", T2).title == "Ticket"
    async with asking(tmp_path, files) as ed:
        assert await ed.findings("use.md") == []
        assert await ed.definition("use.md", 0, 4) == "t1.md"
        (found,) = await ed.diagnostics("t1.md")
        assert found["range"]["start"]["line"] == 1
        actions = await ed.actions("t1.md")
        fixed = [ed.applied(action.get("edit"))[0].get("t1.md") for action in actions]
        assert T1.replace("Dams: a start", '"Dams: a start"') in fixed
        hint, warning = await ed.diagnostics("t2.md")
        assert (hint["severity"], "#12" in hint["message"]) == (4, True)
        assert warning["range"]["start"]["line"] == 2
        assert warning["severity"] <= 2
        assert await ed.findings("sound.md") == []


@pytest.mark.parametrize(
    ("block", "title"),
    [
        ("title: #12", "n"),
        ("title:", "n"),
        ("title: ''", "n"),
        ("title: null", "n"),
        ("title: ~", "n"),
        ("title: C#", "C#"),
        ("title: a: b: c", "a: b: c"),
        ("title: @kim", "@kim"),
        ("title: 50% off", "50% off"),
        ('title: "open', '"open'),
        ("title: [a, b]", "a"),
        ("title: Wer? Was: wo", "Wer? Was: wo"),
    ],
)
def test_fm_05_a_title_is_never_empty(block: str, title: str) -> None:
    note = parse_note("n.md", f"---\n{block}\naliases: [x]\n---\n")
    assert note.title == title
    assert note.aliases == ("x",)
