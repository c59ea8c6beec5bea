"""Relation kinds (`relations.yaml`): labels, inverses, aliases. Any other kind is allowed."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from core.config.files import Strict
from core.config.values import Texts, as_list, check_kind
from core.locale import Locale, say
from core.parse.kinds import normal_kind

Aliases = Annotated[
    tuple[Annotated[str, AfterValidator(check_kind)], ...],
    BeforeValidator(as_list),
    AfterValidator(lambda kinds: tuple(dict.fromkeys(kinds))),
]


class Words(Strict):
    """A text in both languages; a plain string, or one of them, stands for both."""

    de: str = ""
    en: str = ""

    @model_validator(mode="before")
    @classmethod
    def _plain_string(cls, value: object) -> object:
        return {"en": value} if isinstance(value, str) else value

    def say(self, locale: Locale) -> str:
        """The text in the user's language."""
        return say(locale, self.en, self.de) or self.en or self.de


class Relation(Strict):
    """One known kind. `structural` ones are made by mindnet and never written by hand."""

    label: Words = Words()
    description: Words | None = None
    symmetric: bool = False
    inverse: Annotated[str, AfterValidator(check_kind)] | None = None
    aliases: Aliases = ()
    structural: bool = False
    target_types: Texts = ()
    """Types of the notes that it usually leads to: they are offered first."""


class RelationsConfig(Strict):
    """The whole of `relations.yaml`."""

    named: ClassVar = {"relations": normal_kind}

    relations: dict[str, Relation] = Field(default_factory=dict)

    @field_validator("relations", mode="before")
    @classmethod
    def _empty_entries(cls, value: Any) -> Any:
        """`feeds:` with nothing behind it makes a known kind."""
        if not isinstance(value, dict):
            return value
        return {kind: {} if entry is None else entry for kind, entry in value.items()}

    @field_validator("relations")
    @classmethod
    def _normal_names(cls, value: dict[str, Relation]) -> dict[str, Relation]:
        return {normal_kind(kind): relation for kind, relation in value.items()}

    def names(self, *, structural: bool = False) -> tuple[str, ...]:
        """Known kinds, sorted; structural ones only where asked for."""
        kinds = self.relations.items()
        return tuple(sorted(k for k, r in kinds if structural or not r.structural))

    def canonical(self, kind: str) -> str:
        """The kind that `kind` means: normalised, an alias replaced by its kind."""
        normal = normal_kind(kind)
        return self._by_alias.get(normal, normal)

    def known(self, kind: str) -> bool:
        """Whether the kind or one of its aliases is described."""
        return self.canonical(kind) in self.relations

    def symmetric(self, kind: str) -> bool:
        """Whether a kind holds in both directions; unknown kinds do not."""
        relation = self.relations.get(self.canonical(kind))
        return relation is not None and relation.symmetric

    def inverse(self, kind: str) -> str | None:
        """The kind that holds the other way round, None where there is none."""
        canonical = self.canonical(kind)
        relation = self.relations.get(canonical)
        if relation is not None and relation.symmetric:
            return canonical
        if relation is not None and relation.inverse:
            return self.canonical(relation.inverse)
        return self._by_inverse.get(canonical)

    def label(self, kind: str, locale: Locale = "en") -> str:
        """What people call the kind; an unknown one is its name with blanks."""
        canonical = self.canonical(kind)
        relation = self.relations.get(canonical)
        label = relation.label.say(locale) if relation else ""
        return label or canonical.replace("_", " ")

    @cached_property
    def _by_alias(self) -> dict[str, str]:
        # a kind's own name wins over another's alias
        table = {
            alias: kind for kind, relation in self.relations.items() for alias in relation.aliases
        }
        return {alias: kind for alias, kind in table.items() if alias not in self.relations}

    @cached_property
    def _by_inverse(self) -> dict[str, str]:
        pairs = [(r.inverse, kind) for kind, r in self.relations.items() if r.inverse]
        # of several the first one
        return {self.canonical(inverse): kind for inverse, kind in reversed(pairs)}
