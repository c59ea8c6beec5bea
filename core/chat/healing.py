"""The note in a model's answer, healed of what models get wrong. Never raises, loses nothing.

Healed are: fences that are missing, doubled or of another kind; code fences around and within;
YAML with quotes, colons, tabs, bullets and lists as models write them; several blocks; JSON in
place of YAML; chatter around the note; thoughts before it; HTML entities; line ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from core.chat.cleaning import plain_lines, without_entities, without_thoughts
from core.chat.loose_yaml import KNOWN, Entry, read_loose
from core.chat.note_blocks import front_begin, locate
from core.text import fold

_JSON_FENCE = re.compile(
    r"^ {0,3}(?:`{3,}|~{3,})[ \t]*(?:json\w*)?[ \t]*\n(.*?)\n {0,3}(?:`{3,}|~{3,})", re.S | re.M
)
_BODY_KEYS = ("body", "content", "markdown", "text", "note_body")
_FRONT_KEYS = ("frontmatter", "metadata", "properties", "yaml", "meta")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


class Healed(NamedTuple):
    """A note as far as the answer holds one; `found` is false for a text without frontmatter.

    `around` is what stood around the note, `repairs` names what was healed.
    """

    entries: tuple[Entry, ...]
    body: str
    around: str
    found: bool
    repairs: tuple[str, ...]


def heal(answer: str) -> Healed:
    """The note in an answer."""
    clean = plain_lines(answer)
    repairs = []
    if "\r" in answer:
        repairs.append("line-ends")
    text = without_thoughts(clean)
    if text != clean:
        repairs.append("thoughts")
    if (found := _from_json(text)) is not None:
        return found._replace(repairs=(*repairs, *found.repairs))
    at = locate(text.split("\n"))
    repairs += at.repairs
    loose = read_loose(at.front or [])
    if loose.broken:
        repairs.append("yaml")
    body = "\n".join(at.body).strip("\n")
    if loose.stray:
        repairs.append("stray-lines")
        body = "\n\n".join(part for part in (body, "\n".join(loose.stray)) if part)
    entries = tuple(_unescaped(entry) for entry in loose.entries)
    plain = without_entities(body)
    if plain != body or entries != loose.entries:
        repairs.append("entities")
    around = "\n".join(at.around).strip()
    return Healed(entries, plain.rstrip(), around, at.found, tuple(dict.fromkeys(repairs)))


def _from_json(text: str) -> Healed | None:
    """A note that was written as JSON; None where there is none."""
    fenced = _JSON_FENCE.search(text)
    candidates = [fenced[1]] if fenced and fenced[1].lstrip().startswith("{") else []
    start, end = text.find("{"), text.rfind("}")
    if not candidates and 0 <= start < end and "---" not in text[:start]:
        candidates.append(text[start : end + 1])
    lines = text.split("\n")
    opener = front_begin(lines)
    if opener is not None and candidates:
        at = text.index(candidates[0])
        if opener <= text.count("\n", 0, at):
            return None  # JSON in the text of a note
    for candidate in candidates:
        tree = _object(candidate)
        if tree is None:
            continue
        front: dict[str, Any] = {}
        body = ""
        for key, value in tree.items():
            if fold(key) in _FRONT_KEYS and isinstance(value, Mapping):
                front.update(value)
            elif fold(key) in _BODY_KEYS and isinstance(value, str) and not body:
                body = plain_lines(value)
            else:
                front[key] = value
        if not {fold(str(key)) for key in front} & KNOWN and not body:
            continue
        entries = tuple(_unescaped(_json_entry(str(k), v)) for k, v in front.items())
        before, _, behind = text.partition(candidate)
        if fenced:
            before, behind = text[: fenced.start()], text[fenced.end() :]
        around = "\n".join(part.strip() for part in (before, behind) if part.strip())
        if front_begin(body.split("\n")) == 0:
            inner = heal(body)
            return inner._replace(
                entries=(*entries, *inner.entries),
                around="\n".join(part for part in (around, inner.around) if part),
                repairs=("json", *inner.repairs),
            )
        plain = without_entities(body.strip("\n"))
        return Healed(entries, plain.rstrip(), around, True, ("json",))
    return None


def _object(text: str) -> dict[str, Any] | None:
    for attempt in (text, _TRAILING_COMMA.sub(r"\1", text)):
        try:
            found = json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else None
    return None


def _json_entry(key: str, value: Any) -> Entry:
    key = plain_lines(key).replace("\n", " ").strip()
    if isinstance(value, list) and all(not isinstance(item, dict | list) for item in value):
        return Entry(key, tuple(_scalar(item) for item in value if item is not None), True)
    if isinstance(value, dict | list):
        return Entry(key, raw=plain_lines(json.dumps(value, ensure_ascii=False, indent=2)))
    text = _scalar(value)
    if "\n" in text.strip():
        return Entry(key, raw=text.strip("\n"))
    return Entry(key, (text,) if text else ())


def _scalar(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return plain_lines(str(value)).strip()


def _unescaped(entry: Entry) -> Entry:
    values = tuple(without_entities(value, has_code=False) for value in entry.values)
    return entry._replace(values=values, raw=without_entities(entry.raw))
