"""One Neovim for all tests that need no other; each opens its note anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.nvim.plugin import Plugin, installed
from tests.support.waiting import wait_for

START = "Start hier.md"


@pytest.fixture(scope="session")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plugin]:
    """Neovim with the example vault, index and store in step with it."""
    with installed(tmp_path_factory.mktemp("nvim")) as found:
        found.edit(START)
        # the core starts, and loads what it needs; that takes its time on a busy machine
        wait_for(lambda: found.lua("return spec.indexed()"), timeout=60, what="the index")
        yield found
