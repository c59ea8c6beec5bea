"""Reads a YAML file so that every key is known by its line, and every repeated one is seen.

Keys are texts as they are written: a kind `on` or a type `no` is not a truth value.
"""

from __future__ import annotations

from typing import Any

import msgspec

MOST_NODES = 50_000
"""Keys and values of a file with its references (`*name`) written out; more is a mistake,
or meant to use up memory."""

Path = tuple[str, ...]


class Repeated(msgspec.Struct, frozen=True):
    """A key that its mapping has already, at 0-based lines. The last one counts."""

    path: Path
    line: int
    first_line: int


class Source(msgspec.Struct, frozen=True):
    """`tree` is what the file says, `lines` the 0-based line of each key and list item by
    its path; list items are named by their position."""

    tree: Any
    lines: dict[Path, int]
    repeated: tuple[Repeated, ...]


def read_source(text: str) -> Source:
    """Read one YAML document. Raises YAMLError, ValueError or RecursionError."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        node = loader.get_single_node()
        walk = _Walk(loader, yaml)
        tree = None if node is None else walk.value(node, ())
        return Source(tree, walk.lines, tuple(walk.repeated))
    finally:
        loader.dispose()


class _Walk:
    """Turns nodes into values and notes where they stand."""

    def __init__(self, loader: Any, yaml: Any) -> None:
        self._loader, self._yaml = loader, yaml
        self._left = MOST_NODES
        self.lines: dict[Path, int] = {}
        self.repeated: list[Repeated] = []

    def value(self, node: Any, path: Path) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ValueError(f"more than {MOST_NODES} keys and values")
        if isinstance(node, self._yaml.MappingNode):
            self._find_repeated(node, path)
            self._loader.flatten_mapping(node)
            found: dict[str, Any] = {}
            for key, value in node.value:
                below = (*path, _name(key))
                self.lines[below] = key.start_mark.line
                found[below[-1]] = self.value(value, below)
            return found
        if isinstance(node, self._yaml.SequenceNode):
            items = []
            for at, item in enumerate(node.value):
                below = (*path, str(at))
                self.lines[below] = item.start_mark.line
                items.append(self.value(item, below))
            return items
        return self._loader.construct_object(node)

    def _find_repeated(self, node: Any, path: Path) -> None:
        first: dict[str, int] = {}
        for key, _ in node.value:
            name, line = _name(key), key.start_mark.line
            if name != "<<" and first.setdefault(name, line) != line:
                self.repeated.append(Repeated((*path, name), line, first[name]))


def _name(key: Any) -> str:
    return key.value if isinstance(key.value, str) else "?"
