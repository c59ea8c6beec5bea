"""dryrun, reset, check, export, compare and doctor as a person or a script runs them."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from core.check.shapes import NAMES
from core.paths import store_dir
from core.service.lifecycle import vault_lock
from tests.cli.shell import TIMEOUT, Shell
from tests.support.cores import fingerprint

ODD = b"\xef\xbb\xbf# Odd\r\n\r\nBytes \xff and \0.\r\n"


def files_of(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.md")}


@pytest.mark.parametrize("served", [False, True])
def test_check_and_round_trip(shell: Shell, tmp_path: Path, served: bool) -> None:
    """Without a core and through one that runs: the same answers."""
    (shell.root / "🚢 Größe.md").write_bytes(ODD)
    before = fingerprint(shell.root)
    shell.run("import", "--apply")
    core = shell.serve() if served else None
    found = shell.json("check")
    assert (found["notes"], found["findings"], found["checks"]) == (3, [], list(NAMES))
    assert {fact["name"] for fact in found["facts"]} >= {"window_differs", "indexes", "same"}
    out, errors = shell.run("check", "edges", "hashes")
    assert "hashes: 3 notes are as their files say\n" in out
    assert errors.startswith("3 notes, ")
    copy = tmp_path / "copy"
    done = shell.json("export", "--out", str(copy))
    assert (done["written"], done["same"], done["refused"], done["attachments"]) == (
        3,
        0,
        [],
        False,
    )
    assert files_of(copy) == files_of(shell.root)
    assert shell.run("compare", str(shell.root), str(copy))[0].endswith("are the same: OK\n")
    assert shell.json("compare", str(copy))["ok"] is True
    assert shell.json("export", "--out", str(copy))["same"] == 3
    assert fingerprint(shell.root) == before

    (copy / "heron.md").write_text("mine\n")
    (copy / "otter.md").unlink()
    _, errors = shell.run("export", "--out", str(copy), code=2)
    assert "mindnet: heron.md: another file is there; left alone" in errors.splitlines()
    assert (copy / "heron.md").read_text() == "mine\n"
    assert (copy / "otter.md").read_bytes() == (shell.root / "otter.md").read_bytes()
    out, _ = shell.run("compare", str(shell.root), str(copy), code=1)
    first = out.splitlines()[0]
    assert first == "heron.md: differs from line 1 on (byte 1); another hash"
    (one,) = shell.json("compare", str(copy), code=1)["differences"]
    assert (one["path"], one["reason"], one["line"]) == ("heron.md", "content", 1)
    _, errors = shell.run("export", "--out", str(shell.root / "copy"), code=2)
    assert errors.endswith("is in the vault. Name a folder outside of it.\n")

    if core is not None:
        _, errors = shell.run("reset", "--mode", "wipe", "--yes", code=2)
        assert errors.startswith("mindnet: a core serves this vault just now. Close the editors")
        assert shell.json("reset", "--mode", "ensure")["state"] == "in use"
        assert "✓ core" in shell.run("doctor")[0]
        core.send_signal(signal.SIGINT)
        assert core.wait(TIMEOUT) == 0


def test_check_names_what_is_wrong(shell: Shell) -> None:
    _, errors = shell.run("check", code=2)
    assert errors == "mindnet: this vault is not indexed. Run `mindnet import --apply`.\n"
    assert not shell.data.exists()
    shell.run("import", "--apply")
    (shell.root / "heron.md").write_text("# Heron\n\nIt has flown.\n")
    (shell.root / "otter.md").unlink()
    (shell.root / "new.md").write_text("new")
    out, errors = shell.run("check", "hashes", code=1)
    assert out.splitlines()[:3] == [
        "heron.md: its hash is not that of its file; run `mindnet import --apply` "
        "[hashes/hash-differs]",
        "otter.md: otter.md cannot be read: No such file or directory; "
        "run `mindnet import --apply` [hashes/no-file]",
        "new.md: it is not in the index; run `mindnet import --apply` [hashes/no-record]",
    ]
    assert ": 3 findings in" in errors
    found = shell.json("check", "all", code=1)
    codes = {one["code"] for one in found["findings"]}
    assert codes == {"hash-differs", "no-file", "no-record", "text-differs"}
    shell.run("import", "--apply")
    assert shell.json("check")["findings"] == []


def test_dryrun(shell: Shell) -> None:
    before = fingerprint(shell.root)
    out, errors = shell.run("dryrun")
    assert errors == ""
    lines = [json.loads(line) for line in out.splitlines()]
    assert [one["payload"]["path"] for one in lines if one["kind"] == "note"] == [
        "heron.md",
        "otter.md",
    ]
    assert shell.run("dryrun")[0] == out
    assert not shell.data.exists()
    assert fingerprint(shell.root) == before
    out, _ = shell.run("dryrun", "Otter", "--explain", "--json")
    first = json.loads(out.splitlines()[0])
    assert first["effective"]["title"] == {
        "value": "Otter",
        "source": "heading",
        "file": "otter.md",
        "line": 1,
    }
    _, errors = shell.run("dryrun", "oter", code=2)
    assert errors == "mindnet: no note is called 'oter'. Nearest: otter.md.\n"
    (shell.root / "locked.md").mkdir()
    assert shell.run("dryrun")[1] == ""


def test_a_terminal_that_cannot_show_everything(shell: Shell) -> None:
    shell.environ["PYTHONIOENCODING"] = "latin-1"
    process = subprocess.run(
        [sys.executable, "-m", "core.cli", "doctor"],
        capture_output=True,
        cwd=shell.root,
        env=shell.environ,
        timeout=TIMEOUT,
    )
    assert process.returncode == 0
    assert b"? vault" in process.stdout


def test_what_counts_as_a_change_comes_from_the_environment(shell: Shell) -> None:
    shell.run("import", "--apply")
    assert shell.json("import")["changed"] == 0
    shell.environ["MINDNET_HASH_COMPARE"] = "body"
    assert shell.json("import")["changed"] == 2
    out, _ = shell.run("dryrun", "otter")
    assert json.loads(out.splitlines()[0])["payload"]["hash_signature"].startswith("body:")


def test_reset(shell: Shell) -> None:
    before = fingerprint(shell.root)
    assert shell.json("reset", "--mode", "ensure")["state"] == "new"
    assert shell.json("check", "schema")["findings"] == []
    shell.run("import", "--apply")
    assert shell.json("reset", "--mode", "ensure")["state"] == "ready"
    assert shell.json("status")["notes"] == 2
    _, errors = shell.run("reset", "--mode", "wipe", code=2)
    assert errors == "mindnet: a wipe wants to be confirmed. Say --yes.\n"
    assert shell.json("status")["notes"] == 2
    assert shell.json("reset", "--mode", "wipe", "--prefix", "other", "--yes")["dropped"] is False
    assert shell.json("status")["notes"] == 2
    assert shell.json("reset", "--mode", "wipe", "--yes")["dropped"] is True
    store = store_dir(shell.data, None) / "mindnet"
    assert [path.name for path in store.iterdir() if path.is_dir()] == []
    shell.run("check", code=2)
    assert shell.json("import", "--apply")["changed"] == 2
    assert shell.json("check")["findings"] == []
    assert fingerprint(shell.root) == before
    _, errors = shell.run("reset", code=2)
    assert "'--mode'" in errors
    with vault_lock(shell.data):
        _, errors = shell.run("reset", "--mode", "wipe", "--yes", code=2)
        assert errors.startswith("mindnet: another mindnet core serves this vault already")
    assert shell.json("status")["notes"] == 2


def test_a_wipe_asks_on_a_terminal(shell: Shell) -> None:
    shell.run("import", "--apply")
    assert "Drop mindnet_notes" in on_terminal(
        shell, "reset", "--mode", "wipe", answer=b"n\n", code=2
    )
    assert shell.json("status")["notes"] == 2
    on_terminal(shell, "reset", "--mode", "wipe", answer=b"y\n")
    shell.run("check", code=2)


def test_progress_on_a_terminal_only(shell: Shell) -> None:
    shown = on_terminal(shell, "import", "--apply")
    assert "writing" in shown
    assert shown.rstrip().endswith("edges")
    assert shell.run("import", "--apply", "--full")[1] == ""
    assert "checking" in on_terminal(shell, "check")


def on_terminal(shell: Shell, *arguments: str, answer: bytes = b"", code: int = 0) -> str:
    """What a terminal shows of a command."""
    here, there = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "core.cli", *arguments],
        stdin=there,
        stdout=there,
        stderr=there,
        cwd=shell.root,
        env=shell.environ | {"TERM": "xterm"},
    )
    os.close(there)
    shown, deadline = b"", time.monotonic() + TIMEOUT
    try:
        os.write(here, answer)
        with suppress(OSError):  # the other end is closed
            while time.monotonic() < deadline:
                if select.select([here], [], [], 1.0)[0]:
                    shown += os.read(here, 4096)
        assert process.wait(TIMEOUT) == code, shown.decode()
    finally:
        process.kill()
        process.wait()
        os.close(here)
    return shown.decode()


def parts(shell: Shell, code: int = 0) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for one in shell.json("doctor", code=code)["parts"]:
        assert one["hint"] or one["state"] != "wrong"
        found.setdefault(one["part"], []).append((one["state"], one["message"]))
    return found


def test_doctor(shell: Shell, tmp_path: Path) -> None:
    before = fingerprint(shell.root)
    shell.environ["MINDNET_OLLAMA_URL"] = "http://127.0.0.1:9"
    config = tmp_path / "config"
    config.mkdir()
    shell.environ["MINDNET_CONFIG_DIR"] = str(config)
    (config / "settings.yaml").write_text("llm:\n  enabled: false\nhover:\n  max_backlinks: many\n")
    (config / ".env").write_text("# mine\nMINDNET_LLM_TIMEOUT=soon\n")
    found = parts(shell, 1)
    assert found["vault"] == [("ok", f"{shell.root}, 2 notes, 0 other files")]
    assert [state for state, _ in found["index"]] == ["off"]
    assert not shell.data.exists()
    told = "\n".join(message for _, message in found["settings"])
    assert f"{config / 'settings.yaml'}:4: mindnet.hover.max_backlinks: " in told
    assert f"{config / '.env'}:2: mindnet.llm.timeout: " in told
    assert found["llm"] == [("off", "switched off in the settings")]

    (config / ".env").unlink()
    (config / "settings.yaml").unlink()
    (shell.root / ".mindnet").mkdir()
    (shell.root / ".mindnet" / "types.yaml").write_text(
        "types:\n  task:\n    chunk_profile: huge\n"
    )
    shell.run("import", "--apply")
    found = parts(shell, 1)
    (problem,) = found["settings"]
    assert problem[0] == "wrong"
    assert "types.yaml:3: types.task.chunk_profile: " in problem[1]
    assert found["index"][0][0] == "ok"
    assert found["index"][0][1].startswith("2 notes, ")
    assert found["embedding"][0][0] == "off"
    assert found["llm"] == [("wrong", "no Ollama at http://127.0.0.1:9 (ConnectError)")]
    (shell.root / ".mindnet" / "types.yaml").unlink()

    shell.environ["MINDNET_OLLAMA_URL"] = "http://192.0.2.1:11434"
    assert parts(shell)["llm"] == [
        ("off", "http://192.0.2.1:11434 is not this machine; it was not asked")
    ]
    with vault_lock(shell.data):
        assert parts(shell, 1)["index"][0][0] == "wrong"
    shell.environ["MINDNET_EMBEDDING_PROVIDER"] = "bundled"
    found = parts(shell, 1)
    assert found["embedding"][0][0] == "ok"
    assert "has to be built anew" in found["index"][0][1]
    (shell.root / ".mindnet").rmdir()
    assert fingerprint(shell.root).keys() == before.keys()


def test_doctor_and_a_data_folder_that_cannot_be_written(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    out, errors = shell.run("doctor", code=1)
    assert "✗ data folder " in out
    assert errors == "1 to mend\n"
