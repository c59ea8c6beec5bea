"""`mindnet lint` and `mindnet resolve`."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.cli.shell import REPOSITORY, Shell
from tests.support.cores import fingerprint
from tests.support.fixture import parse_fixture
from tests.support.sarif import check_sarif

SHARED = REPOSITORY.parent / "shared" / "vaults"

VAULT = """\
//- /start.md
🚢 [[Gone]] and [[heron]]
//- /ordner/Größe.md
---
type: thougth
---
[[Gone]] [[heron#Nest]]
//- /typed.md
---
type: task
---
"""


@pytest.fixture
def faulty(shell: Shell) -> Shell:
    parse_fixture(VAULT).write(shell.root)
    return shell


def test_text(faulty: Shell) -> None:
    before = fingerprint(faulty.root)
    out, errors = faulty.run("lint", code=1)
    assert out.splitlines() == [
        "ordner/Größe.md:2:7: hint: Unknown type “thougth”; did you mean thought? [unknown-type]",
        "ordner/Größe.md:4:3: warning: No note is called “Gone” [unresolved-link]",
        "ordner/Größe.md:4:18: warning: “Heron” has no heading “Nest” [unresolved-heading]",
        "start.md:1:5: warning: No note is called “Gone” [unresolved-link]",
    ]
    assert errors == "5 notes, 3 warnings, 1 hint\n"
    assert fingerprint(faulty.root) == before
    assert not faulty.data.exists()


def test_what_the_exit_code_says(faulty: Shell) -> None:
    faulty.run("lint", "heron.md")
    faulty.run("lint", "--fail-on", "error")
    (faulty.root / "start.md").unlink()
    (faulty.root / "ordner" / "Größe.md").write_text("---\ntype: thougth\n---\n")
    faulty.run("lint")
    faulty.run("lint", "--fail-on", "hint", code=1)


def test_chosen_notes(faulty: Shell) -> None:
    found = faulty.json("lint", "ordner", "heron.md", code=1)
    assert found["notes"] == 2
    assert {one["path"] for one in found["findings"]} == {"ordner/Größe.md"}
    first = found["findings"][0]
    assert (first["line"], first["column"], first["end_line"], first["end_column"]) == (2, 7, 2, 14)
    inner, _ = faulty.run("lint", "Größe.md", cwd=faulty.root / "ordner", code=1)
    assert len(inner.splitlines()) == 3
    _, errors = faulty.run("lint", "nothing.md", code=2)
    assert errors == "mindnet: nothing.md is no note and holds none\n"
    _, errors = faulty.run("lint", "..", code=2)
    assert "is not in the vault" in errors


def test_german_and_settings(faulty: Shell) -> None:
    faulty.environ |= {"LANG": "de_DE.UTF-8"}
    out, _ = faulty.run("lint", "start.md", code=1)
    assert "Keine Notiz heißt" in out


def test_sarif(faulty: Shell) -> None:
    """What the standard asks of a file, also where names have to be encoded."""
    for name in ("50 % [x]/#1: Kür.md", "b.md"):
        (faulty.root / name).parent.mkdir(exist_ok=True)
        (faulty.root / name).write_text("---\nid: twice\n---\n[[Gone]]\n")
    out, _ = faulty.run("lint", "--format", "sarif", code=1)
    (run,) = check_sarif(out)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["duplicate-id", "unknown-type", "unresolved-heading", "unresolved-link"]
    files = {
        place["physicalLocation"]["artifactLocation"]["uri"]
        for result in run["results"]
        for place in (*result["locations"], *result.get("relatedLocations", ()))
    }
    assert {unquote(uri) for uri in files} == {
        "50 % [x]/#1: Kür.md",
        "b.md",
        "ordner/Größe.md",
        "start.md",
    }
    twice = [one for one in run["results"] if one["ruleId"] == "duplicate-id"]
    assert all(one["level"] == "error" and one["relatedLocations"] for one in twice)
    (link,) = [one for one in run["results"] if _uri(one) == "start.md"]
    region = link["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 9}


def _uri(result: dict[str, Any]) -> Any:
    return result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]


def test_resolve(faulty: Shell) -> None:
    (faulty.root / "Gome.md").write_text("# Gome\n")
    out, errors = faulty.run("resolve", code=1)
    assert out.splitlines() == [
        "Gone  (2 ×)  nearest: Gome.md",
        "    ordner/Größe.md:4",
        "    start.md:1",
    ]
    assert errors == ""
    faulty.run("import", "--apply")
    (faulty.root / "Gone.md").write_text("# Gone\n")
    assert faulty.json("resolve", "--apply") == {"healed": 2, "unresolved": []}


FAULTLESS = [found for found in (SHARED / "tasks-docs", SHARED / "gesetze") if found.is_dir()]

if FAULTLESS:

    @pytest.mark.parametrize("vault", FAULTLESS)
    def test_vaults_without_a_fault(shell: Shell, vault: Path) -> None:
        chosen = ("--vault", str(vault), "--fail-on", "hint", "--format", "sarif")
        (run,) = check_sarif(shell.run("lint", *chosen)[0])["runs"]
        assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])
