"""How to write a link so that it means what it should, and nothing else."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from core.model import Heading, Link, Note, strip_note_suffix
from core.vault.anchors import comparable
from core.vault.index import VaultIndex
from core.vault.targets import MARKDOWN_FORMS, without_vault_prefix

PIPE, ESCAPED_PIPE = "|", "\\|"
"""What stands before an alias; the second in tables."""

_NOT_IN_TARGET = re.compile(r"[\[\]|#^\n\r\\]")
_NOT_IN_HEADING = re.compile(r"[\[\]|#^\\]+")
_DOTS = re.compile(r"^(?:\.{0,2}/)+")
_BLANKS = re.compile(r"\s+")
_PATH_SAFE = "/!$&'*+,;=@~-._"
"""ASCII punctuation that needs no percent-encoding in a Markdown destination. A colon would make
`Plan: B.md` an address."""
_YAML_SPECIAL = re.compile(r"[:#\[\]{},&*!|>'\"%@`\n]|^[-?]|^\s|\s$")
_YAML_WORD = re.compile(r"(?:~|null|true|false|yes|no|on|off|y|n|=|<<)\Z", re.IGNORECASE)
"""What YAML 1.1 takes for something else than a text."""


def wikilink_target(index: VaultIndex, path: str, source: str) -> str:
    """The shortest target by which a wikilink in `source` means the note at `path` alone.

    The file name, else as many folders in front as make it unique, else the note's id
    (for file names with characters that wikilinks cannot hold).
    """
    for name in _names(path):
        if not _NOT_IN_TARGET.search(name):
            found = index.resolve_name(name, source)
            if found.path == path and len(found.candidates) == 1:
                return name
    whole = strip_note_suffix(path)
    if not _NOT_IN_TARGET.search(whole):
        return whole
    return index.note_id(path)


def markdown_target(path: str, source: str, *, in_angles: bool = False) -> str:
    """The destination of a Markdown link in `source`: relative to it, percent-encoded
    unless it stands in `<>`."""
    # from the root: relative paths would ask for the process's folder
    relative = posixpath.relpath(f"/{path}", f"/{posixpath.dirname(source)}")
    if in_angles:
        return "".join(quote(char) if char in "<>#%\\?:" else char for char in relative)
    balanced = relative.count("(") == relative.count(")") and ")(" not in relative
    safe = _PATH_SAFE + ("()" if balanced else "")
    # letters of all languages stay readable; what ends or breaks a destination does not
    return "".join(
        char if char.isprintable() and not char.isascii() else quote(char, safe=safe)
        for char in relative
    )


def target_like(index: VaultIndex, link: Link, path: str, source: str) -> str:
    """The target that makes `link`, written in `source`, mean the note at `path`, in the form
    that the link has."""
    if link.form in MARKDOWN_FORMS:
        in_angles = link.raw[link.target_at - 1 : link.target_at] == "<"
        return markdown_target(path, source, in_angles=in_angles)
    return wikilink_target(index, path, source)


def searched_name(target: str) -> str:
    """A written target as the name to look for: without dots in front and suffix behind."""
    return strip_note_suffix(_DOTS.sub("", without_vault_prefix(target.strip())))


def heading_text(heading: Heading) -> str:
    """A heading's text as a wikilink can hold it: without `[ ] | # ^`."""
    return _BLANKS.sub(" ", _NOT_IN_HEADING.sub(" ", heading.text)).strip()


def heading_anchors(note: Note) -> Iterator[tuple[Heading, str]]:
    """The headings with the text behind `#` that means each; those that no text means are left out.

    Of several equal headings the later ones get one above in front: `Above#Text`. Agrees with
    `find_heading`, in one pass: of equal texts, and of equal paths, the first one counts.
    """
    above: list[tuple[Heading, set[str]]] = []
    first: dict[tuple[str, str], Heading] = {}
    for heading in note.headings:
        while above and above[-1][0].level >= heading.level:
            above.pop()
        key = comparable(heading.text)
        keys = {key, comparable(heading.raw)} - {""}
        for own in keys:
            first.setdefault(("", own), heading)
            for _, others in above:
                for other in others:
                    first.setdefault((other, own), heading)
        text = heading_text(heading)
        if key and first[("", key)] is heading:
            yield heading, text
        elif key:
            for parent, _ in reversed(above):
                if first.get((comparable(parent.text), key)) is heading:
                    yield heading, f"{heading_text(parent)}#{text}"
                    break
        above.append((heading, keys))


def heading_from_anchor(link: Link, anchor: str) -> str:
    """The text for a heading that `link` would mean: the last of a path, a slug with blanks."""
    text = anchor.rpartition("#")[2].strip()
    if link.form in MARKDOWN_FORMS:
        text = text.replace("-", " ").strip()
        return text[:1].upper() + text[1:]
    return text


def alias_text(name: str) -> str:
    """A name as the alias of a wikilink can hold it, "" where it cannot."""
    text = _BLANKS.sub(" ", name).strip()
    return "" if "]]" in text or text.endswith("]") or "|" in text else text


def yaml_inside(text: str, quote: str) -> str:
    """`text` as it stands between the quotes of a scalar, or plain where `quote` is none."""
    if quote == "'":
        return text.replace("'", "''")
    return yaml_quoted(text)[1:-1] if quote == '"' else yaml_value(text)


def yaml_value(text: str) -> str:
    """`text` as a YAML scalar: quoted only where it must be."""
    bare = text and not _YAML_SPECIAL.search(text) and not _YAML_WORD.match(text)
    return text if bare else yaml_quoted(text)


def yaml_text(text: str) -> str:
    """As `yaml_value`, for what is a text to every program: `007` and `2031-03-09` get quotes."""
    if text[:1].isdigit() or text[:1] in "+-.":
        import yaml

        resolve: Any = yaml.SafeLoader("").resolve
        if resolve(yaml.ScalarNode, text, (True, False)) != "tag:yaml.org,2002:str":
            return yaml_quoted(text)
    return yaml_value(text)


def yaml_quoted(text: str) -> str:
    """`text` as a double-quoted YAML scalar."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    return f'"{escaped}"'


def _names(path: str) -> Iterator[str]:
    """`c`, `b/c`, `a/b/c` for `a/b/c.md`."""
    parts = strip_note_suffix(path).split("/")
    for count in range(1, len(parts) + 1):
        yield "/".join(parts[-count:])
