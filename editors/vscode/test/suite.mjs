// Runs the bundled mocha suite inside the extension host; exit status is the suite's.
// usage: node suite.mjs BASE VAULT SUITE [PICTURE-ON-TIMEOUT]
import { fileURLToPath } from 'node:url';
import { open } from './window.mjs';

const [base, vault, suite, picture] = process.argv.slice(2);
const host = new URL(base).host;
const remote = file => `vscode-remote://${host}${file}`;
// a suite belongs to an extension under development: an empty one, ours is installed
const empty = fileURLToPath(new URL('host', import.meta.url));
const payload = [
  ['extensionDevelopmentPath', remote(empty)],
  ['extensionTestsPath', remote(suite)],
];
const { browser, page, show } = await open(base, vault, { payload });
const { promise: ended, resolve } = withResolvers();
await page.exposeFunction('codeAutomationLog', (_type, args) => console.log(...[args].flat()));
await page.exposeFunction('codeAutomationExit', resolve);
const limit = Number(process.env.SUITE_TIMEOUT ?? 240) * 1000;
const timer = setTimeout(() => resolve('timeout'), limit);
await show();
const code = await ended;
clearTimeout(timer);
if (code !== 0 && picture) {
  await page.screenshot({ path: picture });
}
await browser.close();
console.log('exit', code);
process.exit(typeof code === 'number' ? code : 99);

function withResolvers() {
  let resolve;
  const promise = new Promise(done => (resolve = done));
  return { promise, resolve };
}
