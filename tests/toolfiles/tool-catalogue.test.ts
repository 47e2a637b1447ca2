import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireFile } from '../../src/toolfiles/files/scan-tool-files.ts';
import { createToolCatalogue } from '../../src/toolfiles/tool-catalogue.ts';
import type { ToolSnapshot } from '../../src/toolfiles/tool-entries.ts';
import { contentHash } from '../../src/toolfiles/files/trust.ts';
import { openStage, textOf, type CatalogueStage } from './support/catalogue-stage.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { spelledError } from '../spelled.ts';

let stage: CatalogueStage;
const ends: (() => void)[] = [];
beforeEach(async () => {
  stage = await openStage();
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await stage.close();
});

const NODE = process.execPath;
const tool = (name: string, more: object = {}) => ({ name, description: `${name}.`, command: NODE, ...more });
const sub = (name: string, more: object = {}) => ({ name, description: `${name}.`, ...more });

/** Files and tools in short: `project:git ready [git_status ready]`. */
function short({ files }: ToolSnapshot): string[] {
  return files.map(({ origin, name, state, tools }) => {
    const inside = tools.map((entry) => `${entry.tool.name} ${entry.state}`).join(', ');
    return `${origin}:${name} ${state}${inside === '' ? '' : ` [${inside}]`}`;
  });
}

async function catalogueOf(
  trusted: readonly (readonly [string, object])[],
  untrusted: readonly (readonly [string, object | string])[] = [],
) {
  for (const [place, content] of trusted) await stage.trustFile(await stage.write(place, content), content);
  for (const [place, content] of untrusted) await stage.write(place, content);
  return createToolCatalogue(stage.parts);
}

it('is empty without folders', async () => {
  expect((await catalogueOf([])).snapshot).toEqual({ files: [], problems: [] });
});

it('determines whether each tool can be called, and runs nothing that is untrusted or disabled', async () => {
  const P = 'scope/.deskterity/tools';
  const catalogue = await catalogueOf(
    [
      [
        `${P}/good.json`,
        tool('good', {
          subcommand: [
            sub('a'),
            sub('b', { enabled: false }),
            sub('c', { availability_check: `${NODE} --no-such-option` }),
          ],
        }),
      ],
      [`${P}/off.json`, tool('off', { enabled: false, availability_check: `${NODE} --version` })],
      [`${P}/gone.json`, tool('gone', { command: 'no-such-program', install_instructions: 'Install it.' })],
    ],
    [
      [`${P}/new.json`, tool('new', { availability_check: `${NODE} --v8-options` })],
      [`${P}/wrong.json`, tool('wrong', { nonsense: true })],
      [`${P}/broken.json`, '{'],
      [`${P}/notes.txt`, 'no tool file'],
      [`${P}/.hidden.json`, '{'],
    ],
  );
  expect(short(catalogue.snapshot)).toEqual([
    'project:broken invalid',
    'project:gone unavailable [gone unavailable]',
    'project:good ready [good_a ready, good_b disabled, good_c unavailable]',
    'project:new untrusted [new untrusted]',
    'project:off disabled [off disabled]',
    'project:wrong invalid',
  ]);
  expect(stage.checked).toEqual([`${NODE} --no-such-option`]);
  expect(catalogue.require('good_a').name).toBe('good_a');
  const refused = (name: string) => {
    try {
      catalogue.require(name);
    } catch (error) {
      if (error instanceof DeskterityError) return spelledError(error);
      throw error;
    }
    throw new Error(`${name} was not refused`);
  };
  expect(refused('good_b')).toMatchObject({
    code: 'TOOL_NOT_FOUND',
    message: 'good_b is disabled: its file says "enabled": false.',
  });
  expect(refused('gone')).toMatchObject({
    code: 'TOOL_NOT_FOUND',
    message: 'gone is unavailable: "no-such-program" was not found.',
    suggestion: 'Install it. Then run "desk tools list" to check again.',
  });
  expect(refused('new')).toMatchObject({
    code: 'TOOL_UNTRUSTED',
    message: `new was not run: its file ${stage.scope}/.deskterity/tools/new.json is not trusted yet.`,
    suggestion: `A person who has read the file can allow it with "desk tools trust ${stage.scope}/.deskterity/tools/new.json".`,
  });
  expect(refused('wrong')).toMatchObject({
    code: 'TOOL_INVALID',
    message: expect.stringContaining('"nonsense" is not a key of a tool file'),
  });
  expect(refused('good')).toMatchObject({
    code: 'TOOL_NOT_FOUND',
    message: '"good" has subcommands; call one of those.',
    suggestion: 'They are good_a, good_b, good_c.',
  });
  expect(refused('goood_a')).toMatchObject({
    code: 'TOOL_NOT_FOUND',
    message: 'The tool "goood_a" does not exist.',
    suggestion: expect.stringMatching(/^Did you mean good_a\b/),
  });
});

