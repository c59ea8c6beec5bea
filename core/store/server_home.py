"""The generations of a store on a Qdrant server, which several machines may share.

    <prefix>_notes_g000001 ...    the collections of a generation
    <prefix>_notes ...            aliases of those in use, swapped in one call
    <prefix>_meta                 a manifest a generation, and the lease of the writer

The lexicon is kept on this machine; it is counted anew where another one wrote last.
"""

from __future__ import annotations

import logging
import re
import uuid
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from core.errors import InvalidArguments, StoreError
from core.settings import StoreSettings
from core.store.files import disk_errors, write_atomically
from core.store.generation import Generation
from core.store.home import GENERATION
from core.store.lexicon import Lexicon
from core.store.manifest import Expected, Manifest, differences, new_manifest
from core.store.ports import Collection
from core.store.schema import CHUNKS, EDGES, NOTES, SCHEMA_VERSION, CollectionSchema
from core.store.server import ServerCollection
from core.store.server_calls import call, connect
from core.store.server_meta import Lease, Meta
from core.store.store import PREFIX, Report, Store, report_of

logger = logging.getLogger(__name__)

ROLES = (NOTES, CHUNKS, EDGES)


def open_server_store(
    settings: StoreSettings,
    prefix: str,
    expected: Expected,
    *,
    vault: str,
    folder: Path,
    client: Any = None,
) -> Store:
    """Open or create the store of the vault named `vault` on the server of the settings, and
    check it. `folder` is where this machine keeps its part; `client` replaces the one that
    the settings give.

    Raises `StoreUnavailable` while the server is away, `StoreLocked` where another machine is
    just making the store, `StoreError` where the collections are another vault's, and
    `InvalidArguments` for a bad address or prefix.
    """
    if not PREFIX.fullmatch(prefix):
        raise InvalidArguments("the collection prefix may hold letters, digits, - and _ only")
    if client is None:
        client = connect(settings.url, settings.api_key)
    try:
        with disk_errors():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            holder = _machine(folder / "machine")
        home = ServerHome(client, settings, prefix, vault, folder, holder)
        generation, report = _opened(home, expected)
    except BaseException:
        client.close()
        raise
    return Store(generation, report, home)


class ServerPlace:
    """One generation on the server."""

    folder: Path | None = None

    def __init__(self, home: ServerHome, name: str) -> None:
        self.name = name
        self._home = home

    def collection(self, schema: CollectionSchema) -> Collection:
        return self._collection(schema)

    def stamped(self, manifest: Manifest) -> Manifest:
        revision = uuid.uuid4().hex
        return msgspec.structs.replace(manifest, vault=self._home.vault, revision=revision)

    def write_manifest(self, manifest: Manifest) -> None:
        self._home.meta.put_manifest(self.name, manifest)

    def load_lexicon(self, manifest: Manifest) -> Lexicon | None:
        return Lexicon.load(self._lexicon(manifest))

    def save_lexicon(self, lexicon: Lexicon, manifest: Manifest) -> None:
        path = self._lexicon(manifest)
        with disk_errors():
            lexicon.save(path)
            for old in path.parent.glob("lexicon-*"):
                if old != path:
                    old.unlink(missing_ok=True)

    def require(self, size: int) -> None:
        """The server knows its disk; it says when that is full."""

    def remove(self) -> None:
        self._home.remove(self.name)

    def _collection(self, schema: CollectionSchema) -> ServerCollection:
        home = self._home
        spread = {"shards": home.settings.shards, "replicas": home.settings.replicas}
        return ServerCollection(home.client, f"{schema.name}_{self.name}", schema, **spread)

    def _lexicon(self, manifest: Manifest) -> Path:
        return self._home.folder / f"lexicon-{manifest.revision}"


