"""One pure module per LSP feature, over an immutable index; positions are code-point offsets."""
