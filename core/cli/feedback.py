"""`mindnet feedback`: say how good a hit was."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli.common import (
    JsonOption,
    PrefixOption,
    VaultOption,
    expected_failures,
    find_vault,
    print_json,
    settings_of,
    settings_tree,
    user_locale,
)
from core.cli.history import history_of
from core.settings import Settings

LAST = "last"


@expected_failures
def feedback(
    query_id: Annotated[
        str, typer.Argument(help="Id of the query, from an answer or the history; or `last`.")
    ],
    node: Annotated[
        str,
        typer.Argument(
            help="Id or title of a hit, or `generated_answer` for the answer of a chat."
        ),
    ],
    score: Annotated[int, typer.Argument(min=1, max=5, help="From 1, useless, to 5, just right.")],
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    comment: Annotated[str, typer.Option(help="Why, in your own words.")] = "",
) -> None:
    """Rate a hit of a query; `mindnet tune` learns from it.

    A later rating of the same hit takes the place of the first.
    """
    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    query_id, node_id = _meant(root, settings, query_id, node)
    body = {
        "query_id": query_id,
        "node_id": node_id,
        "score": score,
        "comment": comment,
        "locale": user_locale(settings),
    }
    _send(root, tree, settings, body)
    if as_json:
        print_json({"ok": True, "query_id": query_id, "node_id": node_id, "score": score})
    else:
        typer.echo(f"rated {node_id} {score}")


def _meant(root: Path, settings: Settings, query_id: str, node: str) -> tuple[str, str]:
    """The ids that are meant by `last` and by a title; anything else as it is."""
    for entry in history_of(root, settings).entries(None if query_id != LAST else 1):
        if query_id in (LAST, entry.query_id):
            ids = [hit.note_id for hit in entry.hits]
            titled = [hit.note_id for hit in entry.hits if hit.title.casefold() == node.casefold()]
            return entry.query_id, titled[0] if node not in ids and len(titled) == 1 else node
    return query_id, node


def _send(root: Path, tree: dict[str, Any], settings: Settings, body: dict[str, Any]) -> None:
    from pydantic import ValidationError

    from core.cli.access import running_core
    from core.errors import InvalidArguments
    from core.feedback.shapes import FeedbackRequest

    try:
        request = FeedbackRequest.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidArguments(f"{first['loc'][0]}: {first['msg']}") from error
    if (remote := running_core(root, tree)) is not None:
        remote.feedback(request)
    else:
        history_of(root, settings).rate(request)
