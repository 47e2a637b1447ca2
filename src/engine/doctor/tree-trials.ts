import { mentionCommand } from '../../model/text/mention.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import type { DesktopEvent } from '../../ports/desktop.ts';
import { PROBE_ELEMENTS } from '../../ports/probe-window.ts';
import type { ProbeWindow } from '../../ports/probe-window.ts';
import { TrialFailure } from '../../model/effects/trial.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import type { Trials } from './trials.ts';

const MOST_NODES = 100;
/** Letters of several scripts, and one beyond 16 bits. */
const TEXT = 'zażółć 語 😀';
const LEVEL = 42;
const REPORT = `Report it with the output of ${mentionCommand('version')}: our own window is read the way every application is.`;

export interface ProbeParts extends Pick<EngineParts, 'desktop' | 'clock'> {
  readonly probe: ProbeWindow;
}

/** What can be done through accessibility. */
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
        'The registry took our window and does not list it.',
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
    const [shown, told] = [await probe.bounds(trial), found.get(handleKey(elements.button))?.bounds];
    if (!told || !isInside(told, shown))
      throw new TrialFailure(
        'broken',
        `Its button is said to be at ${place(told)}, outside its window at ${place(shown)}.`,
        REPORT,
      );
    return `${nodeCount} elements were read in ${duration} ms.`;
  });

  await trials.run('press', async (trial) => {
    trial.step('press the button');
    const { via } = await desktop.press(elements.button, trial);
    trial.step('see it arrive');
    const hasArrived = await probe.until((record) => record.some(({ kind }) => kind === 'pressed'), trial);
    if (!hasArrived) throw new TrialFailure('broken', 'The press was accepted, and did not arrive.', REPORT);
    return `It arrived, by ${via}.`;
  });

  await trials.run('set-value', async (trial) => {
    trial.step('set a text');
    await desktop.setValue(elements.textbox, TEXT, trial);
    if (!(await trial.until(() => probe.content.text === TEXT)))
      throw new TrialFailure('broken', 'The text did not arrive as it was sent.', REPORT);
    trial.step('read the text back');
    if ((await desktop.describe(elements.textbox, trial)).text !== TEXT)
      throw new TrialFailure('broken', 'The text arrived, and another one was read back.', REPORT);
    trial.step('set a number');
    await desktop.setValue(elements.slider, String(LEVEL), trial);
    if (!(await trial.until(() => probe.content.level === LEVEL)))
      throw new TrialFailure('broken', 'The number did not arrive.', REPORT);
    return 'A text and a number arrived, and the text was read back.';
  });

  await trials.run('events', async (trial) => {
    trial.step('listen to the probe');
    let heard: DesktopEvent | undefined;
    const wanted = handleKey(elements.checkbox);
    const stop = await desktop.watch(
      (event) => {
        if (handleKey(event.node) === wanted) heard ??= event;
      },
      { deadlineMs: trial.deadlineMs, signal: trial.signal, appId: elements.checkbox.app },
    );
    try {
      trial.step('hear it change');
      const changedAt = clock.now();
      probe.toggle();
      if (!(await trial.until(() => heard !== undefined)))
        throw new TrialFailure(
          'broken',
          'It changed, and the accessibility bus did not tell.',
          RESTART_REGISTRY,
        );
      return `A change was told after ${Math.max(0, (heard?.atMs ?? 0) - changedAt).toFixed(1)} ms.`;
    } finally {
      stop();
    }
  });
}

const RESTART_REGISTRY = 'Log out and in again, which starts the accessibility bus anew.';

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
  return box === undefined ? 'no place' : `${box.x},${box.y}`;
}
