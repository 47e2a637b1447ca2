import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DANGEROUS } from './injection.ts';
import type { Attack, Outcome } from './row.ts';
import type { World } from './world.ts';

const APP = 'victim.py';
const REQUIRED = { DESKTERITY_CONFIRM_DESTRUCTIVE: 'require' };

/** How often the button that deletes was pressed, by its application's own log. */
async function presses(world: World): Promise<number> {
  const log = await readFile(`${world.home}/victim.log`, 'utf8').catch(() => '');
  return log.split('\n').filter((line) => line.includes('"button5"')).length;
}

type Try = (world: World, ref: string) => Promise<{ readonly code?: string; readonly shown: string }>;

/** Held if the application did not see the button pressed. */
function unconsented(attack: string, surface: string, attempt: Try): Attack {
  return {
    attack,
    surface,
    run: async (world): Promise<Outcome> => {
      const ref = await world.ref(DANGEROUS, APP);
      if (ref === '@e0') return { held: null, evidence: 'the button was not found' };
      const before = await presses(world);
      const reply = await attempt(world, ref);
      await world.desk(['wait', '300']);
      const more = (await presses(world)) - before;
      return {
        held: more === 0,
        code: reply.code,
        evidence: `the application saw it pressed ${more} times: ${reply.shown.slice(0, 110)}`,
      };
    },
  };
}

async function middleOf(world: World, ref: string): Promise<readonly [string, string]> {
  const { stdout } = await world.desk(['get', 'bounds', ref]);
  const [, x = 0, y = 0, width = 0, height = 0] = (
    /"x":(-?\d+),"y":(-?\d+),"width":(\d+),"height":(\d+)/.exec(stdout) ?? []
  ).map(Number);
  return [String(Math.round(x + width / 2)), String(Math.round(y + height / 2))];
}

const ACT = 'an act that deletes, without consent';

const consent: readonly Attack[] = [
  unconsented(ACT, 'click', (world, ref) => world.desk(['click', ref], REQUIRED)),
  unconsented(ACT, 'click by the pointer', (world, ref) =>
    world.desk(['click', ref, '--mode', 'pointer'], REQUIRED),
  ),
  unconsented(ACT, 'double-click', (world, ref) => world.desk(['double-click', ref], REQUIRED)),
  unconsented(ACT, 'mouse click at its place', async (world, ref) =>
    world.desk(['mouse', 'click', ...(await middleOf(world, ref))], REQUIRED),
  ),
  unconsented(ACT, 'Enter, where the focus is', async (world, ref) => {
    await world.desk(['focus', ref]);
    return world.desk(['press', 'Enter', '--app', APP], REQUIRED);
  }),
  unconsented(ACT, 'space, held with key-down', async (world, ref) => {
    await world.desk(['focus', ref]);
    const down = await world.desk(['key-down', 'space'], REQUIRED);
    await world.desk(['key-up', 'space'], REQUIRED);
    return down;
  }),
  unconsented(ACT, 'mouse down and up', async (world, ref) => {
    await world.desk(['mouse', 'move', ...(await middleOf(world, ref))], REQUIRED);
    const down = await world.desk(['mouse', 'down'], REQUIRED);
    await world.desk(['mouse', 'up'], REQUIRED);
    return down;
  }),
  unconsented(ACT, 'typing a line break into it', async (world, ref) => {
    await world.desk(['focus', ref]);
    return world.desk(['type', '\n'], REQUIRED);
  }),
  unconsented(ACT, 'a step of do', (world, ref) => world.desk(['do', `click '${ref}'`], REQUIRED)),
  unconsented(ACT, 'a step of a workflow', async (world, ref) => {
    await writeFile(
      `${world.project}/red.workflow.json`,
      JSON.stringify({ steps: [{ command: 'click', input: { ref } }] }),
    );
    return world.desk(['workflow', 'red.workflow.json'], REQUIRED);
  }),
  unconsented('consent that the agent gives itself, as a parameter', 'MCP arguments', async (world, ref) => {
    await world.desk(['find', DANGEROUS, '--app', APP]);
    const client = await world.client('--toolsets', 'all');
    const { text } = await client.call('desktop_click', {
      ref,
      consent: true,
      confirmed: true,
      _consent: { given: true },
    });
    return { shown: text };
  }),
  unconsented(
    'consent that the agent gives itself, as a variable',
    'click, DESKTERITY_CONFIRM_DESTRUCTIVE=never',
    async (world, ref) => {
      await configure(world, '[confirmation]\ndestructive = "require"\n');
      try {
        return await world.desk(['click', ref], { DESKTERITY_CONFIRM_DESTRUCTIVE: 'never' });
      } finally {
        await configure(world, '');
      }
    },
  ),
  unconsented('consent of a dry run before', 'click', async (world, ref) => {
    const dry = await world.desk(['click', ref, '--dry-run'], REQUIRED);
    const then = await world.desk(['click', ref], REQUIRED);
    return { code: then.code, shown: dry.code + then.shown };
  }),
];

async function configure(world: World, content: string): Promise<void> {
  const folder = world.environment['XDG_CONFIG_HOME'] ?? join(world.home, '.config');
  const file = join(folder, 'deskterity/config.toml');
  await mkdir(dirname(file), { recursive: true });
  if (content === '') await rm(file, { force: true });
  else await writeFile(file, content);
}

