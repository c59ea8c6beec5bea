"""How good a language model is at smart edges, on passages labelled by hand: `python -m tests.smart`."""
