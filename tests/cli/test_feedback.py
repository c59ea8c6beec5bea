"""`history`, `feedback`, `tune` and `query --why`, with a core and without one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.cli.__main__ import main
from core.config.retriever import RetrieverConfig, Scoring
from core.feedback.history import FEEDBACK_FILE, HISTORY_FILE, History
from core.feedback.shapes import HistoryEntry
from tests.cli.shell import Shell
from tests.core.feedback.test_tune import by_truth, history
from tests.support.cores import fingerprint

UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


class Inside:
    """Runs `mindnet` in this process: the same words, the same answers, without the starts."""

    def __init__(
        self, shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.root, self.data = shell.root, shell.data
        self._patch, self._capsys = monkeypatch, capsys
        for name, value in shell.environ.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(shell.root)

    def run(self, *arguments: str, code: int = 0) -> tuple[str, str]:
        self._patch.setattr("sys.argv", ["mindnet", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, errors = self._capsys.readouterr()
        assert (ended.value.code or 0) == code, (out, errors)
        return out, errors

    def json(self, *arguments: str, code: int = 0) -> Any:
        out, errors = self.run(*arguments, "--json", code=code)
        assert errors == ""
        return json.loads(out)


@pytest.fixture
def inside(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Inside:
    return Inside(shell, monkeypatch, capsys)


def test_with_a_core(shell: Shell) -> None:
    """The core that runs answers and writes."""
    shell.serve()
    asked = shell.json("query", "reeds", "--why", "Otter")
    assert asked["why_not"]["title"] == "Otter"
    shell.run("feedback", "last", "Heron", "5")
    _, errors = shell.run("feedback", "last", "Stork", "5", code=2)
    assert "node_id: 'Stork' is not among the hits" in errors
    (entry,) = shell.json("history")["entries"]
    assert (entry["query_id"], entry["feedback"][0]["score"]) == (asked["query_id"], 5)


def test_ask_rate_look_back(inside: Inside) -> None:
    """Rated by title, by id and as the last; the last rating counts."""
    assert inside.run("history", code=1) == ("", "")
    before = fingerprint(inside.root)
    inside.run("import", "--apply")
    asked = inside.json("query", "reeds river")
    assert UUID4.fullmatch(asked["query_id"])
    ids = {hit["title"]: hit["note_id"] for hit in asked["hits"]}
    heron, otter = ids["Heron"], ids["Otter"]
    assert inside.run("feedback", "last", "Heron", "2")[0] == f"rated {heron} 2\n"
    rated = inside.json("feedback", asked["query_id"], otter, "4", "--comment", "swims")
    assert rated == {
        "ok": True,
        "query_id": asked["query_id"],
        "node_id": otter,
        "score": 4,
    }
    inside.run("feedback", asked["query_id"], heron, "5")
    (entry,) = inside.json("history")["entries"]
    assert entry["query"] == "reeds river"
    assert {r["node_id"]: (r["score"], r["comment"]) for r in entry["feedback"]} == {
        heron: (5, ""),
        otter: (4, "swims"),
    }
    out, _ = inside.run("history")
    assert re.search(rf"\d\. \d\.\d{{3}}  Heron  \({heron}\)  rated 5\n", out)
    assert "        swims\n" in out
    inside.run("query", "otter")
    assert len(inside.json("history", "--limit", "1")["entries"]) == 1
    pairs = inside.run("history", "--export-pairs", "-")[0].splitlines()
    found = {pair["title"]: pair for pair in map(json.loads, pairs)}
    assert {title: (p["query"], p["score"], p["label"]) for title, p in found.items()} == {
        "Heron": ("reeds river", 5, 1.0),
        "Otter": ("reeds river", 4, 0.75),
    }
    assert "Waits in the reeds." in found["Heron"]["text"]
    assert fingerprint(inside.root) == before


def test_what_cannot_be_rated(inside: Inside) -> None:
    inside.run("import", "--apply")
    asked = inside.json("query", "reeds")
    for arguments, said in (
        (("nonsense", "Heron", "3"), "query_id: 'nonsense' is not in the search history"),
        ((asked["query_id"], "Stork", "3"), "node_id: 'Stork' is not among the hits"),
        (("last", "generated_answer", "3"), "node_id: 'generated_answer' is not among"),
        (("last", "Heron", "3", "--comment", "x" * 3000), "comment: "),
        (("last", "Heron", "6"), "score"),
        (("last", "Heron", "good"), "score"),
    ):
        out, errors = inside.run("feedback", *arguments, code=2)
        assert (out, errors.count("\n")) == ("", 1)
        assert said in errors
    assert not (inside.data / FEEDBACK_FILE).exists()


def test_pairs_in_a_file(inside: Inside) -> None:
    """Never over another file; what may not be embedded is left out."""
    inside.run("import", "--apply")
    target = inside.root.parent / "pairs.jsonl"
    out, errors = inside.run("history", "--export-pairs", str(target), code=1)
    assert (out, "no hit was rated" in errors, target.exists()) == ("", True, False)
    inside.run("query", "reeds river")
    inside.run("feedback", "last", "Heron", "5")
    inside.run("feedback", "last", "Otter", "1")
    assert inside.json("history", "--export-pairs", str(target))["pairs"] == 2
    _, errors = inside.run("history", "--export-pairs", str(target), code=2)
    assert "is there already" in errors
    otter = inside.root / "otter.md"
    otter.write_text(f"---\nembedding_exclude: true\n---\n{otter.read_text()}")
    (line,) = inside.run("history", "--export-pairs", "-")[0].splitlines()
    assert json.loads(line)["title"] == "Heron"


def test_history_off(inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the user's own settings."""
    inside.run("import", "--apply")
    (tmp_path / "settings.yaml").write_text("history:\n  enabled: false\n")
    monkeypatch.setenv("MINDNET_CONFIG_DIR", str(tmp_path))
    inside.run("query", "reeds")
    assert not (inside.data / HISTORY_FILE).exists()
    out, errors = inside.run("history", code=1)
    assert (out, "history.enabled" in errors) == ("", True)


