"""URIs of files, as editors spell them."""

from __future__ import annotations

import os
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindnet_lsp import uris


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/v/C# tips.md", "file:///v/C%23%20tips.md"),
        ("/v/100% done.md", "file:///v/100%25%20done.md"),
        ("/v/was? ja!.md", "file:///v/was%3F%20ja%21.md"),
        ("/v/Übung 港.md", "file:///v/%C3%9Cbung%20%E6%B8%AF.md"),
    ],
)
def test_every_reserved_character_is_encoded(path: str, uri: str) -> None:
    assert uris.to_uri(path, windows=False) == uri
    assert uris.to_path(uri, windows=False) == path


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("c:\\v\\a b.md", "file:///c%3A/v/a%20b.md"),
        ("C:\\v\\a.md", "file:///c%3A/v/a.md"),
    ],
)
def test_windows_drives(path: str, uri: str) -> None:
    assert uris.to_uri(path, windows=True) == uri
    assert uris.to_path(uri, windows=True) == path[0].lower() + path[1:]


@pytest.mark.parametrize("uri", ["file:///C:/v/a.md", "file:///c%3A/v/a.md", "file:///c:/v/a.md"])
def test_spellings_of_one_drive(uri: str) -> None:
    assert uris.to_path(uri, windows=True) == "c:\\v\\a.md"


def test_a_network_share() -> None:
    assert uris.to_path("file://nas/notes/a.md", windows=True) == "\\\\nas\\notes\\a.md"
    assert uris.to_uri("\\\\nas\\notes\\a.md", windows=True) == "file://nas/notes/a.md"


@pytest.mark.parametrize("uri", ["file:///v/a#b.md", "file:///v/a%23b.md"])
def test_a_raw_hash_belongs_to_the_path(uri: str) -> None:
    assert uris.to_path(uri, windows=False) == "/v/a#b.md"


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "https://ex.org/a.md", "a.md", "file:x"])
def test_what_is_no_file(uri: str) -> None:
    assert uris.to_path(uri, windows=False) is None


def test_one_key_for_all_spellings() -> None:
    assert uris.key_of("file:///v/%C3%A4.md") == uris.key_of("file:///v/ä.md")
    assert uris.name_of("untitled:Untitled-1") == "Untitled-1"


def test_a_path_in_a_vault() -> None:
    assert uris.join("file:///v/my%20vault", "a/C#.md") == "file:///v/my%20vault/a/C%23.md"
    assert uris.below("/v", "/v/a/b.md") == "a/b.md"
    assert uris.below("/v", "/vault/b.md") is None


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_a_path_is_quoted_as_the_standard_library_does(path: str) -> None:
    assert uris.join("file:///v", path) == f"file:///v/{quote_from_bytes(path.encode())}"


def test_a_name_that_is_no_utf8_keeps_its_bytes() -> None:
    path = os.fsdecode(b"caf\xe9 \xff.md")
    assert uris.join("file:///v", path) == "file:///v/caf%E9%20%FF.md"
