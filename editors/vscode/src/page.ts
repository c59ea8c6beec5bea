/** The frame of a webview: one script and one style sheet of our own, and nothing else. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/**
 * The HTML of a page `name` in `web`. Its policy allows no address at all: no picture, no
 * request, no script but ours, whatever stands in a note or in an answer.
 */
export function page(
  webview: vscode.Webview,
  web: vscode.Uri,
  name: string,
  title: string,
  nonce: string,
): string {
  const at = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(web, file)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="stylesheet" href="${at(`${name}.css`)}">
</head>
<body>
<main id="root"></main>
<script nonce="${nonce}" src="${at(`${name}.js`)}"></script>
</body>
</html>`;
}

/** A value that only the script of one page carries. */
export function nonce(): string {
  return randomBytes(18).toString('base64url');
}
