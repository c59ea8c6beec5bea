"""Finding notes and edges: search, fusion, the graph around the hits, and the reasons."""
