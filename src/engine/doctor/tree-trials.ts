import { mentionCommand } from '../../model/text/mention.ts';
import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { PROBE_ELEMENTS, type ProbeWindow } from '../../ports/probe-window.ts';
import { TrialFailure } from '../../model/effects/trial.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import type { Trials } from './trials.ts';

const MOST_NODES = 100;
/** Letters of several scripts, and one beyond 16 bits. */
const TEXT = 'zażółć 語 😀';
const LEVEL = 42;
const REPORT = `Report it with the output of ${mentionCommand('version')}: our own window should be as readable as any other.`;

export interface ProbeParts extends Pick<EngineParts, 'desktop' | 'clock'> {
  readonly probe: ProbeWindow;
}

/** Tries reading and acting through accessibility. */
export async function tryTree(trials: Trials, { desktop, clock, probe }: ProbeParts): Promise<void> {
  const { elements } = probe;
  await trials.run('read-tree', async (trial) => {
    trial.step('find the probe among the applications');
    const isListed = await trial.until(async () =>
      (await desktop.listApps(trial)).some(({ id }) => id === elements.window.app),
    );
    if (!isListed)
      throw new TrialFailure(
        'broken',
        'The accessibility registry accepted our window but does not list it.',
        RESTART_REGISTRY,
      );
    trial.step('read its tree');
    const started = clock.now();
    const { root, nodeCount } = await desktop.readTree({
      root: elements.window,
      wholeTree: false,
      maxNodes: MOST_NODES,
      includeActions: true,
      deadlineMs: trial.deadlineMs,
      signal: trial.signal,
    });
    const duration = Math.round(clock.now() - started);
    const found = new Map([root, ...root.children].map((node) => [handleKey(node.handle), node]));
    for (const name of PROBE_ELEMENTS) {
      const role = found.get(handleKey(elements[name]))?.role;
      if (role !== name)
        throw new TrialFailure('broken', `Its ${name} was read as ${role ?? 'nothing at all'}.`, REPORT);
    }
    trial.step('find its button on the screen');
    const [shown, reported] = [await probe.bounds(trial), found.get(handleKey(elements.button))?.bounds];
    if (!reported || !isInside(reported, shown))
      throw new TrialFailure(
        'broken',
        `Its button is reported at ${place(reported)}, outside its window at ${place(shown)}.`,
        REPORT,
      );
    return `${nodeCount} elements were read in ${duration} ms.`;
  });

  await trials.run('press', async (trial) => {
    trial.step('press the button');
    const { via } = await desktop.press(elements.button, trial);
    trial.step('wait for the press');
    const hasArrived = await probe.until((record) => record.some(({ kind }) => kind === 'pressed'), trial);
    if (!hasArrived)
      throw new TrialFailure('broken', 'The press was accepted but never reached the window.', REPORT);
    return `It arrived (${via}).`;
  });

  await trials.run('set-value', async (trial) => {
    trial.step('set a text');
    await desktop.setValue(elements.textbox, TEXT, trial);
    if (!(await trial.until(() => probe.content.text === TEXT)))
      throw new TrialFailure('broken', 'The text did not arrive as it was sent.', REPORT);
    trial.step('read the text back');
    if ((await desktop.describe(elements.textbox, trial)).text !== TEXT)
      throw new TrialFailure('broken', 'The text arrived, but a different one was read back.', REPORT);
    trial.step('set a number');
    await desktop.setValue(elements.slider, String(LEVEL), trial);
    if (!(await trial.until(() => probe.content.level === LEVEL)))
      throw new TrialFailure('broken', 'The number did not arrive.', REPORT);
    return 'A text and a number arrived, and the text was read back.';
  });

  await trials.run('events', async (trial) => {
    trial.step('subscribe to events');
    let received: DesktopEvent | undefined;
    const wanted = handleKey(elements.checkbox);
    const stop = await desktop.watch(
      (event) => {
        if (handleKey(event.node) === wanted) received ??= event;
      },
      { deadlineMs: trial.deadlineMs, signal: trial.signal, appId: elements.checkbox.app },
    );
    try {
      trial.step('wait for the event');
      const changedAt = clock.now();
      probe.toggle();
      if (!(await trial.until(() => received !== undefined)))
        throw new TrialFailure(
          'broken',
          'It changed, but the accessibility bus sent no event.',
          RESTART_REGISTRY,
        );
      return `An event arrived after ${Math.max(0, (received?.atMs ?? 0) - changedAt).toFixed(1)} ms.`;
    } finally {
      stop();
    }
  });
}

const RESTART_REGISTRY = 'Log out and in again, which restarts the accessibility bus.';

type Box = TreeNode['bounds'];

function isInside(inner: NonNullable<Box>, outer: NonNullable<Box>): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

function place(box: Box): string {
  return box === undefined ? 'no position' : `${box.x},${box.y}`;
}
