"""source.fixAll: the fixes that are right whoever asks.

- values and wikilinks in the frontmatter that YAML misreads are put in quotes;
- a link to no note is led to the one whose name is the same but for how umlauts, accents,
  dashes and blanks are written (`[[Muehle]]`, `Mühle`), if there is only one;
- a relation kind that nobody describes is replaced by the one whose name or alias is the same
  in that sense (`haengt_ab_von`, `depends_on`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.features.action_context import ActionContext
from core.features.actions_frontmatter import fix_problem, quote_wikilinks
from core.features.linktext import searched_name, target_like, yaml_inside
from core.features.mention_names import plain_spelling
from core.features.results import CodeAction, Deferred, Diagnostic, TextEdit, VaultEdit
from core.model import REFERENCE, TEXTLINK, Link, Span
from core.parse.kinds import normal_kind
from core.text import fold

FIX_ALL = "fix_all"
SOURCE = "source.fixAll.mindnet"
_MOST = 200


def fix_all(context: ActionContext, found: Sequence[Diagnostic]) -> Iterator[CodeAction]:
    """One action for all safe fixes of the note, if there is any."""
    if context.automatic or not context.wanted(SOURCE):
        return
    if next(_edits(context, found), None) is not None:
        title = context.say(
            "Fix all that is certain (mindnet)", "Alles Eindeutige beheben (mindnet)"
        )
        yield CodeAction(title, SOURCE, deferred=Deferred(FIX_ALL, {}))


def all_fixed(context: ActionContext, found: Sequence[Diagnostic]) -> VaultEdit | None:
    """The edits of a deferred `FIX_ALL`; where two would overlap, the first."""
    edits: list[TextEdit] = []
    for edit in sorted(_edits(context, found), key=lambda edit: (edit.start, -edit.end)):
        if not edits or edit.start >= edits[-1].end:
            edits.append(edit)
    return VaultEdit(tuple(edits)) if edits else None


def _edits(context: ActionContext, found: Sequence[Diagnostic]) -> Iterator[TextEdit]:
    problems = [item for item in found if item.code == "invalid-frontmatter"]
    for problem in problems:
        for action in fix_problem(context, problem):
            yield from (edit for edit in action.edits if isinstance(edit, TextEdit))
    block = context.note.frontmatter
    if block is not None and block.valid:
        for link in context.note.links:
            if link.start >= block.end:
                break
            for action in quote_wikilinks(context, Span(link.start, link.start)):
                yield from (edit for edit in action.edits if isinstance(edit, TextEdit))
    for item in found[:_MOST]:
        if item.code == "unresolved-link" and isinstance(item.place, Link):
            yield from _retargeted(context, item.place, item)
        elif item.code == "unknown-relation" and (kind := _known_kind(context, item)):
            yield context.edit(item.span.start, item.span.end, kind)


def _retargeted(context: ActionContext, link: Link, item: Diagnostic) -> Iterator[TextEdit]:
    if link.form == REFERENCE or "/" in item.data["target"] or context.mentions is None:
        return
    path = context.mentions.same_but_for_spelling(searched_name(item.data["target"]))
    if path is None or context.index.get(path) is None:
        return
    target = target_like(context.index, link, path, context.path)
    if link.form == TEXTLINK:
        target = yaml_inside(target, context.document.text[link.start - 1 : link.start])
    yield context.edit(item.span.start, item.span.end, target)


def _known_kind(context: ActionContext, item: Diagnostic) -> str:
    wanted = plain_spelling(fold(item.data["kind"]))
    relations = context.relations.relations
    found = {
        kind
        for kind, relation in relations.items()
        if not relation.structural
        and wanted in {plain_spelling(normal_kind(name)) for name in (kind, *relation.aliases)}
    }
    return found.pop() if len(found) == 1 else ""
