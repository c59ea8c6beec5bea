// Takes the pictures of docs/pictures in one theme, and checks what can be seen on them.
// usage: node pictures.mjs BASE VAULT FOLDER THEME
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { open } from '../window.mjs';
import { goTo, openFile, shownLines, until } from './keys.mjs';

const [base, vault, folder, theme] = process.argv.slice(2);
const NOTE = `---
type: thought
tags: [mühle/rad]
---

# Ein Abend an der Mühle

Das [[Wasserrad]] dreht sich wieder, darum [[rel:supports Turning by May]].
Morgen lese ich [[Abfluss und Pegel#Die Ranne in Zahlen|die Zahlen]] nach,
dann [[Wasserad]] und den [[Fischpass]].

#mühle/rad
`;
writeFileSync(path.join(vault, 'Abend.md'), NOTE);

const { browser, page, show } = await open(base, vault);
const part = { x: 328, y: 34, width: 772, height: 440 };
const take = name =>
  page.screenshot({ path: path.join(folder, `vscode-${name}-${theme}.png`), clip: part });
const editor = '.editor-instance';
try {
  await show();
  await page.waitForSelector('.explorer-folders-view .monaco-list-row');
  await openFile(page, 'Abend.md');
  await page.waitForSelector(`${editor} .squiggly-warning`);
  await page.waitForSelector('.statusbar-item:has-text("mindnet")');
  await page.waitForSelector(`${editor} .codelens-decoration a:has-text("unresolved")`);
  await take('colours');

  await goTo(page, 8, 9);
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+I');
  await page.waitForSelector('.monaco-hover:has-text("backlinks")');
  await take('hover');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await goTo(page, 10, 11);
  await page.keyboard.press('Control+.');
  await page.waitForSelector('.action-widget .monaco-list-row');
  await until('actions', () => page.locator('.action-widget .monaco-list-row:has-text("Wasserrad")').count());
  await take('fix');
  await page.keyboard.press('Escape');

  await goTo(page, 11, 1);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Siehe [[mill', { delay: 60 });
  await page.waitForSelector('.suggest-widget.visible .monaco-list-row');
  await until('the note', () =>
    page.locator('.suggest-widget.visible .monaco-list-row:has-text("Restore the Mill Wheel")').count());
  await take('completion');
  await page.keyboard.press('Enter');
  await until('the line', async () => (await shownLines(page)).some(line => /^Siehe \[\[.*\]\]$/.test(line)));

  await openFile(page, 'Wasserrad.md');
  await page.waitForSelector(`${editor} .codelens-decoration a:has-text("backlinks")`);
  await page.click(`${editor} .codelens-decoration a:has-text("backlinks")`);
  await page.waitForSelector('.peekview-widget .ref-tree .monaco-list-row');
  await take('lens');
  assert.ok(await page.locator('.peekview-widget').count());
} catch (error) {
  await page.screenshot({ path: path.join(folder, `failed-${theme}.png`) });
  throw error;
} finally {
  await browser.close();
}
