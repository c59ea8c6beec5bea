"""Text captures of every feature in a real Neovim, for `docs/features.md`.

`python -m tests.captures` writes them between the fences behind `<!-- capture: name -->`;
`--check` only says what is outdated. Prose in the page is written by hand.
"""
