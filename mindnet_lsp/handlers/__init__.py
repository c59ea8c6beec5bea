"""One module per LSP feature: from LSP, through a pure function of the core, to LSP."""
