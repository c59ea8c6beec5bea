"""A draft from what a person tells: with a language model, or filled into the type's template.

Nothing is written. The schema of the type (`decision_engine.yaml`) says what belongs into the
note; what is missing is named with a question in the person's language, and `answers` go where
they belong. The exact title is in the frontmatter and in the first heading.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from core.chat.cleaning import plain_lines
from core.chat.fence import fenced
from core.chat.healing import heal
from core.chat.note_edit import has_property, has_section, with_property, with_section
from core.chat.ports import Ask
from core.chat.router import type_of
from core.chat.sanitise import Given, allowed_key, property_lines, sanitise, title_in
from core.chat.wishes import title_of
from core.config.decision import FieldSpec, Schema
from core.config.load import ChatConfig
from core.config.prompts import filled
from core.errors import LlmError
from core.features.action_context import ActionContext
from core.features.actions_create import new_text
from core.filename import SUFFIX, slug_stem
from core.ids import path_note_id
from core.locale import Locale, say
from core.model import Note
from core.parse import parse_note
from core.parse.kinds import normal_kind
from core.text import fold

TITLE = "title"
_MOST_COPIES = 1000

OffLoop = Callable[..., Awaitable["Draft"]]
"""Runs `work(*arguments)` where it may block."""


class Wish(NamedTuple):
    """What is told. `type` is "" where the message has to say it; `folder` is a vault folder,
    None for the one where drafts of the type go."""

    message: str
    type: str = ""
    answers: Mapping[str, str] = {}
    folder: str | None = None

    @property
    def plain(self) -> Wish:
        """Without what no file can hold; answers by the names that fields have."""
        answers = {normal_kind(name): plain_lines(text) for name, text in self.answers.items()}
        return self._replace(message=plain_lines(self.message), answers=answers)


class Missing(NamedTuple):
    """A required field without a value, and what to ask for it."""

    field: str
    hint: str


class Draft(NamedTuple):
    """`path` is a vault path that was free. `question` is what the model wants to know, `said`
    what it wrote around the note, `notice` why no model was used where one was wanted."""

    type: str
    title: str
    path: str
    markdown: str
    missing_fields: tuple[Missing, ...]
    healed: tuple[str, ...] = ()
    moved_to_body: tuple[str, ...] = ()
    question: str = ""
    said: str = ""
    notice: str = ""


async def draft(
    context: ActionContext,
    chat: ChatConfig,
    wish: Wish,
    ask: Ask | None = None,
    off_loop: OffLoop | None = None,
) -> Draft:
    """The draft. `ask` is a language model; without one, or where it fails, the template of the
    type is filled in. `off_loop` runs what looks at the disk, through `context.is_taken`."""
    run = off_loop or _at_once
    if ask is None:
        return await run(from_template, context, chat, wish)
    try:
        answer = await ask(interview_prompt(context, chat, wish))
    except LlmError as error:
        found = await run(from_template, context, chat, wish)
        return found._replace(notice=error.message)
    return await run(from_answer, context, chat, wish, answer)


async def _at_once(work: Callable[..., Draft], *given: Any) -> Draft:
    return work(*given)


def from_template(context: ActionContext, chat: ChatConfig, wish: Wish) -> Draft:
    """The template of the type, the vault's own or the packaged one, with the answers in it."""
    wish = wish.plain
    kind = note_type(context, chat, wish)
    title, whole = _title(context, chat, wish)
    path = draft_path(context, kind, title, wish.folder)
    text = new_text(context, path, title, kind)
    note = parse_note(path, text)
    first = {"type": kind, "title": title, "id": path_note_id(path), "status": "draft",
             "created": context.now.date}  # fmt: skip
    for key, value in first.items():
        if value and not has_property(note, key):
            text = with_property(text, key, property_lines(key, [value]))
    schema = chat.decision.schema_of(kind)
    if not whole:
        # more was told than fits into a title
        spec = next((spec for spec in schema.fields().values() if spec.section.en), FieldSpec())
        names = (spec.section.en, spec.section.de)
        heading = spec.section.say(context.locale) or say(context.locale, "Notes", "Notizen")
        text = with_section(text, names, heading, wish.message)
    text = with_answers(context, schema, text, wish.answers)
    return Draft(kind, title, path, text, missing_fields(text, schema, context.locale))


def from_answer(context: ActionContext, chat: ChatConfig, wish: Wish, answer: str) -> Draft:
    """The draft of a model's answer, healed and made safe."""
    wish = wish.plain
    healed = heal(answer)
    if not healed.found and (not healed.body or _asks(healed.body)):
        empty = say(context.locale, "The model wrote nothing", "Das Modell hat nichts geschrieben")
        return from_template(context, chat, wish)._replace(
            question=healed.body, notice="" if healed.body else empty
        )
    kind = note_type(context, chat, wish)
    told = " ".join(wish.answers.get(TITLE, "").split())
    title = told or title_in(healed) or _title(context, chat, wish)[0]
    path = draft_path(context, kind, title, wish.folder)
    clean = sanitise(healed, Given(path, kind, title, context.now.date, context.relations))
    schema = chat.decision.schema_of(kind)
    text = with_answers(context, schema, clean.markdown, wish.answers)
    return Draft(
        kind,
        clean.title,
        path,
        text,
        missing_fields(text, schema, context.locale),
        healed.repairs,
        clean.moved_to_body,
        said=healed.around,
    )


