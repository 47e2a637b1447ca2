/**
 * Builds what is published. In dist/:
 * - desk.cjs, the command line (CommonJS, because that starts faster), with desk-*.cjs for what few calls need;
 * - daemon.cjs with its chunks, which carries out commands; host.cjs, the same in one process, for --no-daemon; both are loaded by load-program.cjs
 *   with what V8 compiled of them, in compiled/;
 * - holder.js with spawn-worker.js, which run operations and terminals;
 * - release-held.js, which releases the keys of a process that was killed;
 * - library.js with its types, for `import … from 'deskterity'`; THIRD_PARTY_NOTICES.txt.
 * In schemas/: the JSON Schemas of what commands take and answer. Everything is bundled, so the package has no runtime dependencies. The esbuild
 * metafiles go to node_modules/.cache/deskterity/metafile.json for the checks.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { helpIfAsked } from './lib/arguments.mjs';
import { asCommonJs } from './build/as-commonjs.mjs';
import { commandsWhenUsed } from './build/commands-when-used.mjs';
import { keepCompiledCode, loadedWithCompiledCode } from './build/compiled-code.mjs';
import { lightBuiltins } from './build/light-builtins.mjs';
import { writeLibraryTypes } from './build/library-types.mjs';
import { mcpWithoutAjv, x11ForClients, zodByParts, zodInEnglish } from './build/lighter-packages.mjs';
import { importTs } from './run-ts.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const METAFILE = path.join(root, 'node_modules/.cache/deskterity/metafile.json');

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  // Whitespace and syntax only: names stay, so that stack traces remain readable.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/** A Node that is too old to run the command line must still be able to parse it and report that. */
const OLDEST_PARSING_NODE = 'node14';

/** Bundled CommonJS packages call `require` for Node's own modules. */
const REQUIRE_BANNER =
  "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);";

/** Files of the command line beside desk.cjs, and their entry points. */
const DESK_PARTS = {
  'desk-verbs': 'src/surfaces/cli/verbs/index.ts',
  'desk-mcp-http': 'src/surfaces/cli/verbs/mcp/mcp-http.ts',
  'desk-input': 'src/surfaces/cli/arguments/complete-input.ts',
  'desk-completion': 'src/surfaces/cli/verbs/completion/completion-answer.ts',
  'desk-terminal': 'src/surfaces/cli/printing/terminal.ts',
  'desk-start': 'src/surfaces/cli/daemon/start-daemon.ts',
  'desk-help': 'src/surfaces/cli/printing/help.ts',
  'desk-manual': 'src/surfaces/cli/printing/manual.generated.ts',
};

/** Loaded by the command line, too, but built with the daemon, see hostOptions. */
const HOST = { host: 'src/processes/bin/in-process.ts' };

/** Code that few calls need is in separate files, loaded by `require`: `import()` reads a file twice, which would double the cost of a thin call. */
const rarelyNeededStaysOutside = {
  name: 'rarely-needed-stays-outside',
  setup: (context) => {
    const names = new Map(
      Object.entries({ ...DESK_PARTS, ...HOST }).map(([name, file]) => [path.join(root, file), name]),
    );
    context.onResolve({ filter: /\.ts$/ }, ({ path: specifier, kind, resolveDir }) => {
      const name = names.get(path.resolve(resolveDir, specifier));
      return kind === 'dynamic-import' && name
        ? { path: `./${name}.cjs`, namespace: 'desk-part' }
        : undefined;
    });
    context.onLoad({ filter: /./, namespace: 'desk-part' }, ({ path: part }) => ({
      contents: `module.exports = require(${JSON.stringify(part)});`,
    }));
    context.onResolve({ filter: /./, namespace: 'desk-part' }, ({ path: part }) => ({
      path: part,
      external: true,
    }));
  },
};

let knownBuild;

/**
 * Package version and a hash of the sources: a client never uses a daemon of other sources, not even during development. Computed once, so that all
 * bundles of one build agree.
 */
function buildDefine() {
  knownBuild ??= (() => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const hash = createHash('sha256');
    const source = path.join(root, 'src');
    const names = readdirSync(source, { recursive: true }).filter((name) => name.endsWith('.ts'));
    for (const name of names.toSorted(compare))
      hash.update(`${name}\0`).update(readFileSync(path.join(source, name)));
    return `${version}+${hash.digest('hex').slice(0, 10)}`;
  })();
  return { DESKTERITY_BUILD: JSON.stringify(knownBuild) };
}

/**
 * The command line, loaded for every call.
 * @returns {import('esbuild').BuildOptions}
 */
