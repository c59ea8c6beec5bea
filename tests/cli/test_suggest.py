"""`mindnet suggest` and `mindnet related`."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_suggest_dismiss_and_restore(shell: Shell) -> None:
    (shell.root / "pond.md").write_text("# Pond\n\nThe heron and the otter meet here.\n")
    shell.run("import", "--apply")
    out, errors = shell.run("suggest", "Pond")
    assert errors == ""
    assert "Heron  [references]  heron.md\n    [[heron]]\n" in out
    assert "line 3 names “Heron” as “heron”" in out
    (field, _) = shell.json("suggest", "pond.md", "--form", "field")["suggestions"]
    assert (field["form"], field["new_text"]) == ("field", "\n\nreferences:: [[heron]]")
    assert shell.json("suggest", "pond.md", "--top", "1")["suggestions"][0]["path"] == "heron.md"
    out, _ = shell.run("suggest", "pond.md", "--dismiss", "Heron")
    assert out == "Pond → Heron\n"
    assert shell.run("suggest", "--dismissed")[0] == out
    left = shell.json("suggest", "pond.md")["suggestions"]
    assert [one["path"] for one in left] == ["otter.md"]
    assert shell.run("suggest", "pond.md", "--restore", "Heron")[0] == "nothing is dismissed\n"
    _, errors = shell.run("suggest", code=2)
    assert errors == "mindnet: no note is named. Name a file, a note id or a title.\n"
    out, _ = shell.run("related", "Heron", "-n", "1")
    assert out.splitlines()[0].startswith(" 1. 0.")
    assert "· is linked here" in out or "· also contains “heron”" in out
