"""What chat and drafts do without a model: routing, healing, interviews, fences, citations."""
