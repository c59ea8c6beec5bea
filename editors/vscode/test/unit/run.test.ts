import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../src/run';

const cwd = process.cwd();
const node = process.execPath;

test('output and errors come as lines and as one text, with the exit code', async () => {
  const lines: string[] = [];
  const script = 'console.log("one\\ntwo"); process.stderr.write("three"); process.exitCode = 3';
  const ended = await run(node, ['-e', script], { cwd, onLine: line => lines.push(line) });
  assert.equal(ended.code, 3);
  assert.match(ended.output, /one\ntwo\n/);
  assert.deepEqual(lines.join('').includes('three'), true);
});

test('a program that is not there is told, not thrown', async () => {
  const ended = await run('/nowhere/at/all', [], { cwd });
  assert.equal(ended.code, null);
  assert.match(ended.output, /ENOENT/);
});

test('a run can be stopped', async () => {
  const stop = new AbortController();
  const running = run(node, ['-e', 'setInterval(() => {}, 1000)'], { cwd, signal: stop.signal });
  stop.abort();
  assert.equal((await running).code, null);
});

test('a run ends after its time', async () => {
  const ended = await run(node, ['-e', 'setInterval(() => {}, 1000)'], { cwd, timeout: 300 });
  assert.equal(ended.code, null);
});