describe('trust', () => {
  const place = 'scope/.deskterity/tools/git.json';
  it('ends when the content changes, and returns with the old content', async () => {
    const catalogue = await catalogueOf([[place, tool('git')]]);
    expect(short(catalogue.snapshot)).toEqual(['project:git ready [git ready]']);
    await stage.write(place, tool('git', { description: 'Other.' }));
    const changed = await catalogue.refresh();
    expect(changed.files[0]).toMatchObject({ state: 'untrusted', hasChanged: true });
    expect(() => catalogue.require('git')).toThrow(/has changed since it was trusted/);
    await stage.write(place, tool('git'));
    expect(short(await catalogue.refresh())).toEqual(['project:git ready [git ready]']);
  });

  it('does not apply to a copy elsewhere', async () => {
    const catalogue = await catalogueOf([[place, tool('git')]], [['config/tools/other.json', tool('git')]]);
    expect(short(catalogue.snapshot)).toEqual(['user:git overridden', 'project:git ready [git ready]']);
    await rm(join(stage.root, place));
    expect(short(await catalogue.refresh())).toEqual(['user:git untrusted [git untrusted]']);
  });

  it('applies to the target of a link', async () => {
    const content = tool('git');
    const real = await stage.write('elsewhere/git.json', content);
    await mkdir(join(stage.scope, '.deskterity/tools'), { recursive: true });
    await symlink(real, join(stage.root, place));
    await stage.trustFile(real, content);
    const catalogue = await createToolCatalogue(stage.parts);
    expect(catalogue.snapshot.files).toMatchObject([{ path: real, state: 'ready' }]);
  });

  it('applies to shipped files by their content alone', async () => {
    const content = tool('git');
    await stage.write('ready/git.json', content);
    await stage.write('ready/npm.json', tool('npm'));
    const readyHashes = new Set([contentHash(Buffer.from(textOf(content)))]);
    const catalogue = await createToolCatalogue({ ...stage.parts, readyHashes });
    expect(short(catalogue.snapshot)).toEqual([
      'ready:git ready [git ready]',
      'ready:npm untrusted [npm untrusted]',
    ]);
  });

  it('is empty if the store cannot be read', async () => {
    const catalogue = await catalogueOf([[place, tool('git')]]);
    await writeFile(stage.parts.trustFile, 'nonsense');
    const snapshot = await catalogue.refresh();
    expect(short(snapshot)).toEqual(['project:git untrusted [git untrusted]']);
    expect(snapshot.problems).toEqual([
      `${stage.parts.trustFile} cannot be used: its content was not written by Deskterity`,
    ]);
  });
});

