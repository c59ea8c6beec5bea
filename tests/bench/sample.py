"""Places in a vault to measure at: links whose target is certain, the hub, a 5 KB note.

Read from the files with a simple rule of its own: plain `[[File name]]` links, in the text,
where exactly one file has that name.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_SKIP = re.compile(r"\A---\n.*?\n---\n|^```.*?^```|<!--.*?-->|%%.*?%%|`[^`\n]*`", re.M | re.S)
_LINK = re.compile(r"(?<![!\w(:\[\\])\[\[([^\[\]|#^\n:]+)\]\]")
_ANY_LINK = re.compile(r"\[\[(?:rel:\S+ )?([^\]|#^\n]+)")
_TYPED_LINE = re.compile(r"^\s*(?:> |rel:|[\w-]+::)")
_NAMES = re.compile(r"\A---\n.*?\n---\n|^# .*$", re.M | re.S)
EDITED_BYTES = 5000
HUB_LINKS = 1000
"""The budgets are for a hub of so many notes: the note that comes nearest is taken."""
MAX_OPENED = 200_000


@dataclass(frozen=True)
class Link:
    """A link in a file: its line, the text of the line before the target, and the target."""

    path: str
    line: int
    before: str
    target: str


@dataclass(frozen=True)
class Sample:
    """`links` are spread evenly over the vault; `hub_links` is how many files name the hub."""

    notes: int
    bytes: int
    links: list[Link]
    hub: Link
    hub_links: int
    start: Link
    start_has_unresolved: bool
    edited: str


def fingerprint(root: Path) -> int:
    """Number of the names, sizes and times of all files: the same while nobody writes."""
    total = 0
    for folder, _, files in os.walk(root):
        for name in files:
            info = os.stat(os.path.join(folder, name))
            total ^= hash((folder, name, info.st_size, info.st_mtime_ns))
    return total


def read_text(root: Path, path: str) -> str:
    return (root / path).read_bytes().decode("utf-8", "replace")


def take_sample(root: Path, count: int = 100) -> Sample:
    """Read the vault and choose; raises `ValueError` where no link is certain."""
    paths = sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*.md")
        if not any(part.startswith(".") for part in path.relative_to(root).parts)
    )
    named: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        named[PurePosixPath(path).stem.lower()].append(path)
    links: list[Link] = []
    missing: list[tuple[str, str]] = []
    sizes: dict[str, int] = {}
    other_names: list[str] = []
    sources: Counter[str] = Counter()
    for path in paths:
        text = read_text(root, path)
        sizes[path] = len(text.encode())
        _links_of(path, text, named, links, missing)
        other_names += _NAMES.findall(text)
        sources.update(
            {found[0] for name in _ANY_LINK.findall(text) if (found := named.get(name.lower()))}
        )
    aliases = "\n".join(other_names).lower()
    links = [link for link in links if sizes[link.path] <= MAX_OPENED]
    if not links:
        raise ValueError(f"{root} holds no link whose target is certain")
    hub = min(
        sorted({link.target for link in links}), key=lambda path: abs(sources[path] - HUB_LINKS)
    )
    with_links = {link.path for link in links}
    unresolved = next(
        (path for path, name in missing if path in with_links and name not in aliases), ""
    )
    start = next((link for link in links if link.path == unresolved), links[0])
    return Sample(
        notes=len(paths),
        bytes=sum(sizes.values()),
        links=_spread(links, count),
        hub=next(link for link in links if link.target == hub),
        hub_links=sources[hub],
        start=start,
        start_has_unresolved=bool(unresolved),
        edited=min(sorted(with_links), key=lambda path: abs(sizes[path] - EDITED_BYTES)),
    )


def _spread(links: list[Link], count: int) -> list[Link]:
    step = max(1.0, len(links) / count)
    return [links[int(i * step)] for i in range(min(count, len(links)))]


def _links_of(
    path: str,
    text: str,
    named: dict[str, list[str]],
    links: list[Link],
    missing: list[tuple[str, str]],
) -> None:
    """Add the plain links of one text whose target is certain, or missing."""
    visible = _SKIP.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for number, line in enumerate(visible.split("\n")):
        if "[[" not in line or _TYPED_LINE.match(line):
            continue
        for match in _LINK.finditer(line):
            found = named.get(match[1].strip().lower(), [])
            if len(found) == 1 and found[0] != path:
                links.append(Link(path, number, line[: match.start(1) + 1], found[0]))
            elif not found and "/" not in match[1] and "." not in match[1]:
                missing.append((path, match[1].strip().lower()))
