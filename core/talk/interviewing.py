"""A message that wants a note: the draft, the questions for what it lacks, their answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from core.api import Shape
from core.chat.interview import Wish
from core.chat.interview import draft as drafted
from core.chat.shapes import ChatDelta, ChatDraft
from core.chat.turns import MOST_QUESTIONS, Heard, Interview, stopped, told
from core.talk.turn import Turn


async def begun(turn: Turn, wish: Wish, questions: int = 0) -> AsyncGenerator[Shape, None]:
    """A draft of what was told, and the question for what it lacks. `questions` is how often the
    model asked back already."""
    context = turn.desk.context(turn.speech)
    ask = turn.asker.whole if questions <= MOST_QUESTIONS else None
    found = await drafted(context, turn.chat, wish, ask, turn.desk.off_loop)
    turn.notices.append(found.notice)
    made = Interview(wish, found, turn.route.intent_source, questions=questions)
    async for event in _asked(turn, made):
        yield event


async def went_on(turn: Turn, interview: Interview, what: Heard) -> AsyncGenerator[Shape, None]:
    """What a message does while an interview waits for an answer."""
    message = turn.request.message
    if what == "stop":
        turn.conversation.interview = None
        async for event in _said(turn, stopped(turn.speech), None):
            yield event
        return
    if what == "answer" and interview.draft.question:
        wish = interview.joined(Wish(message))
        async for event in begun(turn, wish, interview.questions + 1):
            yield event
        return
    if what == "answer":
        context = turn.desk.context(turn.speech)
        await turn.desk.off_loop(interview.take, context, turn.chat, message)
    elif what == "done":
        interview.passed.update(one.field for one in interview.draft.missing_fields)
    else:
        interview.passed.add(interview.asked)
    interview.draft = interview.draft._replace(question="")
    async for event in _asked(turn, interview):
        yield event


async def _asked(turn: Turn, interview: Interview) -> AsyncGenerator[Shape, None]:
    """Show the draft, and ask for what is next."""
    interview.settle()
    turn.conversation.interview = interview
    following = None if interview.draft.question else interview.next()
    text = told(interview.draft, following.hint if following else "", turn.speech)
    draft = await turn.desk.with_links(interview.draft, turn.locale)
    async for event in _said(turn, text, draft):
        yield event


async def _said(turn: Turn, text: str, draft: ChatDraft | None) -> AsyncGenerator[Shape, None]:
    yield ChatDelta(text=text)
    turn.conversation.add(turn.request.message, text)
    yield turn.result(answer=text, draft=draft)
