"""The domain of mindnet: notes, links, chunks, edges, retrieval. Knows nothing of LSP."""
