"""Where the values of a note's effective type come from: for people who wonder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from core.config.files import VAULT_FOLDER, Overlay, load_overlay, packaged_config_dir
from core.config.load import TYPES_FILE_VARIABLE, Config
from core.config.note_types import EffectiveType
from core.model import Note
from core.text import fold

TYPES_FILE = "types.yaml"


class Origin(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a value comes from: `source` is "frontmatter", "path", "default", "packaged", "vault",
    "heading" or "file name"; `file` and `line` (from 1) say where, if it is written somewhere."""

    value: Any
    source: str
    file: str = ""
    line: int = 0


class TypeOrigins:
    """Looks up the values of types in the files that gave them. Reads each file once."""

    def __init__(self, root: Path, environ: Mapping[str, str], config: Config) -> None:
        named = environ.get(TYPES_FILE_VARIABLE)
        own = Path(named).expanduser() if named else root / VAULT_FOLDER / TYPES_FILE
        self._root = root
        self._layers: list[tuple[str, Overlay]] = []
        for source, path in (("vault", own), ("packaged", packaged_config_dir() / TYPES_FILE)):
            overlay, _ = load_overlay(path)
            if overlay is not None:
                self._layers.append((source, overlay))
        self._overrides = config.types.allow_frontmatter_overrides
        self._refused = {(p.file, p.key) for p in config.problems}
        self._known: dict[tuple[str, str], tuple[str, str, int]] = {}

    def of(self, note: Note, type_: EffectiveType) -> dict[str, Origin]:
        """The origin of the type and of each value that it gives."""
        found = {"type": self._type(note, type_)}
        for key, value in (
            ("chunk_profile", type_.chunk_profile),
            ("retriever_weight", type_.retriever_weight),
            ("edge_defaults", list(type_.edge_defaults)),
        ):
            line = _property_line(note, key) if self._overrides else 0
            if line and key != "edge_defaults":
                found[key] = Origin(value, "frontmatter", note.path, line)
            else:
                found[key] = Origin(value, *self._value(type_.name, key))
        return found

    def _type(self, note: Note, type_: EffectiveType) -> Origin:
        if type_.source == "frontmatter":
            line = _property_line(note, "type")
            return Origin(type_.name, "frontmatter", note.path, line)
        key = "paths" if type_.source == "path" else "default_type"
        _, file, line = self._value(type_.name, key)
        return Origin(type_.name, type_.source, file, line)

    def _value(self, name: str, key: str) -> tuple[str, str, int]:
        if (name, key) not in self._known:
            self._known[name, key] = self._look_up(name, key)
        return self._known[name, key]

    def _look_up(self, name: str, key: str) -> tuple[str, str, int]:
        for place in ("types", "default", ""):
            for source, overlay in self._layers:
                path = _path(overlay.tree, place, name, key)
                if path and (overlay.file, ".".join(path)) not in self._refused:
                    line = line_of(overlay.text, path) + 1
                    return source, self._shown(source, overlay.file), line
        return "default", "", 0

    def _shown(self, source: str, file: str) -> str:
        path = Path(file)
        if source == "packaged":
            return TYPES_FILE
        return path.relative_to(self._root).as_posix() if path.is_relative_to(self._root) else file


def _path(tree: Mapping[str, Any], place: str, name: str, key: str) -> tuple[str, ...]:
    """Where a tree has the value of a type, () if it has none."""
    if place == "":
        return (key,) if key in tree else ()
    section = tree.get(place)
    if not isinstance(section, dict):
        return ()
    if place == "default":
        return (place, key) if key in section else ()
    for written, values in section.items():
        if fold(written) == name and isinstance(values, dict) and values.get(key) is not None:
            return (place, written, key)
    return ()


def _property_line(note: Note, key: str) -> int:
    for prop in note.frontmatter.properties if note.frontmatter else ():
        if prop.key == key:
            return prop.line + 1
    return 0


def note_origins(note: Note, note_id: str) -> dict[str, Origin]:
    """Where the id and the title of a note come from."""
    if note.note_id is not None and note_id == note.note_id:
        id_ = Origin(note_id, "frontmatter", note.path, _property_line(note, "id"))
    else:
        id_ = Origin(note_id, "path")
    title = _property_line(note, "title")
    first = next((heading for heading in note.headings if heading.level == 1), None)
    if title and any(
        p.key == "title" and p.values and p.values[0].text.strip() == note.title
        for p in (note.frontmatter.properties if note.frontmatter else ())
    ):
        return {"id": id_, "title": Origin(note.title, "frontmatter", note.path, title)}
    if first is not None and first.text == note.title:
        return {"id": id_, "title": Origin(note.title, "heading", note.path, first.line + 1)}
    return {"id": id_, "title": Origin(note.title, "file name", note.path)}


def line_of(text: str, path: tuple[str, ...]) -> int:
    """The 0-based line of the deepest key on `path` that a YAML text has, -1 for none."""
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return -1
    line = -1
    for part in path:
        if not isinstance(node, yaml.MappingNode):
            break
        found = next(((key, below) for key, below in node.value if key.value == part), None)
        if found is None:
            break
        line, node = found[0].start_mark.line, found[1]
    return line
