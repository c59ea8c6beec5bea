from __future__ import annotations

import pytest

from tests.safety.hostile import Connections


@pytest.fixture(scope="session")
def connections() -> Connections:
    """A hook that stays for the whole process: there is no way to take one away."""
    return Connections()
