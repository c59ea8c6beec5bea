"""What a note tells a language model to do does not happen."""
