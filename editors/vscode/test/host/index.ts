/** The suite as the extension host runs it: every `*.test.js` beside this file, in order. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

/** Called by VS Code; rejects when a test fails. */
export function run(): Promise<void> {
  const only = process.env.MINDNET_SUITE ?? '';
  const mocha = new Mocha({ ui: 'bdd', timeout: 240_000, color: false, reporter: 'spec' });
  const tests = readdirSync(__dirname).filter(name => name.endsWith('.test.js'));
  for (const name of tests.filter(one => one.includes(only)).sort()) {
    mocha.addFile(path.join(__dirname, name));
  }
  return new Promise((done, failed) => {
    mocha.run(count => (count ? failed(new Error(`${count} tests failed`)) : done()));
  });
}
