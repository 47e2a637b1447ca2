import { AsyncResource } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import {
  asPartOfCall,
  currentPictureConsent,
  currentPolicy,
  hasConsent,
  keepPolicy,
  knowingCommand,
  underPolicy,
  withinCommand,
} from '../../src/policy/current-policy.ts';
import { policy, ruled } from './policy-of.ts';

const BANK = { application: { name: 'bank' } };
const LAX = policy({});
const STRICT = policy({ applications: { denied: ['bank'] } });

const decided = (): string | undefined => currentPolicy()?.decide(BANK).decision;

/** Something that a call begins and that goes on when the call is over, such as a page. */
async function leftBy<T>(call: typeof LAX, what: () => T): Promise<() => Promise<T>> {
  let goOn = (): void => undefined;
  const waits = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let left: Promise<T> | undefined;
  await underPolicy(call, async () => {
    left = waits.then(what);
  });
  return async () => {
    goOn();
    if (left === undefined) throw new Error('nothing was begun');
    return left;
  };
}

it('knows how the call that is running wants pictures to be taken, also within its command', async () => {
  const within = (): Promise<unknown> => withinCommand({ policy: LAX }, async () => currentPictureConsent());
  expect(await underPolicy(LAX, within, 'portal')).toBe('portal');
  expect(await underPolicy(LAX, within)).toBeUndefined();
  expect(currentPictureConsent()).toBeUndefined();
});

it('knows how the call that opened a connection wanted pictures to be taken, for what that tells later', async () => {
  const kept: ReturnType<typeof keepPolicy>[] = [];
  await underPolicy(LAX, async () => void kept.push(keepPolicy()), 'portal');
  const told: unknown[] = [];
  for (const listen of kept) listen(() => told.push(currentPictureConsent()));
  expect(told).toEqual(['portal']);
});

describe('what a call left behind', () => {
  it('is judged by its policy as long as no other call has another one', async () => {
    const later = await leftBy(LAX, decided);
    expect(await later()).toBe('allow');
  });

  it('may do no more than the last call, too', async () => {
    const [begun, tightened] = [await leftBy(LAX, decided), await leftBy(STRICT, decided)];
    expect(await begun()).toBe('deny');
    await underPolicy(LAX, async () => undefined);
    expect(await tightened()).toBe('deny');
  });

  it('is judged as a part of it, also where somebody else does it', async () => {
    const taken: (() => string | undefined)[] = [];
    await underPolicy(STRICT, async () => void taken.push(asPartOfCall(decided)));
    await underPolicy(LAX, async () => undefined);
    expect(decided()).toBe('allow');
    expect(taken.map((take) => take())).toEqual(['deny']);
  });

  it('is not asked about, not even as reading', async () => {
    const verdict = { decision: 'confirm', rule: 'rule 1', why: 'A test asks.' } as const;
    const command = { command: 'snapshot', isReadOnly: true };
    const call = { policy: LAX, command, ask: () => undefined };
    const consent = async (): Promise<boolean> => hasConsent('act', verdict, 'this');
    await underPolicy(LAX, async () => {
      expect(await withinCommand(call, consent)).toBe(true);
    });
    const later = await leftBy(LAX, () => withinCommand(call, consent));
    expect(await later()).toBe(false);
  });

  it('does not keep what asks about the command', async () => {
    const verdict = { decision: 'confirm', rule: 'rule 1', why: 'A test asks.' } as const;
    const asked: string[] = [];
    const command = { command: 'click', isReadOnly: false };
    const call = { policy: LAX, command, ask: (what: string) => void asked.push(what) };
    await underPolicy(LAX, async () => {
      const left = await withinCommand(call, async () => {
        hasConsent('begin', verdict, 'this');
        return AsyncResource.bind(() => hasConsent('go on', verdict, 'this'));
      });
      // The call goes on with another step.
      expect(left()).toBe(false);
    });
    expect(asked).toEqual(['begin']);
  });
});

it('judges what somebody outside of commands reaches by the rules about that, too', async () => {
  const rule = [{ decision: 'deny', terminal: '/srv', command: 'terminal attach' }];
  const rules = policy({ rule }, {}, { commands: ruled(['terminal attach']) });
  const decide = (): string | undefined => currentPolicy()?.decide({ terminalProject: '/srv' }).decision;
  await underPolicy(knowingCommand(rules, { command: 'terminal attach' }), async () => {
    expect(decide()).toBe('deny');
  });
  await underPolicy(rules, async () => expect(decide()).toBe('allow'));
});
