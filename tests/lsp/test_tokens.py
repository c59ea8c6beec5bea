"""Semantic tokens on the wire: numbers, names for one client, and what changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as t

from core.text import LineIndex
from mindnet_lsp.client_facts import ClientFacts, TokenFacts
from mindnet_lsp.convert import Converter
from mindnet_lsp.handlers.semantic_tokens import NAMES, Legend
from mindnet_lsp.token_results import KEPT, TokenResults, edits

TEXT = "ñ🚢 ab\r\ncd🚢e\n\nfg"


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("utf-8", [0, 7, 2, 1, 0, 1, 2, 4, 2, 1]),
        ("utf-16", [0, 4, 2, 1, 0, 1, 2, 2, 2, 1]),
        ("utf-32", [0, 3, 2, 1, 0, 1, 2, 1, 2, 1]),
    ],
)
def test_lengths_are_in_the_clients_units(encoding: str, expected: list[int]) -> None:
    tokens = [(3, 5, 1, 0), (TEXT.index("cd") + 2, TEXT.index("e"), 2, 1)]
    assert Converter(encoding).token_data(LineIndex(TEXT), tokens) == expected


def test_a_token_over_lines_is_one_in_each() -> None:
    found = Converter("utf-16").token_data(LineIndex(TEXT), [(3, len(TEXT) - 1, 1, 0)])
    assert found == [0, 4, 2, 1, 0, 1, 0, 5, 1, 0, 2, 0, 1, 1, 0]


def test_a_long_line_is_not_measured_again_for_each_token() -> None:
    text = "🚢[[a]]" * 20_000
    tokens = [(at, at + 1, 0, 0) for at in range(3, len(text), 6)]
    data = Converter("utf-16").token_data(LineIndex(text), tokens)
    assert data[:10] == [0, 4, 1, 0, 0, 0, 7, 1, 0, 0]
    assert set(data[6::5]) == {7}


_NUMBERS = st.lists(st.integers(0, 3), max_size=12).map(
    lambda lines: [part for line in lines for part in (line, 1, 2, line, 0)]
)


@given(_NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS)
def test_edits_make_the_new_of_the_old(
    head: list[int], old: list[int], new: list[int], tail: list[int]
) -> None:
    before, after = head + old + tail, head + new + tail
    result = list(before)
    found = edits(before, after)
    for start, count, data in reversed(found):
        assert start % 5 == count % 5 == len(data) % 5 == 0, "whole tokens"
        result[start : start + count] = data
    assert result == after
    assert (found == []) == (before == after)
    assert sum(len(data) for _, _, data in found) <= len(new)


def test_only_the_last_result_of_a_document_is_known() -> None:
    results = TokenResults()
    first = results.keep("a", [1])
    second = results.keep("a", [2])
    assert (results.get("a", first), results.get("a", second)) == (None, [2])
    assert results.get("b", second) is None
    for number in range(KEPT):
        results.keep(f"other {number}", [])
    assert results.get("a", second) is None, "what is kept has a bound"


def test_a_legend_has_only_names_that_the_client_knows() -> None:
    few = Legend(TokenFacts(("variable", "string"), ("declaration",), True, True, True, False))
    assert (few.names, few.modifiers) == (["variable", "string"], ["declaration"])
    assert few.numbers["note"] == few.numbers["heading"] == 0
    assert few.numbers["missing"] == 1
    assert "tag" not in few.numbers, "a token without a name is left out"
    none = Legend(TokenFacts(("number",), (), True, False, False, False))
    assert (none.names, none.modifiers, none.numbers) == ([], [], {})
    standard = {str(kind.value) for kind in t.SemanticTokenTypes}
    assert {name for names in NAMES.values() for name in names} <= standard


def test_the_names_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "semantic-tokens.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w+)[^|]*\| (`[^|]*`) \|$", page, re.MULTILINE)
    assert {name: tuple(re.findall(r"`(\w+)`", names)) for name, names in rows} == NAMES


def _facts(**tokens: object) -> ClientFacts:
    full = {
        "requests": t.ClientSemanticTokensRequestOptions(full=True),
        "token_types": ["class"],
        "token_modifiers": [],
        "formats": [t.TokenFormat.Relative],
        **tokens,
    }
    capabilities = t.ClientCapabilities(
        text_document=t.TextDocumentClientCapabilities(
            semantic_tokens=t.SemanticTokensClientCapabilities(**full)  # type: ignore[arg-type]
        )
    )
    return ClientFacts.from_params(t.InitializeParams(capabilities))


def test_what_a_client_says_of_tokens() -> None:
    plain = _facts().tokens
    assert plain == TokenFacts(("class",), (), True, False, False, False)
    assert ClientFacts().tokens is None
    assert _facts(formats=[]).tokens is None
    assert _facts(requests=t.ClientSemanticTokensRequestOptions()).tokens is None
    ranged = _facts(requests=t.ClientSemanticTokensRequestOptions(range={})).tokens
    assert ranged is not None
    assert (ranged.full, ranged.range) == (False, True)
    alone = _facts(augments_syntax_tokens=False).tokens
    assert alone is not None
    assert alone.alone, "nothing else is shown in this client"
