"""The decision engine and the prompts: complete as shipped, changed by a vault."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config.load import load_chat, load_config
from core.config.prompts import filled
from core.features.frontmatter_keys import known_key

SHIPPED = load_chat()


def vault(tmp_path: Path, name: str, text: str) -> Path:
    (tmp_path / ".mindnet").mkdir(parents=True, exist_ok=True)
    (tmp_path / ".mindnet" / f"{name}.yaml").write_text(text, "utf-8")
    return tmp_path


def test_every_type_has_a_schema_that_asks_in_both_languages() -> None:
    config = load_config()
    assert SHIPPED.problems == ()
    assert set(SHIPPED.decision.schemas) == {*config.types.names(), "default"}
    for name, schema in SHIPPED.decision.schemas.items():
        assert schema is not None
        assert schema.required, name
        for field, spec in schema.fields().items():
            assert spec.hint.en.endswith("?"), (name, field)
            assert spec.hint.de.endswith("?"), (name, field)
            assert bool(spec.section.en) == bool(spec.section.de)
            in_frontmatter = known_key(field) is not None or config.relations.known(field)
            assert spec.section.en or in_frontmatter, (name, field)


def test_sections_are_those_of_the_templates() -> None:
    templates = load_config().templates
    for name, schema in SHIPPED.decision.schemas.items():
        if schema is None or name == "default":
            continue
        for locale in ("en", "de"):
            headings = templates.of(name).body.say(locale)  # type: ignore[arg-type]
            for spec in schema.fields().values():
                if section := spec.section.say(locale):  # type: ignore[arg-type]
                    assert f"## {section}\n" in headings, (name, section)


def test_strategies_and_prompts_belong_together() -> None:
    assert SHIPPED.decision.intents() == ("FACT", "DECISION", "EMPATHY", "INTERVIEW")
    wanted = SHIPPED.decision.strategy("DECISION").inject_types
    assert wanted == ("value", "principle", "goal", "risk")
    types = load_config().types.names()
    for intent in SHIPPED.decision.intents():
        assert set(SHIPPED.decision.strategy(intent).inject_types) <= set(types)
        for locale in ("en", "de"):
            text = SHIPPED.prompts.rag_template(intent).say(locale)  # type: ignore[arg-type]
            for place in ("persona", "fencing", "context", "message"):
                assert f"{{{place}}}" in text


def test_a_vault_changes_parts_of_it(tmp_path: Path) -> None:
    own = (
        "trigger_keywords: [sprout]\nstrategies:\n  empathy:\n    inject_types: [journal]\n"
        "schemas:\n  Recipe:\n    required:\n      yield: {hint: How many?}\n"
        "  task:\n    required:\n      due: {hint: When?}\n"
    )
    decision = load_chat(vault(tmp_path, "decision_engine", own)).decision
    assert decision.trigger_keywords == ("sprout",)
    assert decision.strategy("EMPATHY").inject_types == ("journal",)
    assert decision.strategy("EMPATHY").keywords
    assert list(decision.schema_of("recipe").fields()) == ["yield"]
    assert list(decision.schema_of("TASK").required) == ["what", "done_when", "due"]
    assert decision.schema_of("unheard of") == decision.schema_of("default")


@pytest.mark.parametrize(
    ("name", "text", "key", "line"),
    [
        ("decision_engine", "strategies:\n  FACT:\n    keywords: 3\n", "strategies.FACT", 2),
        ("decision_engine", "router_prompt: hello\n", "router_prompt", 0),
        ("decision_engine", "schemas:\n  task:\n    needed: {}\n", "schemas.task.needed", 2),
        ("decision_engine", "trigger_keywords:\n  - '*'\n", "trigger_keywords", 1),
        ("decision_engine", "strategies:\n  interview: {}\n", "strategies", 1),
        ("prompts", "rag:\n  FACT: tell me\n", "rag", 0),
        ("prompts", "interview_template: {en: '{message}'}\n", "interview_template", 0),
        ("prompts", "url: http://example.org\n", "url", 0),
    ],
)
def test_what_does_not_fit_is_named_and_the_rest_counts(
    tmp_path: Path, name: str, text: str, key: str, line: int
) -> None:
    root = vault(tmp_path, name, text)
    found = load_chat(root)
    assert [problem.key.startswith(key) for problem in found.problems] == [True], found.problems
    assert found.problems[0].line in (line, line - 1)
    assert found.prompts.rag_template("FACT") == SHIPPED.prompts.rag_template("FACT")
    assert found.decision.trigger_keywords == SHIPPED.decision.trigger_keywords
    # an editor tells it with all other files of the vault
    assert found.problems[0] in load_config(root).problems


def test_places_are_filled_in_one_pass() -> None:
    values = {"message": "{context} {x} \\1", "context": "secret"}
    assert filled("{message}|{context}|{other}", values) == "{context} {x} \\1|secret|{other}"
