"""The typed edges of a note, derived from what is written in it."""