it('reads a file named by the user, to be checked and trusted', async () => {
  const content = tool('git');
  const path = await stage.write('anywhere/git.json', content);
  await symlink(path, join(stage.root, 'link.json'));
  const found = await requireFile(join(stage.root, 'link.json'), stage.parts);
  expect(found).toMatchObject({
    path,
    name: 'git',
    sha256: contentHash(Buffer.from(textOf(content))),
    problems: [],
  });
  expect(await requireFile(await stage.write('anywhere/bad.json', '{'), stage.parts)).toMatchObject({
    name: 'bad',
    tool: undefined,
    problems: [{ message: 'this is not JSON: close brace expected' }],
  });
  await expect(requireFile('/no/such/file.json', stage.parts)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
});

describe('files together', () => {
  it('a later folder overrides an earlier one, which is reported', async () => {
    const catalogue = await catalogueOf([
      ['ready/git.json', tool('git')],
      ['config/tools/git.json', tool('git', { subcommand: [sub('status')] })],
      ['scope/.deskterity/tools/my-git.json', tool('git', { subcommand: [sub('log')] })],
    ]);
    expect(short(catalogue.snapshot)).toEqual([
      'ready:git overridden',
      'user:git overridden',
      'project:git ready [git_log ready]',
    ]);
    const [ready, user, project] = catalogue.snapshot.files;
    expect(ready?.overriddenBy).toBe(user?.path);
    expect(user?.overriddenBy).toBe(project?.path);
  });

  it('an untrusted or invalid file also takes its name: nothing else runs in its place', async () => {
    const catalogue = await catalogueOf(
      [
        ['ready/git.json', tool('git')],
        ['ready/npm.json', tool('npm')],
      ],
      [
        ['scope/.deskterity/tools/git.json', tool('git')],
        ['scope/.deskterity/tools/npm.json', tool('npm', { x: 1 })],
      ],
    );
    expect(() => catalogue.require('git')).toThrow(expect.objectContaining({ code: 'TOOL_UNTRUSTED' }));
    expect(() => catalogue.require('npm')).toThrow(expect.objectContaining({ code: 'TOOL_INVALID' }));
  });

  it('two files in one folder with the same name are both reported, and neither runs', async () => {
    const catalogue = await catalogueOf([
      ['config/tools/a.json', tool('git')],
      ['config/tools/b.json', tool('git')],
    ]);
    const [a, b] = catalogue.snapshot.files;
    expect(short(catalogue.snapshot)).toEqual(['user:git invalid', 'user:git invalid']);
    expect(a?.problems).toMatchObject([
      { pointer: '/name', message: `${b?.path} also defines the tool "git"` },
    ]);
    expect(b?.problems).toMatchObject([
      { pointer: '/name', message: `${a?.path} also defines the tool "git"` },
    ]);
  });

  it('tools that would be called the same are problems of both files', async () => {
    const catalogue = await catalogueOf([
      ['config/tools/a.json', tool('git', { subcommand: [sub('log'), sub('status')] })],
      ['scope/.deskterity/tools/b.json', tool('git_status')],
    ]);
    expect(short(catalogue.snapshot)).toEqual(['user:git invalid', 'project:git_status invalid']);
    const [a, b] = catalogue.snapshot.files;
    expect(b?.problems).toMatchObject([
      { message: `the tool would be called "git_status", like one in ${a?.path}` },
    ]);
    expect(a?.problems).toMatchObject([
      { message: `a tool would be called "git_status", like one in ${b?.path}` },
    ]);
  });

  it('names of Deskterity’s own tools are reserved', async () => {
    await stage.trustFile(await stage.write('config/tools/a.json', tool('doctor')), tool('doctor'));
    const catalogue = await createToolCatalogue({ ...stage.parts, isTaken: (name) => name === 'doctor' });
    expect(catalogue.snapshot.files[0]?.problems).toMatchObject([
      { message: '"doctor" is a tool of Deskterity itself' },
    ]);
  });

  it('a tool that requests write access to trust is invalid', async () => {
    const catalogue = await catalogueOf([
      ['config/tools/a.json', tool('evil', { sandbox: { write: [join(stage.root, 'config')] } })],
    ]);
    expect(catalogue.snapshot.files[0]).toMatchObject({
      state: 'invalid',
      problems: [{ pointer: '/sandbox' }],
    });
  });

  it('sequences call only existing, trusted and available tools', async () => {
    const sequence = (name: string, ...steps: string[]) =>
      tool(name, { command: 'sequence', sequence: steps.map((step) => ({ tool: step })) });
    const P = 'config/tools';
    const catalogue = await catalogueOf(
      [
        [`${P}/good.json`, tool('good')],
        [`${P}/gone.json`, tool('gone', { command: 'no-such-program', install_instructions: 'Install it.' })],
        [`${P}/s1.json`, sequence('s1', 'good', 'good')],
        [`${P}/s2.json`, sequence('s2', 'good', 'new')],
        [`${P}/s3.json`, sequence('s3', 'gone')],
        [`${P}/s4.json`, sequence('s4', 'nobody')],
        [`${P}/s5.json`, sequence('s5', 's4')],
        [`${P}/s6.json`, sequence('s6', 's6')],
      ],
      [[`${P}/new.json`, tool('new')]],
    );
    expect(short(catalogue.snapshot)).toEqual([
      'user:gone unavailable [gone unavailable]',
      'user:good ready [good ready]',
      'user:new untrusted [new untrusted]',
      'user:s1 ready [s1 ready]',
      'user:s2 unavailable [s2 unavailable]',
      'user:s3 unavailable [s3 unavailable]',
      'user:s4 invalid',
      'user:s5 unavailable [s5 unavailable]',
      'user:s6 invalid',
    ]);
    expect(() => catalogue.require('s2')).toThrow(
      's2 is unavailable: its step new is untrusted: its file is not trusted.',
    );
    expect(() => catalogue.require('s3')).toThrow(
      's3 is unavailable: its step gone is unavailable: "no-such-program" was not found.',
    );
    expect(() => catalogue.require('s5')).toThrow('s5 is unavailable: its step s4 is invalid.');
  });
});

it('survives any files in the folder', async () => {
  const folder = join(stage.scope, '.deskterity/tools');
  await stage.trustFile(await stage.write('scope/.deskterity/tools/good.json', tool('good')), tool('good'));
  execFileSync('mkfifo', [join(folder, 'pipe.json')]);
  await symlink('/dev/zero', join(folder, 'zero.json'));
  await symlink('nowhere', join(folder, 'lost.json'));
  await symlink('loop.json', join(folder, 'loop.json'));
  await mkdir(join(folder, 'folder.json'));
  await writeFile(join(folder, 'large.json'), Buffer.alloc(1_000_000));
  const before = performance.now();
  const catalogue = await createToolCatalogue(stage.parts);
  expect(performance.now() - before).toBeLessThan(5000);
  expect(short(catalogue.snapshot)).toEqual([
    'project:folder invalid',
    'project:good ready [good ready]',
    'project:large invalid',
    'project:loop invalid',
    'project:pipe invalid',
    'project:zero invalid',
  ]);
  expect(catalogue.snapshot.files.map(({ problems }) => problems[0]?.message)).toEqual([
    'it is a folder',
    undefined,
    'it is larger than 262144 bytes',
    'it cannot be read (ELOOP)',
    'it is not a regular file',
    'it is not a regular file',
  ]);
});

it('reads a limited number of files, and reports it', async () => {
  for (let n = 0; n < 205; n++)
    await stage.write(`config/tools/t${String(n).padStart(3, '0')}.json`, tool(`t${n}`));
  const { snapshot } = await createToolCatalogue(stage.parts);
  expect(snapshot.files).toHaveLength(200);
  expect(snapshot.problems).toEqual([
    `the folder ${stage.root}/config/tools has 205 tool files; only the first 200 are read`,
  ]);
});

it('reads a limited number of bytes, and reports it', async () => {
  const large = JSON.stringify(tool('x', { description: 'x' })).padEnd(262_144);
  for (let n = 0; n < 20; n++) await stage.write(`config/tools/t${n + 10}.json`, large);
  const { snapshot } = await createToolCatalogue(stage.parts);
  expect(snapshot.files).toHaveLength(17);
  expect(snapshot.problems).toEqual([
    `the tool files of ${stage.root}/config/tools are larger than 4194304 bytes in total; t27.json and later ones are not read`,
  ]);
});

/** Time passes only when the test says so. */
function manualClock() {
  let nowMs = 0;
  const waiting = new Set<{ readonly atMs: number; readonly wake: () => void }>();
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const entry = { atMs: nowMs + ms, wake: resolve };
      waiting.add(entry);
      signal?.addEventListener('abort', () => {
        waiting.delete(entry);
        reject(new Error('aborted'));
      });
    });
  const pass = async (ms: number) => {
    nowMs += ms;
    for (const entry of waiting) {
      if (entry.atMs > nowMs) continue;
      waiting.delete(entry);
      entry.wake();
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { now: () => nowMs, sleep, pass };
}

describe('watching', () => {
  it('reports files that are created, changed or removed, and trust by another process', async () => {
    const catalogue = await createToolCatalogue(stage.parts);
    const told: string[][] = [];
    ends.push(catalogue.watch((snapshot) => told.push(short(snapshot))));
    const place = 'scope/.deskterity/tools/git.json';
    const path = await stage.write(place, tool('git'));
    await expect
      .poll(() => told.at(-1), { timeout: 5000 })
      .toEqual(['project:git untrusted [git untrusted]']);
    await stage.trustFile(path, tool('git'));
    await expect.poll(() => told.at(-1), { timeout: 5000 }).toEqual(['project:git ready [git ready]']);
    await writeFile(`${path}.tmp`, textOf(tool('git', { subcommand: [sub('log')] })));
    await rename(`${path}.tmp`, path);
    await expect
      .poll(() => told.at(-1), { timeout: 5000 })
      .toEqual(['project:git untrusted [git_log untrusted]']);
    await rm(path);
    await expect.poll(() => told.at(-1), { timeout: 5000 }).toEqual([]);
    expect(stage.log).toEqual([]);
  });

  it('waits until a file is written, and is silent if nothing has changed', async () => {
    await stage.trustFile(await stage.write('config/tools/git.json', tool('git')), tool('git'));
    const clock = manualClock();
    let readings = 0;
    let changed = (): void => undefined;
    const counted = await createToolCatalogue({
      ...stage.parts,
      clock,
      folders: {
        ...stage.parts.folders,
        list: (folder) => {
          readings += folder.endsWith('config/tools') ? 1 : 0;
          return stage.parts.folders.list(folder);
        },
        watch: (_folder, listener) => {
          changed = () => {
            listener();
          };
          return () => undefined;
        },
      },
    });
    const told: string[][] = [];
    ends.push(counted.watch((snapshot) => told.push(short(snapshot))));
    const before = readings;
    const change = async (times: number): Promise<number> => {
      for (let n = 0; n < times; n++) {
        changed();
        await clock.pass(10);
      }
      return readings - before;
    };
    expect(await change(20)).toBe(0);
    await clock.pass(100);
    await expect.poll(() => readings - before, { timeout: 5000 }).toBe(1);
    // Changes without end are read once a second.
    expect(await change(99)).toBe(1);
    await change(2);
    await expect.poll(() => readings - before, { timeout: 5000 }).toBe(2);
    expect(told).toEqual([]);
    expect(short(counted.snapshot)).toEqual(['user:git ready [git ready]']);
  });

  it('ends', async () => {
    const catalogue = await createToolCatalogue(stage.parts);
    let told = 0;
    catalogue.watch(() => (told += 1))();
    await stage.write('config/tools/git.json', tool('git'));
    // Longer than a change takes to be told.
    await sleep(400);
    expect(told).toBe(0);
  });
});
