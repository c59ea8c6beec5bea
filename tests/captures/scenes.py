"""The scenes of `docs/features.md`, by the name of their capture. Lua is of `stage.lua`."""

from __future__ import annotations

from tests.captures.scene import Keys, Lua, Scene, Step, Until

MENU = Until("capture.menu_is_open()")
FLOAT = Until("capture.float_is_open()")
LIST = Until("capture.list_is_open()")
FINDINGS = Until("#vim.diagnostic.get(0) > 0")
HOVER = (Lua("vim.lsp.buf.hover()"), FLOAT)

SLEEP = "20_concepts/Sleep Debt.md"
SEARCH = "20_concepts/Hybrid Search.md"
WHEEL = "20_concepts/Wasserrad.md"
GAUGE = "30_projects/Pegelwächter.md"
START = "Start hier.md"


def typed(name: str, keys: str) -> Scene:
    """What is offered while somebody types in the body of a note."""
    steps: tuple[Step, ...] = (
        Keys(f"O<CR>{keys}"),
        Until(f"vim.api.nvim_get_current_line() == {keys!r}"),
        Keys("<C-x><C-o>"),
        MENU,
        Until(f"capture.shows({keys.strip()!r})"),
    )
    return Scene(name, SLEEP, "Every hour of sleep |you skip", steps, top=10, rows=12)


SCENES = (
    typed("completion-notes", "[[mill"),
    typed("completion-headings", "[[Restore the Mill Wheel#"),
    typed("completion-blocks", "[[Abfluss und Pegel#^"),
    typed("completion-relations", "[[rel:"),
    typed("completion-targets", "[[rel:depends_on "),
    typed("completion-callouts", "> [!e"),
    Scene(
        "completion-frontmatter",
        SLEEP,
        "type: |concept",
        (Keys("Ostatus: "), Keys("<C-x><C-o>"), MENU),
        rows=12,
    ),
    Scene("hover-link", "20_concepts/Abfluss und Pegel.md", "[[Was|serrad", HOVER, "float"),
    Scene("hover-missing", SEARCH, "[[Embed|ings 101]]", HOVER, "float"),
    Scene("hover-relation", GAUGE, "rel: supp|orts", HOVER, "float"),
    Scene(
        "definition",
        START,
        "[[Hybrid Search#Fusing |two rankings",
        (Lua("vim.lsp.buf.definition()"), Until("vim.fn.expand('%:t') == 'Hybrid Search.md'")),
        "here()",
    ),
    Scene("document-links", START, "# |🧭", (), "links(20, 32)"),
    Scene(
        "references",
        WHEEL,
        "# |Wasserrad",
        (Lua("vim.lsp.buf.references({ includeDeclaration = false })"), LIST),
        "list()",
    ),
    Scene(
        "references-kind",
        GAUGE,
        "rel: supp|orts",
        (Lua("vim.lsp.buf.references({ includeDeclaration = false })"), LIST),
        "list()",
    ),
    Scene(
        "document-highlight",
        "30_projects/Restore the Mill Wheel.md",
        "[[Was|serrad",
        (
            Lua("vim.lsp.buf.document_highlight()"),
            Until("#capture.marked('nvim.lsp.references', 1, vim.fn.line('$')) > 0"),
        ),
        "marked('nvim.lsp.references', 1, vim.fn.line('$'))",
    ),
    Scene("rename-note", START, "[[Frost| im Gerinne]]", (), "rename('Eis im Gerinne')"),
    Scene("rename-heading", SEARCH, "## Fusing| two", (), "rename('Joining rankings')"),
    Scene("rename-tag", START, "tags: [area/mü|hle", (), "rename('area/wassermühle')"),
    Scene("diagnostics", SEARCH, "[[Embed|ings 101]]", (FINDINGS,), top=17, rows=7),
    Scene("code-actions", SEARCH, "[[Embed|ings 101]]", (FINDINGS,), "actions()"),
    Scene(
        "document-symbol",
        GAUGE,
        "# |Pegelwächter",
        (Lua("vim.lsp.buf.document_symbol()"), LIST),
        "list(vim.fn.getloclist(0))",
    ),
    Scene(
        "workspace-symbol",
        START,
        "# |🧭",
        (Lua("vim.lsp.buf.workspace_symbol('mill')"), LIST),
        "list()",
        rows=14,
    ),
    Scene(
        "code-lens",
        WHEEL,
        "# |Wasserrad",
        (
            Lua("vim.lsp.codelens.refresh({ bufnr = 0 })"),
            Until(
                "#vim.lsp.codelens.get(0) > 0 and vim.iter(vim.lsp.codelens.get(0))"
                ":all(function(lens) return lens.command end)"
            ),
            Until("capture.shows('backlinks')"),
        ),
        top=11,
        rows=14,
    ),
    Scene(
        "inlay-hints",
        "30_projects/Restore the Mill Wheel.md",
        "in [[Eichenholz| statt Stahl]]",
        (
            Lua("vim.lsp.inlay_hint.enable(true, { bufnr = 0 })"),
            Until("capture.shows('→ depends_on')"),
        ),
        top=28,
        rows=6,
    ),
    Scene("semantic-tokens", GAUGE, "rel: supp|orts", (), "tokens(54, 60)"),
    Scene(
        "folding",
        WHEEL,
        "# |Wasserrad",
        (
            Lua(
                "vim.wo.foldmethod, vim.wo.foldexpr, vim.wo.foldtext ="
                " 'expr', 'v:lua.vim.lsp.foldexpr()', ''"
            ),
            Until("vim.fn.foldlevel(vim.fn.line('$')) > 0"),
            Keys("zMzrgg"),
            Until("vim.fn.foldclosed(19) > 0"),
        ),
        rows=26,
    ),
    Scene("selection-range", START, "[[Wasser|rad|", (), "selections()"),
    Scene(
        "call-hierarchy",
        WHEEL,
        "# |Wasserrad",
        (Lua("vim.lsp.buf.incoming_calls()"), LIST),
        "list()",
    ),
)
