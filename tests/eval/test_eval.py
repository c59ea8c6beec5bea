"""The evaluation itself, and a small one of the shipped example vault: no shared vault needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from core.config.load import load_config
from tests.eval import __main__ as program
from tests.eval.baselines import Bm25, TfIdf, stems
from tests.eval.document import as_json, document, figures
from tests.eval.hiding import MODES, hide
from tests.eval.indexed import CachedEmbedder
from tests.eval.links import Outcome, predict
from tests.eval.metrics import Figures, ranked
from tests.eval.questions import Question, answer, sampled
from tests.eval.variants import MINDNET, NO_GRAPH, Variant
from tests.eval.vaults import EXAMPLE, Vault, read_vault

SMALL = Vault(
    "small",
    {
        "a.md": "# Alpha\n\nOne. The mill needs [[Beta|the other one]] and a dam. See [b](b.md).\n",
        "b.md": "# Beta\n\nBack to ![[a#Alpha]], and to [[c]].\n",
        "c.md": "---\nsee: '[[a]]'\n---\n# Gamma\n\nOnly the frontmatter names another.\n",
    },
)


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> CachedEmbedder:
    return CachedEmbedder(tmp_path_factory.mktemp("vectors") / "vectors.db")


@pytest.fixture(scope="module")
def example() -> Vault:
    return read_vault(EXAMPLE, "example")


@pytest.fixture(scope="module")
def outcome(example: Vault, embedder: CachedEmbedder) -> Outcome:
    return predict(example, (1,), embedder, suggesting={}, asking={})


def test_mindnet_is_above_its_baselines_on_the_example_vault(outcome: Outcome) -> None:
    mrr = {
        name: sum(outcome.links[mode][name].mrr() for mode in MODES)
        for name in outcome.links["masked"]
    }
    baselines = {name: found for name, found in mrr.items() if not name.startswith(MINDNET)}
    assert len(baselines) == 6
    assert mrr[MINDNET] > max(baselines.values()), mrr
    named = {name: rows.recall(1) for name, rows in outcome.links["mention"].items()}
    assert named[MINDNET] == max(named.values()), named


def test_the_example_questions_are_answered_better_than_by_words(
    example: Vault, embedder: CachedEmbedder
) -> None:
    asked = yaml.safe_load((EXAMPLE.parent / "questions.yaml").read_text("utf-8"))["questions"]
    questions = [Question(one["question"], frozenset(one["expected"])) for one in asked]
    rows = answer(example, {"mixed": questions}, embedder, variants={MINDNET: Variant()})["mixed"]
    best = max(rows[name].mrr(10) for name in ("BM25 words", "BM25 + 4-grams"))
    assert rows[MINDNET].mrr(10) > best


def test_hiding_takes_a_pair_away_in_both_directions_and_spares_frontmatter() -> None:
    masked, mention = (hide(SMALL, 1, mode) for mode in MODES)
    for hidden in (masked, mention):
        # a and c are linked in the frontmatter of c, which is no running text
        assert hidden.wanted == {
            "a.md": frozenset({"b.md"}), "b.md": frozenset({"a.md", "c.md"})
        }  # fmt: skip
        assert hidden.vault.texts["c.md"] == SMALL.texts["c.md"]
        assert set(hidden.vault.index.targets("a.md")) <= {None}
    assert "The mill needs  and a dam. See ." in masked.vault.texts["a.md"]
    assert "The mill needs the other one and a dam. See b." in mention.vault.texts["a.md"]
    assert "Back to a, and to c." in mention.vault.texts["b.md"]
    assert masked.sentences["a.md", "b.md"] == "The mill needs and a dam."


def test_hiding_is_the_same_for_a_seed(example: Vault) -> None:
    one, again, other = (hide(example, seed, "masked") for seed in (1, 1, 2))
    assert one.vault.texts == again.vault.texts
    assert one.wanted != other.wanted
    assert hide(example, 1, "mention").wanted == one.wanted


def test_recall_and_mrr_of_filtered_places() -> None:
    rows = Figures()
    rows.add(["x", "a", "b", "y", "c"], {"a", "b", "z"})
    assert rows.places == [2, 2, None]
    assert rows.recall(1) == 0
    assert rows.recall() == pytest.approx(2 / 3)
    assert rows.mrr() == pytest.approx((1 / 2 + 1 / 2) / 3)
    rows.add_any(["x", "b", "a"], {"a", "b"})
    assert rows.places[-1] == 2
    assert rows.mrr(1) == 0
    assert (Figures().recall(), Figures().mrr()) == (0, 0)
    assert ranked([("b", 1.0), ("a", 1.0), ("c", 2.0), ("d", 0.0)]) == ["c", "a", "b"]


def test_the_baselines_of_words() -> None:
    texts = ["the mill wheel turns", "the bread and the flour", "the wheel"]
    scores = Bm25(texts, stems).scores("wheels of mills").tolist()
    assert scores[0] > scores[2] > scores[1] == 0
    cosines = TfIdf(texts).scores(2).tolist()
    assert cosines[2] == pytest.approx(1)
    assert 1 > cosines[0] > 0, "“the” is everywhere and says nothing"
    assert cosines[1] == 0


def test_a_sample_is_the_same_for_a_seed() -> None:
    every = [Question(str(number), frozenset()) for number in range(50)]
    assert sampled(every, 5) == sampled(every, 5) != sampled(every, 5, seed=2)
    assert sampled(every, 0) == every == sampled(every, 99)


def test_a_part_switched_off_leaves_the_others() -> None:
    plain = load_config()
    changed = NO_GRAPH.of(plain).retriever
    assert (changed.scoring.edge_weight, changed.linking.alike) == (0, 0)
    assert changed.scoring.lexical_weight == plain.retriever.scoring.lexical_weight
    assert Variant().of(plain) == plain


def test_the_document_says_what_was_measured(
    outcome: Outcome, example: Vault, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vault = {
        "name": example.name,
        "version": example.version,
        "notes": len(example.texts),
        "links": {"seeds": [1], **{mode: figures(rows) for mode, rows in outcome.links.items()}},
    }
    half = figures({MINDNET: Figures([1, None])})
    asked = {**vault, "sentences": {"seeds": [2], **half}}
    del asked["links"]
    file = tmp_path / "run.json"
    file.write_text(json.dumps(as_json({"model": "a-model"}, [vault, asked], [])), "utf-8")
    text = document([file])
    rows = outcome.links["mention"][MINDNET]
    assert f"| {MINDNET} | {rows.recall():.3f} / {rows.mrr():.3f} |" in text
    counts = f"{len(example.texts)} | {len(rows.places)} | 1 | 2 | 2"
    assert f"| example | `{example.version}` | {counts} |" in text
    assert f"| {MINDNET} | 0.500 / 0.500 |" in text
    assert "a-model" in text
    assert program.main(["document", str(file)]) == 0
    assert capsys.readouterr().out == text + "\n"


def test_without_the_shared_vaults_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ["--shared", str(tmp_path), "--vaults", "dendron", "--cache", str(tmp_path / "x.db")]
    assert program.main(wanted) == 2
    assert "none of these vaults" in capsys.readouterr().err
