"""Cuts a note into chunks: pieces small enough to be embedded and found on their own."""
