"""`python -m tests.smart`: measure smart edges on the labelled passages and print a table.

By default with the small model of the tests, which runs in this process; `--url` and `--model`
take any other that Ollama serves. The answers depend on nothing but the model: temperature is 0.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack

from core.config.load import load_chat, load_config
from core.errors import LlmError
from core.llm.local import LocalModel
from core.settings import LlmSettings
from core.smart.question import chosen_of, question
from tests.smart.labelled import Labelled, every, labelled, named, score

_ROW = "{:<34}{:>4}{:>11.2f}{:>8.2f}{:>6.2f}{:>9}"


async def ask(settings: LlmSettings, passages: Sequence[Labelled]) -> list[frozenset[int] | None]:
    """What the model says of each passage, None for an answer that is none."""
    config, prompts = load_config(), load_chat().prompts
    llm = LocalModel(settings)
    found: list[frozenset[int] | None] = []
    try:
        for done, one in enumerate(passages):
            messages, form, locale = question(one.passage, prompts, config.relations)
            try:
                answer = await llm.ask(
                    messages, form, background=True, max_tokens=100, locale=locale
                )
                found.append(frozenset(c.number for c in chosen_of(answer)))
            except LlmError as error:
                sys.stderr.write(f"{one.passage.text[:40]}: {error.message}\n")
                found.append(None)
            sys.stderr.write(f"\r{done + 1}/{len(passages)}")
    finally:
        await llm.ollama.aclose()
    sys.stderr.write("\n")
    return found


def table(name: str, passages: Sequence[Labelled], said: Sequence[frozenset[int] | None]) -> str:
    """Rows for a model and the baselines, for all passages and each language."""
    lines = [f"{'':<34}{'n':>4}{'precision':>11}{'recall':>8}{'F1':>6}{'no answer':>11}"]
    for title, languages in (("all", ("de", "en")), ("German", ("de",)), ("English", ("en",))):
        chosen = [(p, s) for p, s in zip(passages, said, strict=True) if p.language in languages]
        rows = {
            name: [(p, s or frozenset()) for p, s in chosen],
            "every candidate": [(p, every(p)) for p, _ in chosen],
            "every candidate that is named": [(p, named(p)) for p, _ in chosen],
        }
        for who, answers in rows.items():
            found = score(answers)
            failed = sum(s is None for _, s in chosen) if who == name else 0
            lines.append(
                _ROW.format(
                    f"{title}: {who}", len(chosen), found.precision, found.recall, found.f1, failed
                )
            )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.smart", description=__doc__)
    parser.add_argument("--url", help="of an Ollama; the tests' own small model without it")
    parser.add_argument("--model", default="", help="its name")
    parser.add_argument("--first", type=int, help="only so many passages of each language")
    options = parser.parse_args()
    passages = labelled()
    if options.first:
        groups = ([p for p in passages if p.language == name] for name in ("en", "de"))
        passages = [p for group in groups for p in group[: options.first]]
    with ExitStack() as stack:
        url, model = options.url, options.model
        if url is None:
            from tests.support.real_ollama import CHAT, RealOllama

            url, model = stack.enter_context(RealOllama()).url, CHAT
        settings = LlmSettings(url=url, model=model, timeout=120)
        started = time.monotonic()
        said = asyncio.run(ask(settings, passages))
        took = time.monotonic() - started
    sys.stdout.write(table(model, passages, said) + "\n")
    sys.stdout.write(f"{took / len(passages):.1f} s a passage\n")


if __name__ == "__main__":
    main()
