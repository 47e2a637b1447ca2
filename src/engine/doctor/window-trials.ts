import { mentionCommand } from '../../model/text/mention.ts';
import type { CapturedImage } from '../../ports/desktop/capture.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { ProbeWindow } from '../../ports/probe-window.ts';
import type { ProbeParts } from './tree-trials.ts';
import type { Trials } from './trials.ts';
import { TrialFailure, type Trial } from '../../model/effects/trial.ts';

/** How far it is moved, in pixels. */
const STEP = { x: 24, y: 16 } as const;

/** Tries listing, moving and capturing windows. */
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
      throw new TrialFailure('broken', 'It is on the screen but not in the list.', RESTART_MANAGER);
    trial.step('match it with its tree');
    if (listed.root?.path !== probe.elements.window.path)
      throw new TrialFailure(
        'broken',
        'The display lists it, but it was not matched with its tree.',
        `Report it with the output of ${mentionCommand('list-windows')}.`,
      );
    return 'It is listed, with its tree.';
  });

  await trials.run('move-window', async (trial) => {
    const { x, y } = await probe.bounds(trial);
    const wanted = { x: x + STEP.x, y: y + STEP.y };
    trial.step('move it');
    const { via } = await desktop.controlWindow(windowId, { kind: 'move', ...wanted }, trial);
    trial.step('wait until it has moved');
    let now = { x, y };
    const hasMoved = await trial.until(async () => {
      now = await probe.bounds(trial);
      return now.x === wanted.x && now.y === wanted.y;
    });
    if (!hasMoved)
      throw new TrialFailure(
        'refused',
        `It should be at ${wanted.x},${wanted.y} but is at ${now.x},${now.y}: the window manager places windows itself.`,
        `Some window managers do this by design; on a private desktop windows can be moved: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
      );
    return `It moved to the exact position (${via}).`;
  });

  await trials.run('capture', async (trial) => {
    const look = () => desktop.capture({ kind: 'window', windowId }, trial);
    trial.step('take a picture of it');
    if (!(await trial.until(async () => shows(await look(), probe))))
      throw new TrialFailure(
        'broken',
        'The picture does not show its colour.',
        'Check whether another window stays on top of it, then repeat the command.',
      );
    trial.step('take a picture while it is covered');
    const uncover = await probe.cover(trial);
    try {
      if (!shows(await look(), probe))
        throw new TrialFailure(
          'broken',
          'The picture of the covered window shows the window that covers it.',
          probe.remedies.coveredPicture,
        );
    } finally {
      await uncover();
    }
    return 'The picture shows its colour, even while it was covered.';
  });
}

/** Gives the probe the keyboard focus. */
export async function tryFocus(trials: Trials, { desktop, probe }: ProbeParts): Promise<boolean> {
  return trials.run('focus-window', async (trial: Trial) => {
    trial.step('request the focus');
    const { via } = await desktop.controlWindow(probe.windowId, { kind: 'focus' }, trial);
    trial.step('wait for the focus');
    if (await trial.until(() => probe.hasKeyboard(trial))) return `It got the keyboard focus (${via}).`;
    throw new TrialFailure(
      'broken',
      'The window manager did not give it the keyboard focus.',
      RESTART_MANAGER,
    );
  });
}

const RESTART_MANAGER = 'Restart the window manager: it does not do what it claims to support.';

/** Whether all of a picture has the probe's colour. */
function shows({ bgrx, width, height }: CapturedImage, { colour }: ProbeWindow): boolean {
  if (width === 0 || height === 0) return false;
  for (let at = 0; at < bgrx.length; at += 4)
    if (bgrx[at] !== colour.blue || bgrx[at + 1] !== colour.green || bgrx[at + 2] !== colour.red)
      return false;
  return true;
}
