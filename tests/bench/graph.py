"""Who links to whom in a generated vault, by the measured profile of public vaults.

All numbers come from one seeded stream; floats are rounded before they decide anything,
so that the last bit of a platform's mathematics library cannot change a vault.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

MEDIAN_BYTES, SIGMA = 1200, 1.16
MIN_BYTES, MAX_BYTES = 90, 400_000
LINKS_PER_NOTE = 10
OUT_SHARE, IN_SHARE, HUB_SHARE = 0.60, 0.90, 0.10
TAIL_EXPONENT = 3
LOCAL_SHARE, RECIPROCAL_SHARE, UNRESOLVED_SHARE = 0.41, 0.20, 0.03
BIG_SHARE = 0.0025
"""Share of notes with 100 to 400 KB, more than the lognormal has: it brings 30 MB at 10,000."""
BYTES_PER_LINK = 62
"""Room that a link with its sentence takes; limits the links of small notes."""
NOTES_PER_FOLDER = 40

UNRESOLVED = -1
HUB = 0
ROOT = 0


@dataclass
class Plan:
    """Sizes in bytes, folder number and link targets of each note; note 0 is the hub."""

    sizes: list[int]
    folders: list[int]
    folder_count: int
    links: list[list[int]] = field(default_factory=list)


def plan_vault(notes: int, rng: random.Random) -> Plan:
    """Plan a vault of at least 20 notes."""
    sizes = _sizes(notes, rng)
    folder_count = max(4, notes // NOTES_PER_FOLDER)
    plan = Plan(sizes, _folders(notes, folder_count, rng), folder_count)
    plan.links = _Linker(plan, rng).run()
    return plan


def _normal(rng: random.Random) -> float:
    return round(rng.normalvariate(0.0, 1.0), 6)


def _sizes(notes: int, rng: random.Random) -> list[int]:
    sizes = []
    for _ in range(notes):
        size = int(MEDIAN_BYTES * round(math.exp(SIGMA * _normal(rng)), 6))
        sizes.append(min(MAX_BYTES, max(MIN_BYTES, size)))
    for i in rng.sample(range(1, notes), max(1, round(notes * BIG_SHARE))):
        sizes[i] = rng.randrange(100_000, MAX_BYTES)
    sizes[HUB] = 4000
    return sizes


def _folders(notes: int, count: int, rng: random.Random) -> list[int]:
    """A folder for each note; sizes of folders differ much, as they do in real vaults."""
    bounds, total = [], 0
    for _ in range(count):
        total += 1 + int(9 * _lomax_at(rng.random(), 1.6))
        bounds.append(total)
    pool = [f for f, end in enumerate(bounds) for _ in range(end - (bounds[f - 1] if f else 0))]
    folders = [pool[int(rng.random() * total)] for _ in range(notes)]
    folders[HUB] = ROOT
    return folders


def _lomax_at(chance: float, shape: float) -> float:
    """Quantile of a distribution with a power tail: density falls as x^-(shape + 1)."""
    return round(float((1.0 - chance) ** (-1.0 / shape)) - 1.0, 6)


class _Linker:
    """Draws links until each source has its number, keeping the shares of the profile."""

    def __init__(self, plan: Plan, rng: random.Random) -> None:
        self.plan, self.rng = plan, rng
        self.count = len(plan.sizes)
        self.out: list[list[int]] = [[] for _ in plan.sizes]
        self.linked: set[int] = set()
        self.local = 0
        self.wanted = self._out_degrees()
        self.linkers = [u for u, want in enumerate(self.wanted) if want]
        self.pool, self.pools = self._target_pools()

    def run(self) -> list[list[int]]:
        self._link_to_hub()
        self._link_to_everybody()
        self._fill()
        self._reciprocate()
        self._shuffle()
        return self.out

    def _out_degrees(self) -> list[int]:
        """Out-links wanted from each note: none for 40 %, more from longer notes."""
        rng, sizes = self.rng, self.plan.sizes
        urge = [math.log(size) + 0.8 * _normal(rng) for size in sizes]
        order = sorted(range(self.count), key=lambda i: (round(-urge[i], 6), i))
        linkers = sorted(order[: round(self.count * OUT_SHARE)])
        weights = {u: sizes[u] ** 0.45 * math.exp(0.7 * _normal(rng)) for u in linkers}
        caps = {u: max(1, (sizes[u] - 60) // BYTES_PER_LINK) for u in linkers}
        total = self.count * LINKS_PER_NOTE
        scale, wanted = 1.0, [0] * self.count
        for _ in range(8):  # what the limits cut off goes to the notes that have room
            for u in linkers:
                wanted[u] = max(1, min(caps[u], int(round(scale * weights[u], 6))))
            scale *= total / sum(wanted)
        return wanted

    def _target_pools(self) -> tuple[list[int], list[list[int]]]:
        """Targets, each as often as it is likely; in all, and by folder."""
        orphans = set(self.rng.sample(range(1, self.count), round(self.count * (1 - IN_SHARE))))
        self.targets = [v for v in range(1, self.count) if v not in orphans]
        pool: list[int] = []
        pools: list[list[int]] = [[] for _ in range(self.plan.folder_count)]
        most = max(3, int(self.count * HUB_SHARE * 0.9))
        ranks = list(range(len(self.targets)))  # even steps: the tail is there at any size
        self.rng.shuffle(ranks)
        for v, rank in zip(self.targets, ranks, strict=True):
            popularity = _lomax_at((rank + 0.5) / len(ranks), TAIL_EXPONENT - 1)
            copies = [v] * min(most, 1 + int(8 * popularity))
            pool += copies
            pools[self.plan.folders[v]] += copies
        return pool, pools

    def _free(self, u: int) -> bool:
        return len(self.out[u]) < self.wanted[u]

    def _link(self, u: int, v: int, *, mutual: bool = False) -> bool:
        if u == v or u * self.count + v in self.linked:
            return False
        if not mutual and v * self.count + u in self.linked:
            return False
        self.linked.add(u * self.count + v)
        self.out[u].append(v)
        self.local += self.plan.folders[u] == self.plan.folders[v]
        return True

    def _wants_local(self) -> bool:
        return self.local < LOCAL_SHARE * len(self.linked)

    def _link_to_hub(self) -> None:
        sources = [u for u in self.linkers if u != HUB]
        for u in self.rng.sample(sources, min(len(sources), round(self.count * HUB_SHARE))):
            self._link(u, HUB)

    def _link_to_everybody(self) -> None:
        """Each target gets one link, so that nine in ten notes have in-links."""
        rand = self.rng.random
        at_home: list[list[int]] = [[] for _ in range(self.plan.folder_count)]
        for u in self.linkers:
            at_home[self.plan.folders[u]].append(u)
        for v in self.targets:
            home = at_home[self.plan.folders[v]]
            for attempt in range(20):
                local = attempt < 6 and home and self._wants_local()
                sources = home if local else self.linkers
                u = sources[int(rand() * len(sources))]
                if self._free(u) and self._link(u, v):
                    break
            else:  # a very small vault: some source takes one link more than it wanted
                _ = self._link(self.linkers[v % len(self.linkers)], v)

    def _fill(self) -> None:
        """The links still wanted, less those that `_reciprocate` will add."""
        rand = self.rng.random
        order = self.linkers[:]
        self.rng.shuffle(order)
        for u in order:
            home = self.pools[self.plan.folders[u]]
            for _ in range(self.wanted[u] - len(self.out[u])):
                chance = rand()
                if chance < RECIPROCAL_SHARE / 2 and self.wanted[u] > 1:
                    continue
                if chance > 1 - UNRESOLVED_SHARE * 1.15:
                    self.out[u].append(UNRESOLVED)
                    continue
                for attempt in range(12):
                    pool = home if attempt < 6 and home and self._wants_local() else self.pool
                    if self._link(u, pool[int(rand() * len(pool))]):
                        break

    def _reciprocate(self) -> None:
        """Answer links until a fifth of all are mutual."""
        sources = set(self.linkers)
        allowed = set(self.targets)
        pairs = [
            (u, v)
            for u, targets in enumerate(self.out)
            for v in targets
            if v in sources and u in allowed
        ]
        self.rng.shuffle(pairs)
        total = len(self.linked)
        mutual = 0
        for u, v in pairs:
            if 2 * mutual >= RECIPROCAL_SHARE * (total + mutual):
                break
            room = (self.plan.sizes[v] - 60) // BYTES_PER_LINK
            if len(self.out[v]) <= room and self._link(v, u, mutual=True):
                mutual += 1

    def _shuffle(self) -> None:
        for targets in self.out:
            self.rng.shuffle(targets)
