"""All settings of mindnet in one tree: the section `mindnet` of every client.

Values come from (later wins) these defaults, the user's `config/*.yaml`, the
environment, `initializationOptions` and `workspace/configuration`. Unknown keys and
wrong types never stop a program: `read_settings` puts the default in their place and
names the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import AliasGenerator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

Severity = Literal["error", "warning", "information", "hint", "off"]


class Section(BaseModel):
    """A part of the tree. Keys are snake_case; camelCase is understood as well."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        alias_generator=AliasGenerator(validation_alias=to_camel),
    )


class VaultSettings(Section):
    root: str | None = Field(None, description="Folder of the vault; default: the workspace folder")
    ignore: tuple[str, ...] = Field(
        (), description="Patterns, as in .gitignore, of files to leave out"
    )


class StoreSettings(Section):
    mode: Literal["embedded", "server"] = Field("embedded", description="Qdrant Edge, or a server")
    url: str = Field("http://127.0.0.1:6333", description="Address of the Qdrant server")
    api_key: str | None = Field(None, repr=False, description="Key of the Qdrant server")
    path: str | None = Field(None, description="Folder of the embedded store; default: user data")
    shards: int = Field(1, ge=1, description="Shards of a new collection on a server")
    replicas: int = Field(1, ge=1, description="Replicas of a new collection on a server")


class EmbeddingSettings(Section):
    provider: Literal["auto", "bundled", "ollama", "none"] = Field(
        "auto", description="Who embeds: the bundled model, Ollama, or nobody (words only)"
    )
    model: str = Field("nomic-embed-text", description="Embedding model of Ollama")


class LlmSettings(Section):
    enabled: bool = Field(True, description="Whether a language model may be used at all")
    url: str = Field("http://127.0.0.1:11434", description="Address of Ollama")
    model: str = Field("phi3:mini", description="Chat model of Ollama")
    timeout: float = Field(300.0, gt=0, description="Seconds to wait for a first token")
    background_limit: int = Field(2, ge=1, description="Background calls at one time")
    context_tokens: int = Field(4096, ge=512, description="Context window asked for")
    allow_remote: bool = Field(
        False, description="Whether notes may be sent to a model that is not on this machine"
    )


class DiagnosticSettings(Section):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        alias_generator=AliasGenerator(validation_alias=lambda name: name.replace("_", "-")),
    )

    unresolved_link: Severity = Field("warning", description="A link whose note does not exist")
    unresolved_heading: Severity = Field("warning", description="A heading that does not exist")
    unresolved_block: Severity = Field("warning", description="A block id that does not exist")
    ambiguous_link: Severity = Field("information", description="A link that fits several notes")
    unknown_relation: Severity = Field("hint", description="A relation kind nobody knows")
    invalid_frontmatter: Severity = Field("error", description="Frontmatter that is not valid YAML")
    duplicate_id: Severity = Field("error", description="Two notes with one id")
    unknown_type: Severity = Field("hint", description="A note type nobody knows")
    missing_field: Severity = Field("off", description="A recommended field that is missing")
    deprecated_field: Severity = Field("hint", description="A field that mindnet gave up")

    def of(self, code: str) -> Severity:
        """Severity of a diagnostic code such as `unresolved-link`."""
        severity: Severity = getattr(self, code.replace("-", "_"))
        return severity


class CompletionSettings(Section):
    max_items: int = Field(60, ge=1, le=1000, description="Longest list sent at one time")


class HoverSettings(Section):
    max_backlinks: int = Field(8, ge=0, description="Backlinks that a hover shows")


class ToggleOn(Section):
    enabled: bool = True


class SuggestionSettings(Section):
    min_score: float = Field(0.4, ge=0, le=1, description="Weakest suggestion to show")


class FolderSettings(Section):
    folder: str = ""


class LogSettings(Section):
    level: Literal["debug", "info", "warning", "error"] = Field(
        "warning", description="What the server writes into its log"
    )