export function deskOptions(outdir) {
  return {
    ...COMMON,
    entryPoints: { desk: 'src/processes/bin/desk.ts', ...DESK_PARTS },
    outdir,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    target: OLDEST_PARSING_NODE,
    define: { ...buildDefine(), 'import.meta.dirname': '__dirname' },
    plugins: [rarelyNeededStaysOutside],
  };
}

/**
 * What every process loads at once goes into one file. esbuild makes a file for each set of entry points that share modules, and modules loaded later
 * are entry points, too; so each of them says that it needs the app, which is there by then.
 */
const appInOneChunk = {
  name: 'app-in-one-chunk',
  setup: (context) => {
    const app = path.join(root, 'src/app/open-app.ts');
    context.onResolve({ filter: /^\..*\.ts$/ }, ({ path: specifier, kind, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: path.join(resolveDir, specifier), namespace: 'loaded-later' }
        : undefined,
    );
    context.onLoad({ filter: /./, namespace: 'loaded-later' }, async ({ path: file }) => {
      const name = JSON.stringify(file);
      const hasDefault = /^export default /m.test(await readFile(file, 'utf8'));
      return {
        contents: `import ${JSON.stringify(app)}; export * from ${name};${hasDefault ? ` export { default } from ${name};` : ''}`,
        resolveDir: root,
      };
    });
  },
};

/**
 * Carries out commands, for the daemon, for one process and for the library, which share their chunks.
 * @returns {import('esbuild').BuildOptions}
 */
export function hostOptions(outdir) {
  return {
    ...COMMON,
    entryPoints: {
      ...HOST,
      daemon: 'src/processes/daemon/main.ts',
      library: 'src/surfaces/library/index.ts',
    },
    define: buildDefine(),
    // Native code, used only if it is installed.
    external: ['sharp', 'koffi'],
    // The package's default entry for Node loads its parts at run time, where esbuild cannot find them.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    target: 'node20.19',
    plugins: [
      commandsWhenUsed(root),
      appInOneChunk,
      lightBuiltins,
      zodByParts,
      zodInEnglish,
      x11ForClients,
      mcpWithoutAjv,
      asCommonJs,
    ],
  };
}

/**
 * What loads the files of the host bundle.
 * @returns {import('esbuild').BuildOptions}
 */
function loaderOptions(outdir) {
  return {
    ...COMMON,
    entryPoints: { 'load-program': 'src/processes/bin/load-program.ts' },
    outdir,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    target: 'node20.19',
    define: { 'import.meta.dirname': '__dirname' },
  };
}

/**
 * The thread that confines itself and starts programs. It is small, because every such thread reads it again. koffi is external: it is native code.
 * @returns {import('esbuild').BuildOptions}
 */
export function spawnWorkerOptions(outdir) {
  return {
    ...COMMON,
    entryPoints: { 'spawn-worker': 'src/platform/linux/sandbox/workers/spawn-worker.ts' },
    external: ['koffi'],
    outdir,
    target: 'node20.19',
  };
}

/**
 * The process that releases keys and buttons of a process that was killed. It is alone, so that it starts quickly.
 * @returns {import('esbuild').BuildOptions}
 */
export function releaseHeldOptions(outdir) {
  return {
    ...COMMON,
    entryPoints: { 'release-held': 'src/platform/linux/display/x11/input/release-held.ts' },
    outdir,
    target: 'node20.19',
    plugins: [zodByParts, zodInEnglish, x11ForClients],
    banner: { js: REQUIRE_BANNER },
  };
}

/** The parts of the platform that a holder needs; the rest, such as desktops, is kept out of its bundle. */
const HOLDER_PLATFORM_PARTS = [
  './process/facts.ts',
  './sandbox/processes/create-processes.ts',
  './sandbox/levels/confined-peer.ts',
];

const nothingElseOfThePlatform = {
  name: 'nothing-else-of-the-platform',
  setup: (context) => {
    const missing = new Set(HOLDER_PLATFORM_PARTS);
    context.onResolve({ filter: /\.ts$/ }, ({ path: specifier, kind, importer }) => {
      if (kind !== 'dynamic-import' || !importer.endsWith('-platform.ts')) return undefined;
      missing.delete(specifier);
      return HOLDER_PLATFORM_PARTS.includes(specifier) ? undefined : { path: 'absent', namespace: 'absent' };
    });
    context.onEnd(() => ({
      // None at all is another platform.
      errors: [...(missing.size < HOLDER_PLATFORM_PARTS.length ? missing : [])].map((part) => ({
        text: `The platform does not import ${part}, which a holder needs.`,
      })),
    }));
    context.onLoad({ filter: /./, namespace: 'absent' }, () => ({
      contents: "throw new Error('This part of the platform is not in the bundle of the holder.');",
    }));
  },
};

/**
 * The process that runs operations and outlives the daemon. It is small, because there may be many of them. The code for terminals is in a chunk that
 * is loaded with the first terminal.
 * @returns {import('esbuild').BuildOptions}
 */
export function holderOptions(outdir) {
  return {
    ...COMMON,
    entryPoints: { holder: 'src/processes/holder/main.ts' },
    external: ['koffi'],
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    target: 'node20.19',
    plugins: [nothingElseOfThePlatform],
  };
}

/** Builds into dist/ and schemas/, replacing each in one step once everything has succeeded. */
async function buildAll() {
  const draft = path.join(root, `dist.${process.pid}.tmp`);
  const schemas = path.join(root, `schemas.${process.pid}.tmp`);
  await rm(draft, { recursive: true, force: true });
  try {
    const [desk, host, _loader, spawnWorker, holder, releaseHeld] = await Promise.all([
      build(deskOptions(draft)),
      build(hostOptions(draft)),
      build(loaderOptions(draft)),
      build(spawnWorkerOptions(draft)),
      build(holderOptions(draft)),
      build(releaseHeldOptions(draft)),
      writeLibraryTypes(draft),
    ]);
    await chmod(path.join(draft, 'desk.cjs'), 0o755);
    await writeFile(path.join(draft, 'library.js'), "export * from './library.cjs';\n");
    await loadedWithCompiledCode(draft);
    // A program without it starts later, and does the same.
    await keepCompiledCode(draft).catch((error) => {
      process.stderr.write(`build: the compiled code was not kept: ${error.message}\n`);
    });
    await writeFile(
      path.join(draft, 'THIRD_PARTY_NOTICES.txt'),
      await notices([desk, host, spawnWorker, holder, releaseHeld].map(({ metafile }) => metafile)),
    );
    await mkdir(path.dirname(METAFILE), { recursive: true });
    await writeFile(METAFILE, JSON.stringify({ desk: desk.metafile, host: host.metafile }));
    await writeSchemas(schemas);
    await replaceFolder('dist', draft);
    await replaceFolder('schemas', schemas);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(schemas, { recursive: true, force: true });
  }
}

async function writeSchemas(folder) {
  const { schemaFiles } = await importTs('scripts/generate/schema-files.ts');
  await mkdir(folder, { recursive: true });
  await Promise.all(schemaFiles().map(([name, text]) => writeFile(path.join(folder, name), text)));
}

async function replaceFolder(name, draft) {
  const folder = path.join(root, name);
  const old = path.join(root, `${name}.${process.pid}.old.tmp`);
  for (let isReplaced = false; !isReplaced;) {
    await rename(folder, old).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
    isReplaced = await rename(draft, folder).then(
      () => true,
      (error) => {
        // Another build has just put its own there.
        if (error.code !== 'ENOTEMPTY') throw error;
        return false;
      },
    );
    await rm(old, { recursive: true, force: true });
  }
}

/** Name, version and licence text of every npm package with code in the bundles. */
async function notices(metafiles) {
  const packages = new Set(
    metafiles.flatMap(({ inputs }) => Object.keys(inputs)).flatMap((input) => packageFolder(input)),
  );
  const sections = await Promise.all([...packages].toSorted(compare).map((folder) => notice(folder)));
  const head = 'Deskterity contains code of the following packages, under these licences.\n';
  return [head, ...sections].join(`\n${'-'.repeat(78)}\n\n`);
}

function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}

