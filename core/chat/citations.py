"""An answer while it is written: only citations that exist, no address that is not in the notes.

What a note tells the model to write must not make an editor load something: an image in an
answer would be asked for by showing it, with whatever the model put into its address.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from core.chat.fence import check_citations

LONGEST_HELD = 400
"""Code points that are held back at most while it is not clear what they become."""

_ADDRESS = re.compile(
    r"(?:\b[a-z][a-z0-9+.\-]{1,15}://|\b(?:mailto|data|javascript|vbscript|file|command):|(?<![\w/:])//(?=\w))"
    r"[^\s<>\"'`\])]*",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"!(?=\[)")
_TAG = re.compile(
    r"</?(?:img|script|iframe|object|embed|link|style|svg|video|audio|source|form|input|base|meta)"
    r"\b[^>\n]*>?",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\[\]\n]*)\]\(\s*(?:…)?\s*(?:\"[^\"\n]*\"\s*)?\)")
_BEGUN = "|".join(
    scheme[:length]
    for scheme in ("https", "mailto", "data", "javascript", "vbscript", "file", "ftp", "command")
    for length in range(len(scheme), 0, -1)
)
_OPEN = re.compile(
    rf"[^\S\n]*(?:!?\[[^\]\n]*(?:\]+(?:\([^)\n]*)?)?|<[^>\n]*|\S*[:/]\S*|!|\b(?:{_BEGUN}))$|[^\S\n]+$",
    re.IGNORECASE,
)
"""An end that may become a citation, a link, a tag or an address."""


class Answer:
    """Takes the pieces of an answer, and gives what may be shown of it.

    `known` are the numbers of the sources, `material` all texts that the model was given: an
    address that stands there word for word stays. Lines are checked one by one.
    """

    def __init__(self, known: Collection[int], material: str) -> None:
        self._known, self._material = known, material
        self._line = ""
        """The last line, as it came."""
        self._whole = ""
        """All lines before it, checked."""
        self._shown = ""
        self._in_code = False

    def feed(self, piece: str) -> str:
        """What may be shown by now, and was not before."""
        *lines, self._line = (self._line + piece).split("\n")
        for line in lines:
            self._whole += f"{self._checked(line)}\n"
            self._in_code ^= line.lstrip().startswith("```")
        held = _OPEN.search(self._line, max(0, len(self._line) - LONGEST_HELD))
        return self._show(self._line[: held.start()] if held else self._line)

    def end(self) -> str:
        """The last that may be shown."""
        return self._show(self._line)

    @property
    def text(self) -> str:
        """The whole answer, checked."""
        return (self._whole + self._checked(self._line)).strip()

    @property
    def citations(self) -> tuple[int, ...]:
        """The numbers that it cites, in order."""
        return check_citations(self.text, self._known).numbers

    def _checked(self, line: str) -> str:
        line = without_foreign(line, self._material)
        if self._in_code:
            return line
        return check_citations(line, self._known).text

    def _show(self, line: str) -> str:
        whole = (self._whole + self._checked(line)).lstrip()
        if not whole.startswith(self._shown):
            return ""  # what came changes what was shown; the whole answer at the end is right
        new, self._shown = whole[len(self._shown) :], whole
        return new


def without_foreign(text: str, material: str) -> str:
    """A text without images, active HTML, and addresses that do not stand in `material`."""
    text = _TAG.sub("", _IMAGE.sub("", text))

    def keep(found: re.Match[str]) -> str:
        address = found[0].rstrip(".,;:!?*_")
        known = bool(address) and address in material and not _is_active(address)
        return found[0] if known else "…" + found[0][len(address) :]

    return _LINK.sub(lambda found: found[1], _ADDRESS.sub(keep, text))


def _is_active(address: str) -> bool:
    return address.lower().startswith(("javascript:", "data:", "vbscript:", "command:"))
