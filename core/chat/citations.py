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
    r"(?:\b[a-z][a-z0-9+.\-]{1,15}://|\b(?:mailto|data|javascript|vbscript|file):|(?<![\w/:])//(?=\w))"
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
    for scheme in ("https", "mailto", "data", "javascript", "vbscript", "file", "ftp")
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
    address that stands there word for word stays.
    """

    def __init__(self, known: Collection[int], material: str) -> None:
        self._known, self._material = known, material
        self._raw = ""
        self._shown = ""

    def feed(self, piece: str) -> str:
        """What may be shown by now, and was not before."""
        self._raw += piece
        held = _OPEN.search(self._raw, max(0, len(self._raw) - LONGEST_HELD))
        return self._show(self._raw[: held.start()] if held else self._raw)

    def end(self) -> str:
        """The last that may be shown."""
        return self._show(self._raw)

    @property
    def text(self) -> str:
        """The whole answer, checked."""
        return self._checked(self._raw)[0].strip()

    @property
    def citations(self) -> tuple[int, ...]:
        """The numbers that it cites, in order."""
        return self._checked(self._raw)[1]

    @property
    def invented(self) -> tuple[int, ...]:
        """Numbers without a source that were taken out."""
        return self._checked(self._raw)[2]

    def _checked(self, raw: str) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
        found = check_citations(without_foreign(raw, self._material), self._known)
        return found.text, found.numbers, found.unknown

    def _show(self, raw: str) -> str:
        checked = self._checked(raw)[0].lstrip()
        if not checked.startswith(self._shown):
            return ""  # what came changes what was shown; the whole answer at the end is right
        new, self._shown = checked[len(self._shown) :], checked
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
    return address.lower().startswith(("javascript:", "data:", "vbscript:"))
