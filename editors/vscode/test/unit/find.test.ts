import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidates, expanded, firstWorking, MODULE, pythonOf, type Run } from '../../src/find';

const PLACES = { configured: '', own: '/own/bin/python', pythons: ['/sel/python', 'python3'] };

test('the places are tried from the nearest to the farthest', () => {
  assert.deepEqual(
    candidates(PLACES).map(one => [one.command, one.origin]),
    [
      ['/own/bin/python', 'own'],
      ['/sel/python', 'python'],
      ['python3', 'python'],
      ['mindnet-lsp', 'path'],
    ],
  );
});

test('a path that is set is the only place', () => {
  const program = candidates({ ...PLACES, configured: '/opt/mindnet-lsp' });
  assert.deepEqual(program, [{ command: '/opt/mindnet-lsp', args: [], origin: 'setting' }]);
});

for (const python of ['/v/bin/python', '/v/bin/python3.12', 'C/python.exe', '/x/pypy3']) {
  test(`${python} runs the module`, () => {
    const [only] = candidates({ ...PLACES, configured: python });
    assert.deepEqual(only?.args, MODULE);
  });
}

test('a Python never has the working folder on its path', () => {
  const runs = candidates(PLACES).filter(one => one.args.includes('-m'));
  assert.equal(runs.length, 3);
  assert.ok(runs.every(one => one.args[0] === '-P'));
});

test('the first that tells its version is taken, and why the others were not', async () => {
  const run: Run = async command => {
    if (command === '/sel/python') {
      return { code: 1, output: 'Traceback\nNo module named mindnet_lsp\n' };
    }
    if (command === 'python3') {
      return { code: 0, output: 'mindnet-lsp 1.2.3\n' };
    }
    return { code: null, output: '\nspawn ENOENT' };
  };
  const { found, tried } = await firstWorking(candidates(PLACES), run);
  assert.equal(found?.command, 'python3');
  assert.equal(found.version, '1.2.3');
  assert.deepEqual(
    tried.map(one => one.reason),
    ['spawn ENOENT', 'No module named mindnet_lsp'],
  );
});

test('a program that answers something else is no server', async () => {
  const run: Run = async () => ({ code: 0, output: 'hello' });
  const { found, tried } = await firstWorking(candidates(PLACES), run);
  assert.equal(found, undefined);
  assert.equal(tried.length, 4);
});

test('the Python of an environment is where the platform has it', () => {
  assert.equal(pythonOf('/e', 'linux'), '/e/bin/python');
  assert.equal(pythonOf('C:\\e', 'win32'), 'C:\\e\\Scripts\\python.exe');
});

test('a path may start with the home folder', () => {
  assert.equal(expanded('~/bin/x', '/home/a'), '/home/a/bin/x');
  assert.equal(expanded(' /opt/x ', '/home/a'), '/opt/x');
  assert.equal(expanded('~other/x', '/home/a'), '~other/x');
});
