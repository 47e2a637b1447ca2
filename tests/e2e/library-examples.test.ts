import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { ROOT } from '../program-copy.ts';
import { examplesOf } from './support/examples.ts';

const FIXTURE = join(ROOT, 'fixtures/apps/gtk3/app.py');
const GUIDE = 'docs/guides/library.md';
const RUN_MS = 45_000;

const place = usePlace();
const guide = await examplesOf(join(ROOT, GUIDE));
const readme = await examplesOf(join(ROOT, 'README.md'));

/** What one run of the fixture application recorded. */
const Event = z.object({ widget: z.string(), event: z.string(), value: z.unknown() });
type Event = z.output<typeof Event>;

interface Ran {
  readonly exitCode: number | string;
  readonly stdout: string;
  readonly stderr: string;
  /** For each `my-app` that was started, in no particular order. */
  readonly logs: readonly (readonly Event[])[];
}

beforeAll(async () => {
  // The build under node_modules, as npm would install it.
  const installed = join(place().folder, 'node_modules/deskterity');
  await mkdir(installed, { recursive: true });
  await cp(join(ROOT, 'package.json'), join(installed, 'package.json'));
  await symlink(join(place().folder, 'dist'), join(installed, 'dist'));
  await writeFile(join(place().folder, 'package.json'), '{ "private": true, "type": "module" }\n');
});

/** Runs an example in a separate folder, where `./my-app` is the fixture application. */
async function run({ name, source }: { name: string; source: string }): Promise<Ran> {
  const folder = join(place().folder, name);
  await mkdir(join(folder, 'logs'), { recursive: true });
  const files = `--log '${folder}/logs/'$$.jsonl --control '${folder}/logs/'$$.socket`;
  const start = `exec /usr/bin/python3 '${FIXTURE}' ${files} --title 'My App'`;
  await writeFile(join(folder, 'my-app'), `#!/bin/sh\n${start}\n`);
  await chmod(join(folder, 'my-app'), 0o755);
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'node20.19' });
  await writeFile(join(folder, 'example.js'), code);
  const ended = await node(folder, ['example.js']);
  return { ...ended, logs: await logsIn(join(folder, 'logs')) };
}

async function node(cwd: string, args: readonly string[]): Promise<Omit<Ran, 'logs'>> {
  const child = spawn(process.execPath, args, {
    env: { ...place().desktop.environment },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_MS,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const exitCode = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return { exitCode, stdout, stderr: readable(stderr) };
}

/** Removes the lines of the bundle that Node quotes for an uncaught error. */
function readable(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.length < 1000)
    .join('\n');
}

async function logsIn(folder: string): Promise<Event[][]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => Event.parse(JSON.parse(line))),
  );
}

/** The last text that the application recorded in its field "Name". */
function nameIn(log: readonly Event[]): unknown {
  return log.findLast(({ widget, event }) => widget === 'name' && event === 'text-changed')?.value;
}

function example(name: string) {
  const found = guide.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${GUIDE} has no example ${name}.`);
  return found;
}

/** Each example of the guide, and what must be true afterwards. */
const CHECKS: Readonly<Record<string, (ran: Ran) => void>> = {
  press: ({ stdout, logs }) => {
    expect(logs.map((log) => log.filter(({ event }) => event === 'clicked'))).toMatchObject([
      [{ widget: 'press' }],
    ]);
    expect(stdout).toMatch(/^confirmed \[/);
  },
  'fill-in': ({ stdout, logs }) => {
    expect(logs.map((log) => nameIn(log))).toEqual(['Ada Lovelace']);
    expect(stdout).toMatch(/^window "My App" @w\d+/);
    expect(stdout).toMatch(/^Ada Lovelace$/m);
    expect(stdout).toMatch(/^@e\d+ checkbox Agree$/m);
  },
  keys: ({ stdout, logs }) => {
    expect(logs.map((log) => nameIn(log))).toEqual(['Grace']);
    expect(stdout).toMatch(/^confirmed keyboard:5 characters\nconfirmed at-spi:Action\S+\ngreen$/m);
  },
  failures: ({ stdout, logs }) => {
    expect(stdout).toMatch(/^NOT_ACTIONABLE .* false$/m);
    expect(logs.flat().filter(({ event }) => event === 'clicked')).toEqual([]);
  },
  changes: ({ stdout, logs }) => {
    expect(logs.map((log) => log.filter(({ event }) => event === 'clicked').length)).toEqual([1]);
    expect(stdout).toContain('pressed 1');
  },
  several: ({ stdout, logs }) => {
    expect(logs.map((log) => String(nameIn(log))).toSorted()).toEqual(['Ada', 'Grace']);
    expect(stdout.split('\n').toSorted()).toEqual(['', 'Ada confirmed', 'Grace confirmed']);
  },
  'own-desktop': ({ stdout }) => {
    expect(stdout.trim()).toMatch(/ \d+ 1$/);
  },
};

describe('the guide', () => {
  it('has exactly one expectation for each of its examples', () => {
    expect(guide.map(({ name }) => name)).toEqual(Object.keys(CHECKS));
  });

  it.each(Object.keys(CHECKS))('%s', async (name) => {
    const fixture = name === 'own-desktop' ? await place().fixture('gtk3') : undefined;
    const ran = await run(example(name));
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    CHECKS[name]?.(ran);
    // Closing the user's desktop does not end its applications.
    await fixture?.control('state');
    await fixture?.stop();
  });
});

it('the example of the README works', async () => {
  expect(readme).toHaveLength(1);
  for (const one of readme) {
    const ran = await run(one);
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^confirmed \[/);
  }
});

it('all examples compile with the published types', async () => {
  const folder = join(place().folder, 'types');
  await mkdir(folder);
  const files = [...guide, ...readme].map(({ name, source }) => ({ file: `${name}.ts`, source }));
  for (const { file, source } of files) await writeFile(join(folder, file), source);
  const typeRoots = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--noUncheckedIndexedAccess',
  ];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const ran = await node(folder, [compiler, ...flags, ...typeRoots, ...files.map(({ file }) => file)]);
  expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
});
