"""The vaults that retrieval is judged on."""

from __future__ import annotations

import hashlib
import random
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from core.parse import parse_note
from core.vault.index import VaultIndex
from core.vault.read import read_scanned
from core.vault.scan import scan

SHARED = Path(__file__).parents[3] / "shared" / "vaults"
EXAMPLE = Path(__file__).parents[2] / "examples" / "vault"
LINKED = ("quartz-docs", "tasks-docs", "tasks-demo", "gedankenwelten", "dendron")
ARCHIVE, ARCHIVED = "interconnected-10k.tar.xz", "interconnected-10k"
SAMPLED = 500
"""Notes that are taken from the archive, which is too large to be embedded for a table."""


@dataclass(frozen=True)
class Vault:
    """Notes by vault-relative path, and what may stand in a table about them."""

    name: str
    texts: Mapping[str, str]

    @cached_property
    def version(self) -> str:
        """The first digits of a hash of everything in it."""
        digest = hashlib.sha256()
        for path, text in sorted(self.texts.items()):
            digest.update(f"{path}\0{text}\0".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:10]

    @cached_property
    def index(self) -> VaultIndex:
        return VaultIndex.build(parse_note(path, text) for path, text in self.texts.items())


def read_vault(root: Path, name: str) -> Vault:
    """The notes of a folder."""
    return Vault(name, {path: read_scanned(root, path).text for path in scan(root).notes})


def linked_vaults(names: Iterable[str], shared: Path = SHARED) -> list[Vault]:
    """The vaults of these names that are there."""
    found = []
    for name in names:
        if name == ARCHIVED and (shared / ARCHIVE).is_file():
            found.append(_sampled(shared / ARCHIVE))
        elif (shared / name / "vault").is_dir():
            found.append(read_vault(shared / name / "vault", name))
    return found


def _sampled(archive: Path) -> Vault:
    """A part of an archived vault in which notes link to each other as in the whole: what is
    reached first from one note, link by link in random order."""
    texts = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.name.endswith(".md") and (file := tar.extractfile(member)) is not None:
                texts[member.name] = file.read().decode("utf-8", "replace")
    index = Vault(ARCHIVED, texts).index
    rng = random.Random(1)
    found: set[str] = set()
    queue: list[str] = []
    while len(found) < min(SAMPLED, len(texts)):
        path = queue.pop(rng.randrange(len(queue))) if queue else rng.choice(list(index.paths))
        near = {path, *(target for target in index.targets(path) if target)} - found
        for one in sorted(near)[: SAMPLED - len(found)]:
            found.add(one)
            queue.append(one)
    return Vault(f"{ARCHIVED} ({SAMPLED} notes)", {path: texts[path] for path in sorted(found)})
