"""A message that is answered from the notes: looked up, given to the model, told as it comes."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from core.api import Shape
from core.chat.citations import Answer
from core.chat.context import is_echo, prompt_for
from core.chat.evidence import telling
from core.chat.loops import Loop
from core.chat.rewrite import joined, read_rewritten, rewrite_prompt
from core.chat.shapes import ChatDelta, ChatDraft, ChatSources
from core.chat.turns import Interview
from core.errors import LlmError
from core.llm import failures
from core.locale import Locale, say
from core.talk.asking import CALM, Packed, source
from core.talk.drafting import draft_shape
from core.talk.material import Material, look_for
from core.talk.turn import Turn


async def answered(turn: Turn) -> AsyncGenerator[Shape, None]:
    """`ChatSources`, `ChatDelta`s and the `ChatResult`. Raises `NotIndexed`, `StoreError`, and
    `InvalidArguments` for a message that does not fit into the model's window."""
    query = await _query(turn)
    material = await _material(turn, query)
    turn.query_id = material.query_id
    await turn.desk.run(lambda: _remember(turn, material))
    turn.notices.append(material.notice)
    draft = _waiting(turn)
    if not material.hits:
        yield ChatSources(query_id=turn.query_id, sources=[])
        text = turn.chat.prompts.no_context.say(turn.speech).strip()
        yield ChatDelta(text=text)
        turn.conversation.add(turn.request.message, text)
        yield turn.result(answer=text, searched_for=query, draft=draft)
        return
    try:
        if turn.asker.error is not None:
            raise turn.asker.error
        window = await turn.desk.engine.llm.window(turn.locale)
    except LlmError as error:
        # the notes are there all the same
        sources = [source(at + 1, material, at) for at in range(len(material.hits))]
        yield ChatSources(query_id=turn.query_id, sources=sources)
        yield turn.result(error, sources=sources, searched_for=query, draft=draft)
        return
    prompt = prompt_for(turn.route.intent, turn.request.message, turn.chat, turn.speech)
    packed = Packed(prompt, turn.conversation.turns, material, window, turn.locale)
    yield ChatSources(query_id=turn.query_id, sources=packed.sources, left_out=packed.left_out)
    async with aclosing(_told(turn, packed, query, draft)) as events:
        async for event in events:
            yield event


async def _told(
    turn: Turn, packed: Packed, query: str, draft: ChatDraft | None
) -> AsyncGenerator[Shape, None]:
    """The answer while the model writes it. One that breaks off or runs in circles is shown and
    marked, and is no part of the conversation."""
    known = {one.n for one in packed.sources}
    answer = Answer(known, "\n".join([*packed.texts, turn.request.message]))
    loop = Loop()
    failed: LlmError | None = None
    cut = looped = False
    try:
        async with turn.desk.engine.llm.chat(
            packed.messages, max_tokens=packed.room, temperature=CALM, locale=turn.locale
        ) as reply:
            async for piece in reply:
                if shown := answer.feed(piece):
                    yield ChatDelta(text=shown)
                if looped := loop.feed(piece):
                    break
        cut = reply.cut
        turn.notices.append(reply.warning)
    except LlmError as error:
        failed = error
    if last := answer.end():
        yield ChatDelta(text=last)
    if cut:
        turn.notices.append(failures.incomplete("length", turn.locale).message)
    if packed.left_out:
        turn.notices.append(_no_room(packed, turn.locale))
    empty = looped or is_echo(answer.text, packed.prompt)
    if empty:
        turn.notices.append(_empty(turn.locale))
    if failed is None and not empty:
        turn.conversation.add(turn.request.message, answer.text)
    cited = () if empty else answer.citations
    yield turn.result(
        failed,
        answer=answer.text,
        sources=[one.model_copy(update={"cited": one.n in cited}) for one in packed.sources],
        citations=list(cited),
        left_out=packed.left_out,
        searched_for=query,
        incomplete=cut or empty or failed is not None,
        draft=draft,
    )


async def _query(turn: Turn) -> str:
    """What to look for: the message, in its conversation."""
    message, turns = turn.request.message, turn.conversation.turns
    if not turns:
        return message
    prompt = rewrite_prompt(message, turns, turn.chat, turn.speech)
    if prompt and turn.asker.error is None:
        try:
            made = await turn.asker.line(prompt)
        except LlmError:
            made = ""
        found = await turn.desk.run(lambda: read_rewritten(made, message, turns, telling))
        if found is not None:
            return found
    return await turn.desk.run(lambda: joined(message, turns, telling))


async def _material(turn: Turn, query: str) -> Material:
    inject = turn.chat.decision.strategy(turn.route.intent).inject_types
    top_k, engine = turn.request.top_k, turn.desk.engine
    return await turn.desk.run(lambda: look_for(engine, query, inject, top_k, turn.locale))


def _remember(turn: Turn, material: Material) -> None:
    """Put the message into the search history, so that the answer can be rated."""
    engine = turn.desk.engine
    engine.history.record(
        material.query_id,
        turn.request.message,
        "hybrid",
        material.hits,
        source="chat",
        weights=engine.config.retriever.scoring.model_dump(),
        remember=turn.request.remember,
    )


def _waiting(turn: Turn) -> ChatDraft | None:
    """The draft of an interview that this message interrupts."""
    interview = turn.conversation.waiting
    if interview is None:
        return None
    turn.notices.append(_waits(interview, turn.locale))
    return draft_shape(interview.draft)


def _waits(interview: Interview, locale: Locale) -> str:
    title = interview.draft.title
    return say(
        locale,
        f"the draft “{title}” still waits for an answer",
        f"der Entwurf „{title}“ wartet noch auf eine Antwort",
    )


def _empty(locale: Locale) -> str:
    return say(
        locale,
        "the model only repeated itself, or what it was told; a larger one may do better",
        "das Modell wiederholte nur sich oder seine Anweisung; ein größeres kann es besser",
    )


def _no_room(packed: Packed, locale: Locale) -> str:
    titles = ", ".join(one.title for one in packed.left_out)
    return say(
        locale,
        f"found, but not read for lack of room: {titles}",
        f"gefunden, aber aus Platzmangel nicht gelesen: {titles}",
    )
