"""A seeded generator of vaults that look like real ones: `generate(path, notes, seed)`.

Sizes, links and forms follow the profile of public vaults that `tests.bench.profile`
measures. The same number of notes and seed give the same bytes on every platform.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from tests.bench.graph import plan_vault
from tests.bench.links import LinkWriter, WrittenLinks
from tests.bench.names import BLOCK_ID, NoteName, name_notes
from tests.bench.prose import Writer

_CODE = """```python
def antwort(frage: str) -> str:
    return notes.get(frage, '[[kein Link]]')
```
"""
_TABLE = "| Monat | Anzahl |\n|---|---|\n| März | 12 |\n| Mai | 7 |\n"


@dataclass(frozen=True)
class Generated:
    """What was written: number of notes, bytes and links."""

    notes: int
    bytes: int
    links: int


def generate(path: Path, notes: int, seed: int = 1) -> Generated:
    """Write a vault of `notes` notes (20 or more) below `path`, which must be empty or missing.

    Raises `ValueError` for too few notes, `FileExistsError` for a folder with files.
    """
    if notes < 20:
        raise ValueError("a generated vault has at least 20 notes")
    if path.exists() and any(path.iterdir()):
        raise FileExistsError(f"{path} is not empty")
    rng = random.Random(seed)
    plan = plan_vault(notes, rng)
    names = name_notes(plan, rng)
    link_writer = LinkWriter(names, rng)
    composer = _Composer(rng)
    topics: dict[str, list[int]] = {}
    for folder in sorted({name.folder for name in names}):
        (path / folder).mkdir(parents=True, exist_ok=True)
        topics[folder] = composer.writer.topic()
    total = 0
    for i, name in enumerate(names):
        written = link_writer.write(i, plan.links[i])
        data = composer.note(name, written, plan.sizes[i], topics[name.folder]).encode()
        (path / name.path).write_bytes(data)
        total += len(data)
    return Generated(notes, total, sum(map(len, plan.links)))


class _Composer:
    """Builds the text of one note after another."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.writer = Writer(rng)

    def note(self, name: NoteName, links: WrittenLinks, size: int, topic: list[int]) -> str:
        head, inline_tags = self._head(name, links, size)
        blocks = list(links.blocks)
        if inline_tags:
            blocks.append(inline_tags)
        sections = max(1, len(name.headings))
        used = len(head) + sum(map(len, blocks)) + 30 * len(name.headings)
        budget = max(0, size - used)
        parts = [head] if head else []
        waiting = links.inline
        for number in range(sections):
            last = number == sections - 1
            share = len(waiting) if last else len(waiting) // (sections - number)
            mine, waiting = waiting[:share], waiting[share:]
            if number < len(name.headings):
                parts.append(f"## {name.headings[number]}\n")
            parts += self._paragraphs(name, mine, budget // sections, topic)
            if name.has_block and number == 0:
                parts.append(f"{self.writer.sentence(name.language, topic)} ^{BLOCK_ID}\n")
            share = len(blocks) if last else len(blocks) // (sections - number)
            parts += [block + "\n" for block in blocks[:share]]
            blocks = blocks[share:]
        return "\n".join(parts)

    def _head(self, name: NoteName, links: WrittenLinks, size: int) -> tuple[str, str]:
        """Frontmatter and H1, and the tags that stand in the text instead."""
        rand = self.rng.random
        lines = []
        inline_tags = ""
        if name.tags:
            if size > 300 and rand() < 0.6:
                lines.append(f"tags: [{', '.join(name.tags)}]")
            else:
                inline_tags = " ".join("#" + tag for tag in name.tags)
        if name.alias:
            lines.append(f"aliases: [{name.alias}]")
        if name.type:
            lines += [f"type: {name.type}", "status: active"]
        if size > 500 and rand() < 0.4:
            lines.append(
                f"created: 20{int(rand() * 6) + 20}-0{int(rand() * 9) + 1}-1{int(rand() * 9)}"
            )
        if size > 1000 and rand() < 0.2:
            lines += [f"title: {name.title}", f"lang: {name.language.code}"]
        lines += [f"{kind}: [{', '.join(values)}]" for kind, values in links.frontmatter.items()]
        head = "---\n" + "\n".join(lines) + "\n---\n" if lines else ""
        if size > 300 and rand() < 0.6:
            head += f"# {name.title}\n"
        return head, inline_tags

    def _paragraphs(
        self, name: NoteName, links: list[str], budget: int, topic: list[int]
    ) -> list[str]:
        """Paragraphs, lists, code and tables of about `budget` characters that hold all links."""
        rand = self.rng.random
        writer, language = self.writer, name.language
        parts: list[str] = []
        left = budget
        waiting = links[::-1]
        while left > 40 or waiting:
            kind = rand()
            if left > 400 and kind < 0.03:
                parts.append(_CODE if kind < 0.015 else _TABLE)
                left -= len(parts[-1])
                continue
            as_list = kind < 0.2 or left < 60
            sentences: list[str] = []
            for _ in range(2 + int(rand() * 5)):
                if left <= 40 and not waiting:
                    break
                if waiting and rand() * left < 110 * len(waiting):
                    link = waiting.pop()
                    tight = left < 70 * (len(waiting) + 1)
                    sentences.append(link if tight else writer.around(language, link))
                else:
                    sentences.append(writer.sentence(language, topic))
                left -= len(sentences[-1]) + 2
            if as_list:
                parts.append("".join(f"- {sentence}\n" for sentence in sentences))
            else:
                parts.append(" ".join(sentences) + "\n")
        return parts
