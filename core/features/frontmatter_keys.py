"""What the frontmatter keys mean that mindnet knows, in English and German."""

from __future__ import annotations

from typing import NamedTuple

from core.locale import Locale, say


class Key(NamedTuple):
    """`values` are those that it may have, where they are few."""

    en: str
    de: str
    values: tuple[str, ...] = ()

    def says(self, locale: Locale) -> str:
        """What the key means, one or two sentences of Markdown."""
        return say(locale, self.en, self.de)


KEYS: dict[str, Key] = {
    "title": Key(
        "What the note is called. Without it: the first heading of level 1, else the file name.",
        "Wie die Notiz heißt. Ohne: die erste Überschrift der Ebene 1, sonst der Dateiname.",
    ),
    "id": Key(
        "The name of the note that never changes; links may use it. Each id only once in a vault. "
        "Without it the id follows from the path.",
        "Der Name der Notiz, der sich nie ändert; Links dürfen ihn nennen. Jede Id nur einmal im "
        "Vault. Ohne folgt die Id aus dem Pfad.",
    ),
    "type": Key(
        "What kind of note this is. It decides how the note is cut for the search, how much it "
        "weighs there, and what its links mean besides.",
        "Was für eine Notiz das ist. Davon hängt ab, wie sie für die Suche geteilt wird, wie viel "
        "sie dort wiegt und was ihre Links außerdem bedeuten.",
    ),
    "status": Key(
        "How far the note is.", "Wie weit die Notiz ist.",
        ("draft", "active", "done", "archived"),
    ),
    "created": Key("The day on which the note was begun.", "Der Tag, an dem sie begonnen wurde."),
    "updated": Key(
        "The day of the last change. A search can be limited by it.",
        "Der Tag der letzten Änderung. Eine Suche lässt sich danach eingrenzen.",
    ),
    "area": Key("The area of life or work that it belongs to.", "Der Lebens- oder Arbeitsbereich."),
    "project": Key("The project that it belongs to.", "Das Projekt, zu dem sie gehört."),
    "tags": Key(
        "Tags, without `#`; `area/garden` is below `area`.",
        "Schlagwörter, ohne `#`; `area/garten` liegt unter `area`.",
    ),
    "aliases": Key(
        "Other names of the note; links may use them.",
        "Weitere Namen der Notiz; Links dürfen sie nennen.",
    ),
    "depends_on": Key(
        "Notes that this one needs first: titles, ids or links.",
        "Notizen, die diese zuerst braucht: Titel, Ids oder Links.",
    ),
    "assigned_to": Key(
        "Who does it: titles, ids or links of notes about people.",
        "Wer es tut: Titel, Ids oder Links von Notizen über Personen.",
    ),
    "embedding_exclude": Key(
        "With `true` the text of the note is never turned into vectors and never shown to a "
        "language model; its words and links are still found.",
        "Mit `true` wird der Text der Notiz nie in Vektoren verwandelt und keinem Sprachmodell "
        "gezeigt; Wörter und Links werden weiter gefunden.",
        ("true", "false"),
    ),
    "hash_mode": Key(
        "What counts as a change of the note.", "Was als Änderung der Notiz zählt.",
        ("body", "frontmatter", "full"),
    ),
    "priority": Key(
        "How urgent it is: 1 to 5, or a word.", "Wie dringend es ist: 1 bis 5, oder ein Wort.",
        ("low", "med", "high"),
    ),
    "effort_min": Key("How many minutes it takes.", "Wie viele Minuten es dauert."),
    "due": Key("The day on which it has to be done.", "Der Tag, an dem es fertig sein muss."),
    "lang": Key("The language of the note: `de`, `en`.", "Die Sprache der Notiz: `de`, `en`."),
    "source": Key("Where it comes from: an address, a book.", "Woher es stammt: Adresse, Buch."),
    "links": Key(
        "No longer used: write the links into the text, or under a relation kind as key.",
        "Veraltet: Schreibe die Links in den Text oder unter eine Beziehung als Schlüssel.",
    ),
}  # fmt: skip
"""By key, in lower case."""

_OTHER_NAMES = {"tag": "tags", "alias": "aliases"}


def known_key(key: str) -> Key | None:
    """What a key means; None for one that mindnet only keeps."""
    name = key.strip().lower()
    return KEYS.get(_OTHER_NAMES.get(name, name))
