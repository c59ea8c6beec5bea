// Bundles the suite for the extension host; mocha and the editor's API stay outside.
// usage: node test/host/build.mjs FOLDER
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const names = readdirSync(here).filter(name => name === 'index.ts' || name.endsWith('.test.ts'));
await build({
  entryPoints: names.map(name => path.join(here, name)),
  outdir: process.argv[2],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode', 'mocha'],
});
