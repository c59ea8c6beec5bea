"""From the first message to the exit code, with clients that behave and clients that do not."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from core.version import __version__
from tests.e2e.editor import environment
from tests.e2e.raw import TIMEOUT, RawServer
from tests.e2e.test_sync import vault
from tests.support.waiting import wait_for

pytestmark = pytest.mark.e2e

HOVER = {"textDocument": {"uri": "file:///none.md"}, "position": {"line": 0, "character": 0}}


def test_exit_after_shutdown_is_0(tmp_path: Path) -> None:
    with RawServer(tmp_path) as server:
        server.initialize()
        assert server.ask("shutdown")["result"] is None
        server.send("exit", request=False)
        assert server.wait() == 0


def test_exit_without_shutdown_is_1(tmp_path: Path) -> None:
    with RawServer(tmp_path) as server:
        server.initialize()
        server.send("exit", request=False)
        assert server.wait() == 1


def test_the_end_of_the_input_ends_the_server(tmp_path: Path) -> None:
    with RawServer(tmp_path) as server:
        server.initialize(vault(tmp_path, a="[[b]]"))
        server.writer.close()
        assert server.wait() == 1


def test_requests_in_the_wrong_order_are_refused(tmp_path: Path) -> None:
    with RawServer(tmp_path) as server:
        assert server.ask("textDocument/hover", HOVER)["error"]["code"] == -32002
        server.initialize()
        again = server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert again["error"]["code"] == -32600
        server.ask("shutdown")
        assert server.ask("textDocument/hover", HOVER)["error"]["code"] == -32600
        server.send("exit", request=False)
        assert server.wait() == 0


def test_a_dead_client_whose_pipe_stays_open(tmp_path: Path) -> None:
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with RawServer(tmp_path) as server:
        server.initialize(processId=client.pid)
        client.kill()
        client.communicate()
        assert server.wait() == 1


def test_nothing_but_protocol_on_stdout(tmp_path: Path) -> None:
    """Prints of ours, of a library below Python and of a child process go to stderr."""
    program = (
        "import os, sys, subprocess\n"
        "from mindnet_lsp import __main__, server\n"
        "make = server.create_server\n"
        "def noisy():\n"
        "    found = make()\n"
        "    @found.feature('test/fold')\n"
        "    def fold(ls, params):\n"
        "        print('printed', flush=True)\n"
        "        os.write(1, b'written')\n"
        "        subprocess.run([sys.executable, '-c', 'print(1234)'], check=True)\n"
        "        return []\n"
        "    return found\n"
        "server.create_server = noisy\n"
        "sys.exit(__main__.main([]))\n"
    )
    with RawServer(tmp_path, program=("-c", program)) as server:
        server.initialize()
        params = {"textDocument": HOVER["textDocument"]}
        assert server.ask("test/fold", params)["result"] == []
        server.ask("shutdown")
        server.send("exit", request=False)
        rest, errors = server.process.communicate(timeout=TIMEOUT)
        assert rest == b""
        for text in (b"printed", b"written", b"1234"):
            assert text in errors


def test_an_internal_error_shows_nothing_of_a_note(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from mindnet_lsp import __main__, server\n"
        "make = server.create_server\n"
        "def broken():\n"
        "    found = make()\n"
        "    @found.feature('test/fold')\n"
        "    def fold(ls, params):\n"
        "        raise KeyError('secret text')\n"
        "    return found\n"
        "server.create_server = broken\n"
        "sys.exit(__main__.main([]))\n"
    )
    with RawServer(tmp_path, program=("-c", program)) as server:
        server.initialize()
        error = server.ask("test/fold", {"textDocument": {"uri": "file:///a"}})
        assert error["error"]["code"] == -32603
        assert "secret" not in json.dumps(error)
        server.ask("shutdown")
        server.send("exit", request=False)
        _, errors = server.process.communicate(timeout=TIMEOUT)
        assert b"KeyError" in errors
        assert b"secret" not in errors


def test_a_vault_runs_none_of_its_code(tmp_path: Path) -> None:
    root = vault(tmp_path, a="# A\n")
    evil = "import pathlib; pathlib.Path(__file__).with_name('ran').touch()\n"
    for name in ("yaml.py", "msgspec.py", "argparse.py", "logging.py", "sitecustomize.py"):
        (root / name).write_text(evil)
    for name in ("core", "mindnet_lsp"):
        (root / name).mkdir()
        (root / name / "__init__.py").write_text(evil)
    script = "from mindnet_lsp.__main__ import main; import sys; sys.exit(main())"
    # as the installed script does it: the working folder is not where modules come from
    with RawServer(tmp_path, cwd=root, program=("-P", "-c", script)) as server:
        server.initialize(root)
        server.ask("shutdown")
        server.send("exit", request=False)
        assert server.wait() == 0
    (root / "mindnet_lsp" / "__init__.py").unlink()
    (root / "mindnet_lsp").rmdir()
    with RawServer(tmp_path, cwd=root) as server:
        server.initialize(root)
        server.ask("shutdown")
        server.send("exit", request=False)
        assert server.wait() == 0
    assert not list(root.rglob("ran"))


def test_version_and_help(tmp_path: Path) -> None:
    def run(option: str) -> str:
        command = [sys.executable, "-m", "mindnet_lsp", option]
        return subprocess.run(
            command, env=environment(tmp_path), check=True, capture_output=True, text=True
        ).stdout

    assert run("--version") == f"mindnet-lsp {__version__}\n"
    assert "--tcp" in run("--help")


def test_tcp(tmp_path: Path) -> None:
    with RawServer(tmp_path, ["--tcp", "--port", "0"]) as server:
        assert server.process.stderr
        line = server.process.stderr.readline().decode()
        found = re.search(r"127\.0\.0\.1:(\d+)", line)
        assert found, line
        with socket.create_connection(("127.0.0.1", int(found[1])), TIMEOUT) as connection:
            stream = connection.makefile("rwb")
            pipes = server.reader, server.writer
            server.reader, server.writer = stream, stream  # type: ignore[assignment]
            server.initialize()
            server.ask("shutdown")
            server.send("exit", request=False)
            assert server.wait() == 0
            stream.close()
            server.reader, server.writer = pipes


def test_a_log_file(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    with RawServer(tmp_path, ["--log-file", str(log), "--log-level", "warning"]) as server:
        server.initialize(tmp_path / "none")
        server.ask("shutdown")
        server.send("exit", request=False)
        server.wait()
    assert "is not a folder" in log.read_text()


def test_the_answer_to_initialize_waits_for_no_vault(tmp_path: Path) -> None:
    root = tmp_path / "slow"
    root.mkdir()
    # whoever reads this would wait for ever
    os.mkfifo(root / "note.md")
    with RawServer(tmp_path) as server:
        start = time.monotonic()
        server.initialize(root)
        assert time.monotonic() - start < 5
        server.ask("textDocument/hover", HOVER)


def open_alone(server: RawServer, path: Path, text: str) -> list[Any]:
    """Open a note and ask for its symbols and the target of a link at 2:5."""
    document = {"textDocument": {"uri": path.as_uri()}}
    server.open(path.as_uri(), text)
    symbols = server.ask("textDocument/documentSymbol", document)["result"]
    position = {"line": 2, "character": 5}
    target = server.ask("textDocument/definition", {**document, "position": position})["result"]
    return [[item["name"] for item in symbols], target and target[0]["range"]["start"]]


@pytest.mark.parametrize("case", ["root", "home", "parent of home", "none", "added"])
def test_ed_03_a_file_alone(tmp_path: Path, case: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "other.md").write_text("# Other\n")
    note = home / "note.md"
    roots = {"root": Path("/"), "home": home, "parent of home": tmp_path}
    with RawServer(tmp_path, ["--log-level", "warning"]) as server:
        if case == "added":
            server.initialize()
            event = {"added": [{"uri": home.as_uri(), "name": "home"}], "removed": []}
            server.send("workspace/didChangeWorkspaceFolders", {"event": event}, request=False)
        else:
            server.initialize(roots.get(case))
        text = "# Note\n\nSee [[#There]] [[other]]\n\n## There\n"
        found = open_alone(server, note, text)
        assert found == [["Note", "There"], {"line": 4, "character": 3}]
        position = {"line": 2, "character": 17}
        asked = {"textDocument": {"uri": note.as_uri()}, "position": position}
        assert server.ask("textDocument/definition", asked)["result"] is None
        server.ask("shutdown")
        server.send("exit", request=False)
        _, errors = server.process.communicate(timeout=TIMEOUT)
        assert errors.count(b"too broad") == (case != "none")


def test_ed_03_the_folder_counts_and_not_the_working_directory(tmp_path: Path) -> None:
    root = vault(tmp_path, a="[[b]]\n", b="# B\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "c.md").write_text("# C\n")
    with RawServer(tmp_path, cwd=elsewhere) as server:
        server.initialize(root)
        while (message := server.receive()).get("method") != "mindnet/status" or message["params"][
            "index"
        ]["state"] != "ready":
            pass
        assert message["params"]["notes"] == 2
        assert message["params"]["vault"] == str(root)


def test_ed_05_commands_with_bad_arguments(tmp_path: Path) -> None:
    with RawServer(tmp_path) as server:
        result = server.initialize()["result"]
        listed = result["capabilities"]["executeCommandProvider"]["commands"]
        assert all(name.startswith("mindnet.") for name in listed)
        unknown = server.ask("workspace/executeCommand", {"command": "mindnet.nope"})["error"]
        assert unknown == {"code": -32602, "message": "Unknown command: mindnet.nope"}
        for arguments in ([1], [{}, {}], ["x"], [{"create": 3}]):
            asked = {"command": "mindnet.applyCodeAction", "arguments": arguments}
            error = server.ask("workspace/executeCommand", asked)["error"]
            assert error["code"] == -32602
            assert "mindnet.applyCodeAction" in error["message"]


def test_no_command_writes_outside_the_vault_or_over_a_note(tmp_path: Path) -> None:
    root = vault(tmp_path, a="precious\n")
    with RawServer(tmp_path) as server:
        server.initialize(root)
        targets = [
            (tmp_path / "evil.md").as_uri(),
            f"{root.as_uri()}/../evil.md",
            f"{root.as_uri()}/%2E%2E/evil.md",
            (root / "a.md").as_uri(),
            (root / ".git" / "hooks" / "post-commit").as_uri(),
            (root / ".obsidian" / "x.md").as_uri(),
            (root / "script.sh").as_uri(),
        ]
        for uri in targets:
            asked = {
                "command": "mindnet.applyCodeAction",
                "arguments": [{"create": [{"uri": uri, "text": "evil"}]}],
            }
            assert server.ask("workspace/executeCommand", asked)["error"]["code"] == -32803
    assert (root / "a.md").read_text() == "precious\n"
    assert sorted(path.name for path in root.rglob("*")) == ["a.md"]
    assert not (tmp_path / "evil.md").exists()


def test_ed_06_a_client_without_any_capability(tmp_path: Path) -> None:
    root = vault(tmp_path, a="# A\n\n[[b]] [[Gone]]\n\n## Deep\n", b="# B\n")
    with RawServer(tmp_path) as server:
        server.initialize(root, rootUri=None)
        while (message := server.receive()).get("method") != "mindnet/status" or message["params"][
            "index"
        ]["state"] != "ready":
            assert message.get("method") not in (
                "workspace/configuration",
                "client/registerCapability",
                "window/workDoneProgress/create",
            )
        document = {"textDocument": {"uri": (root / "a.md").as_uri()}}
        server.open((root / "a.md").as_uri(), (root / "a.md").read_text())
        here = {**document, "position": {"line": 2, "character": 3}}

        target = server.ask("textDocument/definition", here)["result"]
        assert [set(item) for item in target] == [{"uri", "range"}]
        hover = server.ask("textDocument/hover", here)["result"]
        assert hover["contents"]["kind"] == "plaintext"
        listed = server.ask("textDocument/completion", here)["result"]
        assert all("insertTextFormat" not in item for item in listed["items"])
        symbols = server.ask("textDocument/documentSymbol", document)["result"]
        assert [(item["name"], item.get("containerName")) for item in symbols] == [
            ("A", None),
            ("Deep", "A"),
        ]
        assert all("location" in item for item in symbols)
        spot = {"line": 2, "character": 9}
        actions = server.ask(
            "textDocument/codeAction",
            {**document, "range": {"start": spot, "end": spot}, "context": {"diagnostics": []}},
        )["result"]
        assert actions
        assert all(isinstance(item["command"], str) for item in actions)
        create = next(item for item in actions if "create" in item["arguments"][0])
        asked = {"command": create["command"], "arguments": create["arguments"]}
        assert server.ask("workspace/executeCommand", asked)["result"] == {"applied": True}
        assert (root / "Gone.md").is_file()


def test_ed_07_a_burst_of_changes_and_cancelled_requests(tmp_path: Path) -> None:
    notes = {f"n{number}": f"# N {number}\n\n[[n{number + 1}]]\n" for number in range(3000)}
    root = vault(tmp_path, **notes)
    with RawServer(tmp_path) as server:
        server.initialize(root)
        paths = [root / f"n{number}.md" for number in range(12)]
        for path in paths:
            server.open(path.as_uri(), path.read_text())
        hovers: list[int] = []
        for step in range(40):
            path = paths[step % 12]
            document = {"uri": path.as_uri(), "version": step + 2}
            changes = [{"text": f"# N\n\n{'[[n2]] ' * (step + 1)}\n"}]
            changed = {"textDocument": document, "contentChanges": changes}
            server.send("textDocument/didChange", changed, request=False)
            if step < 30:
                asked = {"textDocument": {"uri": path.as_uri()}}
                asked["position"] = {"line": 2, "character": 3}
                hovers.append(server.send("textDocument/hover", asked))
                server.send("$/cancelRequest", {"id": hovers[-1]}, request=False)
        for number in hovers:
            found = server.answer(number)
            assert "result" in found or found["error"]["code"] == -32800
        start = time.monotonic()
        asked = {"textDocument": {"uri": paths[3].as_uri()}}
        asked["position"] = {"line": 2, "character": 3}
        assert server.ask("textDocument/hover", asked)["result"]
        assert time.monotonic() - start < 0.5
        start = time.monotonic()
        server.ask("shutdown")
        assert time.monotonic() - start < 1
        server.send("exit", request=False)
        assert server.wait() == 0


def test_a_killed_server_leaves_nothing_that_hinders_the_next(tmp_path: Path) -> None:
    root = vault(tmp_path, **{f"n{number}": "[[x]]\n" * 50 for number in range(300)})
    for _ in range(3):
        with RawServer(tmp_path) as server:
            server.initialize(root)
            server.process.send_signal(signal.SIGKILL)
            server.wait()
    with RawServer(tmp_path) as server:
        server.initialize(root)
        data = tmp_path / "data"
        wait_for(lambda: list(data.glob("vault-*/links.cache")), what="the cache")
        (folder,) = data.iterdir()
        assert folder.stat().st_mode & 0o077 == 0
