"""Smart edges: a language model says which of a note's relations a passage really expresses."""
