"""Verdicts and what waits, in a file that may be damaged."""

from __future__ import annotations

from pathlib import Path

from core.smart.cache import VerdictCache
from core.smart.passage import Choice, Chosen, Passage, Verdict

MILL = Passage("By the mill.", (Choice("inspired_by", "mill", "Mill"),))
WEIR = Passage("By the weir.", (Choice("inspired_by", "weir", "Weir"),))
YES, NO = Verdict("m", (Chosen(1, 0.75),)), Verdict("n", ())


def file_of(folder: Path) -> Path:
    return folder / "smart" / "verdicts.sqlite"


def test_a_verdict_is_kept_by_content_and_judge(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    cache.keep(MILL.key, "old", YES)
    assert cache.verdict(MILL.key, "old") == (YES, True)
    assert cache.verdict(MILL.key, "new") == (YES, False)
    cache.keep(MILL.key, "new", NO)
    assert cache.verdict(MILL.key, "new") == (NO, True)
    assert cache.verdict(MILL.key, "old") == (YES, True)
    assert cache.verdict(MILL.key, "third") == (NO, False), "the last one counts"
    assert cache.verdict(WEIR.key, "old") is None
    cache.close()


def test_the_key_is_of_all_that_an_answer_depends_on() -> None:
    other = (
        Passage("By the mill!", MILL.choices),
        Passage(MILL.text, (Choice("caused_by", "mill", "Mill"),)),
        Passage(MILL.text, (Choice("inspired_by", "mill-2", "Mill"),)),
        Passage(MILL.text, (Choice("inspired_by", "mill", "The mill"),)),
        Passage(MILL.text, (*MILL.choices, *WEIR.choices)),
    )
    assert len({MILL.key, *(one.key for one in other)}) == 6
    assert Passage("By the mill.", (Choice("inspired_by", "mill", "Mill"),)).key == MILL.key


def test_what_waits_outlives_the_process(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    cache.wait("b", [MILL, WEIR, MILL])
    cache.wait("a", [MILL])
    cache.close()
    cache = VerdictCache(tmp_path)
    assert list(cache.waiting().items()) == [("b", 2), ("a", 1)]
    assert cache.passages("b") == [MILL, WEIR]
    cache.keep(MILL.key, "j", YES)
    assert cache.waiting() == {"b": 1}
    cache.wait("b", [])
    assert cache.waiting() == {}
    cache.close()


def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    cache.keep(MILL.key, "j", YES)
    cache.close()
    for damaged in (b"no database at all" * 100, b""):
        file_of(tmp_path).write_bytes(damaged)
        cache = VerdictCache(tmp_path)
        assert cache.verdict(MILL.key, "j") is None
        cache.keep(MILL.key, "j", YES)
        assert cache.verdict(MILL.key, "j") == (YES, True)
        cache.close()


def test_the_file_is_its_users_alone(tmp_path: Path) -> None:
    VerdictCache(tmp_path).close()
    assert file_of(tmp_path).parent.stat().st_mode & 0o077 == 0


def test_without_a_place_it_still_works_for_now(tmp_path: Path) -> None:
    (tmp_path / "smart").write_text("a file where the folder should be")
    for folder in (tmp_path, None):
        cache = VerdictCache(folder)
        cache.keep(MILL.key, "j", YES)
        assert cache.verdict(MILL.key, "j") == (YES, True)
        cache.close()
