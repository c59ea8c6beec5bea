"""Verdicts by content, and the passages that wait for one: a file in the data folder.

A verdict belongs to a passage's key and a judge (the model's digest and the prompt), so that a
passage is asked about once, however often and wherever it is imported. What waits is kept here as
well, so that the work goes on behind a restart. Losing the file costs the model's time and nothing
else. Any thread may call; a file that cannot be used is begun anew, and a disk that is full only
means that verdicts are not kept.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from core.paths import ensure_private
from core.smart.passage import Chosen, Passage, Verdict

logger = logging.getLogger(__name__)

FORMAT = 1
KEPT = 200_000
"""Verdicts that are kept; the oldest go first."""

_TABLES = """
CREATE TABLE IF NOT EXISTS verdicts (
    key TEXT, judge TEXT, model TEXT, chosen BLOB, PRIMARY KEY (key, judge));
CREATE TABLE IF NOT EXISTS waiting (
    note_id TEXT, key TEXT, passage BLOB, PRIMARY KEY (note_id, key));
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT);
"""


class VerdictCache:
    """Opens the file below `folder`; None keeps everything in memory, for this process alone."""

    def __init__(self, folder: Path | None) -> None:
        self._lock = threading.Lock()
        self._db = _open(folder / "smart" / "verdicts.sqlite" if folder else None)

    def verdict(self, key: str, judge: str) -> tuple[Verdict, bool] | None:
        """What is known of a passage: by this judge, or else what another one said last, and
        whether it is this one's."""
        found = self._rows(
            "SELECT model, chosen, judge FROM verdicts WHERE key = ?"
            " ORDER BY judge = ? DESC, rowid DESC LIMIT 1",
            (key, judge),
        )
        if not found:
            return None
        model, chosen, by = found[0]
        try:
            return Verdict(model, msgspec.msgpack.decode(chosen, type=tuple[Chosen, ...])), (
                by == judge
            )
        except msgspec.MsgspecError:
            return None

    def keep(self, key: str, judge: str, verdict: Verdict) -> None:
        """A passage was judged: nobody waits for it any more."""
        row = (key, judge, verdict.model, msgspec.msgpack.encode(verdict.chosen))
        with self._changing() as db:
            db.execute("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?)", row)
            db.execute("DELETE FROM waiting WHERE key = ?", (key,))

    def wait(self, note_id: str, passages: Iterable[Passage]) -> None:
        """These passages of a note wait, and no others of it."""
        rows = [(note_id, one.key, msgspec.msgpack.encode(one)) for one in passages]
        with self._changing() as db:
            db.execute("DELETE FROM waiting WHERE note_id = ?", (note_id,))
            db.executemany("INSERT OR IGNORE INTO waiting VALUES (?, ?, ?)", rows)

    def waiting(self) -> dict[str, int]:
        """How many passages of which note wait, first come, first served."""
        found = self._rows(
            "SELECT note_id, count(*) FROM waiting GROUP BY note_id ORDER BY min(rowid)", ()
        )
        return {note_id: int(count) for note_id, count in found}

    def passages(self, note_id: str) -> list[Passage]:
        """The passages of a note that wait, in order."""
        query = "SELECT passage FROM waiting WHERE note_id = ? ORDER BY rowid"
        found = []
        for (data,) in self._rows(query, (note_id,)):
            with contextlib.suppress(msgspec.MsgspecError):
                found.append(msgspec.msgpack.decode(data, type=Passage))
        return found

    def fact(self, name: str) -> str:
        """Something remembered, "" if it is not."""
        found = self._rows("SELECT value FROM facts WHERE name = ?", (name,))
        return str(found[0][0]) if found else ""

    def remember(self, name: str, value: str) -> None:
        """Keep a fact."""
        with self._changing() as db:
            db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def close(self) -> None:
        """Close the file; nothing is kept after that."""
        with self._lock:
            self._db.close()

    def _rows(self, query: str, values: Sequence[str]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._db.execute(query, values).fetchall()
            except sqlite3.Error as error:
                logger.warning("verdicts of smart edges cannot be read: %s", error)
                return []

    @contextlib.contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                with self._db:
                    yield self._db
            except sqlite3.Error as error:
                logger.warning("verdicts of smart edges cannot be kept: %s", error)


def _open(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        for _ in range(2):
            try:
                ensure_private(path.parent)
                return _connected(str(path))
            except sqlite3.DatabaseError as error:
                logger.warning("verdicts of smart edges are begun anew: %s", error)
                with contextlib.suppress(OSError):
                    path.unlink()
            except OSError as error:
                logger.warning("verdicts of smart edges cannot be kept: %s", error)
                break
    return _connected(":memory:")


def _connected(name: str) -> sqlite3.Connection:
    db = sqlite3.connect(name, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version not in (0, FORMAT):
            raise sqlite3.DatabaseError(f"of another version, {version}")
        db.executescript(_TABLES)
        db.execute(f"PRAGMA user_version = {FORMAT}")
        db.execute(
            "DELETE FROM verdicts WHERE rowid <= (SELECT max(rowid) - ? FROM verdicts)", (KEPT,)
        )
        db.commit()
    except sqlite3.Error:
        db.close()
        raise
    return db
