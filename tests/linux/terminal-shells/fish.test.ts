import { afterEach, describe, expect, it } from 'vitest';
import { ShellLab, type LabOptions } from './shell-lab.ts';

const labs: ShellLab[] = [];
async function open(options: LabOptions = {}): Promise<ShellLab> {
  const lab = await ShellLab.open('fish', options);
  labs.push(lab);
  return lab;
}
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.close();
});

/** What commands write and how they end, whatever the user's files do. */
async function trial(lab: ShellLab): Promise<readonly (readonly [string, number | undefined])[]> {
  const found: (readonly [string, number | undefined])[] = [];
  for (const command of ['echo out; sh -c "exit 7"', 'echo "status $status"', 'printf end']) {
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
  it('reads them, and is a login shell', async () => {
    const lab = await open({
      home: { '.config/fish/config.fish': 'set -g found yes\nalias greet "echo hello"\n' },
    });
    expect((await lab.run('echo $found; greet; status is-login; and echo login')).output).toBe(
      'yes\nhello\nlogin\n',
    );
  });

  it.each([
    [
      'prompts of its own',
      'function fish_prompt; printf "noise %s\\n> " $status; end; function fish_right_prompt; date; end',
    ],
    [
      'events of its own',
      'function p --on-event fish_prompt; echo noise; false; end; function q --on-event fish_postexec; echo noise; false; end; function r --on-event fish_preexec; echo noise; end',
    ],
    ['vi keys', 'fish_vi_key_bindings; function fish_prompt; echo "noise "; end'],
    ['abbreviations', 'abbr -a 1 noise; abbr -a go noise; function fish_prompt; echo "noise "; end'],
  ])('works beside %s', async (_name, line) => {
    const lab = await open({ home: { '.config/fish/config.fish': `${line}\n` } });
    expect(await trial(lab)).toEqual(WORKED);
    await lab.until(() => lab.shown.includes('noise'), 'what the user has set up');
  });
});

describe('what a command does to the shell', () => {
  it('is done at its top level', async () => {
    const lab = await open();
    await lab.run('set x kept; set list 1 2; function f; echo in f; end');
    expect((await lab.run('echo $x $list[2]; f')).output).toBe('kept 2\nin f\n');
    expect((await lab.run('for i in 1 2\n  echo $i\nend')).output).toBe('1\n2\n');
    expect((await lab.run('nosuchprogram')).output).toContain('fish: Unknown command: nosuchprogram\n');
    expect((await lab.run("printf 'a\\\\n%s' 'back\\\\slash'")).output).toBe('a\nback\\slash');
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
    expect((await lab.ended(sequence)).outcome.kind).toBe('completed');
    await lab.idle();
    expect((await lab.run('fg')).outcome.exitCode).toBe(0);
  });
});

it('has none of our lines in its history, and what somebody types by hand', async () => {
  const lab = await open();
  await lab.run('echo secret');
  lab.type('echo by hand\r');
  await lab.until(() => lab.shown.includes('by hand\r\n'), 'what was typed');
  await lab.idle();
  await lab.run('echo more');
  expect((await lab.run('history | cat')).output).toBe('echo by hand\n');
});

it('can be hooked late, by a line that is typed', async () => {
  const lab = await open({ isLate: true });
  expect(await trial(lab)).toEqual(WORKED);
});