function packageFolder(input) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  return match === null ? [] : [match[1]];
}

/** @param {string} folder of the package, below the project's */
export async function notice(folder) {
  const { name, version, license } = JSON.parse(
    await readFile(path.join(root, folder, 'package.json'), 'utf8'),
  );
  const files = await licenceFiles(path.join(root, folder), name);
  if (files.length === 0)
    throw new Error(`${name} is bundled but has no licence file; it cannot be published.`);
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return `${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`;
}

/** The licence files of the package or, if it was published without one, its project's licence from scripts/build/licences. */
async function licenceFiles(folder, name) {
  const entries = await readdir(folder);
  const own = entries.filter((entry) => /^(licen[cs]e|notice|copying)/i.test(entry)).toSorted(compare);
  if (own.length > 0) return own.map((file) => path.join(folder, file));
  const kept = path.join(root, 'scripts/build/licences', `${name.replace('/', '+')}.txt`);
  return existsSync(kept) ? [kept] : [];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(path.resolve(process.argv[1])).href) {
  helpIfAsked(
    'Usage: npm run build\nBuilds the program and the library into dist/, and the JSON Schemas into schemas/.',
  );
  try {
    await buildAll();
  } catch (error) {
    // esbuild has already printed its own errors.
    if (!('errors' in error)) console.error(error);
    process.exitCode = 1;
  }
}
