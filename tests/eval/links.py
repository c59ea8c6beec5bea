"""Hidden links of a vault: who suggests them again, and who answers with their targets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.api import AnalyzeRequest, QueryRequest
from core.retrieval.discover import MIN_SCORE
from tests.eval.baselines import Baselines, Bm25, stems
from tests.eval.hiding import MODES, Hidden, hide
from tests.eval.indexed import CachedEmbedder, Indexed, indexed
from tests.eval.metrics import CUT, Figures, ranked
from tests.eval.variants import ASKING, MINDNET, SUGGESTING, Variant
from tests.eval.vaults import Vault

SHOWN = f"{MINDNET}, as shown"
"""What an editor shows: only suggestions with enough evidence."""
ASKED = 25
"""Sentences that are asked of each hidden set."""
ASKED_FOR = 30
PARTS = ("links", "sentences")
Rows = dict[str, Figures]


@dataclass
class Outcome:
    """Figures by mode and method: of suggested links, and of sentences that are asked."""

    links: dict[str, Rows] = field(default_factory=dict)
    sentences: Rows = field(default_factory=dict)


def predict(
    vault: Vault,
    seeds: Sequence[int],
    embedder: CachedEmbedder,
    *,
    suggesting: Mapping[str, Variant] = SUGGESTING,
    asking: Mapping[str, Variant] = ASKING,
    parts: Collection[str] = PARTS,
    tell: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """The figures of a vault over all seeds; `parts` of both kinds."""
    found = Outcome({mode: {} for mode in MODES})
    with indexed(vault, embedder) as space:
        for seed in seeds:
            for mode in MODES:
                if mode != "masked" and "links" not in parts:
                    continue
                tell(f"{vault.name}, {mode}, seed {seed}")
                hidden = hide(vault, seed, mode)
                space.become(hidden.vault)
                # what a part is worth is asked of one seed: each takes a run of its own
                chosen = suggesting if seed == seeds[0] else {}
                if "links" in parts:
                    _suggest(hidden, space, chosen, found.links[mode])
                    _measure(hidden, space, found.links[mode])
                if mode == "masked" and "sentences" in parts:
                    _ask(hidden, space, asking, found.sentences)
    return found


def candidates(space: Indexed, source: str) -> Iterable[str]:
    """The notes that are not linked with this one, in either direction, in path order."""
    index = space.index
    known = {*index.targets(source), *index.sources(source), source}
    return (path for path in index.paths if path not in known)


def _suggest(hidden: Hidden, space: Indexed, variants: Mapping[str, Variant], rows: Rows) -> None:
    """What the product suggests, of the same candidates as the baselines."""
    plain = space.config
    for source, wanted in hidden.wanted.items():
        allowed = set(candidates(space, source))
        for name, variant in {MINDNET: Variant(), **variants}.items():
            space.config = variant.of(plain)
            every = AnalyzeRequest(path=source, top_k=CUT, min_score=0.0)
            best = space.discoverer.ranked(every, vectors=variant.vectors).best
            ranking = [path for path in best if path in allowed]
            rows.setdefault(name, Figures()).add(ranking, wanted)
            if name == MINDNET:
                shown = [path for path in ranking if best[path].score >= MIN_SCORE]
                rows.setdefault(SHOWN, Figures()).add(shown, wanted)
    space.config = plain


def _measure(hidden: Hidden, space: Indexed, rows: Rows) -> None:
    baselines = Baselines(hidden.vault, space)
    for name in baselines.methods:
        for source, wanted in hidden.wanted.items():
            scores = baselines.scores(name, source)
            ranking = ranked((path, scores[path]) for path in candidates(space, source))
            rows.setdefault(name, Figures()).add(ranking, wanted)


def _ask(hidden: Hidden, space: Indexed, variants: Mapping[str, Variant], rows: Rows) -> None:
    """Ask the sentence around each hidden link for the link's target; the note that the
    sentence stands in is no answer."""
    plain, paths = space.config, list(space.index.paths)
    bm25 = Bm25((hidden.vault.texts[path] for path in paths), stems)
    for (source, target), words in list(hidden.sentences.items())[:ASKED]:
        for name, variant in variants.items():
            space.config = variant.of(plain)
            request = QueryRequest(query=words, top_k=ASKED_FOR, explain=False)
            hits = space.searcher.query(request, vectors=variant.vectors).hits
            ranking = [hit.path for hit in hits if hit.path != source]
            rows.setdefault(name, Figures()).add(ranking, {target})
        scores = dict(zip(paths, bm25.scores(words).tolist(), strict=True))
        del scores[source]
        rows.setdefault("BM25 words", Figures()).add(ranked(scores.items()), {target})
    space.config = plain
