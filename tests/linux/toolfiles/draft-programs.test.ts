import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flagOf } from '../../../src/model/tools/tool-file-parameters.ts';
import { commandArguments } from '../../../src/toolfiles/run/command-line.ts';
import { draftToolFile, type ToolFileDraft } from '../../../src/toolfiles/draft/draft-tool-file.ts';
import { runnableTools } from '../../../src/toolfiles/run/runnable-tool.ts';
import { argumentsSchema, type ToolArguments } from '../../../src/toolfiles/run/tool-input.ts';
import { splitInput } from '../../../src/toolfiles/run/tool-input.ts';
import { createPrograms, findProgram } from '../../toolfiles/support/programs.ts';
import { parse } from '../../toolfiles/support/tool-file.ts';

// Drafts from what the programs of this machine say about themselves: each is validated, and its command lines are tried on the program.

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deskterity-draft-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const drafts = new Map<string, Promise<ToolFileDraft>>();

/** Programs that take a second for each text, or have very many. */
const MOST_TEXTS: Readonly<Record<string, number>> = { npm: 8, gh: 30, docker: 30 };

/** A draft, made once: a program with many subcommands takes seconds. */
function draftOf(program: string): Promise<ToolFileDraft> {
  const draft =
    drafts.get(program) ??
    draftToolFile(program, {
      run: (command, limits) => createPrograms(folder).run(command, limits),
      mostTexts: MOST_TEXTS[program],
    });
  drafts.set(program, draft);
  return draft;
}

/** Runs a drafted tool with an input. */
async function call(
  program: string,
  name: string,
  input: object,
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const { tool } = await draftOf(program);
  const runnable = runnableTools(tool).find((candidate) => candidate.name === name);
  if (runnable === undefined) throw new Error(`no ${name} was drafted`);
  const given: ToolArguments = splitInput(runnable, argumentsSchema(runnable).strict().parse(input)).given;
  return createPrograms(folder).run([runnable.program, ...commandArguments(runnable, given)], {
    timeoutMs: 20_000,
  });
}

/** Program, fewest tools and fewest options that are to be found. */
const PROGRAMS: readonly (readonly [string, number, number])[] = [
  ['git', 18, 300],
  ['node', 1, 100],
  ['npm', 5, 30],
  ['python3', 1, 10],
  ['tar', 1, 120],
  ['curl', 1, 8],
  ['jq', 1, 10],
  ['make', 1, 20],
  ['cargo', 10, 150],
  ['docker', 20, 100],
  ['pytest', 1, 80],
  ['gh', 15, 60],
  ['go', 12, 20],
  ['rg', 1, 80],
  ['ls', 1, 40],
  ['sort', 1, 20],
];

describe.each(PROGRAMS)('%s', (program, fewestTools, fewestOptions) => {
  it('has a valid draft with real options', { timeout: 120_000 }, async ({ skip }) => {
    skip((await findProgram(program)) === undefined, `${program} is not installed`);
    const draft = await draftOf(program);
    expect(parse(draft.text).problems).toBeUndefined();
    const tools = runnableTools(draft.tool);
    expect(tools.length).toBeGreaterThanOrEqual(fewestTools);
    const options = tools.flatMap((tool) => tool.levels.flatMap((level) => level.options));
    expect(options.length).toBeGreaterThanOrEqual(fewestOptions);
    expect(options.filter(({ name }) => /^(?:help|version)$/.test(name))).toEqual([]);
    // A sample against the text itself, by other means than those that read it.
    const words = tools[0]?.levels.flatMap((level) => level.words) ?? [];
    const texts = await Promise.all(
      [
        [...words, '--help'],
        [...words, '-h'],
        ['help', ...words],
      ].map((way) => createPrograms(folder).run([program, ...way], { timeoutMs: 20_000 })),
    );
    const help = texts.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    for (const option of tools[0]?.levels.flatMap((level) => level.options) ?? []) {
      const flag = flagOf(option);
      expect(help.includes(flag) || help.includes(flag.replace(/^--/, '--[no-]')), `${program} ${flag}`).toBe(
        true,
      );
    }
  });
});

