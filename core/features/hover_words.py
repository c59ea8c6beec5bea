"""Hover on words that mean something: kinds, tags, frontmatter keys and types, callouts,
footnotes."""

from __future__ import annotations

import re

from core.features.callout_types import described_callout
from core.features.frontmatter_keys import known_key
from core.features.hover_context import HoverContext
from core.features.kinds import kind_count, usual_targets
from core.features.summary import MAX_CHARS
from core.features.written import Footnote, footnotes
from core.model import Callout, Property, Tag
from core.parse.callouts import EDGE
from core.text import fold

_MOST_TARGETS = 5
_MOST_NESTED = 8
_PARAGRAPH_END = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t>]*(?=[\r\n]|\[\^[^\]]+\]:|\Z)")


def hover_kind(context: HoverContext, kind: str) -> None:
    """A relation kind: label, sentence, inverse, how often it is used, and for what."""
    relations, writer = context.relations, context.writer
    canonical = relations.canonical(kind)
    context.kind_line(kind)
    if canonical != kind:
        context.add(
            f"Another name of {writer.code(canonical)}",
            f"Anderer Name von {writer.code(canonical)}",
        )
    inverse = relations.inverse(kind)
    if inverse == canonical:
        context.add("Holds in both directions", "Gilt in beide Richtungen")
    elif inverse:
        context.add(f"Inverse: {writer.code(inverse)}", f"Umkehrung: {writer.code(inverse)}")
    count = kind_count(context.index, kind, relations)
    line = context.say(f"Used {count} ×", f"{count} × verwendet")
    usual = usual_targets(context.index, kind, relations, _MOST_TARGETS)
    if len(usual) > 1 or count > 1:
        names = [context.title_of(path) + (f" ({n} ×)" if n > 1 else "") for path, n in usual]
        if names:
            line += context.say(", mostly with ", ", meist mit ") + " · ".join(names)
    writer.add(line)


def hover_tag(context: HoverContext, tag: Tag) -> None:
    """A tag: how many notes have it, which, and the tags below it."""
    index, writer, name = context.index, context.writer, tag.name
    paths = index.tagged(name)
    count = len(paths)
    one, many = context.say("1 note", "1 Notiz"), context.say(f"{count} notes", f"{count} Notizen")
    writer.add(f"{writer.code('#' + name)} · {one if count == 1 else many}")
    below = f"{fold(name)}/"
    nested = [(own, n) for own, n in index.tags.items() if fold(own).startswith(below)]
    if nested:
        shown = [f"{writer.code('#' + own)} ({n})" for own, n in nested[:_MOST_NESTED]]
        left = len(nested) - len(shown)
        if left:
            shown.append(context.say(f"… {left} more", f"… {left} weitere"))
        context.writer.add(context.say("Below it: ", "Darunter: ") + ", ".join(shown))
    context.titles(list(paths[: context.settings.max_backlinks]), count)


def hover_key(context: HoverContext, named: Property) -> None:
    """A frontmatter key: what it means, what it may hold, and how usual it is."""
    writer, index = context.writer, context.index
    head = writer.code(named.key)
    count = index.keys.get(named.key, 0)
    one = context.say("in 1 note", "in 1 Notiz")
    head += " · " + (one if count == 1 else context.say(f"in {count} notes", f"in {count} Notizen"))
    writer.add(head)
    known = known_key(named.key)
    if known is not None:
        writer.add(known.says(context.locale))
        if known.values:
            values = ", ".join(writer.code(value) for value in known.values)
            context.add(f"One of {values}", f"Eines von {values}")
    elif context.relations.known(named.key):
        context.kind_line(named.key)
    else:
        context.add(
            "A key of your own: kept, and found by search, but mindnet does nothing with it.",
            "Ein eigener Schlüssel: Er bleibt erhalten, mindnet macht aber nichts daraus.",
        )


def hover_type(context: HoverContext, written: str) -> None:
    """A note type: what it does with its notes."""
    writer, types = context.writer, context.types
    found = types.effective(context.document.note)
    count = sum(n for value, n in context.index.values("type").items() if fold(value) == found.name)
    one, many = context.say("1 note", "1 Notiz"), context.say(f"{count} notes", f"{count} Notizen")
    writer.add(f"{writer.code(written)} · {one if count == 1 else many}")
    if not found.known:
        names = ", ".join(writer.code(name) for name in types.names())
        context.add(
            f"No known type: it is treated like every other note. Known are {names}.",
            f"Kein bekannter Typ: Er wird wie jede andere Notiz behandelt. Bekannt sind {names}.",
        )
    lines = [
        context.say("Cut for the search: ", "Für die Suche geteilt: ")
        + writer.code(found.chunk_profile),
        context.say("Weight of a hit: ", "Gewicht eines Treffers: ")
        + f"{found.retriever_weight:.2f}".replace(".", context.say(".", ",")),
    ]
    if found.edge_defaults:
        kinds = ", ".join(context.relations.label(k, context.locale) for k in found.edge_defaults)
        means = context.say("Its links also mean: ", "Ihre Links bedeuten auch: ")
        lines.append(means + writer.escape(kinds))
    writer.items(lines)


def hover_callout(context: HoverContext, callout: Callout) -> None:
    """A callout type: what it stands for."""
    writer = context.writer
    head = writer.code(callout.raw)
    count = context.index.callouts.get(callout.type, 0)
    head += " · " + context.say(f"used {count} ×", f"{count} × verwendet")
    writer.add(head)
    if callout.type == EDGE:
        form = writer.code("kind: [[Note]]")
        context.add(
            f"States relations of this note, each line {form}.",
            f"Nennt Beziehungen dieser Notiz, jede Zeile {form}.",
        )
        return
    described = described_callout(callout.type, context.locale)
    if described is None:
        context.add(
            "A type of your own: drawn like a note.",
            "Ein eigener Typ: Er wird wie eine Anmerkung gezeichnet.",
        )
        return
    text, others = described
    if others:
        names = ", ".join(writer.code(f"[!{name}]") for name in others)
        text += context.say(f"; the same as {names}", f"; dasselbe wie {names}")
    writer.add(text[:1].upper() + text[1:])


def hover_footnote(context: HoverContext, footnote: Footnote) -> None:
    """A footnote: its text; on its definition how often it is used."""
    all_marks = [f for f in footnotes(context.document) if f.label == footnote.label]
    writer = context.writer
    defined = next((mark for mark in all_marks if mark.is_definition), None)
    if footnote.is_definition:
        count = sum(not mark.is_definition for mark in all_marks)
        context.add(f"Footnote, used {count} ×", f"Fußnote, {count} × verwendet")
    elif defined is None:
        name = writer.code(f"[^{footnote.label}]:")
        context.add(f"There is no line {name}", f"Es gibt keine Zeile {name}")
    else:
        start = defined.whole.end + 1
        text = context.document.text[start : start + 4 * MAX_CHARS]
        end = _PARAGRAPH_END.search(text)
        writer.add(writer.escape(text[: end.start()] if end else text, MAX_CHARS))
