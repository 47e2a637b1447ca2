import { mentionCommand } from '../../model/text/mention.ts';
import type { DoctorCheck } from '../../model/effects/doctor.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { LONGEST_TITLE } from '../../model/refs/target.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import type { CallOptions, DesktopPort, DesktopWindow } from '../../ports/desktop.ts';
import type { Point } from '../../ports/input.ts';
import type { ProbeWindow } from '../../ports/probe-window.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import type { DoctorRequest } from '../requests/desktop.ts';
import { tryKeyboard, tryPointer } from './input-trials.ts';
import { tryTree } from './tree-trials.ts';
import type { ProbeParts } from './tree-trials.ts';
import { Trials } from './trials.ts';
import { TrialFailure } from '../../model/effects/trial.ts';
import { tryFocus, tryWindows } from './window-trials.ts';

const TREE_TRIALS = ['read-tree', 'press', 'set-value', 'events'];
const WINDOW_TRIALS = ['list-windows', 'move-window', 'capture'];
const INPUT_TRIALS = ['focus-window', 'pointer', 'keyboard', 'typing'];
const OPTIONAL = { isOptional: true };
/** For putting everything back, whatever happened to the caller. */
const CLEAN_UP_MS = 2000;
const CLIPBOARD_TEXT = 'Deskterity probe: zażółć 語 😀';
const MOST_WINDOWS = 20;
/** Enough to tell a tree from the stump of one. */
const MOST_NODES = 100;
const MOST_NAMED = 5;

/**
 * Tries on a window of our own what the commands do, and tells what came of each. Leaves focus, pointer, clipboard and screen as they were, also
 * when the caller cancels.
 * @throws Error when the caller cancelled
 */
export async function examine(
  parts: Pick<EngineParts, 'desktop' | 'clock'>,
  request: DoctorRequest,
): Promise<readonly DoctorCheck[]> {
  const { desktop, clock } = parts;
  const options = liveDeadline(request, () => clock.now());
  const trials = new Trials(clock, options);
  const { checks } = await desktop.permissions({
    request: false,
    deadlineMs: options.deadlineMs,
    signal: options.signal,
  });
  for (const check of checks) await trials.run(check.name, async () => verdict(check));
  for (const check of await desktop.machineChecks())
    await trials.run(check.name, async () => verdict(check, 'refused'), OPTIONAL);

  // Some window managers give a new window the focus though it says that it wants none.
  const before = await lookBefore(desktop, options);
  let probe: ProbeWindow | undefined;
  await trials.run('probe-window', async (trial) => {
    trial.step('show it');
    probe = await desktop.openProbe(trial);
    return `Shown as ${quote(probe.title)}.`;
  });
  if (probe) await examineProbe(trials, { ...parts, probe }, before);
  else
    trials.skip(
      [...TREE_TRIALS, ...WINDOW_TRIALS, 'clipboard', 'stop-switch', ...INPUT_TRIALS],
      'There is no probe window to try it on.',
    );
  await trials.run('applications', (trial) => lookForDarkApplications(desktop, trial), OPTIONAL);
  return trials.checks;
}

async function examineProbe(trials: Trials, parts: ProbeParts, before: Before): Promise<void> {
  try {
    await tryTree(trials, parts);
    await tryWindows(trials, parts);
    await tryClipboard(trials, parts);
    await tryInput(trials, parts);
  } finally {
    await cleanUp(trials, parts, before);
  }
}

/** What takes keyboard and pointer, unless somebody has stopped all that. */
async function tryInput(trials: Trials, parts: ProbeParts): Promise<void> {
  const { stopSwitch } = parts.desktop;
  const mayAct = await trials.run('stop-switch', async (trial) => {
    trial.step('ask whether acting is stopped');
    const { stopped, by } = await stopSwitch.state(trial);
    if (stopped)
      throw new TrialFailure(
        'refused',
        `All acting was stopped${by === undefined ? '' : ` by ${clip(by, LONGEST_TITLE)}`}.`,
        `Run ${mentionCommand('resume')} when it may go on.`,
      );
    return 'Acting is allowed.';
  });
  if (mayAct) {
    // First, because it brings the window to the front, where the pointer finds it.
    const hasFocus = await tryFocus(trials, parts);
    await tryPointer(trials, parts);
    if (hasFocus) await tryKeyboard(trials, parts);
    else trials.skip(['keyboard', 'typing'], 'The probe window did not get the keyboard.');
  } else trials.skip(INPUT_TRIALS, 'Keyboard and pointer are not touched while acting may be stopped.');
  await trials.run(
    'stop-hot-key',
    async (trial) => {
      trial.step('ask for the hot-key');
      const keys = await stopSwitch.hotKey(trial);
      if (keys !== undefined) return `${keys} stops all acting.`;
      throw new TrialFailure(
        'refused',
        'No keys stop all acting: another program has them, or the display does not let us listen.',
        `Stop it with ${mentionCommand('stop')}.`,
      );
    },
    OPTIONAL,
  );
  await trials.run(
    'user-hands',
    async (trial) => {
      trial.step('ask whether the display tells of them');
      if (await parts.desktop.input.seesUser(trial))
        return 'Acting waits while you work with keyboard or mouse yourself.';
      throw new TrialFailure(
        'refused',
        'The display server does not report your own keyboard and mouse, so acting does not wait for them.',
        parts.probe.remedies.unseenUser,
      );
    },
    OPTIONAL,
  );
}

