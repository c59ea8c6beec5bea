"""Writing texts for people, as Markdown or plain."""

from __future__ import annotations

import re

from core.features.results import Markup

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~$])")


class Writer:
    """Paragraphs and lists in one of the two kinds of markup that clients show."""

    def __init__(self, markup: Markup) -> None:
        self._marked = markup == "markdown"
        self._parts: list[str] = []

    def escape(self, text: str) -> str:
        """Text of a note that must show as it is, on one line."""
        text = " ".join(text.split())
        return _SPECIAL.sub(r"\\\1", text) if self._marked else text

    def bold(self, text: str) -> str:
        return f"**{self.escape(text)}**" if self._marked else text

    def code(self, text: str) -> str:
        if not self._marked:
            return text
        ticks = "``" if "`" in text else "`"
        pad = " " if "`" in text else ""
        return f"{ticks}{pad}{text}{pad}{ticks}"

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
