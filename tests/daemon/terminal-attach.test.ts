import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { PersonAtTerminal } from '../surfaces/cli/support/person-at-terminal.ts';
import { envelope, kill, useLab } from './support.ts';
import { until } from '../until.ts';

const lab = useLab({ hasHolder: true });
const people: PersonAtTerminal[] = [];

afterEach(async () => {
  for (const person of people.splice(0)) person.end();
  await lab().desk(['terminal', 'close'], SHELL);
});

const SHELL = { SHELL: '/bin/bash', DESKTERITY_TERMINAL_BACKGROUND_STARTUP_SECONDS: '1' };

async function run(command: string, ...flags: readonly string[]): Promise<void> {
  const ran = await lab().desk(['terminal', 'execute', ...flags, '--', command], SHELL);
  if (!envelope(ran).ok) throw new Error(ran.stdout);
}

function attach(...args: readonly string[]): PersonAtTerminal {
  const person = new PersonAtTerminal(
    [process.execPath, join(lab().program, 'desk.cjs'), 'terminal', 'attach', ...args],
    { environment: lab().environment({ ...SHELL, TERM: 'xterm' }), cwd: lab().folder },
  );
  people.push(person);
  return person;
}

async function seated(...args: readonly string[]): Promise<PersonAtTerminal> {
  const person = attach(...args);
  await person.sees('detaches');
  person.type('\r');
  return person;
}

async function attachedCount(): Promise<unknown> {
  const { sessions } = envelope(await lab().desk(['terminal', 'list']));
  return Array.isArray(sessions) ? sessions.map((one: unknown) => Object(one)['attached']) : sessions;
}

/** The content of all files below a folder. */
function everythingIn(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

describe('desk terminal attach', () => {
  it('shows current and later output, types, follows the size, and ends with the shell', async () => {
    await run('echo here before');
    const [first, second] = [await seated(), await seated()];
    for (const one of [first, second]) await one.sees('here before');
    expect(await attachedCount()).toEqual([2]);
    second.type('\u001D');
    expect((await second.left).exit).toBe(0);
    await until(() => second.shown.includes('it keeps running'), 'it says so');
    first.resize(101, 31);
    const file = join(lab().folder, 'size');
    // The shell receives the signal a moment later.
    for (
      let tries = 0;
      tries < 20 && !(existsSync(file) && /^31 101/m.test(readFileSync(file, 'utf8')));
      tries += 1
    ) {
      first.type(`stty size >> ${file}; echo sa''id-${tries}\r`);
      await first.sees(`said-${tries}`);
    }
    expect(readFileSync(file, 'utf8')).toMatch(/^31 101/m);
    expect(await attachedCount()).toEqual([1]);
    first.type('exit 7\r');
    expect(await first.left).toEqual({ exit: 7, modes: { line: true, echo: true } });
  });

  it('passes a secret to the program without storing it', async () => {
    const secret = 'Zebra-7-umbrella';
    const file = join(lab().folder, 'got');
    await run(`read -rsp 'Pass''word: ' P; printf %s "$P" > ${file}; echo tha''nks`, '--background');
    const person = attach();
    await person.sees('detaches');
    // Any key goes to the program; this one is the first of the secret.
    person.type(secret.slice(0, 1));
    await person.sees('Password:');
    person.type(`${secret.slice(1)}\r`);
    await person.sees('thanks');
    expect(readFileSync(file, 'utf8')).toBe(secret);
    expect(person.shown).not.toContain(secret.slice(1));
    person.type('\u001D');
    await person.left;
    const read = await lab().desk(['terminal', 'output']);
    expect(read.stdout).toContain('thanks');
    expect(read.stdout).not.toContain(secret.slice(1));
    for (const folder of [lab().runtime, join(lab().folder, 'home')]) {
      expect(everythingIn(folder)).not.toContain(secret.slice(1));
    }
  });

  it('leaves the terminal running when the daemon dies; the client is told and continues', async () => {
    const mark = join(lab().folder, 'mark');
    await run('KEPT=yes');
    const person = await seated();
    await person.sees(/[#$] /);
    kill(lab().daemonPid);
    const { exit, modes } = await person.left;
    expect({ exit, modes }).toEqual({ exit: 11, modes: { line: true, echo: true } });
    expect(person.shown).toContain('DAEMON_UNAVAILABLE');
    const again = /desk (terminal attach --project-path \S+ --tag [\w-]+)/.exec(person.shown)?.[1] ?? '';
    const back = await seated(...again.split(' ').slice(2));
    back.type(`echo $KEPT > ${mark}\r`);
    await until(() => existsSync(mark) && readFileSync(mark, 'utf8') === 'yes\n', 'the shell is the same');
  });

  it('reports a missing terminal and a call outside a terminal', async () => {
    const none = attach('--tag', 'nobody');
    expect((await none.left).exit).toBe(6);
    expect(none.shown).toContain('TERMINAL_NOT_FOUND');
    const piped = await lab().desk(['terminal', 'attach']);
    expect(piped.exitCode).toBe(5);
    expect(envelope(piped).error?.suggestion).toContain('--open');
    expect(realpathSync(lab().folder)).toBe(lab().folder);
  });
});
