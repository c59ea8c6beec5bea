"""What the parser's problems say to people."""

from __future__ import annotations

from core.locale import Locale, say
from core.model import Problem

_TEXTS: dict[str, tuple[str, str]] = {}
"""By reason, English and German; `{detail}` and `{raw}` come from the problem."""


def problem_text(problem: Problem, locale: Locale) -> str:
    """The message for a problem; one that has no text of its own says what it is about."""
    en, de = _TEXTS.get(problem.reason, ("Invalid frontmatter: {detail}", "Frontmatter: {detail}"))
    values = {"detail": problem.detail or problem.reason, "raw": problem.raw}
    text = say(locale, en, de)
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text
