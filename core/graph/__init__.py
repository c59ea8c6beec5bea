"""The graph of notes: neighbourhoods, paths, hubs, orphans."""
