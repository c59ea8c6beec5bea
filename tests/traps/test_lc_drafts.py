"""LC: drafts and what is saved of a chat, through a server. Each case by its number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from core.filename import MAX_BYTES
from core.parse import parse_note
from mindnet_lsp.uris import to_path
from tests.support.waiting import wait_until
from tests.traps.asking import Asking, asking

HARD = 'Re: budget #2 & "why" — it\'s [[Plan]]?'
SAID = "Costs & benefits of [[Plan]] <tbd>."
FORBIDDEN = set('\\/:*?"<>|#^[]')


async def run(ed: Asking, command: str, **arguments: Any) -> Any:
    answer = await ed.client.ask(
        "workspace/executeCommand", {"command": command, "arguments": [arguments]}
    )
    assert "error" not in answer, answer["error"]
    return answer["result"]


def front(text: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text.split("\n---\n")[0].removeprefix("---\n"))
    return found


def file_of(made: Any) -> Path:
    path = to_path(made["uri"])
    assert path is not None
    return Path(path)


def files(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode()
        for path in root.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("model", [True, False], ids=["model", "template"])
async def test_lc_05_titles_are_exact_and_nothing_is_escaped(tmp_path: Path, model: bool) -> None:
    async with asking(tmp_path, {"Plan.md": "# Plan\n"}) as ed:

        async def ask(prompt: str) -> str:
            return SAID

        if model:
            ed.client.server.asks = lambda _: ask
        wish = {"message": "a note", "type": "concept", "answers": {"title": HARD, "summary": SAID}}
        # both are drafted before one is saved, so both have the same name and id
        drafts = [await run(ed, "mindnet.draft", **wish) for _ in range(2)]
        assert files(ed.root) == {"Plan.md": "# Plan\n"}
        made = [await run(ed, "mindnet.saveDraft", markdown=d["markdown"]) for d in drafts]
        names = [file_of(one).name for one in made]
        assert names == ["re-budget-2-why-its-plan.md", "re-budget-2-why-its-plan-2.md"]
        assert made[0]["note_id"] != made[1]["note_id"]
        for one in made:
            text = file_of(one).read_text("utf-8")
            assert not FORBIDDEN & set(file_of(one).name)
            assert front(text)["title"] == HARD
            assert front(text)["id"] == one["note_id"]
            assert f"\n# {HARD}\n" in text
            assert SAID in text
            assert "&amp;" not in text
            assert "&lt;" not in text
            path = file_of(one).relative_to(ed.root).as_posix()
            await wait_until(
                lambda path=path: path in ed.client.server.sessions.folders[0].index.notes
            )
            assert await ed.findings(path) == []
            line = text.split("\n").index(SAID)
            assert await ed.definition(path, line, SAID.index("Plan")) == "Plan.md"


CHAT = "---\ntitle: How do bearings last?\n---\n\n# How do bearings last?\n"
TURNS = [f"\n**You:** question {n}\n\nAnswer {n} & more 🦆\n" for n in (1, 2, 3)]


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("where", ["closed", "open", "edited"])
async def test_lc_06_a_chat_grows_in_its_note(tmp_path: Path, where: str, eol: str) -> None:
    async with asking(tmp_path, {"x.md": "x\n"}) as ed:
        ed.client.answers["workspace/applyEdit"] = {"applied": True}
        told = CHAT + TURNS[0]
        made = await run(ed, "mindnet.saveDraft", markdown=told.replace("\n", eol), open=False)
        assert made["created"] is True
        path = file_of(made).relative_to(ed.root).as_posix()
        assert path == "how-do-bearings-last.md"
        mine = ""
        if where != "closed":
            ed.open(path)
        if where == "edited":
            mine = f"{eol}My own remark.{eol}"
            ed.open(path, ed.texts[path] + mine)
        on_disk = file_of(made).read_bytes().decode()
        for turn in TURNS[1:]:
            told += turn
            for _ in range(2):  # a save that is repeated adds nothing
                given = {"markdown": told.replace("\n", eol), "uri": made["uri"]}
                again = await run(ed, "mindnet.saveDraft", **given)
                assert again == {**made, "created": False}
                if where != "closed":
                    texts: dict[str, str] = {}
                    for params in ed.client.of("workspace/applyEdit"):
                        texts, _ = ed.applied(params["edit"])
                    ed.client.sent = [
                        m for m in ed.client.sent if m.get("method") != "workspace/applyEdit"
                    ]
                    if texts:
                        ed.open(path, texts[path])
        text = file_of(made).read_bytes().decode() if where == "closed" else ed.texts[path]
        if where != "closed":
            assert file_of(made).read_bytes().decode() == on_disk, (
                "changed behind the editor's back"
            )
        places = [text.index(turn.strip().replace("\n", eol)) for turn in TURNS]
        assert places == sorted(places)
        for turn in TURNS:
            assert text.count(turn.strip().replace("\n", eol)) == 1
        assert text.count(mine.strip()) == 1 or not mine
        assert eol == "\n" or "\n" not in text.replace("\r\n", "")
        # a second chat with the same first question
        other = await run(ed, "mindnet.saveDraft", markdown=CHAT + TURNS[2], open=False)
        assert file_of(other).name == "how-do-bearings-last-2.md"
        assert file_of(made).read_bytes().decode() == (text if where == "closed" else on_disk)


@pytest.mark.parametrize("profile", ["vscode", "eglot"])
async def test_lc_06_an_editor_that_refuses(tmp_path: Path, profile: str) -> None:
    async with asking(tmp_path, {"x.md": "x\n"}, profile) as ed:
        ed.client.answers["workspace/applyEdit"] = {"applied": False}
        # without the duck: clients count it in different units
        first, told = (
            text.replace("🦆", "") for text in (CHAT + TURNS[0], CHAT + TURNS[0] + TURNS[1])
        )
        made = await run(ed, "mindnet.saveDraft", markdown=first, open=False)
        path = file_of(made).relative_to(ed.root).as_posix()
        ed.open(path)
        refused = await run(ed, "mindnet.saveDraft", markdown=told, uri=made["uri"])
        assert refused["error"]["code"] == "not_supported"
        assert refused["error"]["hint"]
        assert path in refused["error"]["message"]
        assert file_of(made).read_text("utf-8") == first
        # once it takes edits, nothing is missing
        ed.client.answers["workspace/applyEdit"] = {"applied": True}
        ed.client.sent.clear()
        await run(ed, "mindnet.saveDraft", markdown=told, uri=made["uri"])
        (params,) = ed.client.of("workspace/applyEdit")
        changes = params["edit"].get("documentChanges") or [
            {"textDocument": {"uri": made["uri"]}, "edits": params["edit"]["changes"][made["uri"]]}
        ]
        assert ed.edited(path, changes[0]["edits"]).rstrip() == told.rstrip()


async def test_lc_06_what_a_person_made_of_it_is_never_overwritten(tmp_path: Path) -> None:
    async with asking(tmp_path, {"mine.md": "mine\n"}) as ed:
        made = await run(ed, "mindnet.saveDraft", markdown=CHAT + TURNS[0], open=False)
        changed = f"# Something else\n{TURNS[0]}"
        for markdown, uri in ((changed, made["uri"]), (changed, ed.uri("mine.md"))):
            before = files(ed.root)
            answer = await run(ed, "mindnet.saveDraft", markdown=markdown, uri=uri)
            assert answer["error"]["code"] == "already_exists"
            assert files(ed.root) == before
        # a note that grew by hand, in a server that knows nothing of the first save
        target = file_of(made)
        target.write_text(CHAT + TURNS[0] + TURNS[1], "utf-8")
        ed.client.server.saved_drafts.remember(
            ed.client.server.sessions.folders[0], target.name, CHAT + TURNS[0]
        )
        await run(ed, "mindnet.saveDraft", markdown="".join((CHAT, *TURNS[:2])), uri=made["uri"])
        assert target.read_text("utf-8") == CHAT + TURNS[0] + TURNS[1]


TITLES = ['What / why: "locks"?', "..", "CON", "a [b] (c) *", "港" * 300, "", "a [b] (c) *"]


@pytest.mark.parametrize("named", [True, False], ids=["file_name", "by title"])
async def test_lc_07_every_title_makes_a_file(tmp_path: Path, named: bool) -> None:
    async with asking(tmp_path, {"x.md": "x\n"}) as ed:
        seen = set()
        for title in TITLES:
            drafted = await run(
                ed, "mindnet.draft", message="", type="task", answers={"title": title}
            )
            wanted = {"file_name": drafted["file_name"]} if named else {}
            made = await run(
                ed, "mindnet.saveDraft", markdown=drafted["markdown"], folder="Drafts", **wanted
            )
            path = file_of(made)
            assert path.parent == ed.root / "Drafts"
            assert path.is_file()
            assert not FORBIDDEN & set(path.name)
            assert path.stem.upper() not in ("", ".", "..", "CON")
            assert len(path.name.encode()) <= MAX_BYTES
            assert path.name.casefold() not in seen
            seen.add(path.name.casefold())
            text = path.read_text("utf-8")
            exact = title or "Untitled"
            assert front(text)["title"] == exact
            assert f"\n# {exact}\n" in text
            assert parse_note("x.md", text).problems == ()
        assert {"a-b-c.md", "a-b-c-2.md", "untitled.md", "untitled-2.md", "_con.md"} <= seen


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, -32602),
        ({"markdown": " "}, -32602),
        ({"markdown": "x", "file_name": "../up"}, -32602),
        ({"markdown": "x", "file_name": "a/b"}, -32602),
        ({"markdown": "x", "file_name": ".."}, -32602),
        ({"markdown": "x", "folder": ".git"}, -32602),
        ({"markdown": "x", "folder": "../up"}, "outside_vault"),
        ({"markdown": "x", "uri": "file:///nowhere/x.md"}, "not_a_note"),
    ],
)
async def test_lc_07_nothing_is_written_outside(
    tmp_path: Path, arguments: dict[str, Any], code: object
) -> None:
    async with asking(tmp_path, {"x.md": "x\n"}) as ed:
        answer = await ed.client.ask(
            "workspace/executeCommand",
            {"command": "mindnet.saveDraft", "arguments": [arguments]},
        )
        error = answer.get("error") or answer["result"]["error"]
        assert error["code"] == code
        assert files(ed.root) == {"x.md": "x\n"}
