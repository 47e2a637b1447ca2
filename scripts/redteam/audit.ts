import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { theLedger } from './ledger.ts';
import type { Attack, Outcome } from './row.ts';
import { DENIED, sees } from './way.ts';
import type { World } from './world.ts';

const APP = 'victim.py';

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

const tampering: readonly Attack[] = [
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

/** Both files as they were, after more was done: what a copy that was kept elsewhere would find. */
const rolledBack = (name: string, surface: string, isExpected: boolean, open?: string): Attack => ({
  name,
  attack: 'a log that was put back to an earlier state, with its head',
  surface,
  ...(open === undefined ? {} : { open }),
  run: async (world): Promise<Outcome> => {
    await world.desk(['clipboard', 'set', 'before']);
    const file = await auditFile(world);
    const headFile = join(dirname(file), 'head');
    const early = [await readFile(file, 'utf8'), await readFile(headFile, 'utf8')] as const;
    await world.desk(['clipboard', 'set', 'the act to hide']);
    const late = [await readFile(file, 'utf8'), await readFile(headFile, 'utf8')] as const;
    const last = late[0].trimEnd().split('\n').at(-1) ?? '';
    const kept = `${/"number":(\d+)/.exec(last)?.[1] ?? /"seq":(\d+)/.exec(last)?.[1] ?? '0'}:${/"hash":"([0-9a-f]+)"/.exec(last)?.[1] ?? ''}`;
    await writeFile(file, early[0]);
    await writeFile(headFile, early[1]);
    const after = await world.desk(['audit', 'verify', ...(isExpected ? ['--expect', kept] : [])]);
    await writeFile(file, late[0]);
    await writeFile(headFile, late[1]);
    return {
      held: after.exitCode !== 0,
      code: after.code,
      evidence: /"problem":"[^"]*"/.exec(after.stdout)?.[0] ?? after.shown.slice(0, 160),
    };
  },
});

const others: readonly Attack[] = [
  rolledBack(
    'put-back',
    'audit verify',
    false,
    'who has the rights of the user can put both files back; only a head that was kept elsewhere tells',
  ),
  rolledBack('put-back-expected', 'audit verify --expect', true),
  {
    name: 'unwritable',
    attack: 'an act while the log cannot be written',
    surface: 'audit log',
    run: async (world): Promise<Outcome> => {
      const ledger = await theLedger(world);
      const click = ['click', `app:${ledger.app} >> role:button[name="Sign the page"]`];
      const [, freely] = await sees('clicked')(world, ledger, () => world.desk(click));
      const folder = dirname(await auditFile(world));
      await rename(folder, `${folder}-away`);
      await writeFile(folder, 'in its place');
      try {
        const [{ code, shown }, reached] = await sees('clicked')(world, ledger, () => world.wrongCall(click));
        return {
          held: freely === undefined ? null : reached === undefined,
          code,
          evidence: `${reached ?? 'not pressed'}: ${shown.slice(0, 160)}`,
        };
      } finally {
        await rm(folder, { recursive: true, force: true });
        await rename(`${folder}-away`, folder);
      }
    },
  },
  hidden('off-by-variable', 'a log switched off by variables of the caller', 'DESKTERITY_AUDIT…=off', {
    DESKTERITY_AUDIT: 'off',
    DESKTERITY_AUDIT_ENABLED: 'false',
  }),
  hidden('other-folder', 'a log moved by variables of the caller', 'XDG_STATE_HOME', {
    XDG_STATE_HOME: '/nonexistent',
  }),
  {
    name: 'refusal-recorded',
    attack: 'an attempt on a denied application that nobody notices',
    surface: 'audit log',
    run: async (world): Promise<Outcome> => {
      const ledger = await theLedger(world);
      const before = lines(await readFile(await auditFile(world), 'utf8')).length;
      const click = ['click', `app:${ledger.app} >> role:button[name="Sign the page"]`];
      const reply = await world.withFile('policy.toml', DENIED, () => world.desk(click));
      const added = lines(await readFile(await auditFile(world), 'utf8'))
        .slice(before)
        .join('\n');
      return {
        held: reply.code === 'POLICY_DENIED' ? added.includes('POLICY_DENIED') : null,
        code: reply.code,
        evidence: `recorded: ${added.slice(0, 160)}`,
      };
    },
  },
  {
    name: 'steps-recorded',
    attack: 'acts hidden among the steps of one call',
    surface: 'do, in the audit log',
    run: async (world): Promise<Outcome> => {
      const before = lines(await readFile(await auditFile(world), 'utf8')).length;
      await world.desk(['do', 'clipboard set step-one', 'clipboard set step-two']);
      const added = lines(await readFile(await auditFile(world), 'utf8')).slice(before);
      const steps = added.filter((line) => line.includes('clipboard set'));
      return {
        held: steps.length >= 2,
        evidence: `${added.length} entries, ${steps.length} of them of steps`,
      };
    },
  },
];

/** Held if the act is in the log of the daemon. */
function hidden(
  name: string,
  attack: string,
  surface: string,
  variables: Readonly<Record<string, string>>,
): Attack {
  return {
    name,
    attack,
    surface,
    run: async (world): Promise<Outcome> => {
      await world.desk(['clipboard', 'set', 'seen']);
      const file = await auditFile(world);
      const before = lines(await readFile(file, 'utf8')).length;
      const { code, shown } = await world.desk(['clipboard', 'set', 'hidden'], variables);
      const added = lines(await readFile(file, 'utf8')).slice(before);
      const isRecorded = added.some((line) => line.includes('clipboard set'));
      return {
        held: isRecorded || code !== 'ok',
        code,
        evidence: isRecorded ? 'the act is in the log' : `not in the log: ${shown.slice(0, 120)}`,
      };
    },
  };
}

export const audit: readonly Attack[] = [...tampering, ...others];
