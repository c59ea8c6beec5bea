"""How good retrieval and suggested links are, on real vaults (`python -m tests.eval`)."""
