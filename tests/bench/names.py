"""Names, headings, aliases and frontmatter of the notes, planned before any text is written."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.bench import words
from tests.bench.graph import HUB, ROOT, Plan
from tests.bench.prose import Language, Writer, english, german

GERMAN_SHARE = 0.55
ALIAS_SHARE, TAG_SHARE, TYPE_SHARE = 0.20, 0.60, 0.5
BYTES_PER_HEADING = 1000
BLOCK_ID = "kern"


@dataclass
class NoteName:
    """What others may link to in a note, and what its frontmatter says."""

    title: str
    folder: str
    language: Language
    headings: list[str] = field(default_factory=list)
    alias: str = ""
    tags: list[str] = field(default_factory=list)
    type: str = ""
    has_block: bool = False

    @property
    def path(self) -> str:
        """Path from the vault root, with slashes."""
        return f"{self.folder}/{self.title}.md" if self.folder else f"{self.title}.md"


def name_notes(plan: Plan, rng: random.Random) -> list[NoteName]:
    """Give each note of the plan a unique name (ignoring case) and its anchors."""
    writer = Writer(rng)
    folders = _folder_names(plan.folder_count)
    used: set[str] = set()
    notes = []
    for i, size in enumerate(plan.sizes):
        language = german() if rng.random() < GERMAN_SHARE else english()
        title = "Übersicht" if i == HUB else _unique(writer, language, used)
        used.add(title.casefold())
        note = NoteName(title, folders[plan.folders[i]], language)
        if size >= 200:
            count = 1 + min(60, size // BYTES_PER_HEADING)
            note.headings = [writer.heading(language) for _ in range(count)]
        note.has_block = size > 1500 and rng.random() < 0.3
        if rng.random() < ALIAS_SHARE:
            note.alias = f"{title[:3].strip()}-{i:05d}" if i % 3 else f"{title} {i}"
        if rng.random() < TAG_SHARE:
            note.tags = sorted({writer.pick(words.TAGS) for _ in range(1 + int(rng.random() * 3))})
        if size >= 250 and rng.random() < TYPE_SHARE:
            note.type = writer.pick(words.TYPES)
        notes.append(note)
    return notes


def _unique(writer: Writer, language: Language, used: set[str]) -> str:
    title = writer.title(language)
    for attempt in range(100):
        if title.casefold() not in used:
            return title
        title = writer.title(language) if attempt < 8 else f"{writer.title(language)} {attempt}"
    raise ValueError("no unused title left")


def _folder_names(count: int) -> list[str]:
    """Unique folder paths of one to three levels; number `ROOT` is the vault root itself."""
    names = []
    for i in range(count):
        if i == ROOT:
            names.append("")
            continue
        top = words.FOLDERS[i % len(words.FOLDERS)]
        level = i // len(words.FOLDERS)
        if not level:
            names.append(top)
        elif level % 3:
            names.append(f"{top}/{2000 + level}")
        else:
            below = words.FOLDERS[(i * 7 + level) % len(words.FOLDERS)]
            names.append(f"{top}/{1999 + level}/{below}")
    return names
