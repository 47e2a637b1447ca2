import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandArguments } from '../../../src/toolfiles/run/command-line.ts';
import { runnableTools } from '../../../src/toolfiles/run/runnable-tool.ts';
import { sandboxPlaces } from '../../../src/toolfiles/run/sandbox-places.ts';
import { argumentsSchema, splitInput } from '../../../src/toolfiles/run/tool-input.ts';
import { createPrograms, findProgram } from '../../toolfiles/support/programs.ts';
import { goodFile } from '../../toolfiles/support/tool-file.ts';

// The command lines of the ready files, on the programs of this machine; what came of them is looked at from outside.

const READY = join(import.meta.dirname, '../../../tools');
const tools = new Map(
  readdirSync(READY)
    .flatMap((name) => runnableTools(goodFile(readFileSync(join(READY, name), 'utf8'))))
    .map((tool) => [tool.name, tool]),
);

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deskterity-ready-')));
  mkdirSync(join(folder, 'home'));
});
afterAll(() => {
  // Go makes what it has fetched read-only.
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, text: string) => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Runs a ready tool with an input, as a host would. */
async function run(name: string, input: object, below = '.') {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no ${name}`);
  const { given } = splitInput(tool, argumentsSchema(tool).strict().parse(input));
  const { set, pass } = sandboxPlaces(tool.sandbox, { scope: folder, home: homedir(), guarded: [] });
  // Nothing of the caller's but what the file asks for, and another home: as in the sandbox.
  const kept = ['PATH', 'LANG', ...pass].map((key) => [key, process.env[key]]);
  const environment = {
    ...Object.fromEntries(kept),
    HOME: join(folder, 'home'),
    TMPDIR: folder,
    ...IDENTITY,
    ...set,
  };
  return createPrograms(join(folder, below), environment).run(
    [tool.program, ...commandArguments(tool, given)],
    {
      timeoutMs: 100_000,
    },
  );
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.invalid',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.invalid',
};

async function ok(name: string, input: object = {}, below = '.'): Promise<string> {
  const { exitCode, stdout, stderr } = await run(name, input, below);
  expect(exitCode, `${name}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}

/** Skips where a program is not installed. */
async function needs(program: string, skip: (condition: boolean, reason: string) => void): Promise<void> {
  skip((await findProgram(program)) === undefined, `${program} is not installed`);
}

it('git: a repository from its first commit to a clone', { timeout: 120_000 }, async ({ skip }) => {
  await needs('git', skip);
  await ok('git_init', { initial_branch: 'main', folder: 'repo' });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: join(folder, 'repo'), encoding: 'utf8' });
  const repo = (name: string, input: object = {}) => ok(name, input, 'repo');
  file('repo/a.txt', 'one\ntwo\n');
  file('repo/-dash.txt', 'dash\n');
  await repo('git_add', { paths: ['a.txt', '-dash.txt'] });
  expect(await repo('git_status', { short: true })).toBe('A  -dash.txt\nA  a.txt\n');
  await repo('git_commit', { message: '-- first: "quoted" $HOME' });
  expect(git('log', '--format=%s')).toBe('-- first: "quoted" $HOME\n');
  file('repo/a.txt', 'one\n2\n');
  expect(await repo('git_diff', { from: 'HEAD', paths: ['a.txt'], unified: 0 })).toContain('-two\n+2\n');
  await repo('git_commit', { message: 'second', all: true });
  expect(await repo('git_log', { oneline: true, max_count: 1, revision: 'main', paths: ['a.txt'] })).toMatch(
    /^[0-9a-f]+ second\n$/,
  );
  expect(await repo('git_log', { pickaxe: 'two', format: '%s' })).toBe('second\n-- first: "quoted" $HOME\n');
  expect(await repo('git_log', { paths: ['-dash.txt'], format: '%s' })).toBe('-- first: "quoted" $HOME\n');
  expect(await repo('git_show', { object: 'HEAD~1:a.txt' })).toBe('one\ntwo\n');
  expect(await repo('git_blame', { file: 'a.txt', revision: 'HEAD', lines: '2,2' })).toContain(' 2) 2');
  expect(await repo('git_grep', { pattern: '-dash|dash', extended_regexp: true, paths: ['.'] })).toBe(
    '-dash.txt:1:dash\n',
  );
  expect(await repo('git_ls-files', {})).toBe('-dash.txt\na.txt\n');
  await repo('git_switch', { create: 'topic' });
  await repo('git_mv', { source: '-dash.txt', destination: 'dash.txt' });
  await repo('git_commit', { message: 'moved' });
  await repo('git_switch', { branch: '-' });
  expect(git('branch', '--show-current')).toBe('main\n');
  await repo('git_merge', { no_ff: true, message: 'joined', commits: ['topic'] });
  expect(git('log', '-1', '--format=%s %p')).toMatch(/^joined \w+ \w+\n$/);
  await repo('git_tag', { name: 'v1', annotate: true, message: 'one' });
  expect(git('tag')).toBe('v1\n');
  file('repo/a.txt', 'changed\n');
  await repo('git_stash_push', { message: '-later' });
  expect(await repo('git_stash_list')).toContain('-later');
  expect(await repo('git_stash_show')).toContain('+changed');
  await repo('git_stash_pop');
  await repo('git_restore', { paths: ['a.txt'] });
  expect(read('repo/a.txt')).toBe('one\n2\n');
  await repo('git_reset', { hard: true, commit: 'HEAD~1' });
  await repo('git_worktree_add', { folder: '../tree', new_branch: 'beside' });
  expect(await repo('git_worktree_list')).toContain('[beside]');
  await repo('git_worktree_remove', { folder: '../tree' });
  await repo('git_remote_add', { name: 'up', url: join(folder, 'repo') });
  expect(await repo('git_remote')).toContain(`up\t${join(folder, 'repo')} (fetch)`);
  await ok('git_clone', { repository: join(folder, 'repo'), folder: 'clone', depth: 1 });
  expect(existsSync(join(folder, 'clone/a.txt'))).toBe(true);
  await ok('git_fetch', { remote: 'origin', prune: true }, 'clone');
  await ok('git_pull', { ff_only: true }, 'clone');
  await repo('git_branch', { name: 'topic', delete: true, force: true });
  expect(git('branch')).not.toContain('topic');
});

