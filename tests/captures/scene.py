"""What a capture is made of."""

from __future__ import annotations

from typing import NamedTuple


class Keys(NamedTuple):
    """Keys typed by a person, in Neovim's notation."""

    keys: str


class Lua(NamedTuple):
    """A function call that a person would have mapped to a key."""

    code: str


class Until(NamedTuple):
    """Wait until this Lua expression is true."""

    code: str


Step = Keys | Lua | Until

SCREEN = "screen()"


class Scene(NamedTuple):
    """One capture: a note of the example vault, the text at which the cursor stands (the first
    `|` marks where in it), and what is done. `shows` is the function of `capture` that gives
    the lines to show. `top` is the first line of the note on the screen, 0 to leave it; `rows`
    how many lines are kept at most.
    """

    name: str
    note: str
    at: str
    steps: tuple[Step, ...]
    shows: str = SCREEN
    top: int = 0
    rows: int = 24
