"""The command line: one module per command, over the same core as the editors."""
