import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/platform/node/find-program.ts';
import { Published } from './published.ts';

/** Where people's own tools are: some are installed below their home. */
const PATH = process.env['PATH'] ?? '';
const has = (program: string) => findProgram(program, PATH) !== undefined;

describe('real work in the sandbox of the published program', () => {
  let lab: Published;
  let outside: string;
  beforeAll(async () => {
    lab = await Published.open();
    outside = join(lab.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'not for programs');
  });
  afterAll(async () => lab.stop());

  /** Runs a command line as a user does, from the folder of a project. */
  async function work(project: string, command: string): Promise<string> {
    const { exitCode, stdout, stderr } = await lab.desk(
      [
        'sandboxed-shell',
        command,
        '--sandbox-scope',
        project,
        '--execution-mode',
        'sync',
        '--format',
        'text',
      ],
      { ...lab.folders, HOME: process.env['HOME'] },
    );
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
    return stdout;
  }

  function project(name: string, files: Readonly<Record<string, string>>): string {
    const folder = join(lab.folder, name);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    return folder;
  }

  /** What code of each project tries beside its work has come to nothing. */
  function expectKept(): void {
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('not for programs');
  }

  it.skipIf(!has('git'))('clones a repository, commits and pushes (needs git)', async () => {
    const folder = project('git', { 'origin/file': 'first\n' });
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: folder,
        encoding: 'utf8',
        env: {
          PATH,
          GIT_CONFIG_NOSYSTEM: '1',
          HOME: folder,
          GIT_AUTHOR_NAME: 'A',
          GIT_AUTHOR_EMAIL: 'a@example.org',
          GIT_COMMITTER_NAME: 'A',
          GIT_COMMITTER_EMAIL: 'a@example.org',
        },
      });
    git('init', '--quiet', 'origin');
    git('-C', 'origin', 'add', 'file');
    git('-C', 'origin', 'commit', '--quiet', '-m', 'first');
    await work(
      folder,
      'git clone --quiet "file://$PWD/origin" copy && cd copy && git config user.name B && git config user.email b@example.org && ' +
        `printf '#!/bin/sh\\necho x > ${outside}/by-hook; cat ${outside}/secret > stolen' > .git/hooks/post-commit && chmod +x .git/hooks/post-commit && ` +
        'echo second >> file && git commit --quiet -am second; git push --quiet origin HEAD:refs/heads/new',
    );
    expect(git('-C', 'origin', 'log', '--format=%an %s', 'new')).toBe('B second\nA first\n');
    expect(git('-C', 'origin', 'show', 'new:file')).toBe('first\nsecond\n');
    expect(git('-C', 'copy', 'fsck', '--strict')).toBe('');
    expect(readFileSync(join(folder, 'copy/stolen'), 'utf8')).toBe('');
    expectKept();
  });

  it.skipIf(!has('npm'))('installs and builds an npm project without a network (needs npm)', async () => {
    const folder = project('npm', {
      'app/package.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        dependencies: { library: 'file:../library' },
        devDependencies: { builder: 'file:../builder' },
        scripts: { build: 'builder' },
      }),
      'library/package.json': JSON.stringify({ name: 'library', version: '1.2.3', main: 'index.js' }),
      'library/index.js': 'module.exports = () => "made by the library";',
      'builder/package.json': JSON.stringify({ name: 'builder', version: '1.0.0', bin: 'run.js' }),
      'builder/run.js': `#!/usr/bin/env node
        const fs = require('node:fs'), path = require('node:path');
        for (const it of [() => fs.writeFileSync('${outside}/by-npm', 'x'), () => fs.appendFileSync('out', fs.readFileSync('${outside}/secret'))]) try { it(); } catch (error) { fs.appendFileSync('denied', error.code + ' '); }
        fs.writeFileSync('home', process.env.HOME);
        fs.writeFileSync('out', require(path.resolve('node_modules/library'))());`,
    });
    await work(folder, 'cd app && npm install --no-fund && npm run build');
    expect(readFileSync(join(folder, 'app/out'), 'utf8')).toBe('made by the library');
    expect(readFileSync(join(folder, 'app/denied'), 'utf8')).toBe('EACCES EACCES ');
    const lock: unknown = JSON.parse(readFileSync(join(folder, 'app/package-lock.json'), 'utf8'));
    expect(lock).toMatchObject({ packages: { '../library': { version: '1.2.3' } } });
    const home = readFileSync(join(folder, 'app/home'), 'utf8');
    expect(home.startsWith(join(lab.folder, 'cache/deskterity/sandboxes/'))).toBe(true);
    expect(existsSync(join(dirname(home), 'cache/npm/_logs'))).toBe(true);
    expectKept();
  });

  it.skipIf(!has('cargo') && !has('go'))('builds a native program (needs cargo or go)', async () => {
    const folder = project('native', {
      'Cargo.toml': '[package]\nname = "made"\nversion = "0.1.0"\nedition = "2021"\n',
      'build.rs': `fn main() { let _ = std::fs::write("${outside}/by-cargo", "x"); if let Ok(it) = std::fs::read("${outside}/secret") { std::fs::write("stolen", it).unwrap(); } }\n`,
      'src/main.rs': 'fn main() { println!("built {}", 6 * 7); }\n',
      'go.mod': 'module made\n\ngo 1.18\n',
      'main.go': 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("built", 6*7) }\n',
    });
    await work(
      folder,
      has('cargo') ? 'cargo build --quiet' : 'mkdir -p target/debug && go build -o target/debug/made .',
    );
    expect(execFileSync(join(folder, 'target/debug/made'), { encoding: 'utf8' })).toBe('built 42\n');
    expect(existsSync(join(folder, 'stolen'))).toBe(false);
    expectKept();
  });

  it.skipIf(!has('pytest'))('runs the tests of a Python project (needs pytest)', async () => {
    const folder = project('python', {
      'made.py': 'def double(it):\n    return it * 2\n',
      'test_made.py': `import os, pytest
from made import double

def test_double(tmp_path):
    (tmp_path / "file").write_text("x")
    assert double(21) == 42

def test_outside():
    with pytest.raises(PermissionError):
        open("${outside}/secret")
    with pytest.raises(PermissionError):
        open("${outside}/by-pytest", "w")

def test_home():
    open("home", "w").write(os.path.expanduser("~"))
`,
    });
    await work(folder, 'pytest --quiet --junitxml=report.xml');
    expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toMatch(
      /errors="0" failures="0" skipped="0" tests="3"/,
    );
    expect(readFileSync(join(folder, 'home'), 'utf8')).toContain(
      join(lab.folder, 'cache/deskterity/sandboxes/'),
    );
    expectKept();
  });

  it('does not expose the home that contains its programs', async () => {
    const home = project('home', {
      '.cargo/bin/mine': '#!/bin/sh\necho run\ncat "$CREDENTIALS" "$KEY"; echo x >> "$0"\n',
      '.cargo/credentials.toml': 'token = "hidden-token"',
      '.ssh/key': 'hidden-key',
    });
    const scope = project('plain', { file: '' });
    execFileSync('chmod', ['+x', join(home, '.cargo/bin/mine')]);
    const ran = await lab.desk(
      [
        'sandboxed-shell',
        `CREDENTIALS=${home}/.cargo/credentials.toml KEY=${home}/.ssh/key mine`,
        '--sandbox-scope',
        scope,
        '--format',
        'text',
      ],
      {
        HOME: home,
        PATH: `${home}/.cargo/bin:/usr/bin:/bin`,
        ...lab.folders,
      },
    );
    expect(ran.stdout).toMatch(/^run\n/);
    expect(ran.stdout).not.toContain('hidden');
    expect(readFileSync(join(home, '.cargo/bin/mine'), 'utf8')).toMatch(/"\$0"\n$/);
  });
});
