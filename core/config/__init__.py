"""What people configure in YAML: note types, relation kinds, retriever weights."""
