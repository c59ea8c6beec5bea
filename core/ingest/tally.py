"""What a sync has done so far."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Counts of one sync. A sync that was stopped and is taken up again is given its tally
    again: it counts on, and with `full` passes over what it had written."""

    changed: int = 0
    deleted: int = 0
    embedded: int = 0
    written: set[str] = field(default_factory=set)
    """Ids of the notes that were written."""
    started: float = field(default_factory=time.perf_counter)
