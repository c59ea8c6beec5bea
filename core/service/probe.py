"""Whether Ollama answers at the configured address; only on this machine."""

from __future__ import annotations

import httpx

PATIENCE = 1.5
"""Seconds; a local server answers at once or not at all."""


def ollama_models(url: str) -> list[str]:
    """Names of the models that Ollama has at `url`. Raises `OSError` where it does not answer
    and `ValueError` where something else does; nothing is sent but the question."""
    try:
        with httpx.Client(timeout=PATIENCE, trust_env=False, follow_redirects=False) as client:
            answer = client.get(f"{url.rstrip('/')}/api/tags")
    except httpx.InvalidURL as error:
        raise ValueError("is no address") from error
    except httpx.HTTPError as error:
        raise OSError(type(error).__name__) from error
    if not answer.is_success:
        raise ValueError(f"answers {answer.status_code}")
    found = answer.json()
    models = found.get("models") if isinstance(found, dict) else None
    if not isinstance(models, list):
        raise ValueError("is not Ollama")
    return [str(one.get("name")) for one in models if isinstance(one, dict)]
