import { mentionParameter } from '../../model/text/mention.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import type { InputLease, Point } from '../../ports/input.ts';
import type { ProbeEvent } from '../../ports/probe-window.ts';
import { withInputLease } from '../input/input-lease.ts';
import type { ProbeParts } from './tree-trials.ts';
import type { Trials } from './trials.ts';
import { TrialFailure, type Trial } from '../../model/effects/trial.ts';

const HOLDER = 'desk doctor';
/** A character that most layouts have, and one that none has. */
const TYPED = '7語';
/** For moving the pointer back, whatever happened. */
const REPAIR_MS = 1000;

/** Moves the pointer to the probe, clicks there, and moves it back. */
export async function tryPointer(trials: Trials, parts: ProbeParts): Promise<void> {
  const { desktop, probe } = parts;
  await trials.run('pointer', async (trial) => {
    trial.step('find the pointer');
    const before = await desktop.input.pointer(trial);
    const point = await freePoint(parts, trial, before);
    return leased(parts, trial, async (lease) => {
      try {
        trial.step('move the pointer');
        await lease.moveTo(point, trial);
        const isAt = (event: ProbeEvent): boolean =>
          'x' in event && event.x === point.x && event.y === point.y;
        const hasMoved = await probe.until(
          (record) => record.some((event) => event.kind === 'motion' && isAt(event)),
          trial,
        );
        if (!hasMoved)
          throw new TrialFailure(
            'broken',
            'The pointer was moved over the probe window, but the window received no event; nothing was clicked.',
            'Check whether another window covers it or a program has grabbed the pointer, then repeat the command.',
          );
        trial.step('click');
        await lease.click('left', 1, trial);
        const isClick = (event: ProbeEvent, isDown: boolean): boolean =>
          event.kind === 'button' && event.button === 'left' && event.isDown === isDown && isAt(event);
        const hasClicked = await probe.until(
          (record) => [true, false].every((isDown) => record.some((event) => isClick(event, isDown))),
          trial,
        );
        if (!hasClicked)
          throw new TrialFailure('broken', 'The pointer arrived but the click did not.', FIND_GRAB);
        return `A move and a click arrived at exactly ${point.x},${point.y}.`;
      } finally {
        await putBack(parts, lease, { from: point, to: before });
      }
    });
  });
}

/** Clicks the probe with a keyboard and a pointer of our own, if the desktop can have them, while those of the user stay where they are. */
export async function tryOwnSeat(trials: Trials, parts: ProbeParts): Promise<void> {
  const { desktop, probe } = parts;
  const { ownSeat } = desktop;
  if (ownSeat === undefined) return;
  const attempt = async (trial: Trial): Promise<string> => {
    trial.step('find the pointer of the user');
    const before = await desktop.input.pointer(trial);
    return leased({ ...parts, desktop: ownSeat }, trial, async (lease) => {
      trial.step('click with a pointer of our own');
      const { x, y } = await freePoint(parts, trial, before);
      // A place of its own: what arrived there came from this click.
      const point = { x: x + 2, y: y + 2 };
      await lease.moveTo(point, trial);
      await lease.click('left', 1, trial);
      const hasArrived = await probe.until(
        (record) =>
          record.some((event) => event.kind === 'button' && event.x === point.x && event.y === point.y),
        trial,
      );
      if (!hasArrived)
        throw new TrialFailure('broken', 'The click of a second pointer did not arrive.', USE_SHARED);
      const after = await desktop.input.pointer(trial);
      if (after.x !== before.x || after.y !== before.y)
        throw new TrialFailure('broken', 'The pointer of the user moved with a second one.', USE_SHARED);
      return 'A click of a second pointer arrived, and the pointer of the user stayed where it was.';
    });
  };
  await trials.run('own-seat', attempt, { isOptional: true });
}

/** Sends keys to the probe, which has the keyboard. */
export async function tryKeyboard(trials: Trials, parts: ProbeParts): Promise<void> {
  const { probe } = parts;
  await trials.run('keyboard', (trial) =>
    leased(parts, trial, async (lease) => {
      trial.step('press a key');
      const from = probe.record.length;
      await requireKeyboard(parts, trial);
      // Shift does no harm wherever it goes.
      await lease.press([{ kind: 'named', name: 'Shift' }], trial);
      const hasArrived = await probe.until((record) => {
        const keys = record.slice(from).flatMap((event) => (event.kind === 'key' ? [event] : []));
        return [true, false].every((isDown) =>
          keys.some((key) => key.means === 'Shift' && key.isDown === isDown),
        );
      }, trial);
      if (!hasArrived) throw new TrialFailure('broken', 'The key did not arrive.', FIND_GRAB);
      return 'A key press and its release arrived.';
    }),
  );
  await trials.run('typing', (trial) =>
    leased(parts, trial, async (lease) => {
      trial.step('type a text');
      const from = probe.record.length;
      const typed = (record: readonly ProbeEvent[]): string =>
        record
          .slice(from)
          .map((event) =>
            event.kind === 'key' && event.isDown && event.means !== 'Shift' ? event.means : '',
          )
          .join('');
      await lease.type(TYPED, {
        deadlineMs: trial.deadlineMs,
        signal: trial.signal,
        delayMs: 0,
        check: () => requireKeyboard(parts, trial),
      });
      if (!(await probe.until((record) => typed(record) === TYPED, trial)))
        throw new TrialFailure(
          'broken',
          `${quote(TYPED)} was typed but ${quote(typed(probe.record))} arrived.`,
          'Check whether a program such as an input method changes the keyboard layout, then repeat the command.',
        );
      return 'The characters arrived, including one that is on no key of the layout.';
    }),
  );
}

function leased<T>(
  { desktop }: ProbeParts,
  trial: Trial,
  work: (lease: InputLease) => Promise<T>,
): Promise<T> {
  trial.step('take keyboard and pointer');
  return withInputLease({ desktop, holder: HOLDER }, trial, work);
}

/** Moves the pointer back, unless somebody has moved it since. */
async function putBack(
  { desktop }: ProbeParts,
  lease: InputLease,
  { from, to }: { readonly from: Point; readonly to: Point },
): Promise<void> {
  const options = { deadlineMs: REPAIR_MS };
  try {
    const { x, y } = await desktop.input.pointer(options);
    if (x === from.x && y === from.y) await lease.moveTo(to, options);
  } catch {
    // The clean-up reports where the pointer is.
  }
}

/** A point on the probe other than the pointer's position, so that the pointer moves. */
async function freePoint({ probe }: ProbeParts, trial: Trial, pointer: Point): Promise<Point> {
  const { x, y, width, height } = await probe.bounds(trial);
  const middle = { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
  return pointer.x === middle.x && pointer.y === middle.y ? { x: middle.x + 1, y: middle.y } : middle;
}

/** Prevents typing into another window. */
async function requireKeyboard({ probe }: ProbeParts, trial: Trial): Promise<void> {
  if (await probe.hasKeyboard(trial)) return;
  throw new TrialFailure(
    'refused',
    'Another window took the keyboard focus, so nothing more was typed.',
    'Do not use keyboard and pointer for a moment, and repeat the command.',
  );
}

const USE_SHARED = `Use the keyboard and pointer of the user: ${mentionParameter('seat', 'shared')}.`;
const FIND_GRAB =
  'Check for a program that has grabbed keyboard or pointer, such as an open menu or a screen lock, then repeat the command.';
