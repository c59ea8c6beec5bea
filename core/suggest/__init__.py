"""Suggestions worth accepting: evidence, kinds, reasons, and what was dismissed."""
