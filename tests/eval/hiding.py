"""Hiding links of a vault, to see who finds them again.

A pair of notes is hidden in both directions, so that no backlink gives it away. *masked*
takes the whole link out of the text; *mention* leaves what a reader sees of it as plain
text, so that the name of the target still stands there.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Literal

from core.model import FRONTMATTER, Link, Note
from tests.eval.vaults import Vault

Mode = Literal["masked", "mention"]
MODES: tuple[Mode, ...] = ("masked", "mention")
SHARE, LEAST, MOST = 0.2, 12, 40
"""How many of the linked pairs are hidden at once: a fifth, within these limits."""
LEAST_WORDS = 6
"""Words that a sentence needs, without its link, to be a question."""

_STOP = re.compile(r"[.!?:;]\s")


@dataclass(frozen=True)
class Hidden:
    """A vault without some of its links: `wanted` has the targets by the note that had them,
    `sentences` the words around each of them, without the link, by note and target."""

    vault: Vault
    wanted: dict[str, frozenset[str]]
    sentences: dict[tuple[str, str], str]

    @property
    def links(self) -> int:
        return sum(len(targets) for targets in self.wanted.values())


def hide(vault: Vault, seed: int, mode: Mode) -> Hidden:
    """The vault without some linked pairs: the same ones for a seed in either mode."""
    index = vault.index
    linked = {
        (min(source, target), max(source, target))
        for source in index.paths
        for target in index.targets(source)
        if target and target != source
    }
    pairs = sorted(pair for pair in linked if not _in_frontmatter(vault, *pair))
    count = min(len(pairs), MOST, max(LEAST, round(SHARE * len(pairs))))
    hidden = set(random.Random(seed).sample(pairs, count))
    texts, wanted, sentences = dict(vault.texts), {}, {}
    for path in index.paths:
        links = [
            (link, target)
            for link, target in zip(index.notes[path].links, index.targets(path), strict=True)
            if target and (min(path, target), max(path, target)) in hidden
        ]
        if links:
            wanted[path] = frozenset(target for _, target in links)
            for link, target in links:
                words = _sentence(index.notes[path], texts[path], link)
                if len(words.split()) >= LEAST_WORDS:
                    sentences.setdefault((path, target), words)
            texts[path] = _without(texts[path], [link for link, _ in links], mode)
    return Hidden(Vault(vault.name, texts), wanted, sentences)


def shown(link: Link) -> str:
    """What a reader sees of a link: its alias, else the name that it is written with."""
    name = link.target.rpartition("/")[2].removesuffix(".md")
    return link.alias or name


def _sentence(note: Note, text: str, link: Link) -> str:
    """The sentence around a link as it is read, without the link itself."""
    start = text.rfind("\n", 0, link.start) + 1
    end = text.find("\n", link.end)
    end = len(text) if end < 0 else end
    for stop in _STOP.finditer(text, start, link.start):
        start = stop.end()
    if (stop_behind := _STOP.search(text, link.end, end)) is not None:
        end = stop_behind.start() + 1
    parts, at = [], start
    for one in sorted(note.links, key=lambda other: other.start):
        if at <= one.start and one.end <= end:
            parts += [text[at : one.start], "" if one is link else shown(one)]
            at = one.end
    return " ".join("".join([*parts, text[at:end]]).split())


def _without(text: str, links: list[Link], mode: Mode) -> str:
    for link in sorted(links, key=lambda one: -one.start):
        left = shown(link) if mode == "mention" else ""
        text = text[: link.start] + left + text[link.end :]
    return text


def _in_frontmatter(vault: Vault, one: str, other: str) -> bool:
    """Whether one of two notes names the other in its YAML, which is no running text."""
    index = vault.index
    return any(
        link.origin == FRONTMATTER and target == end
        for source, end in ((one, other), (other, one))
        for link, target in zip(index.notes[source].links, index.targets(source), strict=True)
    )
