"""Which addresses and models stay on this machine. Others are refused unless the user allows
them: a vault's notes go nowhere by themselves."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from core.errors import ModelNotLocal
from core.locale import Locale, say

SETTING = "mindnet.llm.allow_remote"


def is_local(url: str) -> bool:
    """Whether an address is this very machine."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def shown(url: str) -> str:
    """An address as it may be shown and logged: without a user's name, password or path."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "?"
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}" + (f":{port}" if port else "")


def is_cloud_name(model: str) -> bool:
    """Whether a model's name says that it runs on somebody else's machine: Ollama's `x:cloud`
    and `x:120b-cloud`."""
    tag = model.rpartition(":")[2] if ":" in model else ""
    return tag == "cloud" or tag.endswith("-cloud")


def check_address(url: str, locale: Locale = "en", *, allowed: bool = False) -> None:
    """Raises `ModelNotLocal` for an address that is not this machine, unless that is `allowed`."""
    if allowed or is_local(url):
        return
    raise ModelNotLocal(
        say(
            locale,
            f"{shown(url)} is not this machine, so nothing is sent there",
            f"{shown(url)} ist nicht dieser Rechner, also wird nichts dorthin geschickt",
        ),
        _hint(locale),
    )


def check_model(model: str, remote: str, locale: Locale = "en", *, allowed: bool = False) -> None:
    """Raises `ModelNotLocal` for a model that Ollama passes on to another machine. `remote` is the
    host that Ollama names for it, "" for none."""
    if allowed or not (remote or is_cloud_name(model)):
        return
    where = f" ({shown(remote)})" if "://" in remote else ""
    raise ModelNotLocal(
        say(
            locale,
            f"the model {model} does not run on this machine{where}, so nothing is sent to it",
            f"das Modell {model} läuft nicht auf diesem Rechner{where}, also wird ihm nichts"
            " geschickt",
        ),
        _hint(locale),
    )


def _hint(locale: Locale) -> str:
    return say(
        locale,
        f"Use a local one, or set {SETTING} to true if your notes may go there.",
        f"Ein lokales nehmen, oder {SETTING} auf true setzen, falls die Notizen dorthin dürfen.",
    )
