"""What Ollama says of its models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class Model(msgspec.Struct, frozen=True):
    """A model that Ollama lists. `digest` is what it is, whatever its name; `remote` is the host
    that really answers, "" for this machine."""

    name: str
    digest: str = ""
    size: int = 0
    remote: str = ""


class ModelFacts(msgspec.Struct, frozen=True):
    """What a model is and can. `context` and `dim` (of an embedding) are 0 where Ollama does not
    say; `remote` as in `Model`."""

    capabilities: tuple[str, ...] = ()
    context: int = 0
    dim: int = 0
    remote: str = ""

    def can(self, capability: str) -> bool:
        """Whether it can do that, as far as one knows: servers before 0.6 do not say."""
        return not self.capabilities or capability in self.capabilities


def full_name(model: str) -> str:
    """The name with its tag, as Ollama lists it."""
    return model if ":" in model.rpartition("/")[2] else f"{model}:latest"


def read_models(answer: Any) -> list[Model]:
    """The answer of `/api/tags`. Raises `ValueError` if it is none."""
    listed = answer.get("models") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        raise ValueError("no list of models")
    found = []
    for one in listed:
        if not isinstance(one, dict) or not isinstance(one.get("name"), str):
            raise ValueError("a model without a name")
        size = one.get("size")
        found.append(
            Model(
                one["name"],
                _text(one, "digest").removeprefix("sha256:"),
                size if isinstance(size, int) else 0,
                _remote(one),
            )
        )
    return found


def read_facts(answer: Any) -> ModelFacts:
    """The answer of `/api/show`. Raises `ValueError` if it is none."""
    if not isinstance(answer, dict):
        raise ValueError("no description of a model")
    info = answer.get("model_info")
    info = info if isinstance(info, dict) else {}
    able = answer.get("capabilities")
    return ModelFacts(
        tuple(str(one) for one in able) if isinstance(able, list) else (),
        _number(info, "context_length"),
        _number(info, "embedding_length"),
        _remote(answer),
    )


def find(models: list[Model], name: str) -> Model | None:
    """The listed model of that name, with or without its tag."""
    wanted = full_name(name)
    return next((one for one in models if full_name(one.name) == wanted), None)


def _number(info: Mapping[str, Any], what: str) -> int:
    """A number of the model's architecture, which is also the first part of its key."""
    value = info.get(f"{info.get('general.architecture')}.{what}")
    return value if isinstance(value, int) and value > 0 else 0


def _remote(one: Mapping[str, Any]) -> str:
    return _text(one, "remote_host") or _text(one, "remote_model")


def _text(one: Mapping[str, Any], key: str) -> str:
    value = one.get(key)
    return value if isinstance(value, str) else ""
