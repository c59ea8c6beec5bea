"""An interview over several messages: which field is asked for, and what a message does to it.

The model writes the note once. What is answered later goes where the schema says, by rule and in
the person's own words: nobody has to wait for a model, and none rewrites what it wrote before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from core.chat.interview import Draft, Missing, Wish, missing_fields, with_answers
from core.chat.phrases import words_of
from core.chat.router import IntentSource, is_question, wanted_type
from core.config.decision import DecisionConfig
from core.config.load import ChatConfig
from core.config.note_types import TypesConfig
from core.features.action_context import ActionContext
from core.locale import Locale, say
from core.text import fold

Heard = Literal["answer", "skip", "done", "stop", "other"]
"""`other`: the message is about something else, and the interview waits."""

MOST_QUESTIONS = 2
"""How often the model may ask back before its template is taken."""

_STOP = (
    "abbrechen", "abbruch", "brich ab", "stop", "stopp", "vergiss es", "lass es", "doch nicht",
    "cancel", "forget it", "never mind", "nevermind", "abort",
)  # fmt: skip
_SKIP = (
    "weiter", "überspringen", "weiß nicht", "weiß ich nicht", "keine ahnung", "nichts", "keine",
    "skip", "next", "don't know", "i don't know", "no idea", "nothing", "none", "",
)  # fmt: skip
_DONE = (
    "fertig", "das war's", "das wars", "das reicht", "das ist alles", "done", "that's all",
    "that is all", "that's it", "enough",
)  # fmt: skip


@dataclass
class Interview:
    """`asked` is the field of the last question, "" for a question of the model's own;
    `source` what the first message was understood by; `waits` whether an answer is wanted."""

    wish: Wish
    draft: Draft
    source: IntentSource
    asked: str = ""
    passed: set[str] = field(default_factory=set)
    questions: int = 0
    waits: bool = False

    def next(self) -> Missing | None:
        """The field to ask for, None when nothing is left to ask."""
        left = (one for one in self.draft.missing_fields if one.field not in self.passed)
        return next(left, None)

    def settle(self) -> None:
        """Settle what is asked for next, and whether anything is."""
        following = None if self.draft.question else self.next()
        self.asked = following.field if following else ""
        self.waits = bool(self.draft.question or following)

    def goes_on(self, wish: Wish) -> bool:
        """Whether a wish only has answers for this note."""
        same = wish.message.strip() in ("", self.wish.message.strip())
        return same and fold(wish.type) in ("", fold(self.draft.type)) and not self.draft.question

    def joined(self, wish: Wish) -> Wish:
        """A wish that says more of this note."""
        told = dict.fromkeys(filter(None, (self.wish.message.strip(), wish.message.strip())))
        return Wish(
            "\n\n".join(told),
            wish.type or self.draft.type,
            {**self.wish.answers, **wish.answers},
            self.wish.folder if wish.folder is None else wish.folder,
        )

    def take(self, context: ActionContext, chat: ChatConfig, answer: str) -> None:
        """Put an answer into the draft, where the field that was asked for belongs."""
        schema = chat.decision.schema_of(self.draft.type)
        before, told = self.draft.markdown, {self.asked: answer.strip()}
        text = with_answers(context, schema, before, told)
        self.passed.add(self.asked)
        self.wish = self.wish._replace(answers={**self.wish.answers, **told})
        missing = missing_fields(text, schema, context.locale)
        self.draft = self.draft._replace(markdown=text, missing_fields=missing)


def heard(message: str, engine: DecisionConfig, types: TypesConfig) -> Heard:
    """What a message does while an interview waits for an answer."""
    words = words_of(message)
    whole = " ".join(words)
    for name, phrases in (("stop", _STOP), ("skip", _SKIP), ("done", _DONE)):
        if whole in map(fold, phrases):
            return name  # type: ignore[return-value]
    if is_question(message, words, engine) or wanted_type(words, engine, types) is not None:
        return "other"
    return "answer"


def told(draft: Draft, ask: str, locale: Locale) -> str:
    """What is said with a draft; `ask` is the next question."""
    if draft.question:
        return draft.question
    title = say(locale, f"“{draft.title}” ({draft.type})", f"„{draft.title}“ ({draft.type})")
    first = say(
        locale,
        f"Here is the draft of {title}. It is not saved yet.",
        f"Hier ist der Entwurf von {title}. Er ist noch nicht gespeichert.",
    )
    return f"{first}\n\n{ask}" if ask else first


def stopped(locale: Locale) -> str:
    """What is said where the person gave the note up."""
    return say(locale, "No note then.", "Dann eben keine Notiz.")
