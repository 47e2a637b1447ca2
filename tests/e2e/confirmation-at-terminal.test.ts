import { onTestFinished, expect, it } from 'vitest';
import { PersonAtTerminal } from '../surfaces/cli/support/person-at-terminal.ts';
import { usePlace } from './harness.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';

const place = usePlace();
const form = useFixtures(place, ['gtk3']);

/** The terminal would otherwise count as one of a private desktop, where no person is. */
const REQUIRED = { DESKTERITY_CONFIRM_DESTRUCTIVE: 'require' };
const AT_HOME = { ...REQUIRED, DESKTERITY_PRIVATE_DESKTOP: undefined };

/** The command line that presses the application's dangerous button. */
async function dangerous(bench: Bench): Promise<readonly string[]> {
  await bench.set('press', 'label', 'Delete all');
  return ['click', `app:${bench.app} >> role:button[name="Delete all"]`, '--format', 'json'];
}

function sitDown(words: readonly string[], variables: NodeJS.ProcessEnv = AT_HOME): PersonAtTerminal {
  const person = new PersonAtTerminal(words, {
    environment: { ...place().desktop.environment, ...variables },
    cwd: place().folder,
  });
  onTestFinished(() => person.end());
  return person;
}

const program = (): readonly string[] => [process.execPath, place().entry];
const clicks = async (bench: Bench): Promise<number> =>
  (await bench.fixture.events()).filter(({ event }) => event === 'clicked').length;

it.each([
  ['the number that the person types presses it', (code: string) => code, 0, 1],
  ['another answer does not', () => 'yes', 10, 0],
])('%s, and nothing else may act meanwhile', async (_, said, exit, presses) => {
  const bench = form('gtk3');
  const words = await dangerous(bench);
  const before = await clicks(bench);
  const person = sitDown([...program(), ...words]);
  await person.sees(/type \d+ and Enter/);
  expect(person.shown).toMatch(/would click button "Delete all" \S+ in /);
  const other = await place().desk(['press', 'Tab', '--app', bench.app]);
  expect(other.toString()).toContain('CONFLICT');
  expect(await clicks(bench)).toBe(before);
  person.type(`${said(/type (\d+)/.exec(person.shown)?.[1] ?? '')}\n`);
  expect((await person.left).exit).toBe(exit);
  expect((await clicks(bench)) - before).toBe(presses);
  expect((await place().desk(['press', 'Tab', '--app', bench.app])).exitCode).toBe(0);
});

it('neither a pipe, nor a job in the background, nor a terminal of ours or of a private desktop answers', async () => {
  const bench = form('gtk3');
  const words = await dangerous(bench);
  const before = await clicks(bench);
  const line = [...program(), ...words].map((word) => `'${word}'`).join(' ');
  const piped = sitDown(['sh', '-c', `yes | ${line}; exit $?`]);
  await piped.sees(/type \d+ and Enter/);
  piped.type('\n');
  expect((await piped.left).exit).toBe(10);

  const behind = sitDown(['bash', '-c', `set -m; ${line} & wait $!`]);
  expect((await behind.left).exit).toBe(10);
  const hidden = sitDown([...program(), ...words], REQUIRED);
  expect((await hidden.left).exit).toBe(10);
  for (const { shown } of [behind, hidden]) {
    expect(shown).toContain('CONFIRMATION_REQUIRED');
    expect(shown).not.toMatch(/type \d+ and Enter/);
  }

  const escape = `env -u DESKTERITY_OPERATION -u DESKTERITY_PRIVATE_DESKTOP DESKTERITY_CONFIRM_DESTRUCTIVE=require ${line}`;
  const ours = await place().desk(['terminal', 'execute', escape, '--format', 'text']);
  expect(ours.toString()).toContain('CONFIRMATION_REQUIRED');
  expect(ours.toString()).not.toMatch(/type \d+ and Enter/);
  expect(await clicks(bench)).toBe(before);
});
