/**
 * The published types of the library: `library.d.ts` and the declarations it needs. They must not import any package, which is checked here.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const ENTRY = 'index';
/** Imports at the start of a line, so that examples in comments do not count, and types written as `import('…')`. */
const IMPORT = /(?<=^(?:import|export)\s[^;'"]*\bfrom\s+')[^']+(?=')|(?<=\bimport\(\s*['"])[^'"]+(?=['"])/gm;

const FLAGS = [
  '--ignoreConfig',
  '--declaration',
  '--emitDeclarationOnly',
  '--strict',
  '--skipLibCheck',
  '--allowImportingTsExtensions',
  '--target',
  'es2023',
  '--lib',
  'es2023',
  '--module',
  'nodenext',
  '--types',
  'node',
];

/** Writes the declarations into the folder that becomes `dist`. */
export async function writeLibraryTypes(outdir) {
  const draft = `${outdir}.types`;
  try {
    const output = await declarations(draft);
    const texts = await reachable(path.join(draft, 'surfaces/library'), output);
    await mkdir(path.join(outdir, 'library'), { recursive: true });
    for (const [name, text] of texts) await writeFile(path.join(outdir, 'library', `${name}.d.ts`), text);
    // Older targets need this for Symbol.asyncDispose.
    const entry = ['/// <reference lib="esnext.disposable" />', `export * from './library/${ENTRY}.js';`, ''];
    await writeFile(path.join(outdir, 'library.d.ts'), entry.join('\n'));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Runs the compiler over the library. Its errors are left to `npm run typecheck`, unless a declaration is missing. */
async function declarations(outdir) {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const args = [...FLAGS, '--rootDir', 'src', '--outDir', outdir, `src/surfaces/library/${ENTRY}.ts`];
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, ...args], { cwd: root }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

/** The entry and every declaration it needs, by name, with imports as the published package resolves them. */
async function reachable(folder, output) {
  const texts = new Map();
  const pending = [ENTRY];
  for (const name of pending) {
    if (texts.has(name)) continue;
    const text = await readFile(path.join(folder, `${name}.d.ts`), 'utf8').catch(() => {
      throw new Error(`The compiler wrote no declaration of src/surfaces/library/${name}.ts.\n${output}`);
    });
    for (const specifier of text.match(IMPORT) ?? []) pending.push(localName(specifier, name));
    texts.set(
      name,
      text.replaceAll(IMPORT, (specifier) => specifier.replace(/\.ts$/, '.js')),
    );
  }
  return texts;
}

function localName(specifier, from) {
  const name = /^\.\/([\w.-]+)\.ts$/.exec(specifier)?.[1];
  if (name !== undefined) return name;
  throw new Error(
    `The published types of src/surfaces/library/${from}.ts need ${specifier}; they may only need files beside them.`,
  );
}
