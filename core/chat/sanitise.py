"""A healed note made safe to offer: known frontmatter only, everything else in the body.

No path, id or status is taken from a model: `id`, `created` and `status: draft` are filled in,
values are written so that YAML reads exactly them, links stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from core.chat.cleaning import plain_lines
from core.chat.healing import Healed
from core.chat.loose_yaml import Entry
from core.config.relations import RelationsConfig
from core.features.frontmatter_keys import KEYS
from core.features.linktext import yaml_text, yaml_value
from core.ids import path_note_id
from core.parse.kinds import normal_kind
from core.text import fold

FILLED_IN = ("type", "title", "id", "status", "created")
"""Keys whose values are never the model's alone, in the order in which they are written."""
LISTS = frozenset(("tags", "aliases", "depends_on", "assigned_to"))
"""Keys whose values are lists, besides relation kinds."""
NUMBERS = frozenset(("priority", "effort_min", "due", "updated", "embedding_exclude"))
"""Keys whose values may be something else than a text for YAML."""

_OTHER_NAMES = {"tag": "tags", "alias": "aliases", "effort": "effort_min", "deadline": "due",
                "language": "lang"}  # fmt: skip
_ALLOWED = frozenset(KEYS) - {"links"}
_ATX = re.compile(r" {0,3}#(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_SETEXT = re.compile(r" {0,3}=+[ \t]*")
_PLAIN = re.compile(r" {0,3}(?![#>`~|=+*-])\S")
_MARKS = re.compile(r"[*_`\[\]\\]+")
_EMPTY_HEADINGS = ("", "title", "titel")


class Given(NamedTuple):
    """What is known besides the answer: the vault path of the draft, `YYYY-MM-DD`, the known
    relation kinds. `type` is what was asked for; `title` what a person called it, "" for the
    model's own."""

    path: str
    type: str
    title: str
    today: str
    relations: RelationsConfig = RelationsConfig()


class Clean(NamedTuple):
    """The text of the draft. `moved_to_body` are the keys that became sections, as written."""

    title: str
    markdown: str
    moved_to_body: tuple[str, ...]


def title_in(healed: Healed) -> str:
    """The title that a note gives itself, in its frontmatter or its first heading; "" if none."""
    for entry in healed.entries:
        if allowed_key(entry.key) == "title" and entry.values:
            return " ".join(entry.values[0].split())
    heading, _ = _first_heading(healed.body)
    return heading or ""


def allowed_key(key: str, relations: RelationsConfig | None = None) -> str | None:
    """The key as it is written in a note; None where none is allowed."""
    name = normal_kind(key)
    name = _OTHER_NAMES.get(name, name)
    if name in _ALLOWED:
        return name
    if relations is not None and relations.known(name):
        kind = relations.canonical(name)
        return None if relations.relations[kind].structural else name
    return None


def sanitise(healed: Healed, given: Given) -> Clean:
    """The draft of a healed note. Doing it again to its own result changes nothing."""
    title = " ".join(plain_lines(given.title or title_in(healed)).split())
    kept: dict[str, list[str]] = {}
    moved: list[str] = []
    sections: list[str] = []
    for entry in healed.entries:
        key = allowed_key(entry.key, given.relations)
        lost = _take(kept, key, entry)
        if lost:
            moved.append(entry.key)
            sections.append(f"## {_heading_of(entry.key)}\n\n{lost}")
    first = {
        "type": given.type,
        "title": title,
        "id": path_note_id(given.path),
        "status": "draft",
        "created": given.today,
    }
    lines = ["---", *(f"{key}: {_scalar(key, first[key])}" for key in FILLED_IN if first[key])]
    for key, values in kept.items():
        if key not in FILLED_IN:
            lines += property_lines(key, values)
    body = with_title(healed.body, title)
    parts = ("\n".join([*lines, "---"]), body, *sections)
    text = "\n\n".join(stripped for part in parts if (stripped := part.strip("\n")))
    return Clean(title, text.rstrip() + "\n", tuple(dict.fromkeys(moved)))


def with_title(body: str, title: str) -> str:
    """The body below one heading of level 1 that is the title; another one is made smaller."""
    heading, rest = _first_heading(body)
    line = f"# {_heading_text(title)}" if title else ""
    if heading is None:
        return f"{line}\n\n{body.strip(chr(10))}".strip("\n")
    if _comparable(heading) in (_comparable(title), *_EMPTY_HEADINGS):
        return f"{line}\n\n{rest}".strip("\n") if rest else line
    return f"{line}\n\n## {heading}\n\n{rest}".rstrip("\n")


def _take(kept: dict[str, list[str]], key: str | None, entry: Entry) -> str:
    """Keep an entry under its key; what of it has to move into the body, "" for nothing."""
    values = [" ".join(value.split()) for value in entry.values if value.strip()]
    if key is None or entry.raw:
        return entry.raw if entry.raw else _listed(values, as_list=entry.is_list)
    if key in FILLED_IN:
        # of two titles the second one is told
        known = kept.setdefault(key, values)
        return "" if known == values or key != "title" else _listed(values, as_list=entry.is_list)
    if key in LISTS or key not in _ALLOWED:
        found = kept.setdefault(key, [])
        parts = values if key not in ("tags", "aliases") else _split(key, values, entry)
        found += [part for part in parts if part not in found]
        return ""
    if key in kept:
        return "" if kept[key] == values[:1] else _listed(values, as_list=entry.is_list)
    kept[key] = values[:1]
    return _listed(values[1:], as_list=True) if len(values) > 1 else ""


def _split(key: str, values: Iterable[str], entry: Entry) -> Iterator[str]:
    for value in values:
        parts = value.split(",") if not entry.is_list else [value]
        for part in parts:
            plain = part.strip()
            if key == "tags":
                words = plain.split() if plain.startswith("#") else ["-".join(plain.split())]
                yield from (word.strip("#,") for word in words if word.strip("#,"))
            elif plain:
                yield plain


def _listed(values: list[str], *, as_list: bool) -> str:
    if as_list:
        return "\n".join(f"- {value}" for value in values)
    return "\n\n".join(values)


def property_lines(key: str, values: Sequence[str]) -> list[str]:
    """Lines of YAML for a key: one for a value, a list for keys that hold lists; none for no
    value."""
    values = [" ".join(plain_lines(value).split()) for value in values]
    if not values:
        return []
    if key in ("tags", "aliases") and len(values) == 1:
        values = list(_split(key, values, Entry(key)))
    if key in LISTS or key not in _ALLOWED:
        return [f"{key}:", *(f"  - {_scalar(key, value)}" for value in values)]
    return [f"{key}: {_scalar(key, values[0])}"]


def _scalar(key: str, value: str) -> str:
    """A value in YAML: a text stays one, also for programs that read `007` as a number."""
    if key in NUMBERS or key == "created":
        return yaml_value(value)
    return yaml_text(value)


def _first_heading(body: str) -> tuple[str | None, str]:
    """The heading of level 1 with which a body begins, None for none, and what is below."""
    lines = body.strip("\n").split("\n")
    at = next((at for at, line in enumerate(lines) if line.strip()), None)
    if at is None:
        return None, ""
    if found := _ATX.fullmatch(lines[at]):
        return (found[1] or "").strip(), "\n".join(lines[at + 1 :]).strip("\n")
    if at + 1 < len(lines) and _SETEXT.fullmatch(lines[at + 1]) and _PLAIN.match(lines[at]):
        return lines[at].strip(), "\n".join(lines[at + 2 :]).strip("\n")
    return None, body.strip("\n")


def _heading_text(title: str) -> str:
    """A title as a heading holds it: a last `#` is no mark that ends the heading."""
    bare = title.rstrip("#")
    if bare != title and (not bare or bare[-1:].isspace()):
        return f"{bare}\\{title[len(bare) :]}"
    return title


def _comparable(text: str) -> str:
    return fold(_MARKS.sub("", text))


def _heading_of(key: str) -> str:
    name = " ".join(re.sub(r"[_\s#]+", " ", key).split())
    return name[:1].upper() + name[1:]