/** On a clipboard of the probe's own: nothing of the user's is looked at or lost. */
async function tryClipboard(trials: Trials, { probe }: ProbeParts): Promise<void> {
  const { clipboard } = probe;
  await trials.run('clipboard', async (trial) => {
    const { deadlineMs, signal } = trial;
    trial.step('put a text there');
    const content = { kind: 'text', text: CLIPBOARD_TEXT } as const;
    await clipboard.write({ content, outlivesCall: true, deadlineMs, signal });
    trial.step('read it back');
    const found = await clipboard.read('text', trial);
    if (found.kind !== 'text' || found.text !== CLIPBOARD_TEXT)
      throw new TrialFailure(
        'broken',
        'Another text was read back.',
        `Report it with the output of ${mentionCommand('version')}.`,
      );
    trial.step('clear it');
    await clipboard.clear(trial);
    if ((await clipboard.formats(trial)).names.length > 0)
      throw new TrialFailure('broken', 'It was cleared, and is not empty.', 'Look for a clipboard manager.');
    return 'A text was put, read back and cleared, on a clipboard of its own; yours was not touched.';
  });
}

/** What is to be as it was. */
interface Before {
  readonly focused: DesktopWindow | undefined;
  readonly pointer: Point | undefined;
}

async function lookBefore(desktop: DesktopPort, options: CallOptions): Promise<Before> {
  const [windows, pointer] = await Promise.all([
    ifTold(() => desktop.listWindows(options)),
    ifTold(() => desktop.input.pointer(options)),
  ]);
  return { focused: windows?.find(({ focused }) => focused), pointer };
}

async function ifTold<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

/** Runs whatever became of the caller. */
async function cleanUp(
  trials: Trials,
  { desktop, clock, probe }: ProbeParts,
  { focused, pointer }: Before,
): Promise<void> {
  const own = new Trials(
    clock,
    liveDeadline({ deadlineMs: CLEAN_UP_MS }, () => clock.now()),
  );
  await own.run('clean-up', async (trial) => {
    const hasProbeFocus = (): Promise<boolean> => probe.hasKeyboard(trial);
    try {
      trial.step('give the focus back');
      // Ids are given again: the window of an earlier probe may be called active until the window manager has seen it go.
      const isOther = focused !== undefined && focused.id !== probe.windowId;
      if (isOther && (await ifTold(hasProbeFocus)) === true) {
        await desktop.controlWindow(focused.id, { kind: 'focus' }, trial);
        if (!(await trial.until(async () => !(await hasProbeFocus()))))
          throw new TrialFailure(
            'broken',
            'The focus did not go back to where it was.',
            'Click where you were.',
          );
      }
    } finally {
      await probe.close();
    }
    trial.step('see the probe go');
    const isGone = await trial.until(
      async () => !(await desktop.listWindows(trial)).some(({ id }) => id === probe.windowId),
    );
    if (!isGone) throw new TrialFailure('broken', 'The probe window was closed, and is still listed.');
    const after = pointer && (await ifTold(() => desktop.input.pointer(trial)));
    const isElsewhere = after !== undefined && (after.x !== pointer?.x || after.y !== pointer.y);
    return `The probe window is gone${isElsewhere ? ', and the pointer is not where it was: somebody moved it' : ''}.`;
  });
  trials.checks.push(...own.checks);
}

/** Applications that show no tree, or a stump of one. */
async function lookForDarkApplications(
  desktop: DesktopPort,
  { deadlineMs, signal }: CallOptions,
): Promise<string> {
  const windows = (await desktop.listWindows({ deadlineMs, signal })).slice(0, MOST_WINDOWS);
  const dark = await Promise.all(
    windows.map(async ({ appName, pid, accessible, reason, root }) => {
      const named = `${quote(clip(appName, LONGEST_TITLE))} (process ${pid})`;
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
    `Start them anew with ${mentionCommand('launch')}, which adds what they need.`,
  );
}

/** Whether a part was left out because we did not read it. */
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
