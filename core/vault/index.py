"""The link index of a vault: immutable snapshots, each made from the one before."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from immutables import Map

from core.ids import path_note_id
from core.model import KindMention, Link, Note
from core.text import fold
from core.vault.gcpause import collection_paused
from core.vault.links import NO_LINKS
from core.vault.names import NameHit, NameTable
from core.vault.registry import CLAIMS, IDS, PATHS, folded_path, link_key
from core.vault.resolve import Resolution
from core.vault.snapshot import dump, restore
from core.vault.tables import Change, Tables, advance, changed_notes
from core.vault.targets import without_vault_prefix
from core.vault.views import InOrder, Lengths


class Backlink(NamedTuple):
    """A link as seen from its target: the path of the note it stands in, and the link."""

    source: str
    link: Link


class Counts(NamedTuple):
    """Size of the vault. `unresolved` counts links to notes that do not exist."""

    notes: int
    links: int
    unresolved: int


class VaultIndex:
    """A snapshot of the vault. Never changes; `update` gives the next one.

    Paths are vault-relative, with `/`, as on disk. All answers are deterministic: they
    depend on the notes and attachments alone, not on the order of updates.
    """

    __slots__ = ("_resolver", "_tables", "revision")

    def __init__(self, tables: Tables | None = None, revision: int = 0) -> None:
        self._tables = tables or Tables()
        self._resolver = self._tables.resolver()
        self.revision = revision
        """Grows by one with every snapshot that differs from the one before."""

    @classmethod
    def build(cls, notes: Iterable[Note], attachments: Iterable[str] = ()) -> VaultIndex:
        """The index of these notes and other files; of two notes with one path the last counts."""
        with collection_paused():
            return cls().update(changed=notes, attachments_added=attachments)

    def update(
        self,
        changed: Iterable[Note] = (),
        removed: Iterable[str] = (),
        attachments_added: Iterable[str] = (),
        attachments_removed: Iterable[str] = (),
    ) -> VaultIndex:
        """The index after notes and attachments came, changed or went.

        A rename is a removal and a change in one call. Unknown removals and notes that
        are equal to what is known are no change; without any, the same index returns. What is
        both removed and added is there afterwards.
        """
        old = self._tables
        wanted = frozenset(attachments_added)
        added = frozenset(path for path in wanted if not old.has_attachment(path))
        gone = frozenset(
            path for path in attachments_removed if path not in wanted and old.has_attachment(path)
        )
        change = Change(changed_notes(old, changed, removed), added, gone)
        if not change.notes and not added and not gone:
            return self
        return VaultIndex(advance(old, change), self.revision + 1)

    def dump(self) -> bytes:
        """What `restored` needs besides the notes."""
        return dump(self._tables)

    @classmethod
    def restored(cls, data: bytes | memoryview, notes: Mapping[str, Note]) -> VaultIndex:
        """The index that was dumped, with its notes by path. Raises ValueError, LookupError or
        what msgspec raises where the data is broken or of other notes."""
        return cls(restore(data, notes))

    @property
    def notes(self) -> Mapping[str, Note]:
        """Notes by path, in path order."""
        return InOrder(self._tables.notes, self._tables.paths)

    @property
    def paths(self) -> Sequence[str]:
        """The paths of all notes, sorted."""
        return self._tables.paths

    @property
    def attachments(self) -> Sequence[str]:
        """The paths of all other files, sorted."""
        return self._tables.attachments

    def get(self, path: str) -> Note | None:
        """The note at `path`, None if there is none."""
        return self._tables.notes.get(path)

    def locate(self, path: str) -> str | None:
        """The path on disk of the note that a client calls `path`: macOS may have decomposed
        the name, and an editor composed it again. None if there is no such note."""
        tables = self._tables
        if path in tables.notes:
            return path
        wanted = unicodedata.normalize("NFC", path)
        same = tables.registry.find(PATHS, folded_path(path))
        return next((own for own in same if unicodedata.normalize("NFC", own) == wanted), None)

    def note_id(self, path: str) -> str:
        """The note's effective id.

        Its frontmatter id, or the path-derived one if it has none or an earlier note (in
        path order) claims the same. Raises KeyError for an unknown path.
        """
        own = self._tables.notes[path].note_id
        if own and self._resolver.owner(own) == path:
            return own
        return path_note_id(path)

    def path_of(self, note_id: str) -> str | None:
        """The path of the note with this effective id, None if there is none."""
        owner = self._resolver.owner(note_id)
        if owner is not None:
            return owner
        found = self._tables.registry.find(IDS, fold(note_id))
        return next((path for path in found if self.note_id(path) == note_id), None)

    def duplicates(self, path: str) -> tuple[str, ...]:
        """The other notes that claim the frontmatter id of the note at `path`."""
        note = self._tables.notes[path]
        if not note.note_id:
            return ()
        claims = self._tables.registry.find(CLAIMS, note.note_id)
        return tuple(other for other in claims if other != path)

    def resolve(self, link: Link, source: str) -> Resolution:
        """What `link`, written in the note at `source`, means."""
        return self._resolver.link(link, source)

    def resolve_name(self, target: str, source: str, markdown: bool = False) -> Resolution:
        """What a link from `source` to `target` would mean; `markdown` for path links."""
        return self._resolver.name(target, source, markdown)

    def targets(self, path: str) -> tuple[str | None, ...]:
        """The notes that the links of the note at `path` mean, aligned with `note.links`."""
        return self._tables.links.get(path, NO_LINKS).targets

    def backlinks(self, path: str) -> Iterator[Backlink]:
        """The links to the note at `path`, by source path and offset.

        Links of the note to itself count if they name it; `[[#Heading]]` does not.
        """
        tables = self._tables
        links, notes = tables.links, tables.notes
        for source in tables.sources.get(path, ()):
            targets, at = links[source].targets, -1
            # tuples are searched in C: most links of a source lead elsewhere
            for _ in range(targets.count(path)):
                at = targets.index(path, at + 1)
                link = notes[source].links[at]
                if link.target:
                    yield Backlink(source, link)

    def backlink_count(self, path: str) -> int:
        """How many backlinks the note has, without looking at them."""
        return self._tables.incoming.get(path, 0)

    def sources(self, path: str) -> tuple[str, ...]:
        """The notes with a backlink to the note at `path`, sorted."""
        return self._tables.sources.get(path, ())

    def may_name(self, target: str) -> tuple[str, ...]:
        """The notes with a link that ends with the same path segment as `target`, sorted: all
        that can mean the same."""
        return self._tables.users.get(link_key(without_vault_prefix(target.strip())), ())

    def users_of(self, key: str) -> tuple[str, ...]:
        """The notes with a link whose meaning depends on this `registry.link_key`, sorted."""
        return self._tables.users.get(key, ())

    @property
    def tags(self) -> Mapping[str, int]:
        """Number of notes by tag as written, nested ones not counted for their parents."""
        return Lengths(self._tables.tags)

    def first_tagged(self, tag: str) -> str:
        """The first note with this tag, as written; raises KeyError where none has it."""
        return self._tables.tags[tag][0]

    def tagged(self, tag: str) -> tuple[str, ...]:
        """The notes with this tag or one nested below it, sorted; letter case is ignored."""
        wanted = fold(tag.removeprefix("#"))
        found: set[str] = set()
        for name, paths in self._tables.tags.items():
            folded = fold(name)
            if folded == wanted or folded.startswith(f"{wanted}/"):
                found.update(paths)
        return tuple(sorted(found))

    @property
    def kinds(self) -> Mapping[str, int]:
        """How often each relation kind is written."""
        return InOrder(self._tables.kinds)

    def kind_mentions(self, kind: str) -> Iterator[tuple[str, KindMention]]:
        """Where a relation kind is written: path and mention, by path and offset."""
        for path in self._tables.kind_users.get(kind, ()):
            for mention in self._tables.notes[path].kinds:
                if mention.kind == kind:
                    yield path, mention

    def kind_users(self, kind: str) -> tuple[str, ...]:
        """The notes in which a relation kind is written, sorted."""
        return self._tables.kind_users.get(kind, ())

    @property
    def unresolved(self) -> Mapping[str, int]:
        """Number of links by written target, for targets that no note has."""
        return InOrder(self._tables.unresolved)

    def unresolved_in(self, path: str) -> tuple[Link, ...]:
        """The links of the note at `path` to notes that do not exist, in order."""
        state = self._tables.links.get(path, NO_LINKS)
        if not state.missing:
            return ()
        links = self._tables.notes[path].links
        return tuple(links[at] for at in state.missing)

    def prepare(self) -> None:
        """Make what searching names needs, which else the first search would wait for. May run
        in a thread; later snapshots keep it."""
        tables = self._tables
        tables.names.search("..", 1)
        for late in (tables.files, tables.missing):
            late.search("..", 1)
        tables.hubs.first()
        tables.wanted.first()

    @property
    def hubs(self) -> tuple[str, ...]:
        """Some hundred notes with the most backlinks, most first, then by path."""
        return self._tables.hubs.first()

    @property
    def wanted(self) -> tuple[str, ...]:
        """The keys of `unresolved` with the most links, most first, then by target."""
        return self._tables.wanted.first()

    def unresolved_count(self, target: str) -> int:
        """How many links are written with this target, which no note has."""
        return self._tables.unresolved.get(target, 0)

    def find_unresolved(self, query: str, limit: int) -> list[NameHit]:
        """Targets of unresolved links that fit what is typed; `path` is the target."""
        return self._tables.missing.search(query, limit)

    def find_files(self, query: str, limit: int) -> list[NameHit]:
        """Attachments whose file names fit what is typed."""
        return self._tables.files.search(query, limit)

    @property
    def callouts(self) -> Mapping[str, int]:
        """How often each callout type is written."""
        return InOrder(self._tables.callouts)

    @property
    def keys(self) -> Mapping[str, int]:
        """Number of notes by frontmatter key as written."""
        return InOrder(self._tables.keys)

    def values(self, key: str) -> Mapping[str, int]:
        """Number of notes by value of a frontmatter key: words and numbers; no links, no long
        texts, and none of keys whose values hardly come again (`title`, dates)."""
        return InOrder(self._tables.values.get(key, Map()))

    @property
    def names(self) -> NameTable:
        """The names of all notes, for completion and fuzzy search."""
        return self._tables.names

    @property
    def counts(self) -> Counts:
        tables = self._tables
        return Counts(len(tables.notes), tables.link_count, tables.missing_count)
