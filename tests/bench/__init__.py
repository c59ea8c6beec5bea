"""Benchmark of the language server and the importer: `python -m tests.bench`."""
