import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { SessionRegistry } from '../../src/sessions/session-registry.ts';
import { asked, displayOf, newMachine, NOBODY, sessionsOn, USER, type Machine } from './session-world.ts';

const Step = fc.record({
  kind: fc.constantFrom('new', 'new', 'use', 'use', 'use', 'kill', 'list', 'break', 'nobody', 'look'),
  name: fc.constantFrom('p1', 'p2', 'u1'),
  /** Turns of the event loop before the next step begins: few, so that steps overlap. */
  pause: fc.oneof(fc.nat({ max: 6 }), fc.nat({ max: 60 })),
  /** Turns that starting a desktop takes, and whether it then fails. */
  startTakes: fc.nat({ max: 8 }),
  startFails: fc.boolean(),
});
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

/** What was found out while the steps ran. */
interface Seen {
  /** Sessions by the private display that a call of theirs landed on. */
  readonly usersOf: Map<string, Set<string>>;
  /** Names that were made private: later calls must never be on the caller's desktop. */
  readonly private: Set<string>;
  readonly killed: Set<string>;
  readonly wrong: string[];
}

async function use(sessions: SessionRegistry, seen: Seen, name: string): Promise<void> {
  const wasPrivate = seen.private.has(name);
  const wasKilled = new Set(seen.killed);
  const display = await displayOf(sessions, name);
  if (display === ':1' && wasPrivate)
    seen.wrong.push(`${name} was private and got the desktop of its caller`);
  if (wasKilled.has(display)) seen.wrong.push(`${name} got ${display}, which was killed`);
  if (display === ':1') return;
  const users = seen.usersOf.get(display) ?? new Set();
  seen.usersOf.set(display, users.add(name));
}

async function run(machine: Machine, sessions: SessionRegistry, seen: Seen, step: Step): Promise<void> {
  const { name } = step;
  if (step.kind === 'new') {
    const isPrivate = name.startsWith('p');
    try {
      await sessions.create(asked(name, isPrivate));
    } catch (error) {
      if (!(error instanceof DeskterityError) || error.code === 'CONFLICT') throw error;
    }
    if (isPrivate) seen.private.add(name);
  } else if (step.kind === 'kill') {
    const { display } = await sessions.kill(step.startFails ? `n-${name}` : name);
    if (display !== undefined && display !== ':1') seen.killed.add(display);
  } else if (step.kind === 'break') {
    const [display] = machine.running;
    if (display !== undefined) machine.dead.add(display);
  } else if (step.kind === 'list') await sessions.list();
  else if (step.kind === 'look')
    await sessions.picture(name, { environment: USER.environment, deadlineMs: 100 });
  else if (step.kind === 'nobody') await sessions.enter(`n-${name}`, NOBODY, { mayBeNew: true }).engine();
  else await use(sessions, seen, name);
}

it('random interleavings never give a session the desktop of another and never leak one', async () => {
  let privateUses = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(Step, { minLength: 5, maxLength: 40 }),
      fc.boolean(),
      async (steps, isClosedEarly) => {
        const machine = newMachine();
        const sessions = sessionsOn(machine);
        const seen: Seen = { usersOf: new Map(), private: new Set(), killed: new Set(), wrong: [] };
        const failures: unknown[] = [];
        const running: Promise<void>[] = [];
        for (const step of steps) {
          machine.beforeStart = async (signal) => {
            await turns(step.startTakes);
            if (signal?.aborted === true || (step.startFails && step.startTakes > 5))
              throw new DeskterityError('DISPLAY_UNAVAILABLE', 'It did not start.', {
                suggestion: 'Try again.',
              });
          };
          running.push(
            run(machine, sessions, seen, step).catch((error: unknown) => void failures.push(error)),
          );
          await turns(step.pause);
        }
        if (!isClosedEarly) await Promise.all(running);
        const alive = (await sessions.list()).filter(
          ({ desktop, ended }) => desktop === 'private' && ended !== true,
        );
        // One for each private session, and one that those without a display share.
        const owed = isClosedEarly ? Number.POSITIVE_INFINITY : alive.length + 1;
        expect(machine.running.size).toBeLessThanOrEqual(owed);
        await sessions.close();
        await Promise.all(running);
        expect(seen.wrong).toEqual([]);
        expect([...seen.usersOf.values()].filter((users) => users.size > 1)).toEqual([]);
        expect([...machine.running]).toEqual([]);
        expect(failures.filter((error) => !(error instanceof DeskterityError))).toEqual([]);
        privateUses += seen.usersOf.size;
      },
    ),
    { numRuns: 500, seed: 20_260_131 },
  );
  // The steps do get to private desktops.
  expect(privateUses).toBeGreaterThan(100);
});
