"""Moving and renaming notes, files and folders: the edits after which every link still means
what it meant.

Asked is the index as it will be: only links whose meaning would differ there are written anew,
so one by title or id stays as it is, and one that a new name would capture does not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from core.errors import AlreadyExists, Cancelled
from core.features.keeping import kept
from core.features.linkage import anchor_of
from core.features.new_path import new_path
from core.features.results import PlaceEdit, RenameFile, TextEdit, VaultEdit
from core.features.retarget import naming_of, retargeted
from core.locale import Locale
from core.model import REFERENCE, Link, Note, strip_note_suffix
from core.parse.frontmatter import is_null
from core.vault.candidates import Resolution
from core.vault.index import VaultIndex
from core.vault.registry import Name, link_key, names_of, names_of_attachment
from core.vault.resolve import whole_name
from core.vault.scan import is_note_path, never
from core.vault.targets import MARKDOWN_FORMS, without_vault_prefix

_BY_FILE = ("path", "name", "folder")


def rename_note(index: VaultIndex, path: str, new_name: str, locale: Locale = "en") -> VaultEdit:
    """Everything that changes when the note at `path` is called `new_name`: the edits of links
    to it and in it, which address the old paths, and the renaming itself; nothing where it has
    that name already.

    Raises what `new_path` raises: InvalidArguments, OutsideVault, AlreadyExists, NotIndexed.
    AlreadyExists also where a link to a heading with such a link in it would be lost.
    """
    to = new_path(index, path, new_name, locale)
    if to == path:
        return VaultEdit()
    edits = _followed(index, _edits(index, {path: to}), locale)
    return VaultEdit(edits, renames=(RenameFile(path, to),))


def move(
    index: VaultIndex, moves: Mapping[str, str], cancelled: Callable[[], bool] = never
) -> VaultEdit:
    """The edits that keep links right when files move from old to new vault paths, together.

    A path may be a note's, another file's, or a folder's, which stands for all in it. Unknown
    ones are no move. The edits address the old paths; the moving itself is not in the result.
    Links that mean no file now are left alone, whatever they will mean. A file that is moved
    onto another takes its place. Where a heading holds a link that changes, links to that
    heading follow if they can. Raises Cancelled as soon as `cancelled()` says so.
    """
    edits = _edits(index, moved_files(index, moves), cancelled)
    try:
        return VaultEdit(_followed(index, edits, "en"))
    except AlreadyExists:  # the files move all the same
        return VaultEdit(edits)


def moved_files(index: VaultIndex, moves: Mapping[str, str]) -> dict[str, str]:
    """The files that really move, old to new path, in path order; of a folder and a file in it
    the file's own new path counts."""
    found: dict[str, str] = {}
    for old, new in sorted(moves.items(), key=lambda pair: (len(pair[0]), pair[0])):
        for path in files_in(index, old):
            found[path] = f"{new}{path[len(old) :]}"
    return {old: new for old, new in sorted(found.items()) if old != new}


def files_in(index: VaultIndex, path: str) -> list[str]:
    """The notes and other files in the folder at `path`, or the one that is there itself."""
    known = (index.paths, index.attachments)
    if any(_holds(paths, path) for paths in known):
        return [path]
    return [found for paths in known for found in _below(paths, path)]


def _edits(
    index: VaultIndex, files: Mapping[str, str], cancelled: Callable[[], bool] = never
) -> tuple[PlaceEdit, ...]:
    """By path and offset. Raises Cancelled."""
    found: list[PlaceEdit] = []
    for edits in _Move(index, files, *_moved(index, files)).edits() if files else ():
        if cancelled():
            raise Cancelled("nobody waits for these edits any more")
        found += edits
    return tuple(found)


def _followed(
    index: VaultIndex, edits: tuple[PlaceEdit, ...], locale: Locale
) -> tuple[PlaceEdit | TextEdit, ...]:
    """`edits`, with what links to edited headings need. Raises AlreadyExists where one of those
    would mean another heading whatever it says."""
    if any(_is_in_heading(index.notes[edit.path], edit) for edit in edits):
        return kept(index, edits, {}, locale).edits
    return edits


class _Wanted(NamedTuple):
    """What a link in the note `source` shall mean, by the paths after the move."""

    source: str
    path: str
    anchor: str
    is_reversed: bool


