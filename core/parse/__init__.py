"""Parsing: from a note's text to `core.model.Note`, with exact places, in one pass."""

from core.parse.note import parse_note

__all__ = ["PARSER_VERSION", "parse_note"]

PARSER_VERSION = 4
"""Raised with every change of what the parser finds or of the structs in `core.model`:
cached and stored results of another version are not used."""
