"""Talking with the notes: what the chat and its drafts do with the store and the model."""
