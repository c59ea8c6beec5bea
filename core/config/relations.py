"""Relation kinds (`relations.yaml`): labels, inverses, aliases. Any other kind is allowed."""

from __future__ import annotations

from functools import cached_property

from pydantic import Field, field_validator, model_validator

from core.config.files import Strict
from core.locale import Locale, say
from core.parse.kinds import normal_kind


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
    inverse: str | None = None
    aliases: tuple[str, ...] = ()
    structural: bool = False
    target_types: tuple[str, ...] = ()
    """Types of the notes that it usually leads to: they are offered first."""

    @field_validator("inverse")
    @classmethod
    def _normal_inverse(cls, value: str | None) -> str | None:
        return None if value is None else normal_kind(value)

    @field_validator("aliases")
    @classmethod
    def _normal_aliases(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(normal_kind(alias) for alias in value))


class RelationsConfig(Strict):
    """The whole of `relations.yaml`."""

    relations: dict[str, Relation] = Field(default_factory=dict)

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
            return relation.inverse
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
        return {r.inverse: kind for kind, r in self.relations.items() if r.inverse}