it('git: a value that begins with a dash is refused where git could read it as an option', async () => {
  for (const [name, input] of [
    ['git_log', { revision: '--output=/tmp/x' }],
    ['git_fetch', { remote: '--upload-pack=x' }],
    ['git_switch', { branch: '--orphan' }],
    ['git_show', { object: '--output=x' }],
    ['git_rebase', { upstream: '--exec=id' }],
  ] as const)
    await expect(run(name, input)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

it('npm: scripts and package.json', { timeout: 120_000 }, async ({ skip }) => {
  await needs('npm', skip);
  file(
    'app/package.json',
    '{"name":"app","version":"1.0.0","scripts":{"note":"node note.js","test":"node note.js test"}}',
  );
  file('app/note.js', 'require("fs").writeFileSync("noted.json", JSON.stringify(process.argv.slice(2)))');
  await ok('npm_run', { script: 'note', arguments: ['--flag', 'a b', '$HOME'], loglevel: 'silent' }, 'app');
  expect(read('app/noted.json')).toBe('["--flag","a b","$HOME"]');
  await ok('npm_test', { arguments: ['-x'] }, 'app');
  expect(read('app/noted.json')).toBe('["test","-x"]');
  await ok('npm_pkg_set', { values: ['license=MIT'] }, 'app');
  expect(JSON.parse(await ok('npm_pkg_get', { keys: ['license'] }, 'app'))).toBe('MIT');
  await ok('npm_version', { version: 'minor', no_git_tag_version: true }, 'app');
  expect(JSON.parse(read('app/package.json'))).toMatchObject({ version: '1.1.0', license: 'MIT' });
  file('dep/package.json', '{"name":"dep","version":"2.0.0"}');
  await ok(
    'npm_install',
    { packages: [`file:${join(folder, 'dep')}`], save_dev: true, offline: true },
    'app',
  );
  expect(JSON.parse(read('app/package.json'))).toMatchObject({ devDependencies: { dep: 'file:../dep' } });
  expect(JSON.parse(await ok('npm_ls', { json: true }, 'app'))).toMatchObject({
    dependencies: { dep: { version: '2.0.0' } },
  });
});

it('node: scripts, code, checks and tests', { timeout: 60_000 }, async ({ skip }) => {
  await needs('node', skip);
  file('args.js', 'console.log(JSON.stringify([process.env.A, ...process.argv.slice(2)]))');
  file('my.env', 'A=1\n');
  expect(
    await ok('node_run', { script: 'args.js', arguments: ['--x', '-y', ''], env_file: ['my.env'] }),
  ).toBe('["1","--x","-y",""]\n');
  expect(await ok('node_eval', { code: '-1 + 2', print: true })).toBe('1\n');
  expect(await ok('node_eval', { code: 'console.log(process.argv.slice(1))', arguments: ['--a'] })).toBe(
    "[ '--a' ]\n",
  );
  await ok('node_check', { script: 'args.js' });
  file('wrong.js', 'let = ;');
  expect(await run('node_check', { script: 'wrong.js' })).toMatchObject({ exitCode: 1 });
  file(
    'sum.test.js',
    'const { test } = require("node:test"); test("adds", () => {}); test("other", () => { throw new Error("no"); });',
  );
  expect(await ok('node_test', { files: ['sum.test.js'], test_name_pattern: '^adds' })).toMatch(/pass 1/);
});

it('python: scripts, code, modules, tests and environments', { timeout: 120_000 }, async ({ skip }) => {
  await needs('python3', skip);
  file('args.py', 'import sys; print(sys.argv[1:])');
  expect(await ok('python_run', { script: 'args.py', arguments: ['-x', '--y'] })).toBe("['-x', '--y']\n");
  expect(await ok('python_eval', { code: 'import sys; print(sys.argv[1:])', arguments: ['-x'] })).toBe(
    "['-x']\n",
  );
  file('data.json', '{"a":1}');
  expect(await ok('python_module', { module: 'json.tool', arguments: ['--compact', 'data.json'] })).toBe(
    '{"a":1}\n',
  );
  file('test_it.py', 'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n');
  const { stderr } = await run('python_unittest', {
    targets: ['test_it'],
    verbose: true,
    pattern: ['test_a'],
  });
  expect(stderr).toMatch(/Ran 1 test[^]*OK/);
  await ok('python_compile', { files: ['args.py'] });
  await ok('python_venv', { folder: 'venv', without_pip: true });
  expect(existsSync(join(folder, 'venv/bin/python'))).toBe(true);
});

it('pip lists installed packages', { timeout: 60_000 }, async ({ skip }) => {
  await needs('python3', skip);
  const { exitCode, stdout, stderr } = await run('python_pip_list', { format: 'freeze' });
  skip(/No module named pip\b/.test(stderr), 'pip is not installed');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('pip==') });
});

it('pytest', { timeout: 60_000 }, async ({ skip }) => {
  await needs('python3', skip);
  file('py/test_x.py', 'def test_a(): pass\ndef test_b(): assert False\n');
  const { exitCode, stdout, stderr } = await run(
    'python_pytest',
    { keyword: 'test_a', quiet: true, traceback: 'no' },
    'py',
  );
  skip(/No module named pytest\b/.test(stderr), 'pytest is not installed');
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining('1 passed, 1 deselected'),
  });
  expect(
    await run('python_pytest', { targets: ['test_x.py::test_b'], no_capture: true }, 'py'),
  ).toMatchObject({ exitCode: 1 });
});

