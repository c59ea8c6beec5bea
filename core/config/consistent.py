"""What only shows between the entries of a file: inverses that do not point back, one name for
two kinds, one folder for two types. Nothing is left out for it, unless said so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.config.faults import nearest
from core.config.files import ConfigProblem, Keys, Overlay
from core.config.note_types import TypesConfig
from core.config.relations import RelationsConfig
from core.text import fold


def check_relations(config: RelationsConfig, overlay: Overlay) -> Iterator[ConfigProblem]:
    """Contradictions that the vault's file brings in, each at the key that does."""
    own = _Own(overlay, RelationsConfig.named, "relations")
    by_alias: dict[str, str] = {}
    by_inverse: dict[str, str] = {}
    for kind, relation in config.relations.items():
        for alias in relation.aliases:
            other = kind if alias == kind else alias if alias in config.relations else None
            other = other or by_alias.setdefault(alias, kind)
            if other != kind and (place := own.first((kind, "aliases"), (other, "aliases"))):
                meant = alias if alias in config.relations else config.canonical(alias)
                yield overlay.problem(
                    place, f"“{alias}” stands for `{kind}` and for `{other}`; `{meant}` counts"
                )
        if relation.inverse is None:
            continue
        inverse = config.canonical(relation.inverse)
        place = own.first((kind, "inverse"), (kind, "symmetric"))
        if relation.symmetric:
            if place and inverse != kind:
                yield overlay.problem(place, f"`{kind}` is symmetric, so it has no inverse")
            continue
        if inverse == kind:
            if place:
                yield overlay.problem(place, "is the kind itself: write `symmetric: true` for that")
            continue
        back = config.inverse(inverse)
        place = place or own.first((inverse, "inverse"), (inverse, "symmetric"))
        if place and back != kind:
            yield overlay.problem(
                place,
                f"does not point back: `{kind}` has the inverse `{inverse}`, that has `{back}`",
            )
        elif (other := by_inverse.setdefault(inverse, kind)) != kind and place:
            yield overlay.problem(place, f"`{inverse}` is the inverse of `{other}` already")


def check_types(config: TypesConfig, overlay: Overlay) -> Iterator[ConfigProblem]:
    """Names and folders of the vault's file that lead nowhere."""
    own = _Own(overlay, TypesConfig.named, "types")
    if "default_type" in overlay.tree and (name := fold(config.default_type)) not in config.types:
        guess = nearest(name, config.types)
        yield overlay.problem(
            ("default_type",), f"no type “{config.default_type}” is described{guess}"
        )
    owners: dict[str, str] = {}
    for name, spec in config.types.items():
        for at, glob in enumerate(spec.paths if spec else ()):
            owner = owners.setdefault(fold(glob).strip("/"), name)
            place = own.first((name, "paths"))
            if owner != name and place:
                yield overlay.problem(
                    (*place, str(at)), f"“{glob}” is a folder of `{owner}` already, which counts"
                )


class _Own:
    """Which keys of entries the vault's own file has."""

    def __init__(self, overlay: Overlay, named: Mapping[str, Any], section: str) -> None:
        self._section = section
        entries = overlay.tree.get(section)
        found = entries.items() if isinstance(entries, dict) else ()
        normal = named[section]
        self._paths: dict[Keys, Keys] = {
            (normal(name), key): (section, name, key)
            for name, values in found
            if isinstance(values, dict)
            for key in values
        }

    def first(self, *wanted: Keys) -> Keys | None:
        """The path, as written, of the first of these `(name, key)` that is there."""
        return next((self._paths[keys] for keys in wanted if keys in self._paths), None)
