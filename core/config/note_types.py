"""Note types (`types.yaml`) and the type that a note really has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Literal

import msgspec
from pydantic import AfterValidator, BeforeValidator, Field, field_validator

from core.chunking.profiles import PROFILES
from core.config.files import Strict
from core.config.globs import check_glob, folder_pattern
from core.config.values import Texts, as_list, check_kind
from core.model import Note
from core.text import fold

TypeSource = Literal["frontmatter", "path", "default"]

Kinds = Annotated[
    tuple[Annotated[str, AfterValidator(check_kind)], ...],
    BeforeValidator(as_list),
    AfterValidator(lambda kinds: tuple(dict.fromkeys(kinds))),
]
Globs = Annotated[tuple[Annotated[str, AfterValidator(check_glob)], ...], BeforeValidator(as_list)]
TypeWeight = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]


class TypeValues(Strict):
    """The values of `default:`, each of which a type may set anew."""

    chunk_profile: str = "medium"
    edge_defaults: Kinds = ()
    retriever_weight: TypeWeight = 1.0
    enable_smart_edge_allocation: bool = False

    @field_validator("chunk_profile")
    @classmethod
    def _known_profile(cls, value: str) -> str:
        return _check_profile(value)


class TypeSpec(Strict):
    """One entry below `types:`; None means the default's value."""

    chunk_profile: str | None = None
    edge_defaults: Kinds | None = None
    retriever_weight: TypeWeight | None = None
    enable_smart_edge_allocation: bool | None = None
    detection_keywords: Texts = ()
    paths: Globs = ()

    @field_validator("chunk_profile")
    @classmethod
    def _known_profile(cls, value: str | None) -> str | None:
        return None if value is None else _check_profile(value)


class EffectiveType(msgspec.Struct, frozen=True):
    """The type of one note with all values resolved; `source` says where it came from.

    `known` is false for a type that no file describes: it has the defaults.
    """

    name: str
    source: TypeSource
    known: bool
    chunk_profile: str
    edge_defaults: tuple[str, ...]
    retriever_weight: float
    smart_edges: bool


class TypesConfig(Strict):
    """The whole of `types.yaml`."""

    named: ClassVar = {"types": fold}

    default_type: str = "concept"
    allow_frontmatter_overrides: bool = False
    default: TypeValues = TypeValues()
    types: dict[str, TypeSpec | None] = Field(default_factory=dict)

    @field_validator("types")
    @classmethod
    def _folded_names(cls, value: dict[str, TypeSpec | None]) -> dict[str, TypeSpec | None]:
        return {fold(name): spec for name, spec in value.items()}

    def names(self) -> tuple[str, ...]:
        """Names of all known types, sorted."""
        return tuple(sorted(self.types))

    def folders(self, name: str) -> tuple[str, ...]:
        """The plain folders among the `paths` of a type, in order."""
        spec = self.types.get(fold(name))
        globs = (glob.strip("/") for glob in (spec.paths if spec else ()))
        return tuple(glob for glob in globs if not set("*?[") & set(glob))

    def effective(self, note: Note) -> EffectiveType:
        """The type of `note`: its frontmatter, else the first matching `paths`, else the default.

        An unknown type keeps its name and gets the default's values.
        """
        source: TypeSource
        if note.type and (name := fold(note.type)):
            source = "frontmatter"
        elif rule := self.path_rule(note.path):
            name, source = rule[1], "path"
        else:
            name, source = fold(self.default_type), "default"
        resolved = self._resolved.get((name, source)) or self._resolve(name, source)
        if self.allow_frontmatter_overrides:
            resolved = _override(resolved, note)
        return resolved

    @cached_property
    def _resolved(self) -> dict[tuple[str, TypeSource], EffectiveType]:
        return {}

    def _resolve(self, name: str, source: TypeSource) -> EffectiveType:
        spec, default = self.types.get(name) or TypeSpec(), self.default
        smart = spec.enable_smart_edge_allocation
        resolved = EffectiveType(
            name=name,
            source=source,
            known=name in self.types,
            chunk_profile=spec.chunk_profile or default.chunk_profile,
            edge_defaults=(
                default.edge_defaults if spec.edge_defaults is None else spec.edge_defaults
            ),
            retriever_weight=(
                default.retriever_weight if spec.retriever_weight is None else spec.retriever_weight
            ),
            smart_edges=default.enable_smart_edge_allocation if smart is None else smart,
        )
        if resolved.known:
            # names from notes are not kept: there is no bound on them
            self._resolved[name, source] = resolved
        return resolved

    @cached_property
    def _path_rules(self) -> tuple[tuple[re.Pattern[str], str, str], ...]:
        return tuple(
            (folder_pattern(glob), glob, name)
            for name, spec in self.types.items()
            for glob in (spec.paths if spec else ())
        )

    def path_rule(self, path: str) -> tuple[str, str] | None:
        """The glob and the type of the first `paths` that the note at `path` matches."""
        folded = fold(path)
        for pattern, glob, name in self._path_rules:
            if pattern.match(folded):
                return glob, name
        return None


def _override(resolved: EffectiveType, note: Note) -> EffectiveType:
    values = _first_values(note, ("chunk_profile", "retriever_weight"))
    profile = fold(values.get("chunk_profile", ""))
    weight = _weight(values.get("retriever_weight", ""))
    return msgspec.structs.replace(
        resolved,
        chunk_profile=profile if profile in PROFILES else resolved.chunk_profile,
        retriever_weight=resolved.retriever_weight if weight is None else weight,
    )


def _first_values(note: Note, keys: Sequence[str]) -> dict[str, str]:
    properties = note.frontmatter.properties if note.frontmatter else ()
    return {p.key: p.values[0].text for p in properties if p.key in keys and p.values}


def _weight(text: str) -> float | None:
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if 0 <= weight <= 10 else None


def _check_profile(name: str) -> str:
    if name not in PROFILES:
        raise ValueError(f"no such chunk profile; there are {', '.join(sorted(PROFILES))}")
    return name
