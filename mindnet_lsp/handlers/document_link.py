"""textDocument/documentLink and documentLink/resolve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from core.features.document_link import document_links
from core.features.results_places import FileLink

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View
    from mindnet_lsp.session import Session


def register(ls: MindnetServer) -> None:
    options = types.DocumentLinkOptions(resolve_provider=True)
    ls.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK, options)(document_link)
    ls.feature(types.DOCUMENT_LINK_RESOLVE)(resolve)


async def document_link(
    ls: MindnetServer, params: types.DocumentLinkParams
) -> list[types.DocumentLink] | None:
    """A client that shows tooltips asks again for the link that is pointed at; to any other
    one each link says at once where it goes."""
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    return await ls.off_loop(view, _links, view, ls.facts.link_tooltips)


def resolve(ls: MindnetServer, params: types.DocumentLink) -> types.DocumentLink:
    data: Any = params.data
    if isinstance(data, dict):
        params.target, params.tooltip = str(data.get("target")), str(data.get("title"))
    return params


def _links(view: View, lazy: bool) -> list[types.DocumentLink]:
    return [
        types.DocumentLink(view.range(link.span), data=_data(view.session, link))
        if lazy
        else types.DocumentLink(view.range(link.span), _target(view.session.uri(link.path), link))
        for link in document_links(view.index, view.document)
    ]


def _data(session: Session, link: FileLink) -> dict[str, str]:
    return {"target": _target(session.uri(link.path), link), "title": link.title}


def _target(uri: str, link: FileLink) -> str:
    """With the line as VS Code reads it; other editors open the file."""
    return f"{uri}#L{link.line + 1},1" if link.line else uri
