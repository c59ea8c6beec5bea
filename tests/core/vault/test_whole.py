"""From files on disk to links that resolve, with the real parser."""

from __future__ import annotations

from pathlib import Path

from core.vault.cache import write_cache
from core.vault.load import load_vault
from tests.support.fixture import parse_fixture

VAULT = """\
//- /v1.2 plan.md
# Plan
//- /Pump House.md
x
//- /100% done.md
x
//- /2031 Dam/2031 Dam.md
x
//- /x/Intro.md
---
id: note-7
aliases: [NO, 1.10, 2031-03-01]
---
## `init` step?
//- /Größe.md
x
//- /sub/links.md
---
related: "[[Größe]]"
---
[[v1.2 plan]] [[v1.2 plan.md]] [p](../Pump%20House.md) [q](<../Pump House.md>) [[PUMP house]]
[d](../100%25%20done.md) [[2031 Dam]] [[x/Intro#init step]] [[NO]] [[2031-03-01]] [[note-7]]
[[Intro|note-7]] [[Titel|note-7]] [[#Here]] ![[gone.png]] [t](gone.pdf) [r][ref] `[[Nowhere]]`

# Here

[ref]: /x/Intro.md
"""


def test_everything_resolves(tmp_path: Path) -> None:
    root, cache = parse_fixture(VAULT).write(tmp_path / "vault"), tmp_path / "links.cache"
    cold = load_vault(root)
    assert cold.problems == ()
    assert dict(cold.index.unresolved) == {}
    assert cold.index.backlink_count("Pump House.md") == 3
    assert [link.source for link in cold.index.backlinks("Größe.md")] == ["sub/links.md"]
    write_cache(cache, cold.index.notes, cold.stamps)

    warm = load_vault(root, cache_path=cache)
    assert warm.parsed == 0
    assert dict(warm.index.notes) == dict(cold.index.notes)
    for path in cold.index.paths:
        assert warm.index.targets(path) == cold.index.targets(path)
