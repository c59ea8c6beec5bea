"""What the connected client can do, as named facts; nobody else reads its capabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types

from core.locale import Locale, locale_of


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """What a client does with semantic tokens. It may be sent only the types and modifiers that
    it names."""

    types: tuple[str, ...]
    modifiers: tuple[str, ...]
    full: bool
    delta: bool
    range: bool
    alone: bool
    """Shows nothing but these tokens, no colours of its own."""

    @classmethod
    def of(cls, found: Any) -> TokenFacts | None:
        """Read the capability; None where no request or no format is one that we have."""
        if found is None or types.TokenFormat.Relative not in found.formats:
            return None
        full, range_ = _get(found, "requests.full"), _get(found, "requests.range")
        facts = cls(
            tuple(found.token_types),
            tuple(found.token_modifiers),
            full not in (None, False),
            bool(_get(full, "delta")),
            range_ not in (None, False),
            found.augments_syntax_tokens is False,
        )
        return facts if facts.full or facts.range else None


FIRST_KINDS = frozenset(range(1, 19))
"""The kinds of items and symbols that every client knows which lists none: those of LSP 1."""


@dataclass(frozen=True, slots=True)
class ClientFacts:
    """Everything is false or plain for a client that declares nothing."""

    name: str = ""
    version: str = ""
    locale: Locale = "en"
    configuration: bool = False
    """Answers `workspace/configuration`."""
    watch_files: bool = False
    """Watches files for us. Neovim on Linux says no, on purpose."""
    progress: bool = False
    show_document: bool = False
    apply_edit: bool = False
    document_changes: bool = False
    """Understands versioned edits."""
    create_files: bool = False
    """Creates files as part of an edit (which then has to be a list of document changes, as
    the protocol says, even where `document_changes` is not declared: Neovim)."""
    ends_lines: bool = False
    """Ends the last line of a file itself (Neovim): a text that comes with a line end would get
    an empty line behind it."""
    rename_files: bool = False
    """Renames files as part of an edit."""
    markdown_hover: bool = False
    markdown_completion: bool = False
    plaintext_completion: bool = False
    """Neither of the two means that documentation has to be a plain string (Eglot)."""
    resolves_documentation: bool = False
    insert_replace: bool = False
    label_details: bool = False
    item_kinds: frozenset[int] = FIRST_KINDS
    """Kinds of completion items that it knows."""
    runs_item_commands: bool = False
    """Runs the command of an accepted completion and applies edits. No capability says so, but
    Eglot drops the command."""
    filters_by_prefix: bool = False
    """Drops items whose filter text does not begin with what is typed, letter case included, and
    later those whose new text does not (Neovim's own completion); so it has to ask again."""
    cuts_at_blanks: bool = False
    """Writes the new text of an item only up to its first blank, unless it is a snippet (Neovim
    0.11)."""
    suggests_again: bool = False
    """Has VS Code's command that opens the list of completions again."""
    location_links: bool = False
    declaration_links: bool = False
    link_tooltips: bool = False
    """Shows the title of a document link, so it asks for it when it is pointed at."""
    symbol_kinds: frozenset[int] = FIRST_KINDS
    """Kinds of workspace symbols that it knows."""
    symbol_ranges: bool = False
    """Asks for the range of a workspace symbol when it is chosen."""
    hover_images: bool = False
    """Shows images of files within a hover (VS Code and its kin, by their renderer)."""
    hierarchical_symbols: bool = False
    action_literals: bool = False
    preferred_actions: bool = False
    disabled_actions: bool = False
    """Shows actions that cannot be done, with the reason."""
    resolves_actions: bool = False
    """Asks for the edit of an action when it is chosen, and gives back its data."""
    related_information: bool = False
    code_description: bool = False
    diagnostic_data: bool = False
    diagnostic_tags: tuple[int, ...] = ()
    """The tags of findings (unnecessary, deprecated) that are shown."""
    pulls_diagnostics: bool = False
    """Asks for findings, and asks again when told to. A client that only asks after its own
    edits (Neovim 0.11) would show stale ones, so it gets them pushed."""

    refreshes: frozenset[str] = frozenset()
    """Of `code_lens`, `inlay_hint` and `semantic_tokens` what the client asks for again when
    told to."""
    resolves_hints: bool = False
    """Asks for the tooltip of an inlay hint when it is shown."""
    folds_lines_only: bool = False
    fold_limit: int | None = None
    fold_kinds: frozenset[str] = frozenset()
    fold_text: bool = False
    """Shows our text in the place of what is folded."""
    tokens: TokenFacts | None = None
    """None for a client that shows no semantic tokens."""

    @classmethod
    def from_params(cls, params: types.InitializeParams, fallback: Locale = "en") -> ClientFacts:
        """Read what `initialize` says; `fallback` is the language where it names none."""
        found = params.capabilities
        info = params.client_info

        def has(path: str) -> bool:
            return bool(_get(found, path))

        def lists(path: str, value: str) -> bool:
            return value in [getattr(item, "value", item) for item in _get(found, path) or ()]

        def kinds(path: str) -> frozenset[int]:
            listed = _get(found, path)
            if listed is None:
                return FIRST_KINDS
            return frozenset(int(getattr(kind, "value", kind)) for kind in listed)

        fold = "text_document.folding_range"
        item = "text_document.completion.completion_item"
        is_neovim = bool(info and info.name == "Neovim")
        return cls(
            name=info.name if info else "",
            version=(info.version or "") if info else "",
            locale=locale_of(params.locale, fallback),
            configuration=has("workspace.configuration"),
            watch_files=has("workspace.did_change_watched_files.dynamic_registration"),
            progress=has("window.work_done_progress"),
            show_document=has("window.show_document.support"),
            apply_edit=has("workspace.apply_edit"),
            document_changes=has("workspace.workspace_edit.document_changes"),
            create_files=lists("workspace.workspace_edit.resource_operations", "create"),
            ends_lines=info is not None and info.name == "Neovim",
            rename_files=lists("workspace.workspace_edit.resource_operations", "rename"),
            markdown_hover=lists("text_document.hover.content_format", "markdown"),
            markdown_completion=lists(f"{item}.documentation_format", "markdown"),
            plaintext_completion=lists(f"{item}.documentation_format", "plaintext"),
            resolves_documentation=lists(f"{item}.resolve_support.properties", "documentation"),
            insert_replace=has(f"{item}.insert_replace_support"),
            label_details=has(f"{item}.label_details_support"),
            item_kinds=kinds("text_document.completion.completion_item_kind.value_set"),
            runs_item_commands=has("workspace.apply_edit")
            and _get(found, "text_document.completion") is not None
            and not (info and info.name == "Eglot"),
            filters_by_prefix=is_neovim,
            cuts_at_blanks=is_neovim and has(f"{item}.snippet_support"),
            suggests_again=bool(info and info.name.startswith(("Visual Studio Code", "VSCodium")))
            or _SUGGEST in _commands(found.experimental),
            location_links=has("text_document.definition.link_support"),
            declaration_links=has("text_document.declaration.link_support"),
            link_tooltips=has("text_document.document_link.tooltip_support"),
            symbol_kinds=kinds("workspace.symbol.symbol_kind.value_set"),
            symbol_ranges=lists("workspace.symbol.resolve_support.properties", "location.range"),
            hover_images=getattr(_get(found, "general.markdown"), "parser", "") == "marked",
            hierarchical_symbols=has(
                "text_document.document_symbol.hierarchical_document_symbol_support"
            ),
            action_literals=has("text_document.code_action.code_action_literal_support"),
            preferred_actions=has("text_document.code_action.is_preferred_support"),
            disabled_actions=has("text_document.code_action.disabled_support"),
            resolves_actions=has("text_document.code_action.data_support")
            and lists("text_document.code_action.resolve_support.properties", "edit"),
            related_information=has("text_document.publish_diagnostics.related_information"),
            code_description=has("text_document.publish_diagnostics.code_description_support"),
            diagnostic_data=has("text_document.publish_diagnostics.data_support"),
            diagnostic_tags=tuple(
                int(getattr(tag, "value", tag))
                for tag in _get(found, "text_document.publish_diagnostics.tag_support.value_set")
                or ()
            ),
            pulls_diagnostics=_get(found, "text_document.diagnostic") is not None
            and has("workspace.diagnostics.refresh_support"),
            refreshes=frozenset(
                name
                for name in ("code_lens", "inlay_hint", "semantic_tokens")
                if has(f"workspace.{name}.refresh_support")
            ),
            resolves_hints=lists("text_document.inlay_hint.resolve_support.properties", "tooltip"),
            folds_lines_only=has(f"{fold}.line_folding_only"),
            fold_limit=_get(found, f"{fold}.range_limit"),
            fold_kinds=frozenset(
                str(getattr(kind, "value", kind))
                for kind in _get(found, f"{fold}.folding_range_kind.value_set") or ()
            ),
            fold_text=has(f"{fold}.folding_range.collapsed_text"),
            tokens=TokenFacts.of(_get(found, "text_document.semantic_tokens")),
        )


_SUGGEST = "editor.action.triggerSuggest"


def _commands(experimental: Any) -> tuple[Any, ...]:
    """The editor's own commands that answers may hold, in the form that rust-analyzer uses:
    `{commands: {commands: [id]}}`. Our extension says so in whatever editor it runs."""
    for _ in range(2):
        if not isinstance(experimental, dict):
            return ()
        experimental = experimental.get("commands")
    return tuple(experimental) if isinstance(experimental, list) else ()


def _get(found: Any, path: str) -> Any:
    for name in path.split("."):
        found = getattr(found, name, None)
        if found is None:
            return None
    return found
