# ruff: noqa: N818  (these are named for what happened, as users of the code read them)
"""Errors that the core raises on purpose. Each has a code from the interface's list.

MindnetError
├─ InvalidArguments            invalid_arguments
├─ NotANote                    not_a_note
│  └─ UnreadableNote           not_a_note
├─ NotIndexed                  not_indexed
├─ OutsideVault                outside_vault
├─ AlreadyExists               already_exists
├─ NotSupported                not_supported       (the client cannot do its part)
├─ Cancelled                   cancelled
├─ CoreUnavailable             store_unavailable   (no core service answers)
├─ StoreError                  store_unavailable
│  ├─ StoreUnavailable         store_unavailable   (the Qdrant server is away)
│  ├─ StoreLocked              store_locked
│  │  └─ OtherSettings         store_locked        (by a core with other settings)
│  ├─ StoreCorrupt             store_unavailable   (rebuild it from the files)
│  ├─ StoreFull                store_unavailable   (no room left on the disk)
│  ├─ InvalidPoint             store_unavailable   (would not be searchable)
│  └─ UnsafeDelete             store_unavailable   (would have deleted everything)
├─ EmbeddingUnavailable        embedding_unavailable
│  └─ EmbeddingAway            embedding_unavailable (whatever the text is)
│     └─ EmbeddingMissing      embedding_unavailable (it will not come back by itself)
└─ LlmError                    llm_unavailable
   ├─ AnswerIncomplete         llm_unavailable     (what came of it may be shown)
   ├─ LlmTimeout               llm_timeout
   ├─ ModelMissing             model_missing
   └─ ModelNotLocal            llm_unavailable     (notes would leave this machine)
"""

from __future__ import annotations

from typing import ClassVar


class MindnetError(Exception):
    """An expected failure. `message` says what happened, `hint` what to do about it;
    neither holds text of a note."""

    code: ClassVar[str] = "internal"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InvalidArguments(MindnetError):
    code = "invalid_arguments"


class NotANote(MindnetError):
    code = "not_a_note"


class UnreadableNote(NotANote):
    """The file is there, but the system refuses to read it, or it is far too large."""


class NotIndexed(MindnetError):
    code = "not_indexed"


class OutsideVault(MindnetError):
    code = "outside_vault"


class AlreadyExists(MindnetError):
    code = "already_exists"


class NotSupported(MindnetError):
    """The editor lacks what this needs, and half of it would do harm."""

    code = "not_supported"


class Cancelled(MindnetError):
    code = "cancelled"


class CoreUnavailable(MindnetError):
    """The core service of the vault does not answer and could not be started."""

    code = "store_unavailable"


class StoreError(MindnetError):
    code = "store_unavailable"


class StoreUnavailable(StoreError):
    """The Qdrant server does not answer, or refuses us; it may come back."""


class StoreLocked(StoreError):
    """Another process has the store open."""

    code = "store_locked"


class OtherSettings(StoreLocked):
    """The core that has it open was started with other settings."""


class StoreCorrupt(StoreError):
    """The store's files cannot be read; they are derived from the notes, so rebuild them."""


class StoreFull(StoreError):
    """Too little room on the disk to write safely."""


class InvalidPoint(StoreError):
    """A point that could not be found again: zero, non-finite or wrongly sized vector,
    or a payload that is not JSON."""


class UnsafeDelete(StoreError):
    """A delete whose condition matches everything."""


class EmbeddingUnavailable(MindnetError):
    code = "embedding_unavailable"


class EmbeddingAway(EmbeddingUnavailable):
    """The model fails on every text, until it is back: trying others is of no use."""


class EmbeddingMissing(EmbeddingAway):
    """Whoever should embed is there, and has no model for it that may be used."""


class LlmError(MindnetError):
    code = "llm_unavailable"


class AnswerIncomplete(LlmError):
    """An answer that was cut in the middle: to be shown as such, and kept nowhere."""


class LlmTimeout(LlmError):
    code = "llm_timeout"


class ModelMissing(LlmError):
    code = "model_missing"


class ModelNotLocal(LlmError):
    """An address or a model that is not on this machine, and the user did not allow it."""


def error_of(code: str) -> type[MindnetError]:
    """The error class of a code, as it came over HTTP; `MindnetError` for an unknown one."""
    pending: list[type[MindnetError]] = [MindnetError]
    while pending:
        one = pending.pop(0)
        if one.__dict__.get("code") == code:
            return one
        pending.extend(one.__subclasses__())
    return MindnetError
