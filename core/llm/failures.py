"""What can go wrong with Ollama, as errors that say what to do. None holds text of a note:
of what Ollama says, one short line is passed on."""

from __future__ import annotations

import re

from core.errors import AnswerIncomplete, LlmError, LlmTimeout, ModelMissing
from core.llm.address import shown
from core.locale import Locale, say

LONGEST = 200
"""Code points of Ollama's own message that are passed on."""

_MISSING = re.compile(r"model .*not found|try pulling it first", re.I)
_MEMORY = re.compile(r"more system memory|out of memory|cudaMalloc|unable to allocate", re.I)
_SLOW_LOAD = re.compile(r"timed out waiting for|load.*timed? ?out|server loading model", re.I)
_TOO_LONG = re.compile(r"exceeds? (the )?(\w+ )?(context|batch)|input is too (long|large)", re.I)
_CANNOT = re.compile(r"does not support (\w+)", re.I)


def switched_off(locale: Locale) -> LlmError:
    """The user wants no language model."""
    return LlmError(
        say(
            locale,
            "the language model is switched off",
            "das Sprachmodell ist ausgeschaltet",
        ),
        say(
            locale,
            "Set mindnet.llm.enabled to true to use one.",
            "mindnet.llm.enabled auf true setzen, um eines zu benutzen.",
        ),
    )


def unreachable(url: str, locale: Locale) -> LlmError:
    """Nobody listens, or the connection broke before an answer."""
    return LlmError(
        say(
            locale,
            f"Ollama does not answer at {shown(url)}",
            f"Ollama antwortet nicht unter {shown(url)}",
        ),
        say(
            locale,
            "Start it with `ollama serve`, or set mindnet.llm.url to where it is.",
            "Mit `ollama serve` starten, oder mindnet.llm.url darauf setzen, wo es ist.",
        ),
    )


def timed_out(seconds: float, locale: Locale) -> LlmTimeout:
    """Connected, but nothing came."""
    return LlmTimeout(
        say(
            locale,
            f"Ollama was silent for {seconds:g} seconds",
            f"Ollama hat {seconds:g} Sekunden lang nichts gesagt",
        ),
        say(
            locale,
            "Ask again: the model may be loaded by now. Else take a smaller model, or raise"
            " mindnet.llm.timeout.",
            "Noch einmal fragen: vielleicht ist das Modell inzwischen geladen. Sonst ein kleineres"
            " Modell nehmen oder mindnet.llm.timeout erhöhen.",
        ),
    )


def model_missing(model: str, locale: Locale) -> ModelMissing:
    """Ollama is there, the model is not."""
    return ModelMissing(
        say(locale, f"Ollama has no model {model}", f"Ollama hat kein Modell {model}"),
        f"`ollama pull {model}`",
    )


def not_ollama(url: str, locale: Locale) -> LlmError:
    """Something answers, but not in Ollama's words."""
    return LlmError(
        say(
            locale,
            f"what answers at {shown(url)} is not Ollama",
            f"was unter {shown(url)} antwortet, ist nicht Ollama",
        ),
        say(locale, "Correct mindnet.llm.url.", "mindnet.llm.url berichtigen."),
    )


def told(status: int, text: str, model: str, locale: Locale) -> LlmError:
    """The error for a message of Ollama: with an HTTP `status` (200: in the middle of a
    stream), about `model`."""
    text = _one_line(text)
    if _MISSING.search(text) or (status == 404 and not text):
        return model_missing(model, locale)
    if _MEMORY.search(text):
        return LlmError(
            say(
                locale,
                f"there is too little memory for the model {model}",
                f"für das Modell {model} ist zu wenig Speicher da",
            ),
            say(
                locale,
                f"Close other programs, or choose a smaller model. Ollama says: {text}",
                f"Andere Programme schließen oder ein kleineres Modell wählen. Ollama: {text}",
            ),
        )
    if _SLOW_LOAD.search(text):
        return LlmTimeout(
            say(
                locale,
                f"the model {model} is not loaded yet",
                f"das Modell {model} ist noch nicht geladen",
            ),
            say(locale, f"Ask again. Ollama says: {text}", f"Noch einmal fragen. Ollama: {text}"),
        )
    if status == 503:
        return LlmError(
            say(locale, "Ollama is busy", "Ollama ist beschäftigt"),
            say(locale, "Ask again in a moment.", "Gleich noch einmal fragen."),
        )
    if _TOO_LONG.search(text):
        return LlmError(
            say(
                locale,
                f"the text is too long for the model {model}",
                f"der Text ist zu lang für das Modell {model}",
            ),
            say(
                locale,
                "Ask for less at once, or raise mindnet.llm.context_tokens.",
                "Weniger auf einmal fragen, oder mindnet.llm.context_tokens erhöhen.",
            ),
        )
    if cannot := _CANNOT.search(text):
        return LlmError(
            say(
                locale,
                f"the model {model} cannot do this ({cannot[0]})",
                f"das Modell {model} kann das nicht ({cannot[0]})",
            ),
            say(locale, "Choose another model.", "Ein anderes Modell wählen."),
        )
    return LlmError(
        say(
            locale,
            f"Ollama failed: {text or status}",
            f"Ollama hat einen Fehler gemeldet: {text or status}",
        ),
        say(locale, "Its own log says more.", "Mehr steht in seinem Protokoll."),
    )


def is_too_long(text: str) -> bool:
    """Whether Ollama's message says that a text does not fit."""
    return _TOO_LONG.search(text) is not None


def incomplete(why: str, locale: Locale) -> AnswerIncomplete:
    """The stream ended before the answer did. `why` is "closed", "unreadable" or "length"."""
    reason = {
        "closed": ("the connection was closed", "die Verbindung wurde geschlossen"),
        "unreadable": ("a line of it cannot be read", "eine Zeile ist nicht lesbar"),
        "length": ("there was no room for more", "für mehr war kein Platz"),
    }[why]
    return AnswerIncomplete(
        say(locale, f"answer incomplete: {reason[0]}", f"Antwort unvollständig: {reason[1]}"),
        say(locale, "Ask again.", "Noch einmal fragen."),
    )


def no_answer(thought: bool, locale: Locale) -> LlmError:
    """The stream ended well and held nothing."""
    if thought:
        return LlmError(
            say(
                locale,
                "no answer, budget used for thinking",
                "keine Antwort, der Platz ging ins Nachdenken",
            ),
            say(
                locale,
                "Raise mindnet.llm.context_tokens, or choose a model that does not think aloud.",
                "mindnet.llm.context_tokens erhöhen, oder ein Modell wählen, das nicht laut denkt.",
            ),
        )
    return LlmError(
        say(locale, "the model gave an empty answer", "das Modell gab eine leere Antwort"),
        say(locale, "Ask again, in other words.", "Noch einmal fragen, mit anderen Worten."),
    )


def looped(model: str, locale: Locale) -> LlmError:
    """The answer says the same again and again."""
    return LlmError(
        say(
            locale,
            f"the model {model} only repeated itself",
            f"das Modell {model} wiederholte sich nur",
        ),
        say(locale, "Ask again, or choose another model.", "Noch einmal, oder ein anderes Modell."),
    )


def bad_shape(model: str, locale: Locale) -> LlmError:
    """The answer is not the JSON that was asked for."""
    return LlmError(
        say(
            locale,
            f"the model {model} did not keep to the asked form",
            f"das Modell {model} hielt sich nicht an die verlangte Form",
        ),
        say(locale, "Ask again, or choose another model.", "Noch einmal, oder ein anderes Modell."),
    )


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
