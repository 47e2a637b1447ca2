import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ShellLab, type LabOptions } from './shell-lab.ts';

const labs: ShellLab[] = [];
async function open(options: LabOptions = {}): Promise<ShellLab> {
  const lab = await ShellLab.open('bash', options);
  labs.push(lab);
  return lab;
}
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.close();
});

/** What commands write and how they end, whatever the user's files do. */
async function trial(lab: ShellLab): Promise<readonly (readonly [string, number | undefined])[]> {
  const found: (readonly [string, number | undefined])[] = [];
  for (const command of ['echo out; (exit 7)', 'echo "status $?"', 'printf end']) {
    const { output, outcome } = await lab.run(command);
    found.push([output, outcome.exitCode]);
  }
  return found;
}
const WORKED = [
  ['out\n', 7],
  ['status 7\n', 0],
  ['end', 0],
];

describe('the user’s own files', () => {
  it('reads what a login shell reads, in its order, and is one', async () => {
    const lab = await open({
      home: {
        '.bash_profile':
          'order="$order profile"\n. ~/.bashrc\nexport FROM_PROFILE=yes\ndeclare -A map=([k]=v)\n',
        '.bashrc': 'order="$order bashrc"\nalias greet="echo hello"\n',
        '.profile': 'order="$order wrong"\n',
        '.bash_logout': 'echo left > ~/logout\n',
      },
      environment: { ENV: '/nowhere/of the user' },
    });
    expect((await lab.run('echo "$order"; greet; echo "$FROM_PROFILE ${map[k]} $ENV"')).output).toBe(
      ' profile bashrc\nhello\nyes v /nowhere/of the user\n',
    );
    expect(
      (await lab.run('shopt -q login_shell && echo login; shopt -o posix; shopt inherit_errexit')).output,
    ).toBe('login\nposix          \toff\ninherit_errexit\toff\n');
    expect((await lab.run('echo "$HISTFILE"')).output).toBe(`${lab.home}/.bash_history\n`);
    await lab.run('exit');
    expect(readFileSync(path.join(lab.home, 'logout'), 'utf8')).toBe('left\n');
  });

  it.each([
    ['a string', 'PROMPT_COMMAND="echo noise; false"'],
    ['an exported string', 'export PROMPT_COMMAND="echo noise"'],
    ['a list', 'PROMPT_COMMAND=("echo one" "echo two;")'],
    ['a string that ends in a semicolon', 'PROMPT_COMMAND="echo noise;"'],
  ])('works beside a PROMPT_COMMAND that is %s', async (_name, line) => {
    const lab = await open({ home: { '.bash_profile': `${line}\n` } });
    expect(await trial(lab)).toEqual(WORKED);
    expect(lab.shown).toMatch(/noise|one/u);
  });

  it('lets the prompt of the user see the status', async () => {
    const lab = await open({
      home: {
        '.bash_profile': String.raw`see() { seen=$?; }; PROMPT_COMMAND=see; PS1='two lines $seen\n\[\e[1m\]>\[\e[0m\] '`,
      },
    });
    await lab.run('(exit 9)');
    await lab.until(() => lab.shown.includes('two lines 9'), 'the prompt with the status');
    expect(await trial(lab)).toEqual(WORKED);
  });

  it.each([
    'set -u',
    'set -a',
    'set -C',
    'set -f',
    'set -o vi',
    'IFS=0123456789',
    'shopt -u promptvars',
    'trap ": debug" DEBUG',
    'PS0="user "',
    'set +o history',
    'alias local=false eval=false return=false echo="echo"',
  ])('works after %s', async (line) => {
    const lab = await open();
    await lab.run(line);
    expect(await trial(lab)).toEqual(WORKED);
    expect((await lab.run('env')).output).not.toContain('__dkt');
  });

  it('shows what set -x and set -v show, of the command alone', async () => {
    const lab = await open();
    await lab.run('set -x');
    expect((await lab.run('echo out')).output).toBe('++ echo out\nout\n');
    await lab.run('set +x; set -v');
    expect((await lab.run('echo out')).output).toBe('echo out\nout\n');
  });

  it('goes on when the hooks are taken away', async () => {
    const lab = await open();
    await lab.run('PROMPT_COMMAND=; PS0=; PS1=; unset PROMPT_COMMAND');
    expect(await trial(lab)).toEqual(WORKED);
  });

  it('ends with a command that fails after set -e', async () => {
    const lab = await open();
    await lab.run('! true');
    await lab.run('set -e');
    expect((await lab.run('echo fine')).outcome).toMatchObject({ kind: 'completed', exitCode: 0 });
    expect((await lab.run('false; echo never')).outcome).toMatchObject({ kind: 'shell_ended', exitCode: 1 });
  });
});

