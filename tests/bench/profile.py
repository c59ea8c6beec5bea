"""Measure a vault against the profile of public vaults.

Reads the Markdown by itself and roughly, on purpose: it must not agree with the parser of
the server because both share a mistake.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from statistics import median, quantiles
from urllib.parse import unquote

_CODE = re.compile(r"^```.*?^```[^\n]*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_WIKILINK = re.compile(
    r"\[\[(?:rel:(?P<rel>[^\s\]]+) )?(?P<target>[^\]|\n]*)(?P<alias>\|[^\]\n]*)?\]\]"
)
_MARKDOWN_LINK = re.compile(r"\]\((?P<path>[^()\s]+\.md)(?:#[^()\s]*)?\)")
_FRONTMATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_FORMS = {
    "inline:rel": re.compile(r"\[\[rel:|^rel: ?\w+ ", re.MULTILINE),
    "inline:field": re.compile(r"^\w+:: |[(\[]\w+:: ", re.MULTILINE),
    "callout:edge": re.compile(r"^> \[!edge\]", re.MULTILINE),
}
_FRONTMATTER_LINK = re.compile(r"^\w+: .*\[\[", re.MULTILINE)
_INLINE_TAG = re.compile(r"(?:^|\s)#[\w/]*[^\W\d_][\w/]*")


@dataclass(frozen=True)
class Profile:
    """Shares are 0 to 1; `forms` counts the places with each typed form."""

    notes: int
    bytes: int
    links: int
    median_bytes: float
    sigma: float
    over_100_kb: int
    out_share: float
    in_share: float
    tail_exponent: float
    hub_share: float
    local_share: float
    reciprocal_share: float
    alias_notes: float
    tag_notes: float
    alias_links: float
    heading_links: float
    unresolved: float
    forms: dict[str, int]


EXPECTED: dict[str, tuple[float, float]] = {
    "median_bytes": (1200, 120),
    "sigma": (1.16, 0.1),
    "out_share": (0.60, 0.02),
    "in_share": (0.90, 0.02),
    "tail_exponent": (3.0, 0.9),
    "hub_share": (0.10, 0.01),
    "local_share": (0.41, 0.03),
    "reciprocal_share": (0.20, 0.02),
    "alias_notes": (0.20, 0.03),
    "tag_notes": (0.60, 0.04),
    "alias_links": (0.40, 0.02),
    "heading_links": (0.20, 0.02),
    "unresolved": (0.03, 0.006),
}
"""Value of the profile and how far a generated vault of 1,000 notes may be from it.

The estimate of the exponent is high where the tail is short: 3.7 at 1,000 notes, 3.0 at 10,000.
"""


def deviations(profile: Profile) -> list[str]:
    """One line for each value outside its tolerance."""
    return [
        f"{name} is {getattr(profile, name):.3f}, expected {value} ± {tolerance}"
        for name, (value, tolerance) in EXPECTED.items()
        if abs(getattr(profile, name) - value) > tolerance
    ]


def measure(root: Path) -> Profile:
    """Read all `.md` files below `root` (hidden folders left out) and measure them.

    Raises `ValueError` for a folder without notes.
    """
    files = sorted(
        path
        for path in root.rglob("*.md")
        if not any(part.startswith(".") for part in path.relative_to(root).parts)
    )
    if not files:
        raise ValueError(f"no notes in {root}")
    paths = [path.relative_to(root).as_posix() for path in files]
    raw = [path.read_bytes() for path in files]
    texts = [_CODE.sub("", data.decode("utf-8", "replace")) for data in raw]
    heads = [match[1] if (match := _FRONTMATTER.match(text)) else "" for text in texts]
    names = _names(paths, heads)
    counts: Counter[str] = Counter()
    edges: set[tuple[int, int]] = set()
    for i, (text, path) in enumerate(zip(texts, paths, strict=True)):
        _count_links(i, text, path, names, counts, edges)
    sizes = [len(data) for data in raw]
    in_degrees = Counter(target for _, target in edges)
    folders = [path.rpartition("/")[0] for path in paths]
    low, *_, high = quantiles((math.log(max(1, size)) for size in sizes), n=25)[3:21]
    notes, wikilinks = len(paths), max(1, counts["wikilinks"])
    return Profile(
        notes=notes,
        bytes=sum(sizes),
        links=counts["links"],
        median_bytes=median(sizes),
        sigma=(high - low) / (2 * 0.9945),  # the 16th and the 84th percentile of a normal
        over_100_kb=sum(size >= 100_000 for size in sizes),
        out_share=counts["with_links"] / notes,
        in_share=len(in_degrees) / notes,
        tail_exponent=_tail_exponent(sorted(in_degrees.values(), reverse=True)),
        hub_share=max(in_degrees.values(), default=0) / notes,
        local_share=sum(folders[u] == folders[v] for u, v in edges) / max(1, len(edges)),
        reciprocal_share=sum((v, u) in edges for u, v in edges) / max(1, len(edges)),
        alias_notes=sum("aliases:" in head for head in heads) / notes,
        tag_notes=sum(map(_has_tags, heads, texts)) / notes,
        alias_links=counts["alias"] / wikilinks,
        heading_links=counts["heading"] / wikilinks,
        unresolved=counts["unresolved"] / max(1, counts["links"]),
        forms={
            **{form: sum(len(p.findall(text)) for text in texts) for form, p in _FORMS.items()},
            "frontmatter": sum(len(_FRONTMATTER_LINK.findall(head)) for head in heads),
            "explicit:mdlink": counts["markdown"],
        },
    )


def _has_tags(head: str, text: str) -> bool:
    return "tags:" in head or _INLINE_TAG.search(text) is not None


def _names(paths: list[str], heads: list[str]) -> dict[str, int]:
    """Note number by lower-case path, file name and alias."""
    names: dict[str, int] = {}
    for i, (path, head) in enumerate(zip(paths, heads, strict=True)):
        names.setdefault(path.lower(), i)
        names.setdefault(path[:-3].lower(), i)
        names.setdefault(PurePosixPath(path).stem.lower(), i)
        if found := re.search(r"^aliases: \[(.*)\]$", head, re.MULTILINE):
            for alias in found[1].split(","):
                names.setdefault(alias.strip().lower(), i)
    return names


def _count_links(
    number: int,
    text: str,
    path: str,
    names: dict[str, int],
    counts: Counter[str],
    edges: set[tuple[int, int]],
) -> None:
    targets = []
    for match in _WIKILINK.finditer(text):
        target, hash_mark, anchor = match["target"].partition("#")
        targets.append(names.get(target.strip().lower()))
        counts["wikilinks"] += 1
        counts["alias"] += match["alias"] is not None
        counts["heading"] += bool(hash_mark) and not anchor.startswith("^")
    folder = path.rpartition("/")[0]
    for match in _MARKDOWN_LINK.finditer(text):
        written = unquote(match["path"]).lower()
        beside = f"{folder}/{written}".lower() if folder else written
        targets.append(names.get(beside, names.get(written)))
        counts["markdown"] += 1
    counts["links"] += len(targets)
    counts["with_links"] += bool(targets)
    for target in targets:
        if target is None:
            counts["unresolved"] += 1
        elif target != number:
            edges.add((number, target))


def _tail_exponent(degrees: list[int]) -> float:
    """Hill's estimate of the exponent of the density, from the upper twentieth without the hub."""
    tail = degrees[1 : max(20, len(degrees) // 20)]
    if len(tail) < 2:
        return 0.0
    spread = sum(math.log(degree / tail[-1]) for degree in tail) / len(tail)
    return 1 + 1 / spread if spread else 0.0
