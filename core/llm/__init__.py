"""The local language model: Ollama's protocol, who may ask it when, and how much it is given."""
