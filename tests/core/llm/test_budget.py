"""What goes into a prompt, and what is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidArguments
from core.llm.budget import fit, prompt_tokens, tokens_of

WORDS = "weir " * 100


def test_best_blocks_go_in_whole_and_small_ones_follow_large_ones() -> None:
    found = fit(1000, ["Be brief."], [WORDS, WORDS * 8, WORDS, WORDS, WORDS, WORDS, "small"])
    assert found.blocks == (0, 2, 3, 4, 5, 6)
    assert found.left_out == (1,)


def test_a_question_alone_that_is_too_long_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="passt nicht"):
        fit(1000, [WORDS * 10], locale="de")


def test_the_newest_turns_are_kept() -> None:
    turns = [WORDS] * 9
    found = fit(2000, ["Be brief."], [WORDS], turns)
    assert 0 < found.history < 9
    assert found.blocks == (0,)


@given(
    st.lists(st.text(max_size=400), max_size=6),
    st.lists(st.text(max_size=200), max_size=6),
    st.integers(512, 1024),
)
def test_all_that_is_chosen_fits(blocks: list[str], history: list[str], window: int) -> None:
    found = fit(window, ["Instructions.", "A question?"], blocks, history)
    used = prompt_tokens(["Instructions.", "A question?"])
    used += prompt_tokens(history[len(history) - found.history :])
    used += sum(tokens_of(blocks[at]) for at in found.blocks)
    assert used + window // 4 <= window
    assert sorted(found.blocks + found.left_out) == list(range(len(blocks)))