class ServerHome:
    """The store `<prefix>` on the server behind `client`. `holder` names this machine."""

    def __init__(
        self,
        client: Any,
        settings: StoreSettings,
        prefix: str,
        vault: str,
        folder: Path,
        holder: str,
    ) -> None:
        self.client = client
        self.settings = settings
        self.prefix = prefix
        self.vault = vault
        self.folder = folder
        self.meta = Meta(client, prefix, replicas=settings.replicas)
        self.lease = Lease(self.meta, holder)

    def current(self) -> str | None:
        """The generation that the aliases name; None where they do not name one."""
        targets = {a.alias_name: a.collection_name for a in call(self.client.get_aliases).aliases}
        found = {targets.get(self._alias(role), "") for role in ROLES}
        names = {name.rpartition("_")[2] for name in found}
        name = names.pop() if len(names) == 1 else ""
        expected = {f"{self._alias(role)}_{name}" for role in ROLES}
        return name if GENERATION.fullmatch(name) and found == expected else None

    def open(self, name: str, manifest: Manifest) -> Generation:
        """Open a generation."""
        return Generation(self.prefix, manifest, ServerPlace(self, name))

    def fresh(self, expected: Expected, old: Generation | None = None) -> Generation:
        self.lease.take()
        taken = [int(name[1:]) for name in self.generations()]
        place = ServerPlace(self, f"g{max(taken, default=0) + 1:06d}")
        manifest = place.stamped(new_manifest(expected))
        place.write_manifest(manifest)
        return Generation(self.prefix, manifest, place)

    def adopt(self, fresh: Generation) -> None:
        from qdrant_client import models

        assert isinstance(fresh.place, ServerPlace)
        self.lease.take()
        there = {alias.alias_name for alias in call(self.client.get_aliases).aliases}
        steps: list[Any] = []
        for role in ROLES:
            alias = self._alias(role)
            if alias in there:
                gone = models.DeleteAlias(alias_name=alias)
                steps.append(models.DeleteAliasOperation(delete_alias=gone))
            made = models.CreateAlias(
                collection_name=f"{alias}_{fresh.place.name}", alias_name=alias
            )
            steps.append(models.CreateAliasOperation(create_alias=made))
        call(partial(self.client.update_collection_aliases, change_aliases_operations=steps))

    def begin_write(self, used: Generation) -> bool:
        assert isinstance(used.place, ServerPlace)
        if not self.lease.take():
            return True
        now = self.meta.manifest(used.place.name)
        revision = now.revision if now else None
        if self.current() != used.place.name or revision != used.manifest.revision:
            return False
        for name in self.generations() - {used.place.name}:
            self.remove(name)  # left from a rebuild that did not come to its end
        return True

    def keep_write(self) -> None:
        self.lease.keep()

    def end_write(self) -> None:
        self.lease.give_back()

    def release(self) -> None:
        try:
            self.lease.give_back()
        except StoreError as error:  # it runs out by itself
            logger.info("the lease stays: %s", error.message)
        self.client.close()

    def generations(self) -> set[str]:
        """Names of all generations that have a collection or a manifest."""
        pattern = re.compile(rf"{re.escape(self.prefix)}_(?:{'|'.join(ROLES)})_(g\d{{6,}})")
        names = (pattern.fullmatch(name) for name in self.collections())
        return {match[1] for match in names if match} | self.meta.manifests().keys()

    def collections(self) -> set[str]:
        """Names of all collections on the server, whosever they are."""
        return {one.name for one in call(self.client.get_collections).collections}

    def remove(self, name: str) -> None:
        """Remove a generation; what cannot be removed now is removed by a later writer."""
        try:
            for role in ROLES:
                dropped = f"{self._alias(role)}_{name}"
                call(partial(self.client.delete_collection, collection_name=dropped))
            self.meta.drop_manifest(name)
        except StoreError as error:
            logger.info("generation %s stays: %s", name, error.message)

    def _alias(self, role: str) -> str:
        return f"{self.prefix}_{role}"


def _opened(home: ServerHome, expected: Expected) -> tuple[Generation, Report]:
    manifests = home.meta.manifests()
    for found in manifests.values():
        if found and found.vault != home.vault:
            raise StoreError(
                f"the collections {home.prefix}_* on the server belong to the vault"
                f" {found.vault!r}, and this one is {home.vault!r}",
                "Set another `prefix` for this vault; the same vault must have the same folder"
                " name on every machine.",
            )
    name = home.current()
    taken = {f"{home.prefix}_{role}" for role in ROLES} & home.collections()
    if taken or (name and name not in manifests):
        raise StoreError(
            f"the server has collections {home.prefix}_* that mindnet did not make",
            "Set another `prefix`, or remove them on the server.",
        )
    manifest = manifests.get(name) if name else None
    reasons: list[str] = []
    generation = None
    if name and manifest is None:
        reasons.append("its manifest is damaged")
    elif name and manifest:
        reasons = differences(manifest, expected)
        if manifest.schema_version == SCHEMA_VERSION:
            generation = home.open(name, manifest)
    if generation is None or manifest is None:
        generation = home.fresh(expected)
        home.adopt(generation)
        return generation, Report("rebuild", tuple(reasons)) if reasons else Report("new")
    return generation, report_of(manifest, expected, reasons, generation)


def _machine(path: Path) -> str:
    """A random name of this machine's part of the store, made once."""
    try:
        if known := path.read_text("ascii").strip():
            return known
    except (OSError, UnicodeDecodeError):
        pass  # none yet, or damaged: with a new name, a lease of a core that died is waited for
    made = uuid.uuid4().hex
    write_atomically(path, made.encode())
    return made
