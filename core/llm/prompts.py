"""What an embedding model wants before a text: Ollama's templates do not add it."""

from __future__ import annotations

import re

_FAMILIES = (
    # as the models' own cards say
    (r"nomic-embed-text", "search_document: ", "search_query: "),
    (r"(multilingual-)?e5-", "passage: ", "query: "),
    (r"embeddinggemma", "title: none | text: ", "task: search result | query: "),
    (r"snowflake-arctic-embed2", "", "query: "),
    (
        r"snowflake-arctic-embed|mxbai-embed-large",
        "",
        "Represent this sentence for searching relevant passages: ",
    ),
    (
        r"qwen3-embedding",
        "",
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\n"
        "Query:",
    ),
)


def prefixes(model: str) -> tuple[str, str]:
    """What goes before a document and before a query; "" where a model wants nothing."""
    name = model.rpartition("/")[2].lower()
    for pattern, document, query in _FAMILIES:
        if re.match(pattern, name):
            return document, query
    return "", ""
