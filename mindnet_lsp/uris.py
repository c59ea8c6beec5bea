"""File URIs and paths of this machine, in both directions.

pygls' own functions drop what follows a raw `#` and know no vault; these encode every
character that a URI reserves (`#`, `%`, `?`, blanks) and accept what editors send.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit

WINDOWS = os.name == "nt"

_DRIVE = re.compile(r"/?[A-Za-z]:")
_RESERVED = re.compile(r"[^A-Za-z0-9_.~/-]")


def to_uri(path: str, windows: bool = WINDOWS) -> str:
    """The `file:` URI of an absolute path."""
    if windows:
        path = path.replace("\\", "/")
        if path.startswith("//"):
            return "file:" + _quoted(path)
        if _DRIVE.match(path):
            drive, rest = path[:2], path[2:]
            return f"file:///{drive[0].lower()}%3A{_quoted(rest)}"
    return "file://" + _quoted(path)


def to_path(uri: str, windows: bool = WINDOWS) -> str | None:
    """The absolute path that a URI names; None where it is not a file of this machine.

    A raw `#` or `?` belongs to the path: no editor sends a fragment or a query, but some
    forget to encode.
    """
    scheme, colon, rest = uri.partition(":")
    if not colon or scheme.lower() != "file":
        return None
    host = ""
    if rest.startswith("//"):
        host, slash, path = rest[2:].partition("/")
        rest = slash + path
    path = os.fsdecode(unquote_to_bytes(rest))
    if "\0" in path or not path.startswith("/"):
        return None
    if windows:
        if host and host != "localhost":
            return f"\\\\{host}" + path.replace("/", "\\")
        if _DRIVE.match(path):
            path = path[1].lower() + path[2:]
        return path.replace("/", "\\")
    return None if host not in ("", "localhost") else os.path.normpath(path)


def key_of(uri: str) -> str:
    """What two spellings of one URI have in common (`c%3A` and `c:`, `%C3%A4` and `ä`)."""
    path = to_path(uri)
    return uri if path is None else path


def name_of(uri: str) -> str:
    """A file name for a document that is no file (`untitled:Untitled-1`)."""
    path = os.fsdecode(unquote_to_bytes(urlsplit(uri).path))
    return path.rpartition("/")[2] or "untitled"


def below(root: str, path: str) -> str | None:
    """`path` relative to `root` with `/`, None where it is not below it."""
    prefix = root if root.endswith(os.sep) else root + os.sep
    if not path.startswith(prefix):
        return None
    return path[len(prefix) :].replace(os.sep, "/")


def join(root_uri: str, path: str) -> str:
    """The URI of a vault path below the folder `root_uri`."""
    return f"{root_uri.rstrip('/')}/{_quoted(path)}"


def _quoted(path: str) -> str:
    """As `quote_from_bytes(os.fsencode(path))`, which goes through all bytes in Python."""
    return _RESERVED.sub(_escape, path)


def _escape(match: re.Match[str]) -> str:
    return _escaped(match[0])


@lru_cache(maxsize=1 << 10)
def _escaped(letter: str) -> str:
    return quote_from_bytes(os.fsencode(letter), safe="")
