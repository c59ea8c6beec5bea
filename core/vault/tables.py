"""One state of the vault as immutable tables, and how the next one is made from it.

Building from nothing and applying a change are the same code, so they cannot differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from immutables import Map

from core.model import Note
from core.text import fold
from core.vault.late_names import FILE, MISSING, LateNames
from core.vault.links import NO_LINKS, LinkReader, LinkState
from core.vault.most_used import MostUsed
from core.vault.names import NameTable
from core.vault.postings import Members, Postings, Tally, merged
from core.vault.properties import Values, ValueTally, values_of
from core.vault.registry import FILES, Registry, RegistryDraft, names_of, names_of_attachment
from core.vault.resolve import Resolver


@dataclass(frozen=True, slots=True)
class Tables:
    """`paths` and `attachments` are sorted. `sources` maps a note to those that link to it,
    `incoming` to the number of these links, `users` a link key to the notes with such a link.
    `values` maps a frontmatter key to how many notes have which value of it.
    """

    notes: Map[str, Note] = field(default_factory=Map)
    paths: Members = ()
    attachments: Members = ()
    registry: Registry = field(default_factory=Registry)
    links: Map[str, LinkState] = field(default_factory=Map)
    sources: Map[str, Members] = field(default_factory=Map)
    incoming: Map[str, int] = field(default_factory=Map)
    users: Map[str, Members] = field(default_factory=Map)
    unresolved: Map[str, int] = field(default_factory=Map)
    tags: Map[str, Members] = field(default_factory=Map)
    kinds: Map[str, int] = field(default_factory=Map)
    kind_users: Map[str, Members] = field(default_factory=Map)
    callouts: Map[str, int] = field(default_factory=Map)
    keys: Map[str, int] = field(default_factory=Map)
    values: Values = field(default_factory=Map)
    names: NameTable = field(default_factory=NameTable)
    files: LateNames = field(default_factory=lambda: LateNames(FILE))
    missing: LateNames = field(default_factory=lambda: LateNames(MISSING))
    hubs: MostUsed = field(default_factory=lambda: MostUsed({}))
    wanted: MostUsed = field(default_factory=lambda: MostUsed({}))
    link_count: int = 0
    missing_count: int = 0

    def resolver(self) -> Resolver:
        """Resolution over this state."""
        return Resolver(self.notes, self.registry)

    def has_attachment(self, path: str) -> bool:
        return path in self.registry.find(FILES, fold(path.rpartition("/")[2]))


@dataclass(frozen=True, slots=True)
class Change:
    """What differs: notes by path (None: removed) and attachments added and removed."""

    notes: Mapping[str, Note | None]
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


def advance(old: Tables, change: Change) -> Tables:
    """The tables after `change`. Costs what the changed notes and the users of their
    changed names cost, apart from copies of flat arrays."""
    names = RegistryDraft()
    for path, note in change.notes.items():
        before = old.notes.get(path)
        names.replace(
            path,
            set() if before is None else set(names_of(before)),
            set() if note is None else set(names_of(note)),
        )
    for path in change.removed:
        names.replace(path, set(names_of_attachment(path)), set())
    for path in change.added:
        names.replace(path, set(), set(names_of_attachment(path)))
    draft = _Draft(old, change)
    registry = names.finish(old.registry)
    reader = LinkReader(Resolver(draft.notes, registry))
    draft.replace_notes(reader)
    draft.refresh_users(reader, names.touched)
    return draft.finish(registry)


_Linked = tuple[Note, LinkState]


def counted(items: Iterable[str]) -> dict[str, int]:
    """How often each item comes, as a plain dict, which compares much faster than a Counter."""
    return dict(Counter(items))


def backlink_counts(note: Note, state: LinkState) -> dict[str, int]:
    """Number of links by target, those that only name a place in the note itself left out."""
    counts: dict[str | None, int] = dict(Counter(state.targets))
    counts.pop(None, None)
    if note.path in counts:
        counts[note.path] -= sum(not link.target for link in note.links)
        if not counts[note.path]:
            del counts[note.path]
    return cast("dict[str, int]", counts)


class _Contribution:
    """What the links of one note add to the tables about other notes."""

    __slots__ = ("keys", "link_count", "missing", "missing_count", "targets")

    def __init__(self, linked: _Linked | None) -> None:
        self.keys: set[str] = set()
        self.targets: Mapping[str, int] = {}
        self.missing: Mapping[str, int] = {}
        self.link_count = self.missing_count = 0
        if linked is None or not linked[0].links:
            return
        note, state = linked
        self.keys = state.all_keys()
        self.targets = backlink_counts(note, state)
        if state.missing:
            self.missing = counted(note.links[at].target for at in state.missing)
        self.link_count, self.missing_count = len(note.links), len(state.missing)


class _Draft:
    """Everything but the registry, while it changes."""

    def __init__(self, old: Tables, change: Change) -> None:
        self._old = old
        self._change = change
        with old.notes.mutate() as notes:
            for path, note in change.notes.items():
                if note is not None:
                    notes[path] = note
                else:
                    notes.pop(path, None)
            self.notes = notes.finish()
        self._links = old.links.mutate()
        self._sources, self._users = Postings(), Postings()
        self._tags, self._kind_users = Postings(), Postings()
        self._incoming, self._unresolved, self._kinds = Tally(), Tally(), Tally()
        self._callouts, self._keys, self._values = Tally(), Tally(), ValueTally()
        self._link_count = old.link_count
        self._missing_count = old.missing_count

    def replace_notes(self, reader: LinkReader) -> None:
        """Exchange what the changed notes contribute."""
        for path, note in self._change.notes.items():
            before = self._old.notes.get(path)
            old = None if before is None else (before, self._old.links.get(path, NO_LINKS))
            state = NO_LINKS if note is None else reader.read(note)
            self._exchange(path, old, None if note is None else (note, state))
            self._describe(path, before, note)

    def refresh_users(self, reader: LinkReader, touched: set[str]) -> None:
        """Resolve the other notes' links again that depend on changed names."""
        users: set[str] = set()
        for key in touched:
            users.update(self._old.users.get(key, ()))
        for path in users.difference(self._change.notes):
            note, before = self.notes[path], self._old.links[path]
            state = reader.reread(note, before, touched)
            if state != before:
                self._exchange(path, (note, before), (note, state))

    def _exchange(self, path: str, old: _Linked | None, new: _Linked | None) -> None:
        """Put what the links of a note contribute in the place of what they did before."""
        before, after = _Contribution(old), _Contribution(new)
        self._sources.exchange(path, before.targets.keys(), after.targets.keys())
        self._users.exchange(path, before.keys, after.keys)
        self._incoming.exchange(before.targets, after.targets)
        self._unresolved.exchange(before.missing, after.missing)
        self._link_count += after.link_count - before.link_count
        self._missing_count += after.missing_count - before.missing_count
        if new is None or new[1] is NO_LINKS:
            self._links.pop(path, None)
        else:
            self._links[path] = new[1]

    def _describe(self, path: str, old: Note | None, new: Note | None) -> None:
        """Exchange the tags, relation kinds, callouts and frontmatter of a note."""
        was, now = (old.tags if old else ()), (new.tags if new else ())
        if was or now:
            self._tags.exchange(path, {tag.name for tag in was}, {tag.name for tag in now})
        wrote, writes = (old.kinds if old else ()), (new.kinds if new else ())
        if wrote or writes:
            before = counted(mention.kind for mention in wrote)
            after = counted(mention.kind for mention in writes)
            self._kind_users.exchange(path, before.keys(), after.keys())
            self._kinds.exchange(before, after)
        had, has = (old.callouts if old else ()), (new.callouts if new else ())
        if had or has:
            self._callouts.exchange(counted(c.type for c in had), counted(c.type for c in has))
        if (old and old.frontmatter) or (new and new.frontmatter):
            held, holds = values_of(old), values_of(new)
            self._keys.exchange(dict.fromkeys(held, 1), dict.fromkeys(holds, 1))
            self._values.exchange(held, holds)

    def finish(self, registry: Registry) -> Tables:
        """The new tables."""
        old, change = self._old, self._change
        incoming = self._incoming.apply(old.incoming)
        unresolved = self._unresolved.apply(old.unresolved)
        counted_again = self._unresolved.changed()
        came = [path for path in change.notes if path in self.notes and path not in old.notes]
        gone = [path for path in change.notes if path not in self.notes and path in old.notes]
        attachments = old.attachments
        if change.added or change.removed:
            attachments = merged(attachments, change.added, change.removed)
        return Tables(
            notes=self.notes,
            paths=merged(old.paths, came, gone) if came or gone else old.paths,
            attachments=attachments,
            registry=registry,
            links=self._links.finish(),
            sources=self._sources.apply(old.sources),
            incoming=incoming,
            users=self._users.apply(old.users),
            unresolved=unresolved,
            tags=self._tags.apply(old.tags),
            kinds=self._kinds.apply(old.kinds),
            kind_users=self._kind_users.apply(old.kind_users),
            callouts=self._callouts.apply(old.callouts),
            keys=self._keys.apply(old.keys),
            values=self._values.apply(old.values),
            files=(
                old.files.updated(attachments, change.removed, change.added)
                if attachments is not old.attachments
                else old.files
            ),
            missing=old.missing.updated(
                unresolved,
                [key for key in counted_again if key not in unresolved],
                [key for key in counted_again if key not in old.unresolved],
            ),
            hubs=old.hubs.updated(incoming, self._incoming.changed()),
            wanted=old.wanted.updated(unresolved, counted_again),
            names=old.names.updated(
                [note for path in change.notes if (note := old.notes.get(path))],
                [note for note in change.notes.values() if note],
            ),
            link_count=self._link_count,
            missing_count=self._missing_count,
        )


def changed_notes(
    old: Tables, changed: Iterable[Note], removed: Iterable[str]
) -> dict[str, Note | None]:
    """What really differs from `old`, in path order; a path that is both changed and
    removed is changed."""
    result: dict[str, Note | None] = {path: None for path in removed if path in old.notes}
    for note in changed:
        if old.notes.get(note.path) == note:
            result.pop(note.path, None)
        else:
            result[note.path] = note
    return dict(sorted(result.items()))
