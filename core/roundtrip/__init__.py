"""From the store back to files, and whether those are the ones that were imported."""
