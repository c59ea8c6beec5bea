"""What makes a note a changed one: a hash of its canonical content.

`MINDNET_HASH_COMPARE` says which part counts (body, frontmatter or full; a note's own
`hash_mode` wins), `MINDNET_HASH_SOURCE` whether the frontmatter counts as parsed values
or as raw text, `MINDNET_HASH_NORMALIZE` whether Unicode form and line ends count.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from core.model import Note
from core.text import fold

Compare = Literal["body", "frontmatter", "full"]
Source = Literal["parsed", "raw"]
Normalize = Literal["canonical", "none"]


class HashOptions(msgspec.Struct, frozen=True):
    """How notes are compared."""

    compare: Compare = "full"
    source: Source = "parsed"
    normalize: Normalize = "canonical"


def hash_options(environ: Mapping[str, str]) -> HashOptions:
    """The options that the environment gives; a value that is none counts as not given."""
    names = {"compare": Compare, "source": Source, "normalize": Normalize}
    given = {name: fold(environ.get(f"MINDNET_HASH_{name.upper()}", "")) for name in names}
    valid = {name: given[name] for name, kind in names.items() if given[name] in get_args(kind)}
    return msgspec.structs.replace(HashOptions(), **valid)


def hash_signature(note: Note, text: str, options: HashOptions) -> str:
    """`compare:source:normalize:` and the SHA-256 of what these say, as hex digits.

    The modes are part of the signature: another mode makes every note a changed one.
    """
    compare = _mode_of(note) or options.compare
    parts: list[str] = []
    if compare != "body":
        parts.append(_frontmatter(note, text, options))
    if compare != "frontmatter":
        parts.append(text[note.body_start :])
    joined = "\x00".join(parts)
    if options.normalize == "canonical":
        joined = canonical(joined)
    digest = hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{compare}:{options.source}:{options.normalize}:{digest}"


def canonical(text: str) -> str:
    """The form in which texts are compared: one kind of line end, NFC."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _mode_of(note: Note) -> Compare | None:
    for prop in note.frontmatter.properties if note.frontmatter else ():
        if prop.key == "hash_mode" and prop.values:
            mode = fold(prop.values[0].text)
            return next((known for known in get_args(Compare) if known == mode), None)
    return None


def _frontmatter(note: Note, text: str, options: HashOptions) -> str:
    front = note.frontmatter
    if front is None:
        return ""
    if options.source == "raw" or not front.valid or any(p.nested for p in front.properties):
        # nested values are not in the parsed note
        return text[front.start : front.end]
    values = [
        (prop.key, prop.is_list, [value.text for value in prop.values]) for prop in front.properties
    ]
    return repr(sorted(values))
