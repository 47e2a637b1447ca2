/**
 * Runs a TypeScript program before anything is built: `node scripts/run-ts.mjs scripts/x.ts args…`.
 * The program runs in this process, so exit code and signals are its own; its working folder is the caller's.
 * `importTs` returns the exports of a TypeScript module to other scripts.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Bundles `entry` (relative to the repository) into node_modules/.cache/deskterity and returns the file's path, for a program that starts it itself. */
export async function bundleTs(entry) {
  if (!existsSync(path.join(root, 'node_modules/esbuild'))) {
    throw new Error('The npm packages are not installed; run "npm ci" first.');
  }
  const { build, stop } = await import('esbuild');
  const source = path.resolve(root, entry);
  if (!existsSync(source)) throw new Error(`${entry} does not exist in the repository.`);
  const tag = createHash('sha256').update(source).digest('hex').slice(0, 8);
  const folder = path.join(root, 'node_modules/.cache/deskterity');
  const outfile = path.join(folder, `${path.basename(source).replace(/\.[cm]?ts$/, '')}-${tag}.mjs`);
  const result = await build({
    entryPoints: [source],
    outfile,
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'inline',
    logLevel: 'error',
    external: ['esbuild', 'vitest', 'dbus-native', '*.node'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
  });
  await stop();
  // Several runs may bundle the same entry at once: each must load a complete file.
  const temporary = `${outfile}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  await writeFile(temporary, result.outputFiles[0].contents);
  await rename(temporary, outfile);
  return outfile;
}

/** The exports of a TypeScript module, such as `importTs('src/platform/linux/system-packages.ts')`. */
export async function importTs(entry) {
  process.setSourceMapsEnabled(true);
  return import(pathToFileURL(await bundleTs(entry)).href);
}

/** Runs a TypeScript program as if it had been started with `args`. */
export async function runTs(entry, args) {
  const outfile = await bundleTs(entry);
  process.setSourceMapsEnabled(true);
  process.argv = [process.execPath, outfile, ...args];
  await import(pathToFileURL(outfile).href);
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [entry, ...args] = process.argv.slice(2);
  if (entry === undefined) {
    console.error('usage: node scripts/run-ts.mjs PROGRAM.ts [argument…]');
    process.exit(5);
  }
  try {
    await runTs(entry, args);
  } catch (error) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    process.exitCode = 70;
  }
}
