// Renames as a person does: F2 on a link, undo, and F2 in the explorer.
// usage: node renaming.mjs BASE VAULT [FOLDER-FOR-PICTURES]
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { open } from '../window.mjs';
import { goTo, onDisk, openFile, run, shownLines, until } from './keys.mjs';

const [base, vault, pictures] = process.argv.slice(2);
const file = (...names) => path.join(vault, ...names);
mkdirSync(file('werk'), { recursive: true });
writeFileSync(file('werk', 'Ahle.md'), '# Ahle\n');
writeFileSync(file('Quelle.md'), '# Quelle\n\n[[Ahle]] und [[Ahle|das Werkzeug]]\n');
writeFileSync(file('Zu.md'), '# Zu\n\n[[werk/Ahle]] [a](werk/Ahle.md)\n');

const { browser, page, show } = await open(base, vault);
try {
  await show();
  await page.waitForSelector('.explorer-folders-view .monaco-list-row');
  await openFile(page, 'Quelle.md');
  // the lens is there when the vault was read
  await page.waitForSelector('.editor-instance .codelens-decoration');
  await goTo(page, 3, 4);
  await page.keyboard.press('F2');
  await page.waitForSelector('.rename-box.preview, .rename-box');
  assert.equal(await page.inputValue('.rename-box input'), 'Ahle');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Pfriem');
  await page.keyboard.press('Enter');
  await until('the file', () => existsSync(file('werk', 'Pfriem.md')));
  assert.ok(!existsSync(file('werk', 'Ahle.md')));
  await until('the links', async () =>
    (await shownLines(page)).includes('[[Pfriem]] und [[Pfriem|das Werkzeug]]'));
  await run(page, 'File: Save All');
  await onDisk(file('Quelle.md'), '# Quelle\n\n[[Pfriem]] und [[Pfriem|das Werkzeug]]\n');
  await onDisk(file('Zu.md'), '# Zu\n\n[[werk/Pfriem]] [a](werk/Pfriem.md)\n');
  console.log('renamed');

  // one undo brings back texts and file
  await page.click('.editor-instance .view-line:has-text("Pfriem")');
  await page.keyboard.press('Control+Z');
  await until('the old file', () => existsSync(file('werk', 'Ahle.md')));
  await until('the old links', async () =>
    (await shownLines(page)).includes('[[Ahle]] und [[Ahle|das Werkzeug]]'));
  await run(page, 'File: Save All');
  await onDisk(file('Zu.md'), '# Zu\n\n[[werk/Ahle]] [a](werk/Ahle.md)\n');
  await onDisk(file('Quelle.md'), '# Quelle\n\n[[Ahle]] und [[Ahle|das Werkzeug]]\n');
  console.log('undone');

  // a folder in the explorer
  await page.click('.explorer-folders-view .monaco-list-row[aria-label^="werk"]');
  await page.keyboard.press('F2');
  await page.waitForSelector('.explorer-folders-view .monaco-list-row input');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('werkbank');
  await page.keyboard.press('Enter');
  // VS Code asks whether an extension may change files with a move
  await page.click('.monaco-dialog-box:has-text("mindnet") .monaco-button:has-text("OK")');
  await until('the folder', () => existsSync(file('werkbank', 'Ahle.md')));
  await run(page, 'File: Save All');
  await onDisk(file('Zu.md'), '# Zu\n\n[[werkbank/Ahle]] [a](werkbank/Ahle.md)\n');
  console.log('moved');
} catch (error) {
  if (pictures) {
    await page.screenshot({ path: path.join(pictures, 'failed-renaming.png') });
  }
  throw error;
} finally {
  await browser.close();
}
