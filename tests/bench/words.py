"""Word lists of the generated vaults, German and English."""

from __future__ import annotations


def _words(text: str) -> list[str]:
    return text.split()


def _phrases(text: str) -> list[str]:
    return [phrase.strip() for phrase in text.split("\n") if phrase.strip()]


def _forms(text: str) -> list[tuple[str, ...]]:
    return [tuple(entry.split("/")) for entry in text.split()]


# singular, gender, plural
GERMAN_NOUNS = _forms("""
Garten/m/Gärten Brücke/f/Brücken Gedächtnis/n/Gedächtnisse Werkstatt/f/Werkstätten
Fluss/m/Flüsse Gewohnheit/f/Gewohnheiten Speicher/m/Speicher Übung/f/Übungen
Gespräch/n/Gespräche Grenze/f/Grenzen Maßstab/m/Maßstäbe Ordnung/f/Ordnungen Rhythmus/m/Rhythmen
Landkarte/f/Landkarten Müdigkeit/f/Müdigkeiten Entwurf/m/Entwürfe Verzeichnis/n/Verzeichnisse
Wurzel/f/Wurzeln Zufall/m/Zufälle Straße/f/Straßen Prüfung/f/Prüfungen Kreislauf/m/Kreisläufe
Vertrag/m/Verträge Küche/f/Küchen Stimme/f/Stimmen Muster/n/Muster Abhängigkeit/f/Abhängigkeiten
Versuch/m/Versuche Haushalt/m/Haushalte Geschichte/f/Geschichten Werkzeug/n/Werkzeuge
Frage/f/Fragen Jahreszeit/f/Jahreszeiten Bündnis/n/Bündnisse Lücke/f/Lücken Archiv/n/Archive
Aufmerksamkeit/f/Aufmerksamkeiten Netz/n/Netze Wetter/n/Wetter Sprache/f/Sprachen
Fehler/m/Fehler Zeitplan/m/Zeitpläne Nachbarschaft/f/Nachbarschaften Körper/m/Körper
Schlüssel/m/Schlüssel Vorrat/m/Vorräte Quelle/f/Quellen Zweifel/m/Zweifel Lernweg/m/Lernwege
Schwelle/f/Schwellen Bibliothek/f/Bibliotheken Abend/m/Abende Entscheidung/f/Entscheidungen
Gleichgewicht/n/Gleichgewichte Hafen/m/Häfen Regel/f/Regeln Beobachtung/f/Beobachtungen
Umweg/m/Umwege Freundschaft/f/Freundschaften Verlust/m/Verluste Mitschrift/f/Mitschriften
Gewebe/n/Gewebe Auftrag/m/Aufträge Erfahrung/f/Erfahrungen Berg/m/Berge Wärme/f/Wärmen
Zustand/m/Zustände Rückmeldung/f/Rückmeldungen Keller/m/Keller Schnittstelle/f/Schnittstellen
Hypothese/f/Hypothesen Bahnhof/m/Bahnhöfe Stille/f/Stillen Tür/f/Türen Überblick/m/Überblicke
Fähigkeit/f/Fähigkeiten Handbuch/n/Handbücher Wald/m/Wälder Lösung/f/Lösungen
""")

GERMAN_ADJECTIVES = _words("""
alt leis langsam offen gemeinsam verborgen lebendig schwierig einfach künstlich früh spät
sorgfältig brüchig täglich seltsam größer vorläufig still dicht fremd nützlich vergessen stabil
müd wichtig persönlich öffentlich ungewöhnlich natürlich zuverlässig digital schmal überraschend
knapp grün gewachsen verteilt nachhaltig geduldig
""")

GERMAN_VERBS = _words("""
verändert erklärt begrenzt stützt ersetzt begleitet öffnet verzögert ordnet trägt prägt schützt
beschreibt überlebt verbindet enthält erleichtert verdeckt formt berührt stört nährt kennt
spiegelt
""")

GERMAN_ADVERBS = _phrases("""
im Alltag
nach jeder Änderung
seit dem Frühjahr
ohne großen Aufwand
auf lange Sicht
bei Regen
in der Praxis
vor dem Schlafen
mit wenigen Worten
am Rand der Stadt
trotz aller Zweifel
für eine Weile
nur scheinbar
über mehrere Wochen
im zweiten Anlauf
zwischen zwei Terminen
gegen alle Erwartung
auf Deutsch und Englisch
""")

GERMAN_SUFFIXES = _words("""
plan weg buch liste frage karte zeit grenze probe regel
""")

# singular, plural
ENGLISH_NOUNS = _forms("""
garden/gardens bridge/bridges memory/memories workshop/workshops river/rivers habit/habits
store/stores practice/practices conversation/conversations boundary/boundaries measure/measures
order/orders rhythm/rhythms map/maps draft/drafts catalogue/catalogues root/roots
accident/accidents street/streets review/reviews cycle/cycles contract/contracts
kitchen/kitchens voice/voices pattern/patterns dependency/dependencies experiment/experiments
budget/budgets story/stories tool/tools question/questions season/seasons alliance/alliances
gap/gaps archive/archives network/networks language/languages mistake/mistakes
schedule/schedules neighbour/neighbours body/bodies key/keys supply/supplies source/sources
doubt/doubts path/paths threshold/thresholds library/libraries evening/evenings
decision/decisions balance/balances harbour/harbours rule/rules observation/observations
detour/detours friendship/friendships loss/losses transcript/transcripts fabric/fabrics
errand/errands mountain/mountains signal/signals state/states feedback/feedbacks cellar/cellars
interface/interfaces hypothesis/hypotheses station/stations silence/silences door/doors
overview/overviews skill/skills handbook/handbooks forest/forests answer/answers lens/lenses
margin/margins queue/queues index/indexes
""")

ENGLISH_ADJECTIVES = _words("""
old quiet slow open shared hidden living difficult simple artificial early late careful fragile
daily strange larger provisional still dense foreign useful forgotten stable tired important
personal public unusual natural reliable digital narrow surprising scarce green grown
distributed lasting patient
""")

ENGLISH_VERBS = _words("""
changes explains limits supports replaces follows opens delays orders carries shapes protects
describes outlives connects contains eases hides forms touches disturbs feeds knows mirrors
""")

ENGLISH_ADVERBS = _phrases("""
in daily life
after every change
since spring
without much effort
in the long run
when it rains
in practice
before going to sleep
in a few words
at the edge of town
despite all doubts
for a while
only in appearance
over several weeks
on the second attempt
between two meetings
against expectation
in both languages
""")

ENGLISH_SUFFIXES = _words("""
plan book list work map time line field day house
""")

FOLDERS = _words("""
Projekte Konzepte Erfahrungen Quellen Personen Tagebuch Archiv Werkstatt Übungen Gespräche
Reisen Küche Projects Concepts Ideas Sources People Journal Meetings Library Research Decisions
Reading Garden
""")

TAGS = _words("""
idee frage offen später lesen lernen entwurf rückblick draft question reading review idea later
topic/memory topic/tools topic/language topic/gesundheit area/haus area/work area/größe
status/offen
""")

TYPES = _words("""
concept thought experience task project journal person meeting source decision
""")

KINDS = _words("""
depends_on related_to similar_to derived_from inspired_by part_of supports caused_by
""")

EMOJI = _words("""
🌱 🔥 📌 🧠 ✅ 🚀 ☕ 🗺️ 👩‍🌾 ⚠️
""")
