// Bundles the unit tests (the editor's API replaced by nothing: what they test knows no editor)
// and runs them with Node's own test runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(path.join(tmpdir(), 'mindnet-unit-'));
try {
  const tests = readdirSync(here).filter(name => name.endsWith('.test.ts'));
  await build({
    entryPoints: tests.map(name => path.join(here, name)),
    outdir: out,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    alias: { vscode: path.join(here, 'no-editor.ts') },
    define: { EXTENSION: JSON.stringify(path.resolve(here, '../..')) },
  });
  const built = readdirSync(out).map(name => path.join(out, name));
  process.exitCode = spawnSync(process.execPath, ['--test', ...built], { stdio: 'inherit' }).status;
} finally {
  rmSync(out, { recursive: true });
}