it('cargo: a package that is created, changed, tested and run', { timeout: 180_000 }, async ({ skip }) => {
  await needs('cargo', skip);
  await ok('cargo_new', { folder: 'lib', lib: true, vcs: 'none' });
  await ok('cargo_new', { folder: 'bin', vcs: 'none' });
  await ok('cargo_add', { path: '../lib', crates: ['lib'] }, 'bin');
  expect(read('bin/Cargo.toml')).toContain('lib = { version = "0.1.0", path = "../lib" }');
  file(
    'bin/src/main.rs',
    'fn main() { println!("{:?} {}", std::env::args().skip(1).collect::<Vec<_>>(), lib::add(1, 2)); }',
  );
  expect(await ok('cargo_run', { arguments: ['--x', 'a b'], offline: true }, 'bin')).toBe(
    '["--x", "a b"] 3\n',
  );
  expect(
    await ok('cargo_test', { filter: 'it_works', arguments: ['--nocapture'], offline: true }, 'lib'),
  ).toContain('1 passed');
  expect(await ok('cargo_tree', { depth: 1, offline: true }, 'bin')).toContain('lib v0.1.0');
  expect(JSON.parse(await ok('cargo_metadata', { no_deps: true }, 'bin'))).toMatchObject({
    packages: [{ name: 'bin' }],
  });
  await ok('cargo_remove', { crates: ['lib'] }, 'bin');
  expect(read('bin/Cargo.toml')).not.toContain('lib');
});