def test_why_not(inside: Inside) -> None:
    inside.run("import", "--apply")
    for name in ("otter.md", "Otter", str(inside.root / "otter.md")):
        found = inside.json("query", "reeds", "--hops", "0", "--why", name)["why_not"]
        assert (found["cause"], found["path"]) == ("nothing_in_common", "otter.md")
    out, _ = inside.run("query", "reeds", "--hops", "0", "--why", "Otter")
    assert out.endswith("Otter  otter.md\n    · none of the words is in it\n")
    out, _ = inside.run("query", "reeds river", "-n", "1", "--why", "Heron")
    assert "    · it is number 2 with a score of " in out
    assert out.count("semantic ") == 2
    _, errors = inside.run("query", "reeds", "--why", "Stork", code=2)
    assert "no note is called 'Stork'" in errors


def test_too_little_feedback(inside: Inside) -> None:
    out, errors = inside.run("tune", code=1)
    assert out.startswith("too little feedback: 0 queries")
    assert "mindnet feedback" in errors
    found = inside.json("tune", code=1)
    assert (found["enough"], found["proposed"], found["yaml"]) == (False, {}, "")


def test_a_proposal(inside: Inside) -> None:
    """Written as YAML that the configuration takes; nothing of the vault is changed."""
    in_use = Scoring().model_dump()
    remembered(inside, history(1, 120, by_truth, {**in_use, "lexical_weight": 2.0}))
    before = fingerprint(inside.root)
    found = inside.json("tune")
    assert found["gain"] > 0.01
    assert found["proposed"]["lexical_weight"] > in_use["lexical_weight"]
    out, errors = inside.run("tune")
    assert errors == ""
    assert yaml.safe_load(out) == {"scoring": found["proposed"]}
    RetrieverConfig.model_validate(yaml.safe_load(out))
    assert f"{found['after']:.3f}" in out
    target = inside.root.parent / "proposal.yaml"
    told, _ = inside.run("tune", "--out", str(target))
    assert target.read_text("utf-8") == out
    assert str(target) in told
    _, errors = inside.run("tune", "--out", str(target), code=2)
    assert "is there already" in errors
    assert fingerprint(inside.root) == before
    folder = inside.root / ".mindnet"
    folder.mkdir()
    (folder / "retriever.yaml").write_text(out)
    assert inside.json("tune", code=1)["proposed"] == {}


def test_nothing_to_propose(inside: Inside) -> None:
    remembered(inside, history(1, 90, by_truth, Scoring().model_dump()))
    out, _ = inside.run("tune", code=1)
    assert out.startswith("nothing to propose: ")


def remembered(inside: Inside, entries: list[HistoryEntry]) -> None:
    """Put entries into the files, with what was said of them."""
    kept = History(inside.data)
    for entry in reversed(entries):
        kept._history.append(entry.model_dump(exclude={"feedback"}))
        for rating in entry.feedback:
            kept._feedback.append(rating.model_dump())