def note_type(context: ActionContext, chat: ChatConfig, wish: Wish) -> str:
    """The type that was asked for, else the one that the message speaks of."""
    return fold(wish.type) or type_of(wish.message, chat.decision, context.types)


def draft_path(context: ActionContext, kind: str, title: str, folder: str | None = None) -> str:
    """A vault path that nothing has: the slug of the title, with a number where it must be."""
    if folder is None:
        homes = (one for one in context.types.folders(kind) if context.exists(one))
        folder = context.drafts.strip("/") or next(homes, "")
    for number in range(1, _MOST_COPIES):
        name = slug_stem(title, number) + SUFFIX
        path = f"{folder}/{name}" if folder else name
        if not context.is_taken(path):
            return path
    return path


def missing_fields(markdown: str, schema: Schema, locale: Locale) -> tuple[Missing, ...]:
    """The required fields of which the note says nothing."""
    note = parse_note("draft.md", markdown)
    return tuple(
        Missing(name, (spec or FieldSpec()).hint.say(locale) or name)
        for name, spec in schema.required.items()
        if not _is_told(note, markdown, name, spec or FieldSpec())
    )


def with_answers(
    context: ActionContext, schema: Schema, markdown: str, answers: Mapping[str, str]
) -> str:
    """The note with what was answered: below the heading of its field, or in the frontmatter.

    An answer to a field that the schema does not have is frontmatter where notes have such a
    key, else a section. The answer itself goes before what a model made of it in frontmatter;
    a section in which something is said already stays.
    """
    fields = schema.fields()
    for name, value in answers.items():
        key = allowed_key(name, context.relations)
        if key in (TITLE, "id", "type", "status", "created") or not value.strip():
            continue
        spec = fields.get(name, FieldSpec())
        names = _names(name, spec)
        if spec.section.en or spec.section.de or key is None:
            note = parse_note("draft.md", markdown)
            if not has_section(note, markdown, names):
                heading = spec.section.say(context.locale) or name.replace("_", " ").capitalize()
                markdown = with_section(markdown, names, heading, value)
        else:
            markdown = with_property(markdown, key, property_lines(key, [value]))
    return markdown


def interview_prompt(context: ActionContext, chat: ChatConfig, wish: Wish) -> str:
    """What the model is told. The message and the answers stand in fences."""
    kind = note_type(context, chat, wish)
    schema = chat.decision.schema_of(kind)
    told = [fenced(wish.message, "message")] if wish.message.strip() else []
    told += [fenced(value, name) for name, value in wish.answers.items() if value.strip()]
    values = {
        "persona": chat.prompts.persona.say(context.locale).strip(),
        "fencing": chat.prompts.fencing.say(context.locale).strip(),
        "type": kind,
        "today": context.now.date,
        "schema": "\n".join(_described(schema, context.locale)),
        "message": "\n\n".join(told),
    }
    return filled(chat.prompts.interview_template.say(context.locale), values)


def _described(schema: Schema, locale: Locale) -> Iterator[str]:
    yield f"- title ({say(locale, 'required', 'nötig')})"
    for name, spec in schema.fields().items():
        need = name in schema.required
        words = [say(locale, "required", "nötig") if need else say(locale, "optional", "möglich")]
        if heading := spec.section.say(locale):
            words.append(say(locale, f"heading “{heading}”", f"Überschrift „{heading}“"))
        hint = spec.hint.say(locale)
        yield f"- {name} ({', '.join(words)})" + (f": {hint}" if hint else "")


def _title(context: ActionContext, chat: ChatConfig, wish: Wish) -> tuple[str, bool]:
    """A title, never empty, and whether nothing else was told."""
    told = " ".join(wish.answers.get(TITLE, "").split())
    found, whole = title_of(wish.message, chat.decision, context.types)
    untitled = say(context.locale, "Untitled", "Ohne Titel")
    return told or found or untitled, whole


def _is_told(note: Note, text: str, name: str, spec: FieldSpec) -> bool:
    if name == TITLE:
        return bool(note.title)
    if has_property(note, name):
        return True
    return has_section(note, text, _names(name, spec))


def _names(name: str, spec: FieldSpec) -> Sequence[str]:
    own = (name, name.replace("_", " "))
    return tuple(one for one in (spec.section.en, spec.section.de, *own) if one)


def _asks(text: str) -> bool:
    """Whether an answer asks back: short, one question, no note."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) <= 3 and lines[-1].rstrip(" *_\"'”“").endswith("?") and "#" not in text
