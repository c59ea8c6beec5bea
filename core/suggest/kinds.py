"""Which relation kind a suggested edge should have."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from core.config.load import Config
from core.config.relations import RelationsConfig
from core.features.document import Document
from core.locale import Locale, say
from core.model import Note
from core.suggest.evidence import Evidence
from core.vault.index import VaultIndex

REFERENCES, SIMILAR, RELATED = "references", "similar_to", "related_to"
UNSAID = (REFERENCES, RELATED)
"""Kinds that say no more than that there is a link."""
REACH = 90
"""Characters in front of a mention in which words may say what it is to the note."""
BETWEEN = 3
"""Words between such words and the mention at most (an article, an adjective)."""
MIN_LETTERS = 6
"""Shorter words (`like`, `see`) say many things."""
LOOKED_AT = 60
"""Notes that use a kind and are looked at for the vault's habits."""
KINDS = 20
"""Of the vault's kinds, the most used ones that are looked at."""
HABIT, SHARE = 3, 0.6
"""Edges of one kind, and share of all typed ones between notes of two types, that make a
habit."""

_SENTENCE_END = re.compile(r"[.!?;:](?:\s|$)|\n[ \t]*\n|[|]")
_WORD = re.compile(r"\w+")
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|n't|kein\w*|nicht|nie|niemals|ohne)\b", re.IGNORECASE
)
_LEADING = re.compile(r"^(?:is|are|was|be|ist|sind|wird|war)[ _]+")


@dataclass(frozen=True, slots=True)
class Proposed:
    """A kind, and what it comes from: `words` of the text, or a habit: `count` of `total`
    edges between notes of these `types` in the vault have it."""

    kind: str
    words: str = ""
    count: int = 0
    total: int = 0
    types: tuple[str, str] = ("", "")

    def reason(self, relations: RelationsConfig, locale: Locale) -> str:
        """Why this kind; "" for the plain ones."""
        label = relations.label(self.kind, locale)
        if self.words:
            return say(
                locale,
                f"“{self.words}” stands before it: {label}",
                f"davor steht „{self.words}“: {label}",
            )
        if self.count:
            source, target = self.types
            return say(
                locale,
                f"{self.count} of {self.total} relations from {source} to {target} here: {label}",
                f"{self.count} von {self.total} Beziehungen von {source} zu {target} hier: {label}",
            )
        return ""


class Kinds:
    """Proposes kinds for the edges of one note."""

    def __init__(self, index: VaultIndex, config: Config, document: Document) -> None:
        self._index, self._config, self._document = index, config, document
        self._habits: dict[tuple[str, bool], Proposed | None] = {}

    def propose(self, path: str, one: Evidence, *, alike: bool) -> Proposed:
        """By the words around a mention, else by the vault's habits, else the plain kind.
        `alike` says that both texts say nearly the same."""
        index, document, types = self._index, self._document, self._config.types
        if one.mention is not None:
            found = by_wording(document.text, one.mention.start, self._config.relations)
            if found is not None:
                return found
        pair = (types.effective(document.note).name, types.effective(index.notes[path]).name)
        key = pair[1], one.mention is not None
        if key not in self._habits:
            self._habits[key] = by_habit(index, self._config, document.note, pair, plain=key[1])
        if (habit := self._habits[key]) is not None:
            return habit
        if one.mention is not None:
            return Proposed(REFERENCES)
        return Proposed(SIMILAR if alike and pair[0] == pair[1] else RELATED)

    def reason(self, proposed: Proposed, locale: Locale) -> list[str]:
        """The sentence for a kind that is not the plain one."""
        text = proposed.reason(self._config.relations, locale)
        return [text] if text else []


def by_wording(text: str, start: int, relations: RelationsConfig) -> Proposed | None:
    """The kind that the words in front of a mention at `start` name, in its sentence."""
    before = text[max(0, start - REACH) : start]
    ends = [match.end() for match in _SENTENCE_END.finditer(before)]
    before = before[ends[-1] :] if ends else before
    pattern, kinds = _phrases(relations)
    found = None
    for match in pattern.finditer(before):
        found = match
    if found is None or len(_WORD.findall(before[found.end() :])) > BETWEEN:
        return None
    if _NEGATION.search(before[max(0, found.start() - 20) :]):
        return None
    kind = kinds[" ".join(found[1].lower().split())]
    return Proposed(kind, words=" ".join(found[1].split()))


def by_habit(
    index: VaultIndex, config: Config, note: Note, pair: tuple[str, str], *, plain: bool
) -> Proposed | None:
    """The kind that edges from notes of one type to notes of another usually have in the vault;
    the type of `note` is the first of `pair`. With `plain`, among plain links too."""
    types, relations = config.types, config.relations
    seen: Counter[str] = Counter()
    most = sorted(index.kinds.items(), key=lambda item: (-item[1], item[0]))
    users = {path for kind, _ in most[:KINDS] for path in index.kind_users(kind)[:LOOKED_AT]}
    for path in sorted(users - {note.path}):
        source = index.notes[path]
        if types.effective(source).name != pair[0]:
            continue
        for link, to in zip(source.links, index.targets(path), strict=True):
            other = index.get(to) if to is not None and to != path else None
            if other is not None and types.effective(other).name == pair[1]:
                seen[relations.canonical(link.relation or REFERENCES)] += 1
    if not plain:
        seen.pop(REFERENCES, None)
    ranked = sorted(seen.items(), key=lambda item: (-item[1], item[0]))
    total = sum(seen.values())
    if not ranked or ranked[0][1] < HABIT or ranked[0][1] < SHARE * total:
        return None
    kind, count = ranked[0]
    return None if kind == REFERENCES else Proposed(kind, "", count, total, pair)


@lru_cache(maxsize=8)
def _phrases_of(listed: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    kinds = dict(listed)
    longest = sorted(kinds, key=lambda phrase: (-len(phrase), phrase))
    parts = [r"\s+".join(re.escape(word) for word in phrase.split()) for phrase in longest]
    return re.compile(rf"(?<!\w)({'|'.join(parts) or '(?!)'})(?!\w)", re.IGNORECASE), kinds


def _phrases(relations: RelationsConfig) -> tuple[re.Pattern[str], dict[str, str]]:
    """What people write for the kinds: names, labels and aliases."""
    listed: dict[str, str] = {}
    for kind, relation in relations.relations.items():
        if relation.structural or kind in UNSAID:
            continue
        names = (kind, *relation.aliases, relation.label.say("en"), relation.label.say("de"))
        for name in names:
            phrase = _LEADING.sub("", " ".join(name.replace("_", " ").lower().split()))
            if len(phrase) >= MIN_LETTERS:
                listed.setdefault(phrase, kind)
    # “similar” alone is an adjective, “similar to” says what is meant
    stems = {
        one
        for one, kind in listed.items()
        if any(other.startswith(f"{one} ") and listed[other] == kind for other in listed)
    }
    return _phrases_of(tuple(sorted(item for item in listed.items() if item[0] not in stems)))
