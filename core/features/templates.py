"""The text of a new note: from a vault's own template, else from the packaged one of its type.

Variables are those of Obsidian's core templates: `{{title}}`, `{{date}}`, `{{time}}`, with a
format behind a colon, and `{{type}}` and `{{id}}`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core.config.templates import TemplatesConfig
from core.features.linktext import yaml_inside, yaml_text, yaml_value
from core.ids import path_note_id
from core.locale import Locale
from core.parse import parse_note
from core.text import fold

_VARIABLE = re.compile(r"\{\{\s*(title|date|time|type|id)\s*(?::([^{}\r\n]*))?\}\}", re.IGNORECASE)
_VALUE = re.compile(
    r"(?P<lead>\s*(?:-\s+)*(?:[^\s\-#:\"'\[{][^:#\"']*:\s+)?(?:-\s+)*)(?P<value>\S.*?)"
    r"(?P<tail>\s*(?:\s\#.*)?)"
)
_TOKEN = re.compile(r"\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|A|a")
_LINE_ENDS = re.compile(r"\r\n|\n|\r")
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
}
_DAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
}


class Moment(NamedTuple):
    """A local time, as given by whoever has a clock; `weekday` counts from Monday, 0."""

    year: int = 1970
    month: int = 1
    day: int = 1
    hour: int = 0
    minute: int = 0
    second: int = 0
    weekday: int = 3

    @property
    def date(self) -> str:
        return f"{self.year:04}-{self.month:02}-{self.day:02}"


class NewNote(NamedTuple):
    """What a note will be: its path, its title as people read it, its type ("" for none)."""

    path: str
    title: str
    type: str
    now: Moment
    locale: Locale


def note_text(new: NewNote, own: str | None, packaged: TemplatesConfig, *, eol: str = "\n") -> str:
    """The whole text of a new note, with line ends `eol`, so that its title means it.

    `own` is the text of the vault's template. Without one, a note without a type is its title
    alone, one with a type has frontmatter and the sections of its type.
    """
    title = " ".join(new.title.split())
    if own is not None and own.strip():
        text = _named(fill(own, new), new, title)
    elif not new.type:
        text = f"# {title}\n"
    else:
        template = packaged.of(new.type)
        known = {"type": new.type, "title": title, "status": "draft", "created": new.now.date}
        lines = [
            f"{key}: {yaml_text(value) if key == 'title' else yaml_value(value)}"
            for key, value in known.items()
        ]
        lines += [f"{key}:" for key in template.fields if key not in known]
        body = fill(template.body.say(new.locale), new).strip("\n")
        text = "\n".join(["---", *lines, "---", "", f"# {title}", ""])
        text += f"\n{body}\n" if body else ""
    return _LINE_ENDS.sub(lambda _: eol, text)


def fill(template: str, new: NewNote) -> str:
    """The template with its variables filled in; values of its frontmatter stay YAML."""
    flat = _LINE_ENDS.sub("\n", template)
    note = parse_note(new.path, flat)
    start = note.body_start if note.frontmatter else 0
    head, body = flat[:start], flat[start:]
    filled = "\n".join(_yaml_line(line, new) for line in head.split("\n"))
    return filled + _VARIABLE.sub(lambda found: _value(found, new), body)


def formatted(now: Moment, pattern: str, locale: Locale) -> str:
    """A time in a format of Moment.js, as far as templates use it; `[text]` stands for itself."""
    months, days = _MONTHS[locale].split(), _DAYS[locale].split()
    values = {
        "YYYY": f"{now.year:04}", "YY": f"{now.year % 100:02}",
        "MMMM": months[now.month - 1], "MMM": months[now.month - 1][:3],
        "MM": f"{now.month:02}", "M": str(now.month), "DD": f"{now.day:02}", "D": str(now.day),
        "dddd": days[now.weekday], "ddd": days[now.weekday][: 3 if locale == "en" else 2],
        "HH": f"{now.hour:02}", "H": str(now.hour),
        "hh": f"{(now.hour - 1) % 12 + 1:02}", "h": str((now.hour - 1) % 12 + 1),
        "mm": f"{now.minute:02}", "m": str(now.minute), "ss": f"{now.second:02}",
        "s": str(now.second), "A": "AM" if now.hour < 12 else "PM",
        "a": "am" if now.hour < 12 else "pm",
    }  # fmt: skip
    return _TOKEN.sub(lambda found: values.get(found[0], found[1] or ""), pattern)


def _value(found: re.Match[str], new: NewNote) -> str:
    match found[1].lower():
        case "title":
            return " ".join(new.title.split())
        case "date":
            return formatted(new.now, (found[2] or "").strip() or "YYYY-MM-DD", new.locale)
        case "time":
            return formatted(new.now, (found[2] or "").strip() or "HH:mm", new.locale)
        case "type":
            return new.type
        case _:
            return path_note_id(new.path)


def _yaml_line(line: str, new: NewNote) -> str:
    """A line of frontmatter, its value written so that YAML reads what was filled in."""
    if not _VARIABLE.search(line):
        return line
    parts = _VALUE.fullmatch(line)
    value = parts["value"] if parts else ""
    if parts is None or (value[0] in "[{" and not _VARIABLE.match(value)):
        return _VARIABLE.sub(lambda found: _within(line, found, _value(found, new)), line)
    if value[0] in "\"'" and value[-1] == value[0] and len(value) > 1:
        mark = value[0]
        inside = _VARIABLE.sub(lambda found: yaml_inside(_value(found, new), mark), value[1:-1])
        return f"{parts['lead']}{mark}{inside}{mark}{parts['tail']}"
    filled = _VARIABLE.sub(lambda found: _value(found, new), value)
    return f"{parts['lead']}{yaml_value(filled)}{parts['tail']}"


def _within(line: str, found: re.Match[str], value: str) -> str:
    """A value among others in a line: in quotes of its own, or in those that are there."""
    before = line[: found.start()]
    for mark in "\"'":
        if before.count(mark) % 2:
            return yaml_inside(value, mark)
    return yaml_value(value)


def _named(text: str, new: NewNote, title: str) -> str:
    """The text with its title in it where neither it nor the file name says it."""
    note = parse_note(new.path, text)
    if fold(title) in {fold(name) for name in (note.stem, note.title, *note.aliases)}:
        return text
    start = note.body_start if note.frontmatter else 0
    gap = "\n" if start else ""
    body = text[start:].lstrip("\n")
    return f"{text[:start]}{gap}# {title}\n" + (f"\n{body}" if body else "")
