"""Links that are written mean what they should."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from core.features.linktext import heading_anchors, markdown_target, wikilink_target, yaml_value
from core.parse import parse_note
from core.vault.index import VaultIndex
from core.vault.resolve import find_heading

_TEXTS = (
    "Log",
    "log",
    "`Log`",
    "(Log)",
    "Über #1",
    "A | B",
    "A B",
    "...",
    "§ 1",
    "§ 2",
    "[x](y.md)",
)


@pytest.mark.parametrize("seed", range(20))
def test_heading_anchors_agree_with_resolution(seed: int) -> None:
    chance = random.Random(seed)
    lines = [f"{'#' * chance.randint(1, 4)} {chance.choice(_TEXTS)}\n\n" for _ in range(40)]
    note = parse_note("n.md", "".join(lines))
    anchors = {heading.start: anchor for heading, anchor in heading_anchors(note)}
    assert anchors
    for heading in note.headings:
        if heading.start in anchors:
            assert find_heading(note, anchors[heading.start]) is heading


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("b/Pump House.md", "a/c.md", "../b/Pump%20House.md"),
        ("Pump.md", "c.md", "Pump.md"),
        ("a/Pump.md", "a/c.md", "Pump.md"),
        ("Pump_(old).md", "c.md", "Pump_(old).md"),
        ("Pump_(old.md", "c.md", "Pump_%28old.md"),
        ("100% done.md", "c.md", "100%25%20done.md"),
        ("C# tips?.md", "c.md", "C%23%20tips%3F.md"),
        ("Übung 港.md", "c.md", "Übung%20港.md"),
        ("a\u00a0b.md", "c.md", "a%C2%A0b.md"),
        ("Plan: B.md", "c.md", "Plan%3A%20B.md"),
    ],
)
def test_markdown_target(path: str, source: str, expected: str) -> None:
    assert markdown_target(path, source) == expected
    angles = markdown_target(path, source, in_angles=True)
    for written in (expected, f"<{angles}>"):
        index = VaultIndex.build([parse_note(path, ""), parse_note(source, f"[x]({written})")])
        assert index.targets(source) == (path,), written


@pytest.mark.parametrize(
    ("path", "others", "expected"),
    [
        ("x/Intro.md", [], "Intro"),
        ("x/Intro.md", ["y/Intro.md"], "x/Intro"),
        ("a/x/Intro.md", ["b/x/Intro.md"], "a/x/Intro"),
        ("Intro.md", ["x/Intro.md"], "Intro"),
        ("v1.2 plan.md", [], "v1.2 plan"),
    ],
)
def test_wikilink_target(path: str, others: list[str], expected: str) -> None:
    source = "z/s.md"
    notes = [parse_note(name, "") for name in (path, *others)]
    index = VaultIndex.build([*notes, parse_note(source, f"[[{expected}]]")])
    assert wikilink_target(index, path, source) == expected
    assert index.targets(source) == (path,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        ('say "x"', '"say \\"x\\""'),
        ("-x", '"-x"'),
        ("", '""'),
    ],
)
def test_yaml_value(text: str, expected: str) -> None:
    assert yaml_value(text) == expected


def test_the_folder_of_the_process_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that is gone: an editor may have been started anywhere."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert markdown_target("b/x.md", "a/c.md") == "../b/x.md"
    assert markdown_target("x.md", "c.md") == "x.md"