describe('what a command does to the shell', () => {
  it('is done at its top level', async () => {
    const lab = await open();
    await lab.run('declare x=kept; declare -a list=(1 2); set -- a b c; f() { echo in f; }');
    expect((await lab.run('echo "$x ${list[1]} $# $2"; f')).output).toBe('kept 2 3 b\nin f\n');
    await lab.run('shopt -s extglob; alias later="echo alias"');
    expect((await lab.run('later\ncat <<E\nhere $x\nE')).output).toBe('alias\nhere kept\n');
    expect((await lab.run('nosuchprogram')).output).toBe('bash: nosuchprogram: command not found\n');
  });

  it('may send the shell’s output elsewhere', async () => {
    const lab = await open();
    await lab.run('exec 3>&1 4>&2 >out.txt 2>err.txt');
    expect(await lab.run('echo hidden; (exit 5)')).toMatchObject({ output: '', outcome: { exitCode: 5 } });
    await lab.run('exec >&3 2>&4');
    expect((await lab.run('cat out.txt')).output).toContain('hidden\n');
  });

  it('starts jobs that outlive it', async () => {
    const lab = await open();
    const { output } = await lab.run('sleep 0.3 & echo now');
    expect(output).toMatch(/^\[1\] \d+\nnow\n$/u);
    expect((await lab.run('wait; echo done')).output).toContain('done\n');
  });

  it('is stopped by ctrl-z and comes back', async () => {
    const lab = await open();
    const sequence = lab.submit('sleep 0.6');
    await lab.until(() => lab.dialogue.state.kind === 'running', 'its beginning');
    // The shell tells of the beginning before the program is in the foreground.
    await new Promise((resolve) => {
      setTimeout(resolve, 150);
    });
    lab.type('\u001A');
    expect((await lab.ended(sequence)).outcome.exitCode).toBe(148);
    await lab.idle();
    expect((await lab.run('fg')).outcome.exitCode).toBe(0);
  });
});

describe('the history', () => {
  it.each([
    '',
    'HISTCONTROL=ignorespace',
    'HISTCONTROL=ignoreboth',
    'HISTIGNORE="ls:pwd"',
    'HISTCONTROL=erasedups',
  ])('has neither our commands nor our lines (%s)', async (line) => {
    const lab = await open({
      home: { '.bash_profile': `${line}\nHISTFILE=~/own_history\n`, own_history: 'old one\nold two\n' },
    });
    await lab.run('echo secret');
    expect((await lab.run("history | sed 's/^ *[0-9]*  //'")).output).toBe('old one\nold two\n');
    await lab.run('exit');
    expect(readFileSync(path.join(lab.home, 'own_history'), 'utf8')).toBe('old one\nold two\n');
  });

  it('has what somebody types by hand, and the session knows that it runs', async () => {
    const lab = await open();
    lab.type('sleep 0.4; echo by hand\r');
    await lab.until(() => lab.dialogue.state.kind === 'running', 'what was typed');
    expect(() => lab.submit('echo no')).toThrow(/a command typed by hand has been running/u);
    await lab.idle();
    expect((await lab.run("history | sed 's/^ *[0-9]*  //'")).output).toBe('sleep 0.4; echo by hand\n');
  });
});

it('can be hooked late, by a line that is typed', async () => {
  const lab = await open({ environment: {}, home: { '.bash_profile': '' }, isLate: true });
  expect(await trial(lab)).toEqual(WORKED);
});
