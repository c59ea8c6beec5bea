/** Answers as HTML: the model's Markdown without anything that could reach out of the page. */
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: false, breaks: true });
// a link or a picture could carry words of a note to an address; their text stays readable
markdown.disable(['link', 'image', 'autolink', 'reference']);

/** The HTML of an answer; `[1]` becomes a button with `data-source` where there is such a source. */
export function rendered(text: string, sources: ReadonlySet<number>): string {
  return markdown.render(text).replace(/(<code[^>]*>[\s\S]*?<\/code>)|\[(\d{1,3})\]/g, (all, code, n) =>
    code === undefined && sources.has(Number(n))
      ? `<button type="button" class="cite" data-source="${n}">${n}</button>`
      : all,
  );
}