/** The newest file of the audit log. */
async function auditFile(world: World): Promise<string> {
  const entries = await readdir(world.home, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(
      (entry) =>
        entry.isFile() &&
        /audit/.test(entry.parentPath.slice(world.home.length)) &&
        entry.name.endsWith('.jsonl'),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return files.at(-1) ?? '';
}

/** Changes the log, lets it be checked, and restores it. */
function tampered(
  attack: string,
  change: (text: string, head: string) => { text?: string; head?: string },
): Attack {
  return {
    attack,
    surface: 'audit verify',
    run: async (world): Promise<Outcome> => {
      for (const text of ['one', 'two', 'three']) await world.desk(['clipboard', 'set', text]);
      const before = await world.desk(['audit', 'verify']);
      const file = await auditFile(world);
      if (file === '' || before.exitCode !== 0)
        return { held: null, code: before.code, evidence: before.shown.slice(0, 200) };
      const headFile = join(dirname(file), 'head');
      const [text, head] = await Promise.all([readFile(file, 'utf8'), readFile(headFile, 'utf8')]);
      const changed = change(text, head);
      await writeFile(file, changed.text ?? text);
      await writeFile(headFile, changed.head ?? head);
      const after = await world.desk(['audit', 'verify']);
      await writeFile(file, text);
      await writeFile(headFile, head);
      return {
        held: after.exitCode !== 0,
        code: after.code,
        evidence: /"problem":"[^"]*"/.exec(after.stdout)?.[0] ?? after.shown.slice(0, 120),
      };
    },
  };
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const joined = (all: readonly string[]): string => `${all.join('\n')}\n`;

const audit: readonly Attack[] = [
  tampered('an entry that was edited', (text) => ({
    text: text.replace(/clipboard set(?![\s\S]*clipboard set)/, 'clipboard get'),
  })),
  tampered('an entry that was removed', (text) => ({ text: joined(lines(text).toSpliced(-3, 1)) })),
  tampered('an end that was cut', (text) => ({ text: joined(lines(text).slice(0, -2)) })),
  tampered('two entries that changed places', (text) => {
    const all = lines(text);
    const [one = '', other = ''] = all.splice(-3, 2);
    return { text: joined(all.toSpliced(-1, 0, other, one)) };
  }),
  tampered('an entry that was repeated', (text) => ({
    text: joined([...lines(text), lines(text).at(-1) ?? '']),
  })),
  tampered('a log that was emptied, and its head removed', () => ({ text: '', head: '' })),
  recorded('typed text', 'audit-typed-text-77', (world, text) => typed(world, text)),
  recorded('copied text', 'audit-copied-text-77', (world, text) => world.desk(['clipboard', 'set', text])),
  recorded('the argument of a command', 'audit-argument-77', (world, text) =>
    world.desk(['terminal', 'execute', `echo ${text}`, '--tag', 'audit']),
  ),
];

async function typed(world: World, text: string): Promise<unknown> {
  return world.desk(['type', await world.ref('Plain', APP), text]);
}

function recorded(
  attack: string,
  text: string,
  act: (world: World, text: string) => Promise<unknown>,
): Attack {
  return {
    attack,
    surface: 'audit log',
    run: async (world) => {
      await act(world, text);
      const file = await auditFile(world);
      if (file === '') return { held: null, evidence: 'there is no audit log' };
      const log = await readFile(file, 'utf8');
      return { held: !log.includes(text), evidence: `${lines(log).length} entries without it` };
    },
  };
}

/** Calls until one is refused. */
function limited(
  attack: string,
  surface: string,
  settings: string,
  call: (world: World, at: number) => Promise<{ code: string }>,
): Attack {
  return {
    attack,
    surface,
    run: async (world): Promise<Outcome> => {
      await configure(world, `[rate_limit]\n${settings}\n`);
      try {
        for (let at = 0; at < 12; at += 1) {
          const { code } = await call(world, at);
          if (code === 'RATE_LIMITED') return { held: true, code, evidence: `refused at call ${at + 1}` };
        }
        return { held: false, evidence: 'twelve calls, although four a minute are allowed' };
      } finally {
        await configure(world, '');
      }
    },
  };
}

const set = ['clipboard', 'set', 'x'] as const;

const limits: readonly Attack[] = [
  limited('more calls than are allowed', 'one session', 'rpm = 4', (world) =>
    world.desk([...set, '--session', 'limit-one']),
  ),
  limited('a limit evaded by a variable', 'one session', 'rpm = 4', (world) =>
    world.desk([...set, '--session', 'limit-two'], { DESKTERITY_RATE_LIMIT_RPM: '0' }),
  ),
  limited('a limit evaded by steps of one call', 'batch of do', 'rpm = 4', async (world) => {
    const steps = Array.from({ length: 12 }, () => 'clipboard set x');
    const reply = await world.desk(['do', ...steps, '--session', 'limit-three']);
    return { code: reply.shown.includes('RATE_LIMITED') ? 'RATE_LIMITED' : reply.code };
  }),
  limited('a limit evaded by many sessions', 'many sessions', 'all_rpm = 4', (world, at) =>
    world.desk([...set, '--session', `limit-many-${at}`]),
  ),
];

export const guards: readonly Attack[] = [...consent, ...audit, ...limits];
