import { mentionCommand } from '../../model/text/mention.ts';
import type { DoctorCheck } from '../../model/effects/doctor.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { LONGEST_TITLE } from '../../model/refs/target.ts';
import { clip, quote, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { Point } from '../../ports/input.ts';
import type { ProbeWindow } from '../../ports/probe-window.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import type { DoctorRequest } from '../requests/desktop.ts';
import { tryKeyboard, tryOwnSeat, tryPointer } from './input-trials.ts';
import { tryTree, type ProbeParts } from './tree-trials.ts';
import { Trials } from './trials.ts';
import { TrialFailure } from '../../model/effects/trial.ts';
import { tryFocus, tryWindows } from './window-trials.ts';

const TREE_TRIALS = ['read-tree', 'press', 'set-value', 'events'];
const WINDOW_TRIALS = ['list-windows', 'move-window', 'capture'];
const INPUT_TRIALS = ['focus-window', 'pointer', 'keyboard', 'typing'];
const OPTIONAL = { isOptional: true };
/** For restoring everything, even after the caller has cancelled. */
const CLEAN_UP_MS = 2000;
const CLIPBOARD_TEXT = 'Deskterity probe: zażółć 語 😀';
const MOST_WINDOWS = 20;
/** Enough to recognise a tree that shows almost nothing. */
const MOST_NODES = 100;
const MOST_NAMED = 5;

/**
 * Tries what the commands do on a window of our own and reports each result. Leaves focus, pointer, clipboard and screen as they were, even
 * if the caller cancels.
 * @throws Error if the caller cancelled
 */
export async function examine(
  parts: Pick<EngineParts, 'desktop' | 'clock'>,
  request: DoctorRequest,
): Promise<readonly DoctorCheck[]> {
  const { desktop, clock } = parts;
  const options = liveDeadline(request, clock);
  const trials = new Trials(clock, options);
  const { checks } = await desktop.permissions({
    request: false,
    deadlineMs: options.deadlineMs,
    signal: options.signal,
  });
  for (const check of checks) {
    const isOptional = check.optional === true;
    const otherwise = isOptional ? 'refused' : 'broken';
    await trials.run(check.name, async () => verdict(check, otherwise), { isOptional });
  }
  for (const check of await desktop.machineChecks())
    await trials.run(check.name, async () => verdict(check, 'refused'), OPTIONAL);

  // Some window managers focus a new window even if it asks for no focus.
  const before = await lookBefore(desktop, options);
  let probe: ProbeWindow | undefined;
  let cannotShow: string | undefined;
  await trials.run(
    'probe-window',
    async (trial) => {
      trial.step('show the window');
      probe = await desktop.openProbe(trial).catch((error: unknown) => {
        if (error instanceof DeskterityError && error.code === 'ACTION_NOT_SUPPORTED')
          cannotShow = error.message;
        throw error;
      });
      return `Shown as ${quote(probe.title)}.`;
    },
    { isOptional: () => cannotShow !== undefined },
  );
  const onProbe = [...TREE_TRIALS, ...WINDOW_TRIALS, 'clipboard', 'stop-switch', ...INPUT_TRIALS];
  if (probe) await examineProbe(trials, { ...parts, probe }, before);
  // Nothing is wrong with a display on which nothing can be tried.
  else if (cannotShow !== undefined) trials.skip(onProbe, cannotShow, OPTIONAL);
  else trials.skip(onProbe, 'There is no probe window to test with.');
  await trials.run('applications', (trial) => lookForDarkApplications(desktop, trial), OPTIONAL);
  return trials.checks;
}

async function examineProbe(trials: Trials, parts: ProbeParts, before: Before): Promise<void> {
  try {
    for (const examineWith of [tryTree, tryWindows, tryClipboard, tryInput]) await examineWith(trials, parts);
  } finally {
    await cleanUp(trials, parts, before);
  }
}

/** Trials that use keyboard and pointer, unless acting is stopped. */
async function tryInput(trials: Trials, parts: ProbeParts): Promise<void> {
  const { stopSwitch } = parts.desktop;
  const mayAct = await trials.run('stop-switch', async (trial) => {
    trial.step('read whether acting is stopped');
    const { stopped, by } = await stopSwitch.state(trial);
    if (stopped)
      throw new TrialFailure(
        'refused',
        `All acting was stopped${by === undefined ? '' : ` by ${clip(by, LONGEST_TITLE)}`}.`,
        `Run ${mentionCommand('resume')} to allow it again.`,
      );
    return 'Acting is allowed.';
  });
  if (mayAct) {
    // First, because it raises the window so that the pointer reaches it.
    const hasFocus = await tryFocus(trials, parts);
    await tryPointer(trials, parts);
    if (hasFocus) await tryKeyboard(trials, parts);
    else trials.skip(['keyboard', 'typing'], 'The probe window did not get the keyboard focus.');
    await tryOwnSeat(trials, parts);
  } else trials.skip(INPUT_TRIALS, 'Keyboard and pointer are not used while acting is or may be stopped.');
  await trials.run(
    'stop-hot-key',
    async (trial) => {
      trial.step('look up the hot key');
      const keys = await stopSwitch.hotKey(trial);
      if (keys !== undefined) return `${keys} stops all acting.`;
      throw new TrialFailure(
        'refused',
        'The hot key that stops acting is unavailable: another program uses it, or the display does not let us listen for it.',
        `Stop acting with ${mentionCommand('stop')} instead.`,
      );
    },
    OPTIONAL,
  );
  await trials.run(
    'user-hands',
    async (trial) => {
      trial.step('check whether the display reports your input');
      if (await parts.desktop.input.reportsUserInput(trial))
        return 'Acting waits while you use keyboard or mouse yourself.';
      throw new TrialFailure(
        'refused',
        'The display server does not report your own keyboard and mouse, so acting does not wait for them.',
        parts.probe.remedies.unreportedInput,
      );
    },
    OPTIONAL,
  );
}

/** Uses the probe's own clipboard: the user's is neither read nor changed. */
async function tryClipboard(trials: Trials, { probe }: ProbeParts): Promise<void> {
  const { clipboard } = probe;
  await trials.run('clipboard', async (trial) => {
    const { deadlineMs, signal } = trial;
    trial.step('write a text');
    const content = { kind: 'text', text: CLIPBOARD_TEXT } as const;
    await clipboard.write({ content, outlivesCall: true, deadlineMs, signal });
    trial.step('read it back');
    const found = await clipboard.read('text', trial);
    if (found.kind !== 'text' || found.text !== CLIPBOARD_TEXT)
      throw new TrialFailure(
        'broken',
        'A different text was read back.',
        `Report it with the output of ${mentionCommand('version')}.`,
      );
    trial.step('clear it');
    await clipboard.clear(trial);
    if ((await clipboard.formats(trial)).names.length > 0)
      throw new TrialFailure('broken', 'It was cleared but is not empty.', 'Check for a clipboard manager.');
    return 'A text was written, read back and cleared on a separate clipboard; yours was not touched.';
  });
}

/** What is restored afterwards. */
interface Before {
  readonly focused: DesktopWindow | undefined;
  readonly pointer: Point | undefined;
}

async function lookBefore(desktop: DesktopPort, options: CallOptions): Promise<Before> {
  const [windows, pointer] = await Promise.all([
    orUndefined(() => desktop.listWindows(options)),
    orUndefined(() => desktop.input.pointer(options)),
  ]);
  return { focused: windows?.find(({ focused }) => focused), pointer };
}

async function orUndefined<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

/** Runs even if the caller has cancelled. */
async function cleanUp(
  trials: Trials,
  { desktop, clock, probe }: ProbeParts,
  { focused, pointer }: Before,
): Promise<void> {
  const own = new Trials(clock, liveDeadline({ deadlineMs: CLEAN_UP_MS }, clock));
  await own.run('clean-up', async (trial) => {
    const listed = async (id: string): Promise<DesktopWindow | undefined> =>
      (await desktop.listWindows(trial)).find((window) => window.id === id);
    const giveFocus = async (id: string): Promise<void> => {
      await desktop.controlWindow(id, { kind: 'focus' }, trial);
      const isBack = async (): Promise<boolean> => (await listed(id))?.focused !== false;
      if (!(await trial.until(isBack))) throw focusLost();
    };
    const isPointerBack = async (): Promise<boolean> => {
      const now = await orUndefined(() => desktop.input.pointer(trial));
      return now !== undefined && now.x === pointer?.x && now.y === pointer.y;
    };
    let givenTo: string | undefined;
    try {
      trial.step('restore the focus');
      // Window ids are reused: the window manager may still report the window of an earlier probe as active.
      const isOther = focused !== undefined && focused.id !== probe.windowId;
      const isOurs = isOther && (await orUndefined(() => probe.hasKeyboard(trial))) === true;
      // Where the focus follows the pointer, it went to what is under it when the pointer was moved back.
      const isFollowing = isOther && (await isPointerBack()) && (await listed(focused.id))?.focused === false;
      if (isOurs || isFollowing) {
        await giveFocus(focused.id);
        givenTo = focused.id;
      }
    } finally {
      await probe.close();
    }
    trial.step('wait for the probe window to close');
    const isGone = await trial.until(async () => (await listed(probe.windowId)) === undefined);
    if (!isGone) throw new TrialFailure('broken', 'The probe window was closed but is still listed.');
    trial.step('look whether the focus stayed there');
    // Window managers focus another window, or none, when a window closes.
    if (givenTo !== undefined && (await listed(givenTo))?.focused === false) await giveFocus(givenTo);
    // If it had been elsewhere, the user chose another window meanwhile.
    const isSomewhere = async (): Promise<boolean> => {
      const windows = await desktop.listWindows(trial);
      return windows.some((window) => window.focused) || !windows.some(({ id }) => id === focused?.id);
    };
    if (!(await trial.until(isSomewhere))) throw focusLost();
    const after = pointer && (await orUndefined(() => desktop.input.pointer(trial)));
    const isElsewhere = after !== undefined && (after.x !== pointer?.x || after.y !== pointer.y);
    return `The probe window has closed.${isElsewhere ? ' The pointer is not where it was before: somebody moved it.' : ''}`;
  });
  trials.checks.push(...own.checks);
}

function focusLost(): TrialFailure {
  return new TrialFailure(
    'broken',
    'The focus did not return to the window that had it.',
    'Click the window you were using.',
  );
}

/** Finds applications that show no tree, or almost none. */
async function lookForDarkApplications(
  desktop: DesktopPort,
  { deadlineMs, signal }: CallOptions,
): Promise<string> {
  const windows = (await desktop.listWindows({ deadlineMs, signal })).slice(0, MOST_WINDOWS);
  const dark = await Promise.all(
    windows.map(async ({ appName, pid, accessible, reason, root }) => {
      const named = `${quoteClipped(appName, LONGEST_TITLE)} (process ${pid})`;
      if (!accessible || !root) return [`${named}: ${reason ?? 'it shows no tree'}`];
      const tree = await desktop
        .readTree({ root, wholeTree: false, maxNodes: MOST_NODES, includeActions: false, deadlineMs, signal })
        .catch(() => undefined);
      const isStump = tree !== undefined && !tree.complete && !isCut(tree.root);
      return isStump ? [`${named}: ${tree.incompleteReasons.join('; ')}`] : [];
    }),
  );
  const found = [...new Set(dark.flat())];
  if (found.length === 0)
    return `${windows.length === 1 ? 'The only window shows' : `All ${windows.length} windows show`} a tree.`;
  const more = found.length > MOST_NAMED ? ` And ${found.length - MOST_NAMED} more.` : '';
  throw new TrialFailure(
    'refused',
    `${found.slice(0, MOST_NAMED).join(' ')}${more}`,
    `Restart them with ${mentionCommand('launch')}, which adds what they need.`,
  );
}

/** Whether a part is missing because we did not read it. */
function isCut({ elided, children }: TreeNode): boolean {
  return elided !== undefined || children.some(isCut);
}

function verdict(
  { ok, detail, fix }: { readonly ok: boolean; readonly detail: string; readonly fix?: string | undefined },
  otherwise: 'broken' | 'refused' = 'broken',
): string {
  if (ok) return detail;
  throw new TrialFailure(otherwise, detail, fix);
}
