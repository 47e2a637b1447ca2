/** `npm run desktop -- COMMAND…`: runs a command, or a shell, in a private desktop. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTs } from './run-ts.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const first = process.argv[2];
if (first === '--help' || first === '-h') {
  console.log(`Usage: npm run desktop -- [COMMAND…]
Runs a command, or a shell, in a private desktop, which ends with it.`);
  process.exit(0);
}
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`desktop: Node ${process.versions.node} is too old; install Node 20.19 or newer.`);
  process.exit(11);
}
if (!['esbuild', 'zod'].every((name) => existsSync(path.join(root, 'node_modules', name)))) {
  console.error('desktop: the npm packages are not installed; run "npm ci" first.');
  process.exit(11);
}
await runTs('scripts/desktop.ts', process.argv.slice(2));
