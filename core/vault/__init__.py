"""The vault as data: which files it has, what they parse to, and how their links resolve."""
