"""The program `mindnet` as a person or a script runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.service.endpoint import ENDPOINT_FILE
from core.version import __version__
from tests.cli.shell import TIMEOUT, Shell
from tests.support.cores import fingerprint, write_vault
from tests.support.waiting import wait_for


def test_help_and_version(shell: Shell) -> None:
    out, _ = shell.run("--help")
    for command in ("import", "query", "graph", "status", "serve"):
        assert re.search(rf"\b{command}\b", out)
    assert shell.run(code=2)[0].strip() == out.strip()
    assert shell.run("--version") == (f"mindnet {__version__}\n", "")
    out, _ = shell.run("import", "--help")
    for option in ("--apply", "--full", "--vault", "--prefix", "--json", "--sync-deletes"):
        assert option in out


def test_from_nothing_to_an_answer(shell: Shell) -> None:
    """Without a core: dry run, import, second time, query, status, a deleted note."""
    before = fingerprint(shell.root)
    _, errors = shell.run("query", "reeds", code=2)
    assert errors.splitlines() == [
        "mindnet: this vault is not indexed. "
        "Ask again in a moment, or run `mindnet import --apply`."
    ]
    out, errors = shell.run("import")
    assert (out.splitlines()[0], errors) == ("2 notes would be written, 0 would be deleted", "")
    dry = shell.json("import")
    assert (dry["applied"], dry["changed"], dry["notes"]) == (False, 2, 0)
    done = shell.json("import", "--apply")
    assert (done["applied"], done["changed"], done["notes"], done["failed"]) == (True, 2, 2, [])
    again = shell.json("import", "--apply", "--purge-before-upsert", "--sync-deletes")
    assert (again["changed"], again["deleted"], again["embedded"]) == (0, 0, 0)
    assert (again["notes"], again["chunks"], again["edges"]) == (2, done["chunks"], done["edges"])
    assert shell.json("import", "--apply", "--full")["changed"] == 2
    out, errors = shell.run("query", "reeds")
    assert errors == "(searched by words alone: there is no embedding model)\n"
    assert re.match(r" 1\. \d\.\d{3}  Heron  \[\w+\]  heron\.md:\d+\n", out)
    out, errors = shell.run("query", "xylophone", code=1)
    assert out == ""
    status = shell.json("status")
    assert (status["notes"], status["vault"]) == (2, str(shell.root))
    assert f"vault      {shell.root}\n" in shell.run("status")[0]
    assert fingerprint(shell.root) == before
    (shell.root / "otter.md").unlink()
    assert shell.json("import")["deleted"] == 1
    assert shell.json("import", "--apply")["notes"] == 1


def test_graph(shell: Shell) -> None:
    """By file, id and title; in each format; also of the whole vault."""
    shell.run("import", "--apply")
    for name in ("heron.md", "heron", "Heron"):
        found = shell.json("graph", name)
        assert [node["path"] for node in found["nodes"]] == ["heron.md", "otter.md"]
    text, _ = shell.run("graph", "heron.md")
    assert text.splitlines()[1] == "    references → Otter"
    ids = [node["id"] for node in found["nodes"]]
    dot, _ = shell.run("graph", "heron", "--format", "dot")
    assert f'"{ids[0]}" -> "{ids[1]}" [label="references"];' in dot
    mermaid, _ = shell.run("graph", "heron", "--format", "mermaid")
    assert '  n0 -->|"references"| n1' in mermaid.splitlines()
    graphml, _ = shell.run("graph", "--format", "graphml", "--limit", "1")
    nodes = ElementTree.fromstring(graphml).findall(".//{*}node")
    assert len(nodes) == 1
    assert shell.run("graph", "heron", "--kind", "blocks", code=1)[0].startswith("Heron")
    _, errors = shell.run("graph", "herron", code=2)
    assert errors == "mindnet: no note is called 'herron'. Nearest: heron.md.\n"


def test_the_same_through_a_running_core(shell: Shell) -> None:
    core = shell.serve()
    assert shell.json("import", "--apply")["changed"] == 0
    write_vault(shell.root, dipper="# Dipper\n\nUnder the bridge.")
    assert shell.json("import")["changed"] == 1
    assert shell.json("import", "--apply")["notes"] == 3
    hits = json.loads(shell.run("query", "bridge", "--json")[0])["hits"]
    assert [hit["path"] for hit in hits] == ["dipper.md"]
    parts = hits[0]["score_breakdown"]
    terms = ("semantic", "lexical", "edge_bonus", "centrality")
    assert abs(sum(parts[term] for term in terms) - hits[0]["score"]) < 1e-6
    shell.run("query", "xylophone", code=1)
    _, errors = shell.run("serve", code=2)
    assert errors.splitlines()[-1].startswith("mindnet: another mindnet core serves this vault")
    core.send_signal(signal.SIGINT)
    _, errors = core.communicate(timeout=TIMEOUT)
    assert core.returncode == 0
    assert "Traceback" not in errors
    assert not (shell.data / ENDPOINT_FILE).exists()


def test_a_core_with_other_settings_is_not_asked_as_if_it_had_ours(shell: Shell) -> None:
    core = shell.serve()
    for command in (
        ("import", "--apply"),
        ("query", "reeds"),
        ("check",),
        ("reset", "--mode=ensure"),
    ):
        out, errors = shell.run(*command, "--prefix", "second", code=2)
        assert out == ""
        assert errors == (
            "mindnet: the core that serves this vault has other settings "
            "(prefix: mindnet ≠ second). "
            f"Close the editors that have the vault open or end process {core.pid}, then run it "
            "again; or use the same settings.\n"
        )
    shell.run("query", "reeds", "--prefix", "mindnet")
    found = shell.json("doctor", "--prefix", "second", code=1)["parts"]
    (wrong,) = [one for one in found if one["state"] == "wrong"]
    assert (wrong["part"], "prefix: mindnet ≠ second" in wrong["message"]) == (
        "core settings",
        True,
    )
    core.terminate()
    core.communicate(timeout=TIMEOUT)
    assert shell.json("import", "--apply", "--prefix", "second")["changed"] == 2


def test_a_core_that_was_killed_is_no_obstacle(shell: Shell) -> None:
    core = shell.serve()
    core.kill()
    core.communicate()
    assert (shell.data / ENDPOINT_FILE).exists()
    assert shell.json("status")["notes"] == 2
    assert shell.json("import", "--apply")["changed"] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("import", "--vault", "nowhere"), "nowhere is not a folder"),
        (("query",), "Missing argument 'TEXT'"),
        (("query", " "), "query: is empty"),
        (("query", "x", "--top", "0"), "'--top'"),
        (("query", "x", "--mode", "magic"), "'--mode'"),
        (("import", "--prefix", "a/b"), "mindnet.prefix"),
        (("fly",), "No such command 'fly'"),
    ],
)
def test_wrong_usage_is_one_clear_line(shell: Shell, arguments: tuple[str, ...], said: str) -> None:
    code = 0 if "--prefix" in arguments else 2
    write_vault(shell.root)
    if arguments[-1] == " ":
        shell.run("import", "--apply")
    _, errors = shell.run(*arguments, code=code)
    assert said.lower() in errors.lower()
    assert errors.startswith("mindnet: ")
    assert errors.count("\n") == 1


def test_the_vault_is_the_nearest_marked_folder(shell: Shell) -> None:
    inner = shell.root / "birds" / "water"
    inner.mkdir(parents=True)
    out, _ = shell.run("status", "--json", cwd=inner)
    assert json.loads(out)["vault"] == str(shell.root)
    out, _ = shell.run("status", "--json", "--vault", str(inner))
    assert json.loads(out)["vault"] == str(inner)


def test_a_data_folder_that_cannot_be_written(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    for command in (("import", "--apply"), ("status",), ("query", "x"), ("serve",)):
        _, errors = shell.run(*command, code=2)
        assert "mindnet: the index cannot be written: " in errors.splitlines()[-1]


def test_a_reader_that_goes_away(shell: Shell) -> None:
    """`mindnet status --json | true`."""
    read, write = os.pipe()
    os.close(read)
    process = subprocess.Popen(
        [sys.executable, "-m", "core.cli", "status", "--json"],
        stdout=write,
        stderr=subprocess.PIPE,
        cwd=shell.root,
        env=shell.environ,
    )
    os.close(write)
    try:
        _, errors = process.communicate(timeout=TIMEOUT)
    finally:
        process.kill()
    assert (process.returncode, errors) == (0, b"")


def names_below(folder: Path) -> set[str]:
    """Unlike `rglob`, `os.walk` minds no file that vanishes while it looks."""
    return {name for _, _, names in os.walk(folder) for name in names}


@pytest.mark.parametrize("served", [False, True])
def test_an_interrupt_ends_an_import(shell: Shell, served: bool) -> None:
    """And the next one goes on where it ended."""
    core = shell.serve() if served else None
    write_vault(shell.root, 500)
    process = shell.start("import", "--apply", "--full")
    if core is None:
        wait_for(lambda: "open-1" in names_below(shell.data), TIMEOUT, "the first write")
    else:
        wait_for(lambda: shell.json("status")["index"]["state"] == "indexing", TIMEOUT)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, errors = process.communicate(timeout=TIMEOUT)
    assert time.monotonic() - began < 10
    assert (process.returncode, errors) == (130, "mindnet: interrupted; run it again to go on\n")
    result = shell.json("import", "--apply")
    assert (result["notes"], result["failed"]) == (502, [])
    assert shell.json("import", "--apply")["changed"] == 0
