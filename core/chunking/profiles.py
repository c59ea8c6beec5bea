"""How large chunks are: one row a profile."""

from __future__ import annotations

import msgspec

CHUNKING_VERSION = 1
"""Raised whenever the same note would be cut or embedded differently."""


class Profile(msgspec.Struct, frozen=True):
    """Sizes of one profile, in estimated tokens where not said otherwise.

    A chunk takes blocks until it has `target` tokens and never more than `limit` (an
    uncuttable line excepted) or `max_chars` code points (0: no such bound). A heading
    begins a new chunk unless the one before it is smaller than `small`. Two windows
    share `overlap` tokens around their border.
    """

    name: str
    target: int
    limit: int
    overlap: int
    small: int
    max_chars: int = 0


_NO_LIMIT = 1 << 40

PROFILES = {
    profile.name: profile
    for profile in (
        Profile("short", target=128, limit=128, overlap=32, small=16),
        Profile("medium", target=256, limit=256, overlap=64, small=32),
        Profile("long", target=512, limit=512, overlap=128, small=64),
        Profile("default", target=256, limit=256, overlap=64, small=32),
        Profile("by_heading", _NO_LIMIT, _NO_LIMIT, overlap=64, small=0, max_chars=2000),
        Profile("sliding_standard", target=400, limit=600, overlap=50, small=50),
        Profile("sliding_smart_edges", target=400, limit=600, overlap=50, small=50),
    )
}
"""All profiles by name."""

DEFAULT_PROFILE = PROFILES["default"]


def profile_of(name: str) -> Profile:
    """The profile of that name, the default one if there is none."""
    return PROFILES.get(name, DEFAULT_PROFILE)
