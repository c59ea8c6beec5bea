"""What the parser's problems say to people, and how bad each is."""

from __future__ import annotations

from core.locale import Locale, say
from core.model import Problem
from core.settings import Severity

_TEXTS: dict[str, tuple[str, str]] = {
    "unquoted-colon": (
        "YAML takes the colon in this value for a key; put the value in quotes",
        "YAML hält den Doppelpunkt in diesem Wert für einen Schlüssel; "
        "setze den Wert in Anführungszeichen",
    ),
    "reserved-character": (
        "A YAML value cannot begin with {detail}; put the value in quotes",
        "Ein YAML-Wert kann nicht mit {detail} beginnen; setze den Wert in Anführungszeichen",
    ),
    "unquoted-link": (
        "YAML cannot read a link with text around it; put the value in quotes",
        "YAML kann einen Link mit Text daneben nicht lesen; setze den Wert in Anführungszeichen",
    ),
    "comment-cuts-value": (
        "YAML takes “{detail}” for a comment, so that it is not part of the value",
        "YAML hält „{detail}“ für einen Kommentar; es gehört nicht zum Wert",
    ),
    "tab-indent": (
        "YAML does not allow tabs in indentation",
        "YAML erlaubt keine Tabulatoren in der Einrückung",
    ),
    "duplicate-key": (
        "The key “{detail}” is already there",
        "Den Schlüssel „{detail}“ gibt es schon",
    ),
    "not-a-mapping": (
        "Frontmatter must consist of `key: value` lines",
        "Frontmatter muss aus Zeilen der Form `Schlüssel: Wert` bestehen",
    ),
    "yaml-syntax": ("Not valid YAML: {detail}", "Kein gültiges YAML: {detail}"),
}
"""By reason, English and German; `{detail}` comes from the problem."""

_AT_MOST: dict[str, Severity] = {"comment-cuts-value": "hint", "duplicate-key": "warning"}
"""Reasons that weigh less than the setting for invalid frontmatter: it is YAML, hardly meant so."""

_ORDER: tuple[Severity, ...] = ("off", "hint", "information", "warning", "error")


def problem_text(problem: Problem, locale: Locale) -> str:
    """The message for a problem."""
    en, de = _TEXTS.get(problem.reason, _TEXTS["yaml-syntax"])
    text = say(locale, en, de).replace("{detail}", problem.detail)
    return text.rstrip(": ")


def problem_severity(problem: Problem, setting: Severity) -> Severity:
    """The severity of a problem whose code has the severity `setting`."""
    return min(setting, _AT_MOST.get(problem.reason, setting), key=_ORDER.index)
