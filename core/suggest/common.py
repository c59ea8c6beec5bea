"""Words that are too common to mean one note."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from core.embedding.sparse import word_terms, words_of
from core.features.document import Document
from core.retrieval.mentions import Common
from core.retrieval.named import MIN_LETTERS
from core.store.ports import Eq
from core.text import fold
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    from core.store.generation import Generation

COMMON, COMMON_SMALL = 0.05, 0.01
"""Share of the chunks that hold a word from which on it is no sign of one note; the second
for a word in small letters, which is hardly ever meant as a name."""
COMMON_LEAST, COMMON_SMALL_LEAST = 20, 3

_NAME_WORD = re.compile(r"[^\W_]+")


def common_words(generation: Generation, index: VaultIndex, document: Document) -> Common:
    """What a word of the text cannot mean by itself; looks up each pair once.

    That is a word that many notes use, and one from the name of another note that is
    linked here already: behind a link to “Ada Lovelace, letters”, “Lovelace” is she. So is the
    first word of a longer name: “Rosa Parks” is not Hartmut Rosa.
    """
    lexicon, chunks = generation.lexicon, generation.chunks
    linked = {path for path in index.targets(document.path) if path}
    taken = {
        fold(word): path
        for path in sorted(linked)
        for word in _NAME_WORD.findall(f"{index.notes[path].title} {index.notes[path].stem}")
        if len(word) >= MIN_LETTERS
    }

    def common(word: str, path: str, following: str) -> bool:
        if _is_name(word) and _is_name(following):
            note = index.notes[path]
            own = " ".join((note.title, note.stem, *note.aliases))
            if fold(following) not in {fold(one) for one in _NAME_WORD.findall(own)}:
                return True
        return is_common(word, path)

    @cache
    def is_common(word: str, path: str) -> bool:
        if any(other != path and fold(word).startswith(one) for one, other in taken.items()):
            return True
        stems = [stem for one in words_of(word) for stem in word_terms(one).stems]
        uses = max(lexicon.frequency(stems), default=0)
        least = COMMON_SMALL_LEAST if word[:1].islower() else COMMON_LEAST
        if uses <= least:
            return False
        # its own chunks all carry the name
        uses -= chunks.count(Eq("note_id", index.note_id(path)))
        share = COMMON_SMALL if word[:1].islower() else COMMON
        return uses > max(least, share * lexicon.documents)

    return common


def _is_name(word: str) -> bool:
    """Whether a word is written as a name is: capital first, no acronym."""
    return word[:1].isupper() and not word[1:2].isupper()
