"""What was said before: conversations of one core, a bounded number of them, for a while."""

from __future__ import annotations

import uuid
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.chat.shapes import Turn
from core.chat.turns import Interview

MOST_SESSIONS = 64
MOST_TURNS = 40
LONGEST_TURN = 8000
"""Code points of one turn that are remembered."""
LIVES_SECONDS = 4 * 3600.0
"""How long a conversation is remembered behind its last message."""


@dataclass
class Conversation:
    """One session: its finished turns, oldest first, and the last note that was wanted."""

    id: str
    turns: list[Turn] = field(default_factory=list)
    interview: Interview | None = None
    used: float = 0.0

    @property
    def waiting(self) -> Interview | None:
        """The interview that waits for an answer."""
        return self.interview if self.interview and self.interview.waits else None

    def add(self, message: str, answer: str) -> None:
        """Remember a message and its whole answer."""
        self.turns += [
            Turn(role="user", content=message[:LONGEST_TURN]),
            Turn(role="assistant", content=answer[:LONGEST_TURN]),
        ]
        del self.turns[:-MOST_TURNS]


class Conversations:
    """The conversations of a core; for one event loop. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._known: OrderedDict[str, Conversation] = OrderedDict()

    def open(
        self, wanted: str | None, history: Sequence[Turn] | None = None
    ) -> tuple[Conversation, bool]:
        """The conversation of an id, a new one for None or an unknown id, and whether it was
        forgotten. A `history` takes the place of its turns."""
        now = self._clock()
        while self._known and next(iter(self._known.values())).used < now - LIVES_SECONDS:
            self._known.popitem(last=False)
        found = self._known.get(wanted) if wanted else None
        forgotten = bool(wanted) and found is None and history is None
        if found is None:
            found = Conversation(wanted or str(uuid.uuid4()))
            self._known[found.id] = found
        if history is not None:
            found.turns = [
                Turn(role=one.role, content=one.content[:LONGEST_TURN])
                for one in history[-MOST_TURNS:]
            ]
        found.used = now
        self._known.move_to_end(found.id)
        while len(self._known) > MOST_SESSIONS:
            self._known.popitem(last=False)
        return found, forgotten

    def __len__(self) -> int:
        return len(self._known)
