// What a person does with keys, for the scripts beside this file.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

/** Open a file of the vault in the editor and wait until its text is there. */
export async function openFile(page, name) {
  await page.keyboard.press('Control+P');
  await page.waitForSelector('.quick-input-widget input');
  await page.keyboard.type(name);
  await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${name}")`);
  await page.keyboard.press('Enter');
  await page.waitForSelector(`.tab.active:has-text("${name}")`);
  await page.waitForSelector('.editor-instance .view-lines .view-line');
}

/** Put the cursor at a line and a column, both from 1. */
export async function goTo(page, line, column) {
  await page.keyboard.press('Control+G');
  await page.waitForSelector('.quick-input-widget input');
  await page.keyboard.type(`${line}:${column}`);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.quick-input-widget', { state: 'hidden' });
}

/** Run a command of the palette. */
export async function run(page, title) {
  await page.keyboard.press('F1');
  await page.waitForSelector('.quick-input-widget input');
  await page.keyboard.type(title);
  await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${title}")`);
  await page.keyboard.press('Enter');
}

/** Wait until something holds, and say what it was when it does not. */
export async function until(what, look, patience = 60_000) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found) {
      return found;
    }
    if (Date.now() > end) {
      throw new Error(`waited in vain: ${what}`);
    }
    await new Promise(done => setTimeout(done, 100));
  }
}

/** The lines that the active editor shows. */
export async function shownLines(page) {
  const lines = await page.locator('.editor-instance .view-line').evaluateAll(all =>
    all
      .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
      .map(one => one.textContent.replace(/\u00a0/g, ' ')),
  );
  return lines.map(line => line.replace(/\s+$/, ''));
}

/** Wait until a file has a text; undefined means that it is gone. */
export async function onDisk(file, text) {
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  await until(`${file}: ${text}`, () => read() === text).catch(error => {
    assert.equal(read(), text, error.message);
  });
}
