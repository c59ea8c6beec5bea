"""From text to vectors: dense ones by a model, sparse ones by words."""
