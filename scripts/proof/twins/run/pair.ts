import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../act/actor.ts';
import { clickOn, park } from '../act/mouse.ts';
import { usableWidgets, type WidgetKey } from '../act/widgets.ts';
import { lookAway, walk } from '../look/look.ts';
import { placed, type Seen } from '../look/tree.ts';
import { sameFrame } from '../side/frame.ts';
import { RUNTIME } from '../side/namespaces.ts';
import { Side } from '../side/side.ts';
import type { Application } from '../applications.ts';

const START_MS = 40_000;
const CLOSE_MS = 5000;
const POLL_MS = 150;
const STILL_MS = 600;
const MOST_MS = 8000;
const STEP_STILL_MS = 400;
const STEP_MOST_MS = 4000;
/** Dialogs in the way of a first start, one after the other. */
const MOST_DISMISSED = 6;

export interface PairOptions {
  readonly application: Application;
  /** Who acts on our side. */
  readonly actor: Actor;
  readonly home: string;
  /** The folder of the instrument. */
  readonly instrument: string;
}

/** One application twice: on our side and on the twin's. */
export class Pair {
  readonly ours: Side;
  readonly twin: Side;

  private constructor(ours: Side, twin: Side) {
    this.ours = ours;
    this.twin = twin;
  }

  /** Starts both sides with the application. */
  static async open(options: PairOptions): Promise<Pair> {
    const [ours, twin] = await both(
      async () => startApplication(options),
      async () => startApplication(options),
    );
    return new Pair(ours, twin);
  }

  async end(): Promise<void> {
    await Promise.all([this.ours.end(), this.twin.end()]);
  }
}

/** Takes the keyboard focus away from the windows of both sides. */
export async function bothLookAway({ ours, twin }: Pair): Promise<void> {
  await Promise.all(
    [ours, twin].map(async (side) => {
      await lookAway(side);
      await side.untilStill(STEP_STILL_MS, STEP_MOST_MS);
    }),
  );
}

/** Runs two things at once. If one fails, the other's result is ended. */
async function both(one: () => Promise<Side>, other: () => Promise<Side>): Promise<[Side, Side]> {
  const [first, second] = await Promise.allSettled([one(), other()]);
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return [first.value, second.value];
  for (const result of [first, second]) if (result.status === 'fulfilled') await result.value.end();
  const failed = [first, second].find((result) => result.status === 'rejected');
  throw failed?.status === 'rejected' ? failed.reason : new Error('a side did not start');
}

/** A side with its application, at rest, once a mouse has clicked the widgets that lead to a place. */
export async function startApplication(
  options: PairOptions,
  steps: readonly WidgetKey[] = [],
): Promise<Side> {
  const { side } = await launchApplication(options);
  try {
    for (const key of steps) {
      await clickOn(side, await walk(side), key);
      await side.untilStill(STEP_STILL_MS, STEP_MOST_MS);
    }
    return side;
  } catch (error) {
    await side.end();
    throw error;
  }
}

/** Runs the application once and closes its windows, which leaves in its HOME what every later start finds there. */
export async function firstRun(options: PairOptions, keep: (home: string) => void): Promise<boolean> {
  const { side, pid } = await launchApplication(options);
  try {
    for (const { id, managed } of (await walk(side)).windows)
      if (managed) await side.run(['wmctrl', '-i', '-c', String(id)], CLOSE_MS);
    for (const end = performance.now() + CLOSE_MS; await side.isAlive(pid); await sleep(POLL_MS))
      if (performance.now() > end) return false;
    keep(side.folders.home);
    return true;
  } finally {
    await side.end();
  }
}

async function launchApplication({
  application,
  actor,
  home,
  instrument,
}: PairOptions): Promise<{ readonly side: Side; readonly pid: number }> {
  const side = await Side.start({ home, tools: { twins: instrument, ...actor.tools } });
  try {
    await park(side);
    const empty = side.frame();
    const pid = await side.launch(application.command, 'application.log');
    const isDrawn = (): boolean => !sameFrame(side.frame(), empty);
    for (const end = performance.now() + START_MS; !isDrawn() && performance.now() < end;)
      await sleep(POLL_MS);
    await untilItShows(side, pid, application);
    return { side, pid };
  } catch (error) {
    await side.end();
    throw error;
  }
}

/** Waits for a window of the application, and clicks the dialogs of its first start away. */
async function untilItShows(side: Side, pid: number, application: Application): Promise<void> {
  const end = performance.now() + START_MS;
  const left = [...application.dismiss];
  for (let dismissed = 0; ;) {
    await side.untilStill(STILL_MS, MOST_MS);
    const seen = await walk(side);
    const inTheWay = left
      .map(({ role, name }) => findNamed(seen, role, name))
      .find((found) => found !== undefined);
    if (inTheWay !== undefined && dismissed < MOST_DISMISSED) {
      await clickOn(side, seen, inTheWay);
      await park(side);
      dismissed += 1;
      continue;
    }
    const isShown = seen.windows.some(({ managed }) => managed);
    const isReadable = seen.applications.some(({ windows }) => windows.length > 0);
    // Before the window there may be a picture without anything in it that could be used.
    const isUsable = usableWidgets(seen).some(({ unreachable }) => unreachable === undefined);
    const isLate = performance.now() > end;
    if (isShown && (application.tree ? isUsable || (isLate && isReadable) : true)) return;
    const isAlive = await side.isAlive(pid);
    // A launcher may exit before the application it started shows a window, but not long before.
    if (performance.now() > (isAlive ? end : end - START_MS / 2)) {
      const what = isShown ? 'tree' : 'window';
      const log = await side.run(['tail', '-c', '400', `${RUNTIME}/application.log`], CLOSE_MS);
      throw new Error(
        `${application.name} showed no ${what} and ${isAlive ? 'runs' : 'has exited'}: ${log.stdout}`,
      );
    }
    await sleep(POLL_MS);
  }
}

function findNamed(seen: Seen, role: string, name: string): WidgetKey | undefined {
  for (const { node, above, application } of placed(seen))
    if (node.role === role && node.name === name && node.box !== null)
      return {
        application: application.name,
        role,
        name,
        path: [...above, node].map(({ index }) => index),
      };
  return undefined;
}