it('go: a module that is created, tested and run', { timeout: 180_000 }, async ({ skip }) => {
  await needs('go', skip);
  file(
    'gomod/main.go',
    'package main\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc main() { fmt.Println(os.Args[1:]) }\n',
  );
  file(
    'gomod/main_test.go',
    'package main\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { t.Fatal() }\n',
  );
  await ok('go_mod_init', { module: 'example.com/x' }, 'gomod');
  expect(await ok('go_run', { package: '.', arguments: ['-v', 'x'] }, 'gomod')).toBe('[-v x]\n');
  expect(await ok('go_test', { run: '^TestA$', count: 1, packages: ['./...'] }, 'gomod')).toMatch(/^ok/);
  await ok('go_build', { output: 'out/', packages: ['.'] }, 'gomod');
  expect(execFileSync(join(folder, 'gomod/out/x'), ['y'], { encoding: 'utf8' })).toBe('[y]\n');
  expect(await ok('go_list', { packages: ['./...'] }, 'gomod')).toBe('example.com/x\n');
  expect(await ok('go_env', { names: ['GOOS'] }, 'gomod')).toBe('linux\n');
});

describe('small tools', () => {
  it('make', { timeout: 60_000 }, async ({ skip }) => {
    await needs('make', skip);
    file('mk/my.mk', 'all:\n\t@echo $(NAME)\n-odd:\n\t@echo odd\n');
    expect(await ok('make', { file: 'my.mk', jobs: 2, targets: ['all', 'NAME=x y'] }, 'mk')).toBe('x y\n');
    expect(await ok('make', { file: 'my.mk', targets: ['-odd'] }, 'mk')).toBe('odd\n');
    expect(await ok('make', { file: 'my.mk', dry_run: true, directory: '.' }, 'mk')).toContain('echo');
  });

  it('jq', { timeout: 60_000 }, async ({ skip }) => {
    await needs('jq', skip);
    file('x.json', '{"b":[1,2],"a":"t"}');
    expect(await ok('jq', { filter: '.b[]', files: ['x.json'], compact: true })).toBe('1\n2\n');
    expect(await ok('jq', { filter: '.', files: ['x.json'], sort_keys: true, indent: 1 })).toBe(
      '{\n "a": "t",\n "b": [\n  1,\n  2\n ]\n}\n',
    );
    expect(await ok('jq', { filter: '1 + 1', null_input: true })).toBe('2\n');
    expect(await run('jq', { filter: '.none', files: ['x.json'], exit_status: true })).toMatchObject({
      exitCode: 1,
    });
  });

  it('rg', { timeout: 60_000 }, async ({ skip }) => {
    await needs('rg', skip);
    file('find/a.ts', 'const x = -1;\n');
    file('find/b.md', 'x = -1\n');
    expect(await ok('rg', { pattern: '-1', glob: ['*.ts'], paths: ['find'] })).toBe(
      'find/a.ts:1:const x = -1;\n',
    );
    expect(
      await ok('rg', {
        pattern: 'X',
        ignore_case: true,
        files_with_matches: true,
        sort: 'path',
        paths: ['find'],
      }),
    ).toBe('find/a.ts\nfind/b.md\n');
  });

  it('docker reports its version', { timeout: 60_000 }, async ({ skip }) => {
    await needs('docker', skip);
    const { stdout } = await run('docker_version', { format: '{{.Client.Version}}' });
    expect(stdout).toMatch(/^\d+\.\d+/);
  });

  it('gh accepts its command lines', { timeout: 60_000 }, async ({ skip }) => {
    await needs('gh', skip);
    // Without an account it goes no further than its own arguments.
    const { stderr } = await run('gh_pr_list', {
      state: 'open',
      limit: 3,
      json: 'number,title',
      label: ['a', 'b'],
    });
    expect(stderr).toMatch(/auth login|GH_TOKEN|not a git repository|no git remotes/i);
    expect(stderr).not.toMatch(/unknown flag|invalid argument/i);
  });
});