describe('drafted tools work', () => {
  const needs = async (program: string, skip: (condition: boolean, reason: string) => void) => {
    skip((await findProgram(program)) === undefined, `${program} is not installed`);
  };

  it('tar packs and lists', { timeout: 60_000 }, async ({ skip }) => {
    await needs('tar', skip);
    writeFileSync(join(folder, 'one.txt'), '1');
    writeFileSync(join(folder, '-two.txt'), '2');
    const packed = await call('tar', 'tar', {
      create: true,
      file: 'a.tar',
      file_argument: ['one.txt', '-two.txt'],
    });
    expect(packed).toMatchObject({ exitCode: 0 });
    expect(execFileSync('tar', ['-tf', join(folder, 'a.tar')], { encoding: 'utf8' })).toBe(
      'one.txt\n./-two.txt\n',
    );
    expect(await call('tar', 'tar', { list: true, file: 'a.tar' })).toMatchObject({
      stdout: 'one.txt\n./-two.txt\n',
    });
  });

  it('jq reads', { timeout: 60_000 }, async ({ skip }) => {
    await needs('jq', skip);
    writeFileSync(join(folder, 'x.json'), '{"b": "two", "a": 1}');
    expect(await call('jq', 'jq', { c: true, S: true, jq_filter: '.', file: ['x.json'] })).toMatchObject({
      stdout: '{"a":1,"b":"two"}\n',
    });
    expect(await call('jq', 'jq', { r: true, jq_filter: '.b', file: ['x.json'] })).toMatchObject({
      stdout: 'two\n',
    });
  });

  it('curl reads a file and writes another', { timeout: 60_000 }, async ({ skip }) => {
    await needs('curl', skip);
    writeFileSync(join(folder, 'page.txt'), 'a page');
    expect(
      await call('curl', 'curl', {
        silent: true,
        output: 'copy.txt',
        url: `file://${join(folder, 'page.txt')}`,
      }),
    ).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder, 'copy.txt'), 'utf8')).toBe('a page');
  });

  it('make builds a target of a makefile', { timeout: 60_000 }, async ({ skip }) => {
    await needs('make', skip);
    writeFileSync(join(folder, 'rules.mk'), 'all:\n\t@echo built > built.txt\n');
    expect(
      await call('make', 'make', { file: 'rules.mk', dry_run: true, target: ['all'] }).catch(() => undefined),
    ).toBeUndefined();
    expect(await call('make', 'make', { file: 'rules.mk', just_print: true, target: ['all'] })).toMatchObject(
      { stdout: 'echo built > built.txt\n' },
    );
    expect(existsSync(join(folder, 'built.txt'))).toBe(false);
    expect(await call('make', 'make', { file: 'rules.mk', jobs: 2, target: ['all'] })).toMatchObject({
      exitCode: 0,
    });
    expect(existsSync(join(folder, 'built.txt'))).toBe(true);
  });

  it('python runs code', { timeout: 60_000 }, async ({ skip }) => {
    await needs('python3', skip);
    expect(await call('python3', 'python3', { c: 'print(6 * 7)' })).toMatchObject({ stdout: '42\n' });
  });

  it('node runs code', { timeout: 60_000 }, async ({ skip }) => {
    await needs('node', skip);
    expect(await call('node', 'node', { eval: 'console.log(6 * 7)' })).toMatchObject({ stdout: '42\n' });
  });

  it('git creates a repository and reports its state', { timeout: 120_000 }, async ({ skip }) => {
    await needs('git', skip);
    expect(await call('git', 'git_init', { initial_branch: 'trunk', directory: 'repo' })).toMatchObject({
      exitCode: 0,
    });
    expect(readFileSync(join(folder, 'repo/.git/HEAD'), 'utf8')).toBe('ref: refs/heads/trunk\n');
    expect(
      await call('git', 'git_clone', { quiet: true, bare: true, repo: 'repo', dir: 'copy' }),
    ).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(folder, 'copy/HEAD'))).toBe(true);
  });

  it('cargo creates a package', { timeout: 120_000 }, async ({ skip }) => {
    await needs('cargo', skip);
    expect(
      await call('cargo', 'cargo_new', { lib: true, vcs: 'none', name: 'made', path: 'package' }),
    ).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder, 'package/Cargo.toml'), 'utf8')).toContain('name = "made"');
  });

  it('ripgrep finds', { timeout: 60_000 }, async ({ skip }) => {
    await needs('rg', skip);
    writeFileSync(join(folder, 'text.txt'), 'one\nTwo\n');
    expect(
      await call('rg', 'rg', { ignore_case: true, line_number: true, pattern: 'two', path: ['text.txt'] }),
    ).toMatchObject({ stdout: '2:Two\n' });
  });
});
