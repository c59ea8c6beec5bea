"""Reading a whole store: through the core that runs, else opened here as it is.

Unlike `access.open_core` nothing is mended and nothing is begun, so that a check sees
what is there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.cli.access import LOCK_PATIENCE, running_core
from core.errors import NotIndexed
from core.paths import vault_data_dir
from core.settings import Settings

if TYPE_CHECKING:
    from core.check.shapes import CheckName
    from core.store.admin import Peek
    from core.store.store import Store

Tell = Callable[[dict[str, Any]], None]
"""Is given each line as it would come over HTTP."""

_HINT = "Run `mindnet import --apply`."


def check_lines(
    root: Path, tree: dict[str, Any], settings: Settings, what: list[CheckName], tell: Tell
) -> None:
    """Run checks, the result's line last. Raises `NotIndexed` and `StoreError`."""
    if (remote := running_core(root, tree)) is not None:
        remote.stream("/check", {"what": what}, tell)
        return
    from core.check.run import check
    from core.check.view import VaultFiles
    from core.config.load import load_config
    from core.embedding.make import make_embedder
    from core.embedding.state import expected_store
    from core.ingest.hashing import hash_options

    with opened_store(root, settings) as (store, found):
        config, options = load_config(root, os.environ), hash_options(os.environ)
        model = store.manifest.model
        files = VaultFiles(root, settings.vault.ignore, options, config, model)
        outdated = found.outdated(
            expected_store(make_embedder(settings, root, vault_data_dir(root)))
        )
        dim = store.manifest.dim
        for line in check(store, files, what, dim=dim, outdated=outdated):
            tell(line.model_dump())


def note_lines(root: Path, tree: dict[str, Any], settings: Settings, tell: Tell) -> None:
    """All stored notes, the result's line last. Raises `NotIndexed` and `StoreError`."""
    if (remote := running_core(root, tree)) is not None:
        remote.stream("/export", {}, tell)
        return
    from core.roundtrip.stored import stored_notes

    with opened_store(root, settings) as (store, _):
        for line in stored_notes(store):
            tell(line.model_dump())


@contextmanager
def opened_store(root: Path, settings: Settings) -> Iterator[tuple[Store, Peek]]:
    """The store as it lies on disk, with what was said of it. Raises `NotIndexed` where there is
    none or none that this program can read, `StoreLocked` and `StoreError`."""
    from core.service.lifecycle import vault_lock
    from core.store.manifest import Expected
    from core.store.opening import open_vault_store, peek_vault_store
    from core.store.schema import SCHEMA_VERSION

    folder = vault_data_dir(root)
    if peek_vault_store(root, folder, settings) is None:
        raise NotIndexed("this vault is not indexed", _HINT)
    with vault_lock(folder, LOCK_PATIENCE):
        found = peek_vault_store(root, folder, settings)
        manifest = found.manifest if found else None
        if found is None or manifest is None or manifest.schema_version != SCHEMA_VERSION:
            raise NotIndexed("the index is damaged or of another version", _HINT)
        # opened as what it is, so that nothing is built anew
        expected = Expected(
            model=manifest.model, dim=manifest.dim, chunking_version=manifest.chunking_version
        )
        with open_vault_store(root, folder, settings, expected) as store:
            if store.report.state == "rebuild" and not store.manifest.counts:
                raise NotIndexed("the index is damaged", _HINT)
            yield store, found
