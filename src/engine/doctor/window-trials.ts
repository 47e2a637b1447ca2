import { mentionCommand } from '../../model/text/mention.ts';
import type { CapturedImage, DesktopWindow } from '../../ports/desktop.ts';
import type { ProbeWindow } from '../../ports/probe-window.ts';
import type { ProbeParts } from './tree-trials.ts';
import type { Trials } from './trials.ts';
import { TrialFailure } from '../../model/effects/trial.ts';
import type { Trial } from '../../model/effects/trial.ts';

/** How far it is moved, in pixels. */
const STEP = { x: 24, y: 16 } as const;

/** What can be done with windows. */
export async function tryWindows(trials: Trials, { desktop, probe }: ProbeParts): Promise<void> {
  const { windowId } = probe;

  await trials.run('list-windows', async (trial) => {
    trial.step('find the probe among the windows');
    let listed: DesktopWindow | undefined;
    await trial.until(async () => {
      listed = (await desktop.listWindows(trial)).find(({ id }) => id === windowId);
      return listed?.root !== undefined;
    });
    if (!listed)
      throw new TrialFailure('broken', 'It is on the screen, and not in the list.', RESTART_MANAGER);
    trial.step('join it with its tree');
    if (listed.root?.path !== probe.elements.window.path)
      throw new TrialFailure(
        'broken',
        'The display lists it, and its tree was not found to belong to it.',
        `Report it with the output of ${mentionCommand('list-windows')}.`,
      );
    return 'It is listed, with its tree.';
  });

  await trials.run('move-window', async (trial) => {
    const { x, y } = await probe.bounds(trial);
    const wanted = { x: x + STEP.x, y: y + STEP.y };
    trial.step('ask that it be moved');
    const { via } = await desktop.controlWindow(windowId, { kind: 'move', ...wanted }, trial);
    trial.step('see it move');
    let now = { x, y };
    const hasMoved = await trial.until(async () => {
      now = await probe.bounds(trial);
      return now.x === wanted.x && now.y === wanted.y;
    });
    if (!hasMoved)
      throw new TrialFailure(
        'refused',
        `It was to go to ${wanted.x},${wanted.y} and is at ${now.x},${now.y}: the window manager places windows as it likes.`,
        `Some window managers do so by design; on a private desktop they can be moved: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
      );
    return `It moved to the pixel, by ${via}.`;
  });

  await trials.run('capture', async (trial) => {
    const look = () => desktop.capture({ kind: 'window', windowId }, trial);
    trial.step('take a picture of it');
    if (!(await trial.until(async () => shows(await look(), probe))))
      throw new TrialFailure(
        'broken',
        'The picture does not show its colour.',
        'Look whether another window that stays on top covers it, and repeat the command.',
      );
    trial.step('take one while it is covered');
    const uncover = await probe.cover(trial);
    try {
      if (!shows(await look(), probe))
        throw new TrialFailure(
          'broken',
          'The picture of the covered window shows what covers it.',
          probe.remedies.coveredPicture,
        );
    } finally {
      await uncover();
    }
    return 'It was pictured in its colour, also while it was covered.';
  });
}

/** Gives the probe the keyboard. */
export async function tryFocus(trials: Trials, { desktop, probe }: ProbeParts): Promise<boolean> {
  return trials.run('focus-window', async (trial: Trial) => {
    trial.step('ask for the focus');
    const { via } = await desktop.controlWindow(probe.windowId, { kind: 'focus' }, trial);
    trial.step('get it');
    if (await trial.until(() => probe.hasKeyboard(trial))) return `It got the keyboard, by ${via}.`;
    throw new TrialFailure('broken', 'The window manager did not give it the keyboard.', RESTART_MANAGER);
  });
}

const RESTART_MANAGER = 'Restart the window manager; it no longer does what it says it can.';

/** Whether all of a picture has the probe's colour. */
function shows({ bgrx, width, height }: CapturedImage, { colour }: ProbeWindow): boolean {
  if (width === 0 || height === 0) return false;
  for (let at = 0; at < bgrx.length; at += 4)
    if (bgrx[at] !== colour.blue || bgrx[at + 1] !== colour.green || bgrx[at + 2] !== colour.red)
      return false;
  return true;
}