class Settings(Section):
    """The whole tree."""

    vault: VaultSettings = VaultSettings()
    prefix: str = Field("mindnet", pattern=r"^[A-Za-z0-9_-]+$", description="Collection prefix")
    store: StoreSettings = StoreSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    llm: LlmSettings = LlmSettings()
    diagnostics: DiagnosticSettings = DiagnosticSettings()
    completion: CompletionSettings = CompletionSettings()
    hover: HoverSettings = HoverSettings()
    code_lens: ToggleOn = Field(ToggleOn(), description="Counts above notes and headings")
    inlay_hints: ToggleOn = Field(ToggleOn(), description="Titles behind id links, kinds of edges")
    suggestions: SuggestionSettings = SuggestionSettings()
    templates: FolderSettings = Field(FolderSettings(), description="Folder of note templates")
    drafts: FolderSettings = Field(FolderSettings(), description="Folder that new notes go to")
    locale: Literal["auto", "de", "en"] = Field("auto", description="Language of all messages")
    history: ToggleOn = Field(ToggleOn(), description="Whether queries are remembered")
    log: LogSettings = LogSettings()


DEFAULTS = Settings()

ENVIRONMENT = {
    "COLLECTION_PREFIX": ("prefix",),
    "MINDNET_STORE_MODE": ("store", "mode"),
    "MINDNET_QDRANT_URL": ("store", "url"),
    "MINDNET_QDRANT_API_KEY": ("store", "api_key"),
    "MINDNET_EMBEDDING_PROVIDER": ("embedding", "provider"),
    "MINDNET_EMBEDDING_MODEL": ("embedding", "model"),
    "MINDNET_OLLAMA_URL": ("llm", "url"),
    "MINDNET_LLM_MODEL": ("llm", "model"),
    "MINDNET_LLM_TIMEOUT": ("llm", "timeout"),
    "MINDNET_LLM_BACKGROUND_LIMIT": ("llm", "background_limit"),
    "MINDNET_LLM_ALLOW_REMOTE": ("llm", "allow_remote"),
    "MINDNET_LOCALE": ("locale",),
    "MINDNET_LOG_LEVEL": ("log", "level"),
}
"""Environment variables and the setting that each gives."""


def from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """The settings tree that the environment gives, ready for `merge`."""
    tree: dict[str, Any] = {}
    for name, path in ENVIRONMENT.items():
        value = environ.get(name)
        if value:
            node = tree
            for part in path[:-1]:
                node = node.setdefault(part, {})
            node[path[-1]] = value
    return tree


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Deep merge of two trees; lists and scalars of `over` win whole."""
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            merged[key] = merge(old, value)
        else:
            merged[key] = value
    return merged


def read_settings(*layers: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """Validate the merged layers; return the settings and one warning per bad key.

    A key that is unknown or has a wrong value is dropped, so that its default stands.
    Flat keys with dots (`diagnostics.unresolved-link`) are understood.
    """
    tree: dict[str, Any] = {}
    for layer in layers:
        tree = merge(tree, _unflatten(layer))
    warnings: list[str] = []
    while True:
        try:
            return Settings.model_validate(tree), warnings
        except ValidationError as error:
            paths = {tuple(str(p) for p in item["loc"]): item["msg"] for item in error.errors()}
            dropped = [p for p in paths if _drop(tree, p)]
            warnings += [f"mindnet.{'.'.join(p)}: {paths[p]}; using the default" for p in dropped]
            if not dropped:
                return DEFAULTS, [*warnings, "settings could not be read; using the defaults"]


def _unflatten(layer: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key, value in layer.items():
        nested = _unflatten(value) if isinstance(value, Mapping) else value
        for part in reversed(str(key).split(".")):
            nested = {part: nested}
        tree = merge(tree, nested)
    return tree


def _drop(tree: dict[str, Any], path: tuple[str, ...]) -> bool:
    node: Any = tree
    for depth, part in enumerate(path):
        if not isinstance(node, dict):
            return False
        last = depth == len(path) - 1
        if part not in node:
            return False
        # an error inside a list or a scalar drops the value that holds it
        if last or not isinstance(node[part], dict):
            del node[part]
            return True
        node = node[part]
    return False
