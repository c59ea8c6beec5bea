"""Written link targets: what kind of thing they name, and paths relative to a note."""

from __future__ import annotations

import re

from core.model import DEFINITION, MDLINK, NOTE_SUFFIXES, REFERENCE

_EMBEDDABLE = (
    ".avif .bmp .gif .heic .ico .jpeg .jpg .png .svg .tif .tiff .webp "
    ".3gp .flac .m4a .mp3 .oga .ogg .opus .wav .weba "
    ".avi .m4v .mkv .mov .mp4 .mpeg .ogv .webm "
    ".base .canvas .csv .drawio .epub .excalidraw .pdf .tsv "
    ".doc .docx .odp .ods .odt .ppt .pptx .rtf .xls .xlsx "
    ".7z .gz .rar .tar .xz .zip"
)
ATTACHMENT_SUFFIXES = frozenset(_EMBEDDABLE.split())
"""Endings that make a link target an attachment even where the file is missing."""

_TEXTUAL = (
    ".bib .c .cpp .css .go .h .htm .html .ics .ini .ipynb .java .js .json .jsonl .log .lua "
    ".php .ps1 .py .rb .rs .scss .sh .sql .tex .toml .ts .tsx .txt .vue .xml .yaml .yml"
)
FILE_SUFFIXES = ATTACHMENT_SUFFIXES | frozenset(_TEXTUAL.split())
"""The same for Markdown links, where the target is a file path and never a title
(`[[Node.js]]` may well be a note)."""

MARKDOWN_FORMS = frozenset((MDLINK, DEFINITION, REFERENCE))
"""Forms of links whose target is a path."""
DENDRON = "dendron://"
"""How Dendron begins the address of a note in some vault."""

_IDENTIFIER = re.compile(r"\S*[./_\d-]\S*")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_SCHEME_SLASHES = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|mailto:")
_DENDRON_VAULT = re.compile(r"dendron://[^/]*/")


def is_external(target: str, markdown: bool) -> bool:
    """Whether a target has a URI scheme. In wikilinks only with `//`: `[[Plan: B]]` is a name.

    A single letter is a Windows drive, no scheme.
    """
    return (_SCHEME if markdown else _SCHEME_SLASHES).match(target) is not None


def is_identifier(text: str) -> bool:
    """Whether `text` looks like an id or a file name rather than like words to be read."""
    return _IDENTIFIER.fullmatch(text.partition("#")[0].strip()) is not None


def without_vault_prefix(target: str) -> str:
    """Drop Dendron's `dendron://vault/` from a target."""
    if target.startswith(DENDRON):
        return _DENDRON_VAULT.sub("", target, count=1)
    return target


def note_suffix(target: str) -> str:
    """`.md` or `.markdown` in lower case where the target ends with it, else ""."""
    lowered = target.lower()
    for suffix in NOTE_SUFFIXES:
        if lowered.endswith(suffix) and len(target) > len(suffix):
            return suffix
    return ""


def names_attachment(target: str, markdown: bool) -> bool:
    """Whether the ending of a target is that of a known file type other than a note."""
    stem, dot, ending = target.rpartition(".")
    known = FILE_SUFFIXES if markdown else ATTACHMENT_SUFFIXES
    return bool(dot and stem) and f".{ending.lower()}" in known


def is_relative(target: str) -> bool:
    """Whether a target begins with `./` or `../` (or is just that)."""
    return target.startswith(("./", "../")) or target in (".", "..")


def has_dots(target: str) -> bool:
    """Whether a target has a segment `.` or `..`, which makes it a path and no name."""
    return "." in target and any(part in (".", "..") for part in target.split("/"))


def joined(folder: str, target: str) -> str | None:
    """The vault path that `target` means in `folder`; "" for the root, None outside the vault."""
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
