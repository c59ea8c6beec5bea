"""The captures of `docs/features.md` are what a real Neovim shows now."""

from __future__ import annotations

import re

import pytest

from tests.captures.__main__ import PAGE, captures, filled
from tests.captures.scenes import SCENES

pytestmark = [pytest.mark.e2e, pytest.mark.editor]


def test_every_scene_has_its_place_in_the_page() -> None:
    named = re.findall(r"<!-- capture: ([\w-]+) -->", PAGE.read_text("utf-8"))
    assert sorted(named) == sorted(scene.name for scene in SCENES)


def test_the_captures_are_up_to_date() -> None:
    """`python -m tests.captures` brings them up to date."""
    page = PAGE.read_text("utf-8")
    found = captures([])
    assert all(found.values())
    assert filled(page, found) == page
