/**
 * An esbuild plugin: a process loads a command when it is first used. All hundred with their schemas cost a third of the start of a daemon, which most
 * often answers first which tools there are, or carries out one of them. In the sources and in tests every command is loaded at once.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const INDEX = 'src/commands/index.generated.ts';

/** What is asked of every command as soon as a process starts; the rest of a command is in its own module. */
const FACTS = [
  'name',
  'group',
  'kind',
  'aliases',
  'surfaces',
  'runsIn',
  'mcpName',
  'title',
  'toolsets',
  'needs',
  'isReadOnly',
  'idempotent',
  'destructive',
  'pictureFile',
  'peopleOnly',
  'beyondReading',
  'alsoRuns',
  'longRunning',
  'noDryRun',
];

/** Part of the bundle. */
function whenUsed(facts, others, load) {
  for (const key of others) {
    Object.defineProperty(facts, key, { enumerable: true, get: () => load()[key] });
  }
  return facts;
}

/** @param {string} root of the repository */
export function commandsWhenUsed(root) {
  const index = path.join(root, INDEX);
  return {
    name: 'commands-when-used',
    setup: (context) => {
      context.onResolve({ filter: /\/index\.generated\.ts$/ }, ({ path: specifier, resolveDir }) =>
        path.resolve(resolveDir, specifier) === index
          ? { path: index, namespace: 'commands-when-used' }
          : undefined,
      );
      context.onLoad({ filter: /./, namespace: 'commands-when-used' }, async () => ({
        contents: await lazyIndex(context.esbuild, index),
        resolveDir: path.dirname(index),
      }));
    },
  };
}

let known;

/** The index, except that `require` makes esbuild run each module on its first use. */
async function lazyIndex(esbuild, index) {
  known ??= evaluate(esbuild, index);
  const list = (await known).map(({ file, command }) => {
    const facts = FACTS.filter((key) => command[key] !== undefined).map((key) => [key, command[key]]);
    const others = Object.keys(command).filter((key) => !FACTS.includes(key));
    const [shown, hidden] = [Object.fromEntries(facts), others].map((data) => JSON.stringify(data));
    return `whenUsed(${shown}, ${hidden}, () => require(${JSON.stringify(file)}).default),`;
  });
  return [whenUsed.toString(), 'export const commands = [', ...list, '];'].join('\n');
}

/** Every command with the file that it is in. */
async function evaluate(esbuild, index) {
  const source = await readFile(index, 'utf8');
  const files = [...source.matchAll(/^import \w+ from '(\.\/[\w/-]+\.ts)';$/gm)].map(([, file]) => file);
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: files
        .map((file, at) => `export { default as c${at} } from ${JSON.stringify(file)};`)
        .join('\n'),
      resolveDir: path.dirname(index),
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'error',
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const made = await import(`data:text/javascript;base64,${code}`);
  return files.map((file, at) => ({ file, command: made[`c${at}`] }));
}
