import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadProgram } from '../../../src/processes/bin/load-program.ts';
import { copyProgram } from '../../program-copy.ts';

describe('a program', () => {
  let folder = '';
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dk-'));
    await mkdir(join(folder, 'chunks'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is loaded with the files that it requires, each of them once, also in a circle', async () => {
    await file(
      'chunks/part.cjs',
      "exports.early = require('../main.cjs').name; exports.list = []; exports.folder = __dirname;",
    );
    const main = await file(
      'main.cjs',
      "exports.name = 'main'; const part = require('./chunks/part.cjs'); require('./chunks/part.cjs').list.push(1); exports.part = part; exports.isFile = require('node:path').isAbsolute(__filename);",
    );
    const loaded = loadProgram(main);
    expect(loaded).toEqual({
      name: 'main',
      part: { early: 'main', list: [1], folder: join(folder, 'chunks') },
      isFile: true,
    });
    expect(loadProgram(main)).toBe(loaded);
  });

  it('that fails is not half there afterwards', async () => {
    const main = await file('broken.cjs', "exports.half = true; throw new Error('It is broken.');");
    expect(() => loadProgram(main)).toThrow('It is broken.');
    expect(() => loadProgram(main)).toThrow('It is broken.');
  });
});

describe('what the build compiled', () => {
  let program = '';
  const compiled = (name = '') => join(program, 'compiled', name);
  const names = () => readdirSync(compiled()).filter((name) => name.endsWith('.bin'));

  /** Loads the host with it in a new process, and says of each file whether V8 took it. */
  async function taken(...words: readonly string[]): Promise<Record<string, boolean>> {
    const source = `const { loadProgram, scripts } = require('./load-program.cjs');
      const host = loadProgram(require('node:path').resolve('host-program.cjs'));
      if (typeof host.openInProcess !== 'function') throw new Error('It is no host.');
      const of = (script) => script.cachedDataRejected === false;
      console.log(JSON.stringify(Object.fromEntries([...scripts].map(([name, script]) => [name, of(script)]))));`;
    const args = ['--eval', source, '--', ...words];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: program });
    return Object.fromEntries(Object.entries(JSON.parse(stdout)).map(([name, is]) => [name, is === true]));
  }

  beforeAll(async () => {
    program = await mkdtemp(join(tmpdir(), 'dk-'));
    await copyProgram(program, () => true);
  }, 60_000);
  afterAll(() => rm(program, { recursive: true, force: true }));

  it('is of the daemon with all chunks that it starts with, and V8 takes it in another folder', async () => {
    expect(names().filter((name) => name.startsWith('daemon-program.cjs.'))).toHaveLength(1);
    const chunks = Object.entries(await taken()).filter(([name]) => !name.startsWith('host-program.cjs.'));
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.filter(([, is]) => !is)).toEqual([]);
  });

  it('does not name the folder of the build', () => {
    const paths = names().filter((name) => readFileSync(compiled(name)).includes(process.cwd()));
    expect(paths).toEqual([]);
  });

  it('is not used by another Node, nor by a daemon that was killed while it started', async () => {
    expect(Object.values(await taken('compile-anew'))).not.toContain(true);
    const madeBy = await readFile(compiled('made-by.json'), 'utf8');
    await writeFile(compiled('made-by.json'), madeBy.replace(process.versions.node, '20.19.0'));
    expect(Object.values(await taken())).not.toContain(true);
    await writeFile(compiled('made-by.json'), madeBy);
  });

  it('is not used for a file that was changed, even to a text of the same length', async () => {
    const [first = ''] = Object.keys(await taken()).filter((name) => name.startsWith('chunk-'));
    const chunk = join(program, 'chunks', first.replace(/\.[0-9a-f]+$/, ''));
    const text = await readFile(chunk, 'utf8');
    await writeFile(chunk, text.replace(/;\n/, ' \n'));
    const changed = await taken();
    await writeFile(chunk, text);
    expect(changed[first]).toBeUndefined();
    expect(Object.values(changed).filter((is) => !is).length).toBeGreaterThan(1);
  });

  it('is compiled again where a file is cut off, missing, or of another text', async () => {
    const whole = await mkdtemp(join(tmpdir(), 'dk-'));
    await cp(compiled(), whole, { recursive: true });
    const [cut = '', missing = '', other = ''] = Object.keys(await taken()).filter((name) =>
      name.startsWith('chunk-'),
    );
    await truncate(compiled(`${cut}.bin`), 100);
    await rm(compiled(`${missing}.bin`));
    await writeFile(compiled(`${other}.bin`), new Script('0').createCachedData());
    const { [cut]: first, [missing]: second, [other]: third } = await taken();
    expect([first, second, third]).toEqual([false, false, false]);
    await cp(whole, compiled(), { recursive: true });
    await rm(whole, { recursive: true });
  });
});
