"""The generated vaults have the profile of public vaults, and the same bytes everywhere."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import yaml

from tests.bench.generate import generate
from tests.bench.profile import deviations, measure

GOLDEN = "19b21693575c361d74e06f3b28087051c1ed8b021518517c46835d42a7184f60"
"""Of 60 notes with seed 7: a change of it means that old and new timings differ in their vault."""


def digest(root: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(root.rglob("*.md"), key=lambda path: path.relative_to(root).as_posix()):
        total.update(path.relative_to(root).as_posix().encode())
        total.update(path.read_bytes())
    return total.hexdigest()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_thousand_notes_have_the_profile(tmp_path: Path, seed: int) -> None:
    written = generate(tmp_path / "vault", 1000, seed)
    profile = measure(tmp_path / "vault")
    assert deviations(profile) == []
    assert profile.notes == written.notes == 1000
    assert profile.bytes == written.bytes
    assert profile.links == written.links == pytest.approx(10_000, rel=0.03)
    assert profile.bytes == pytest.approx(3_000_000, rel=0.25)
    assert 1 <= profile.over_100_kb <= 5
    assert all(count > 20 for count in profile.forms.values()), profile.forms


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    generate(tmp_path / "a", 60, 7)
    generate(tmp_path / "b", 60, 7)
    generate(tmp_path / "c", 60, 8)
    assert digest(tmp_path / "a") == digest(tmp_path / "b") == GOLDEN
    assert digest(tmp_path / "c") != GOLDEN


def test_notes_are_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine")
    with pytest.raises(FileExistsError):
        generate(tmp_path, 60, 1)
    with pytest.raises(ValueError, match="at least 20"):
        generate(tmp_path / "new", 5, 1)


def test_all_frontmatter_is_valid(tmp_path: Path) -> None:
    generate(tmp_path / "vault", 400, 1)
    found = 0
    for path in (tmp_path / "vault").rglob("*.md"):
        text = path.read_text("utf-8")
        if text.startswith("---\n"):
            head = text[4:].partition("\n---\n")[0]
            keys = [line.partition(":")[0] for line in head.split("\n")]
            assert len(keys) == len(set(keys))
            assert set(yaml.safe_load(head)) == set(keys)
            found += 1
    assert found > 200


def test_text_is_german_and_english_with_umlauts_and_emoji(tmp_path: Path) -> None:
    generate(tmp_path / "vault", 60, 1)
    text = "".join(path.read_text("utf-8") for path in (tmp_path / "vault").rglob("*.md"))
    for expected in ("ä", "ß", "🌱", "Die ", "The ", "\n## ", "\n- ", "```", "aliases: ["):
        assert expected in text


def test_measure_counts_what_is_there(tmp_path: Path) -> None:
    notes = {
        "Home.md": "---\naliases: [Start]\ntags: [a]\n---\n[[One|the one]] [[Two#Part]] [[gone]]\n",
        "x/One.md": "[[Start]] [Two](Two.md)\n`[[Home]]`\n```\n[[Home]]\n```\n#idee\n",
        "x/Two.md": "rel: supports [[One]]\n[[rel:part_of One]]\nsee:: [[#Part]]\n## Part\n",
        ".trash/Old.md": "[[Home]]\n",
    }
    for path, text in notes.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    profile = measure(tmp_path)
    assert (profile.notes, profile.links) == (3, 8)
    assert profile.out_share == profile.in_share == 1.0
    assert profile.local_share == pytest.approx(2 / 5)  # One to Two and back, of five pairs
    assert profile.reciprocal_share == pytest.approx(4 / 5)
    assert profile.unresolved == pytest.approx(2 / 8)  # `[[#Part]]` names no note
    assert profile.alias_notes == pytest.approx(1 / 3)
    assert profile.tag_notes == pytest.approx(2 / 3)
    assert (profile.alias_links, profile.heading_links) == (1 / 7, 2 / 7)
    assert profile.forms["inline:rel"] == 2
    assert profile.forms["inline:field"] == 1
    assert profile.forms["explicit:mdlink"] == 1
    assert len(deviations(profile)) > 5
