"""Diagnostics of the frontmatter: what is no YAML, ids given twice, unknown types, fields
that are missing or given up."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from core.features.problem_texts import problem_severity, problem_text
from core.features.ranking import nearest_name
from core.features.results import Diagnostic, Related
from core.locale import Locale, say
from core.model import Note, Place
from core.settings import DiagnosticSettings
from core.text import fold
from core.vault.index import VaultIndex

RECOMMENDED = ("title", "id", "type", "status", "created")
"""The fields that `missing-field` asks for."""

_DEPRECATED = {"links": "related_to"}
"""Fields that the format gave up, and what to write instead."""


def diagnose_problems(
    note: Note, settings: DiagnosticSettings, locale: Locale
) -> Iterator[Diagnostic]:
    """What the parser found."""
    for problem in note.problems:
        related: tuple[Related, ...] = ()
        if problem.other_line >= 0:
            other = next(
                (
                    prop
                    for prop in (note.frontmatter.properties if note.frontmatter else ())
                    if prop.line == problem.other_line
                ),
                Place(0, problem.other_line, 0, ""),
            )
            related = (Related(note.path, say(locale, "first here", "zuerst hier"), other),)
        yield Diagnostic(
            problem.code,
            problem_severity(problem, settings.of(problem.code)),
            problem,
            0,
            len(problem.raw),
            problem_text(problem, locale),
            related,
            {"reason": problem.reason, "detail": problem.detail},
        )


def diagnose_id(
    index: VaultIndex, note: Note, settings: DiagnosticSettings, locale: Locale
) -> Iterator[Diagnostic]:
    """An id that other notes have as well."""
    if not note.note_id or index.get(note.path) is None:
        return
    others = index.duplicates(note.path)
    place = id_place(note)
    if not others or place is None:
        return
    message = say(
        locale,
        f"The id “{note.note_id}” is also that of {', '.join(others)}",
        f"Die id „{note.note_id}“ hat auch {', '.join(others)}",
    )
    related = tuple(Related(path, path, id_place(index.notes[path])) for path in others)
    yield Diagnostic(
        "duplicate-id", settings.duplicate_id, place, 0, len(place.raw), message, related,
        {"id": note.note_id},
    )  # fmt: skip


def id_place(note: Note) -> Place | None:
    """Where the frontmatter gives the note's id."""
    return _value_place(note, "id", note.note_id)


def _value_place(note: Note, key: str, text: str | None) -> Place | None:
    for prop in note.frontmatter.properties if note.frontmatter else ():
        if fold(prop.key) == key:
            return next((value for value in prop.values if value.text == text), prop)
    return None


def diagnose_type(
    note: Note, settings: DiagnosticSettings, locale: Locale, types: Collection[str]
) -> Iterator[Diagnostic]:
    """A type that no file describes."""
    if not note.type or fold(note.type) in types:
        return
    place = _value_place(note, "type", note.type)
    if place is None:
        return
    nearest = nearest_name(fold(note.type), types)
    message = say(
        locale,
        f"Unknown type “{note.type}”" + (f"; did you mean {nearest}?" * bool(nearest)),
        f"Unbekannter Typ „{note.type}“" + (f"; {nearest}?" * bool(nearest)),
    )
    yield Diagnostic(
        "unknown-type", settings.unknown_type, place, 0, len(place.raw), message,
        data={"type": note.type, "nearest": nearest},
    )  # fmt: skip


def diagnose_fields(
    note: Note, settings: DiagnosticSettings, locale: Locale
) -> Iterator[Diagnostic]:
    """Recommended fields that are missing, all in one finding at the top; deprecated ones."""
    properties = note.frontmatter.properties if note.frontmatter else ()
    if settings.missing_field != "off":
        given = {fold(prop.key) for prop in properties if prop.values or prop.nested}
        missing = [name for name in RECOMMENDED if name not in given]
        if missing:
            place = Place(0, 0, 0, "---" if note.frontmatter else "")
            names = ", ".join(missing)
            message = say(
                locale, f"Missing in the frontmatter: {names}", f"Im Frontmatter fehlt: {names}"
            )
            yield Diagnostic(
                "missing-field", settings.missing_field, place, 0, len(place.raw), message,
                data={"fields": names},
            )  # fmt: skip
    for prop in properties:
        instead = _DEPRECATED.get(fold(prop.key))
        if instead and (prop.values or prop.nested):
            message = say(
                locale,
                f"“{prop.key}” is deprecated; write a relation such as {instead}",
                f"„{prop.key}“ ist veraltet; schreibe eine Relation wie {instead}",
            )
            yield Diagnostic(
                "deprecated-field", settings.deprecated_field, prop, 0, len(prop.raw), message,
                data={"field": prop.key, "instead": instead}, deprecated=True,
            )  # fmt: skip
