// Looks at the side view, the chat, the graph and the preview; takes a picture of each.
// usage: node views.mjs BASE VAULT FOLDER THEME
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { open } from '../window.mjs';
import { openFile, run, until } from './keys.mjs';

const NOTE = `# Ein Abend an der Mühle

Der Kalkmörtel ist trocken. Henrike Althaus war da und hat den Rechen
gereinigt; morgen kommt das [[Wasserrad]] wieder in die Lager.
`;
const [base, vault, folder, theme] = process.argv.slice(2);
writeFileSync(path.join(vault, 'Abend.md'), NOTE);
writeFileSync(path.join(vault, 'Morgen.md'), '# Morgen danach\n\nsupports:: [[Abend]]\n');

const { browser, page, show } = await open(base, vault);
const PARTS = {
  side: { x: 0, y: 34, width: 772, height: 440 },
  chat: { x: 0, y: 34, width: 772, height: 634 },
  graph: { x: 712, y: 34, width: 388, height: 634 },
};
const take = name =>
  page.screenshot({ path: path.join(folder, `vscode-${name}-${theme}.png`), clip: PARTS[name] });
const row = text => page.locator(`.pane-body .monaco-list-row:has-text("${text}")`);
/** The page inside a webview: a frame in a frame. */
const inside = async selector => {
  for (;;) {
    for (const frame of page.frames()) {
      if (await frame.locator(selector).count().catch(() => 0)) {
        return frame;
      }
    }
    await page.waitForTimeout(100);
  }
};
try {
  await show();
  await page.waitForSelector('.explorer-folders-view .monaco-list-row');
  await openFile(page, 'Abend.md');
  await page.waitForSelector('.statusbar-item:has-text("mindnet")');
  await page.click('.activitybar [aria-label="Mindnet"]');
  // the page in the chat's pane has to be there before its pane is closed
  await inside('#log');
  await page.click('.pane-header:has-text("Chat")');
  for (const group of ['Suggested Links', 'Backlinks', 'Related Notes']) {
    await until(group, () => row(group).count());
  }
  await row('Kalkmörtel').first().hover();
  await page.waitForSelector('.monaco-list-row:hover [aria-label*="Insert This Link"]');
  await take('side');
  console.log('side');

  await run(page, 'mindnet: Open the Chat');
  const chat = await inside('#log');
  await chat.fill('textarea', 'What holds up the mill wheel?');
  await chat.press('textarea', 'Enter');
  await chat.waitForSelector('.turn.done', { timeout: 120_000 });
  const cited = await chat.locator('.cite').allTextContents();
  assert.deepEqual(cited, ['1', '2'], 'only numbers of sources can be opened');
  await chat.locator('summary').first().click();
  await chat.waitForSelector('.bar meter');
  // the chat gets the room
  await page.click('.pane-header:has-text("Note")');
  await page.mouse.move(700, 300);
  await take('chat');
  console.log('chat');
  await chat.locator('.cite').first().click();
  const title = await chat.locator('.sources .title').first().textContent();
  await until('the source', () => page.locator('.tab.active').filter({ hasNotText: 'Abend' }).count());
  assert.ok(title);
  console.log('cited');

  await page.click('.editor-instance .view-lines');
  await run(page, 'mindnet: Show the Graph');
  const graph = await inside('#drawing canvas');
  await graph.waitForSelector('fieldset label');
  await take('graph');
  console.log('graph');
} catch (error) {
  await page.screenshot({ path: path.join(folder, `failed-views-${theme}.png`) });
  throw error;
} finally {
  await browser.close();
}
