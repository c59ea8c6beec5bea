"""Ids that are the same on every machine: notes, chunks, edges, store points."""

from __future__ import annotations

import hashlib
import re
import unicodedata
import uuid

from core.model import Note, strip_note_suffix

POINT_NAMESPACE = uuid.UUID("6d696e64-6e65-5430-8000-6d696e646e65")
"""Namespace of all UUIDv5 point ids; changing it orphans every stored point."""
_NAMESPACE = POINT_NAMESPACE.bytes

GERMAN = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
)
"""How umlauts are spelled out in slugs."""
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


def slugify(text: str) -> str:
    """ASCII slug of `text`: umlauts spelled out, other accents dropped, words joined by `-`.

    May be "" for text without any Latin letter or digit.
    """
    # NFC first, so that a decomposed ä is spelled out as well
    spelled = unicodedata.normalize("NFC", text).translate(GERMAN)
    plain = unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode("ascii")
    return _NOT_SLUG.sub("-", plain.lower()).strip("-")


def path_note_id(path: str) -> str:
    """The id of a note that names none: slug of its vault-relative path and a short hash.

    The hash is of the NFC form, so that macOS and Linux agree.
    """
    normal = unicodedata.normalize("NFC", path)
    digest = hashlib.sha256(normal.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    slug = slugify(strip_note_suffix(normal))[:80].strip("-")
    return f"{slug}-{digest}" if slug else digest


def note_id_of(note: Note) -> str:
    """The note's own id where frontmatter gives one, else its path-derived id.

    Says nothing about two notes with one id; `VaultIndex.note_id` settles those.
    """
    return note.note_id or path_note_id(note.path)


def chunk_id(note_id: str, index: int) -> str:
    """`{note_id}#c{index:02d}`, index from 0."""
    return f"{note_id}#c{index:02d}"


def edge_id(kind: str, scope: str, source_id: str, target_id: str, rule_id: str) -> str:
    """Hash of an edge's dedup key; 32 hex digits."""
    key = "\x1f".join((kind, scope, source_id, target_id, rule_id))
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def point_id(natural_id: str) -> str:
    """The store's point id (UUIDv5) of a natural id."""
    # as uuid.uuid5 makes it, in a third of the time
    digest = hashlib.sha1(_NAMESPACE + natural_id.encode(), usedforsecurity=False).hexdigest()
    variant = "89ab"[int(digest[16], 16) & 3]
    return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"
