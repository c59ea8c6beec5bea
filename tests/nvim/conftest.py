"""One Neovim for all tests that need no other; each opens its note anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.nvim.plugin import Plugin, installed

START = "Start hier.md"


@pytest.fixture(scope="session")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plugin]:
    """Neovim with the example vault, index and store in step with it."""
    with installed(tmp_path_factory.mktemp("nvim")) as found:
        found.edit(START)
        found.until("return spec.indexed()")
        yield found
