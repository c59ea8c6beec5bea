"""Writing a target into a link: encoded as the link's form and its place need it."""

from __future__ import annotations

import re
from urllib.parse import quote

from core.features.linktext import yaml_inside, yaml_quoted
from core.model import FRONTMATTER, TEXTLINK, Link, Note, Property, Scalar
from core.parse import parse_note
from core.vault.targets import MARKDOWN_FORMS, is_external

_NOT_IN_WIKILINK = re.compile(
    r"[|\n\r\\]|\A(?:rel:|mailto:|\s|(?!dendron:)[A-Za-z][A-Za-z0-9+.-]+://)|\s\Z"
)
_UNUSUAL = re.compile(r"[\[\]#^]")
"""What a wikilink should not hold, though this parser often understands it."""
_ENCODED = re.compile(r"%[89A-Fa-f][0-9A-Fa-f]")
"""A letter outside ASCII, percent-encoded."""
_ENCODING = re.compile(r"%(?=[0-9A-Fa-f]{2})")
_IN_ANGLES = {"<": "%3C", ">": "%3E", "#": "%23", "\\": "%5C", "\n": "%0A", "\r": "%0D"}
_SAFE = "/!$&'*+,;=@~-._"
_SAFE_IN_YAML = "/~-._"
_PLAIN_IN_YAML = re.compile(r"[\w/.-][\w /.-]*")
_DEEPEST = 5


def written(
    link: Link, note: Note, start: int, end: int, target: str, *, unusual: bool = False
) -> str | None:
    """`target` as it stands in place of `link.raw[start:end]`; None where no spelling of it can
    stand there. `note` is the one that holds the link.

    `unusual` allows a wikilink `[`, `]`, `#` and `^`, which other programs would not read; those
    that it has already may stay.
    """
    if link.form == TEXTLINK:
        mark = link.raw[:start]
        texts = [yaml_inside(target, mark)] if mark else [target, yaml_quoted(target)]
    elif link.form in MARKDOWN_FORMS:
        texts = [_destination(link, start, end, target)]
    else:
        texts = [target] if _fits_wikilink(link, start, end, target, unusual) else []
    if link.origin == FRONTMATTER:
        texts = [text for text in texts if _fits_yaml(link, note, start, end, text, target)]
    return texts[0] if texts else None


def _fits_wikilink(link: Link, start: int, end: int, target: str, unusual: bool) -> bool:
    if _NOT_IN_WIKILINK.search(target):
        return False
    if not _UNUSUAL.search(target):
        return True
    kept = link.raw[start:end].split("/")
    new = [part for part in target.split("/") if part not in kept]
    if not unusual and any(map(_UNUSUAL.search, new)):
        return False
    raw = link.raw[:start] + target + link.raw[end:]
    return any(found.raw == raw for found in parse_note("", raw).links)


def _destination(link: Link, start: int, end: int, target: str) -> str:
    """Relative or rooted path of a Markdown link; segments that are there already stay as they
    are written."""
    raw = link.raw[start:end]
    old, own = link.target.split("/"), raw.split("/")
    kept = dict(zip(old, own, strict=True)) if len(old) == len(own) else {}
    if link.raw[start - 1 : start] == "<":
        encoded = [kept.get(part) or _in_angles(part) for part in target.split("/")]
        return _no_address("/".join(encoded))
    safe = _SAFE_IN_YAML if link.origin == FRONTMATTER else _SAFE
    parens = _are_balanced(target) and link.origin != FRONTMATTER
    if parens:
        safe += "()"
    readable = not _ENCODED.search(raw)
    encoded = []
    for part in target.split("/"):
        same = kept.get(part)
        if same is None or (not parens and ("(" in same or ")" in same)):
            same = "".join(_quoted(char, safe, readable=readable) for char in part)
        encoded.append(same)
    return _no_address("/".join(encoded))


def _no_address(destination: str) -> str:
    """`ab:c.md` is an address, `ab%3Ac.md` a path."""
    if not is_external(destination, markdown=True):
        return destination
    first, slash, rest = destination.partition("/")
    return first.replace(":", "%3A") + slash + rest


def _in_angles(part: str) -> str:
    part = _ENCODING.sub("%25", part)
    return "".join(_IN_ANGLES.get(char, char) for char in part)


def _quoted(char: str, safe: str, *, readable: bool) -> str:
    """Letters of all languages stay readable; what ends or breaks a destination does not."""
    if readable and char.isprintable() and not char.isascii():
        return char
    return quote(char, safe=safe, errors="surrogatepass")


def _are_balanced(text: str) -> bool:
    """Whether round brackets may stay as they are."""
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if not 0 <= depth <= _DEEPEST:
            return False
    return depth == 0


def _fits_yaml(link: Link, note: Note, start: int, end: int, text: str, target: str) -> bool:
    """Whether the frontmatter still holds this link with `text` in it."""
    named = link.form == TEXTLINK
    if not named and _PLAIN_IN_YAML.fullmatch(text) and not text.endswith(" "):
        return True
    found = _scalar(note, link)
    if found is None:
        return False
    prop, scalar = found
    at = link.start - scalar.start
    raw = scalar.raw[: at + start] + text + scalar.raw[at + end :]
    if "\n" in raw or "\r" in raw:
        return False
    wanted = link.raw[:start] + text + link.raw[end:]
    fits = [
        len(new.problems) <= len(old.problems)
        and any(each.raw == wanted and (not named or each.target == target) for each in new.links)
        for old, new in zip(_values(prop, scalar.raw), _values(prop, raw), strict=True)
        if any(each.raw == link.raw for each in old.links)
    ]
    return bool(fits) and all(fits)


def _values(prop: Property, value: str) -> list[Note]:
    """Notes with a value alone and in both kinds of lists."""
    sources = (f" {value}", f" [{value}, x]", f"\n- {value}\n- x")
    return [parse_note("", f"---\n{prop.raw}:{source}\n---\n", (prop.key,)) for source in sources]


def _scalar(note: Note, link: Link) -> tuple[Property, Scalar] | None:
    """The frontmatter value that holds a link."""
    for prop in note.frontmatter.properties if note.frontmatter else ():
        for value in prop.values:
            if value.start <= link.start and link.end <= value.end:
                return prop, value
    return None
