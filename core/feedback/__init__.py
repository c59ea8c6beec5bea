"""What was asked, what people thought of the answers, and what the weights learn from it."""
