"""Keeps the store in step with the vault's files."""
