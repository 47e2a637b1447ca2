import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flagOf, type ToolOption } from '../../../src/model/tools/tool-file-parameters.ts';
import { runnableTools, type RunnableTool } from '../../../src/toolfiles/run/runnable-tool.ts';
import { createPrograms, findProgram } from '../../toolfiles/support/programs.ts';
import { goodFile } from '../../toolfiles/support/tool-file.ts';

// Every option that a ready file declares is looked for in what the installed program says about itself.

const FOLDER = join(import.meta.dirname, '../../../tools');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deskterity-ready-'));
  // Git looks at options after it has found a repository with something in it.
  if (!existsGit()) return;
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', folder, '-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', ...args],
      {
        stdio: 'ignore',
      },
    );
  git('init', '-q');
  writeFileSync(join(folder, 'file'), 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  writeFileSync(join(folder, 'file'), 'two\n');
  git('stash', 'push', '-q');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How each program is asked about a command of its own, by the words of the command. */
const HELP: Readonly<Record<string, (words: readonly string[]) => readonly (readonly string[])[]>> = {
  // Clippy says that it takes what check and fix take.
  cargo: (words) => [
    [...words, '--help'],
    ...(words[0] === 'clippy' ? ['check', 'fix'].map((name) => [name, '--help']) : []),
  ],
  docker: (words) => [[...words, '--help'], ...(words[0] === 'compose' ? [['compose', '--help']] : [])],
  gh: (words) => [[...words, '--help']],
  git: (words) => [[...words, '-h']],
  go: (words) => [
    ['help', ...words],
    ['help', 'build'],
    ['help', 'testflag'],
  ],
  jq: () => [['--help']],
  make: () => [['--help']],
  node: () => [['--help'], ['--v8-options']],
  // Every command of npm takes every setting; it takes half a second for each text.
  npm: (words) => [
    ['config', 'ls', '--long'],
    [...words, '--help'],
  ],
  python3: (words) => [words[0] === '-m' ? [...words, '--help'] : ['--help']],
  rg: () => [['--help']],
};

/** Programs whose help does not name all options: those are tried, beside one that cannot be known. */
const TRIED: Readonly<
  Record<string, (words: readonly string[], flag: readonly string[]) => readonly string[]>
> = {
  git: (words, flag) => [...words, ...flag],
  jq: (_, flag) => ['-n', ...flag, '.'],
  go: (words, flag) => [...words, ...flag],
};

const UNKNOWN =
  /unknown (?:option|switch|argument|flag)|unrecognized (?:argument|option)|invalid option|not defined|usage: git/i;

describe.each(readdirSync(FOLDER).map((file) => ({ file })))('$file', ({ file }) => {
  const tools = runnableTools(goodFile(readFileSync(join(FOLDER, file), 'utf8')));

  it.for(tools)('$name has its options', { timeout: 60_000 }, async (tool, { skip }) => {
    const { program } = tool;
    if ((await findProgram(program)) === undefined) skip(`${program} is not installed`);
    const words = tool.levels.flatMap((level) => level.words);
    const ways = HELP[program]?.(words) ?? [];
    expect(ways.length).toBeGreaterThan(0);
    let sought = tool.levels.flatMap(({ options }) => options);
    for (const way of ways) {
      // What one text names need not be looked for in another; a command is asked once even where it takes nothing.
      if (sought.length === 0 && way !== ways[0]) break;
      const help = await ask(program, way);
      if (isMissing(help)) skip(`this ${program} has no "${words.join(' ')}"`);
      sought = sought.filter((option) => !isNamed(flagOf(option), help));
    }
    const missing: string[] = [];
    for (const option of sought) if (!(await isAccepted(tool, words, option))) missing.push(flagOf(option));
    expect(missing).toEqual([]);
  });
});

it('would notice a missing option', async () => {
  const help = await ask('node', ['--help']);
  expect(isNamed('--check', help)).toBe(true);
  expect(isNamed('--chec', help)).toBe(false);
  expect(isNamed('--no-such-thing', help)).toBe(false);
});

const answers = new Map<string, Promise<string>>();

function ask(program: string, args: readonly string[]): Promise<string> {
  const key = JSON.stringify([program, args]);
  const answer = answers.get(key) ?? askOnce(program, args);
  answers.set(key, answer);
  return answer;
}

async function askOnce(program: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await createPrograms(folder).run([program, ...args], { timeoutMs: 50_000 });
  return `${stdout}\n${stderr}`;
}

function isNamed(flag: string, help: string): boolean {
  const named = (text: string) =>
    new RegExp(
      String.raw`(?:^|[\s,|[(/'"])${text.replaceAll(/[.*+?^$()[\]{}|\\]/g, String.raw`\$&`)}(?![\w-])`,
      'm',
    ).test(help);
  const setting = new RegExp(`^${flag.slice(2)} = `, 'm');
  return named(flag) || named(flag.replace(/^--/, '--[no-]')) || setting.test(help);
}

/** What is tried changes nothing: an empty folder or repository, and values that name nothing. */
async function isAccepted(
  tool: RunnableTool,
  words: readonly string[],
  option: ToolOption,
): Promise<boolean> {
  const tryIt = TRIED[tool.program];
  if (tryIt === undefined) return false;
  const flag = flagOf(option);
  const value = option.type === 'integer' ? '1' : (option.enum?.[0] ?? 'none');
  const written =
    option.type === 'boolean' ? [flag] : option.separator === '=' ? [`${flag}=${value}`] : [flag, value];
  const control = await ask(tool.program, tryIt(words, ['--deskterity-knows-better']));
  const said = await ask(tool.program, tryIt(words, written));
  return UNKNOWN.test(control) && !UNKNOWN.test(said);
}

/** A command that comes with a package of its own. */
function isMissing(help: string): boolean {
  // Docker answers for a part that it does not have with the help of all others.
  return (
    /Usage:\s+docker \[OPTIONS\] COMMAND/.test(help) ||
    /is not a docker command|unknown command: docker|no such command|No module named|is not a git command/i.test(
      help,
    )
  );
}

function existsGit(): boolean {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
