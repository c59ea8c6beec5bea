"""The language server of mindnet: LSP on the outside, `core` on the inside."""
