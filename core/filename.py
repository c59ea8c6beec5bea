"""File names for notes, from titles of any kind."""

from __future__ import annotations

import re
import unicodedata

from core.ids import GERMAN

MAX_BYTES = 200
"""UTF-8 length of a file name with its suffix; file systems allow 255, sync programs less."""
FALLBACK = "untitled"
SUFFIX = ".md"

_ILLEGAL = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f-\x9f\u2028\u2029]+')
_WORDS = re.compile(r"[^\W_]+")
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_RESERVED = re.compile(r"(?:CON|PRN|AUX|NUL|COM[0-9¹²³]|LPT[0-9¹²³])(?:[. ]|$)", re.IGNORECASE)


def note_stem(title: str, number: int = 1) -> str:
    """The file name, without suffix, of a new note with this title; from 2 on with a number.

    Holds nothing that a file system or a wikilink cannot hold (`\\ / : * ? " < > | # ^ [ ]`),
    is no name that Windows reserves, neither hidden nor `..`, and with `.md` at most
    `MAX_BYTES` long, cut between characters. "untitled" where nothing is left.
    """
    text = unicodedata.normalize("NFC", title).encode("utf-8", "ignore").decode()
    name = " ".join(_ILLEGAL.sub(" ", text).split()).strip(" .")
    if _RESERVED.match(name):
        name = f"_{name}"
    behind = f" {number}" if number > 1 else ""
    room = MAX_BYTES - len(SUFFIX) - len(behind)
    name = name.encode()[:room].decode("utf-8", "ignore").strip(" .") or FALLBACK
    return name + behind


def slug_stem(title: str, number: int = 1) -> str:
    """The file name, without suffix, of a draft: the words of the title in lower case, joined by
    `-`, umlauts spelled out, other letters without accents; from 2 on with a number.

    As `note_stem` else. Words of other scripts stay as they are.
    """
    spelled = unicodedata.normalize("NFC", title).translate(GERMAN)
    kept = "".join(_plain(char) for char in spelled)
    return note_stem("-".join(_WORDS.findall(_APOSTROPHE.sub("", kept.lower()))), number).replace(
        " ", "-"
    )


def _plain(char: str) -> str:
    """A Latin letter without its accent; any other character as it is."""
    plain = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
    return plain if plain.isalpha() else char


def is_file_name(name: str) -> bool:
    """Whether a new file may have this name, with its suffix, on every system."""
    if not name or name != name.strip(" .") or name.startswith("."):
        return False
    if re.search(r'[\\/:*?"<>|\x00-\x1f\x7f]', name) or _RESERVED.match(name):
        return False
    return len(name.encode("utf-8", "surrogatepass")) <= MAX_BYTES
