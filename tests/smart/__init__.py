"""Smart edges measured on passages labelled by hand: `python -m tests.smart`."""
