"""Writing texts for people, as Markdown or plain."""

from __future__ import annotations

import re

from core.features.results import Markup

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~$])")
_TICKS = re.compile(r"`+")
_LONGEST = 160
"""Characters of a name that are shown; a title may be a whole paragraph."""


class Writer:
    """Paragraphs and lists in one of the two kinds of markup that clients show."""

    def __init__(self, markup: Markup) -> None:
        self._marked = markup == "markdown"
        self._parts: list[str] = []

    def escape(self, text: str, longest: int = _LONGEST) -> str:
        """Text of a note that must show as it is, on one line."""
        text = _short(text, longest)
        return _SPECIAL.sub(r"\\\1", text) if self._marked else text

    def bold(self, text: str) -> str:
        return f"**{self.escape(text)}**" if self._marked else _short(text)

    def code(self, text: str) -> str:
        text = _short(text)
        if not self._marked:
            return text
        longest = max((len(run) for run in _TICKS.findall(text)), default=0)
        ticks, pad = "`" * (longest + 1), " " if longest else ""
        return f"{ticks}{pad}{text}{pad}{ticks}"

    def image(self, uri: str) -> str:
        """An image, as wide as a hover; "" in plain text. The width is how VS Code has it."""
        return f"![]({uri}|width=300)" if self._marked else ""

    def add(self, paragraph: str) -> None:
        """A paragraph of its own; "" adds nothing."""
        if paragraph:
            self._parts.append(paragraph)

    def rule(self) -> None:
        """What is above and what is below are different things."""
        if self._marked and self._parts:
            self._parts.append("---")

    def items(self, lines: list[str]) -> None:
        """A list; lines are already escaped."""
        if lines:
            self._parts.append("\n".join(f"- {line}" for line in lines))

    def text(self) -> str:
        return "\n\n".join(self._parts)


def _short(text: str, longest: int = _LONGEST) -> str:
    """One line that is not endless."""
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