@dataclass(frozen=True, slots=True)
class _Move:
    """One move of `files`; `after` is the index behind it, but for the edits, and `touched` are
    the keys of all names that come or go."""

    index: VaultIndex
    files: Mapping[str, str]
    after: VaultIndex
    touched: set[str]

    def edits(self) -> Iterator[list[PlaceEdit]]:
        """By note, in path order."""
        overwritten = set(self.files.values()).difference(self.files)
        users = {path for key in self.touched for path in self.index.users_of(key)}
        for source in sorted(users.union(self.files).difference(overwritten)):
            note = self.index.get(source)
            if note is None:
                continue
            # in a moved note the way to every file may differ
            every = source in self.files
            links = [link for link in note.links if every or self._may_differ(link)]
            yield [edit for link in links for edit in self._edits_of(note, link)]

    def _may_differ(self, link: Link) -> bool:
        """Whether the link's meaning depends on a name that changes."""
        names = [link.target]
        if whole := whole_name(link):
            names.append(whole)
        if link.alias and link.form not in MARKDOWN_FORMS:
            names.append(link.alias.partition("#")[0])
        for name in names:
            last = without_vault_prefix(name.strip()).rstrip("/").rpartition("/")[2]
            if last in ("", ".", "..") or link_key(last) in self.touched:
                return True
        return False

    def _edits_of(self, note: Note, link: Link) -> tuple[PlaceEdit, ...]:
        """The edits of one link; none where it means what it meant, or nothing could."""
        if link.form == REFERENCE:
            return ()  # its definition is a link of its own
        before = self.index.resolve(link, note.path)
        old = before.path or before.attachment
        if old is None or before.way == "self":
            return ()
        path = self.files.get(old, old)
        source = self.files.get(note.path, note.path)
        wanted = _Wanted(source, path, anchor_of(link, before), before.is_reversed)
        naming, folder = naming_of(note, link, before, old), source.rpartition("/")[0]
        still = self._means(link, wanted)
        if still and _is_kept(before, still) and naming.is_kept(path, folder):
            return ()
        note_id = self.after.note_id(path) if self.after.get(path) else None
        for unusual in (False, True):
            for spelling in naming.elsewhere(path, folder, note_id):
                target = spelling.target
                for new in retargeted(note, link, before, target, unusual=unusual):
                    found = self._means(new.link, wanted._replace(is_reversed=new.is_reversed))
                    if found and not (spelling.alone and len(found.candidates) > 1):
                        return new.edits
        return ()

    def _means(self, link: Link, wanted: _Wanted) -> Resolution | None:
        """What `link` will mean, if that is what is wanted."""
        found = self.after.resolve(link, wanted.source)
        same = wanted.path in (found.path, found.attachment) and (
            found.is_reversed == wanted.is_reversed
        )
        return found if same and anchor_of(link, found) == wanted.anchor else None


def _is_in_heading(note: Note, edit: PlaceEdit) -> bool:
    line = edit.place.line
    at = bisect_left(note.headings, line, key=lambda heading: heading.line)
    return at < len(note.headings) and note.headings[at].line == line


def _is_kept(before: Resolution, after: Resolution) -> bool:
    """Whether a link by a file's name still is one: `[[two]]` must not live on by the title
    `Two` alone when the file is called otherwise."""
    return before.way not in _BY_FILE or after.way in _BY_FILE


def _moved(index: VaultIndex, files: Mapping[str, str]) -> tuple[VaultIndex, set[str]]:
    """The index after the move, and the keys of all names that come or go with it."""
    changed: list[Note] = []
    removed: list[str] = []
    added: list[str] = []
    gone: list[str] = []
    names: set[Name] = set()
    for old, new in files.items():
        note = index.get(old)
        if note is None:
            gone.append(old)
            names.update(names_of_attachment(old))
        else:
            removed.append(old)
            names.update(names_of(note))
        overwritten = index.get(new)
        if overwritten is not None and new not in files:
            names.update(names_of(overwritten))
        if is_note_path(new):
            note = renamed(note or Note(old, ""), new)
            changed.append(note)
            names.update(names_of(note))
        else:
            added.append(new)
            names.update(names_of_attachment(new))
    after = index.update(changed, removed, added, gone)
    return after, {link_key(name) for _, _, name in names}


def renamed(note: Note, path: str) -> Note:
    """The note as it is at another path; its title follows where it is but the file's name."""
    if note.title and _has_own_title(note):
        return replace(note, path=path)
    return replace(note, path=path, title=strip_note_suffix(path.rpartition("/")[2]))


def _has_own_title(note: Note) -> bool:
    if note.title != note.stem or any(h.level == 1 and h.text for h in note.headings):
        return True
    properties = note.frontmatter.properties if note.frontmatter else ()
    return any(
        prop.key.strip().lower() == "title" and prop.values and not is_null(prop.values[0])
        for prop in properties
    )


def _holds(paths: Sequence[str], path: str) -> bool:
    at = bisect_left(paths, path)
    return at < len(paths) and paths[at] == path


def _below(paths: Sequence[str], folder: str) -> Iterable[str]:
    """Those in a folder, at any depth; `paths` are sorted."""
    prefix = f"{folder}/"
    first = bisect_left(paths, prefix)
    for at in range(first, len(paths)):
        if not paths[at].startswith(prefix):
            return
        yield paths[at]
