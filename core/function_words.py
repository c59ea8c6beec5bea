"""German and English words that are no evidence of what a text is about.

The sentences that explain a hit leave them out, and as names they are not looked for in texts.
Ranking counts them: it has the words’ rarity, which knows better where such a word matters
(“Haben oder Sein”).
"""

from __future__ import annotations

_GERMAN = """
aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis
bist da dabei dadurch dafür damit dann daran darauf darf das dass davon dazu dein deine dem den
denen denn der deren des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du
durch ein eine einem einen einer eines er es etwas euch euer für gab gegen gibt hab habe haben
hat hatte hatten hier hin ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem
jeden jeder jedes jene kann kein keine keinen können könnte lässt macht man mehr mein meine mich
mir mit muss müssen nach nicht noch nun nur ob oder ohne schon sehr sein seine seinem seinen
seiner seit sich sie sind so soll sollen sollte über um und uns unser unsere unter viel viele
vom von vor während wann war waren warum was weil welche welchem welchen welcher welches wem wen
wenn wer werden weshalb wessen wie wieso wieviel will wir wird wo wobei wodurch wofür woher wohin
womit worden worin wozu wurde wurden würde würden zu zum zur zwischen
"""
_ENGLISH = """
a about after all also an and any are as at be because been before being between both but by can
could did do does doing each for from get had has have having he her here him his how i if in into
is it its just may me might more most must my no nor not of off on one only or other our out over
own same shall she should so some such than that the their them then there these they this those
through to too under until up upon us very was we were what when where whether which while who
whom whose why will with would you your
"""

GERMAN, ENGLISH = frozenset(_GERMAN.split()), frozenset(_ENGLISH.split())
FUNCTION_WORDS = GERMAN | ENGLISH
"""As `core.embedding.sparse.words_of` gives words."""


def is_telling(word: str) -> bool:
    """Whether a person would take the word as a sign of what a text is about."""
    return len(word) > 1 and word not in FUNCTION_WORDS
