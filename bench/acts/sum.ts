import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Figure, Say } from '../support/figures.ts';
import { runPeer } from '../support/peer.ts';
import type { Stage } from '../support/stage.ts';
import { actFigures } from './act-figures.ts';
import type { ActCase } from './cases.ts';
import { Tally } from './rounds.ts';
import { windowOf, type Tools } from './tools.ts';
import { ActRefused, type ActWindow, type Place, type Timed, type Way } from './way.ts';
import { clickOn } from './xdotool-way.ts';

const ROUNDS = 5;
const KEYS = ['7', '×', '6', '='] as const;
const RESULT = '42';
const LIMIT_MS = '3000';
const Seen = z.object({ met: z.boolean(), seen: z.array(z.string()) });

const KCALC = {
  name: 'KCalc',
  program: 'kcalc',
  packageName: 'kcalc',
  title: /kcalc/i,
  atLeastNodes: 40,
} as const;

const keyCase = (name: string): ActCase => ({
  act: 'press',
  name,
  roles: ['button'],
  values: [''],
  isRecorded: () => true,
});
const DISPLAY: ActCase = { ...keyCase('0'), roles: ['group'] };

/** Four keys and the display read back; a script cannot read, so it only presses. KCalc keeps no record: libatspi reads the display afterwards. */
export async function sumFigures(stage: Stage, tools: Tools, say: Say): Promise<Figure[]> {
  const open = await stage.open(KCALC);
  try {
    const window = await windowOf(tools.ours, open.pid);
    await clear(tools);
    const sum = new Sum(tools, window);
    await sum.prepare();
    const { ours, script, peer } = tools;
    const tallies = [ours, script, ...(peer === undefined ? [] : [peer])].map((way: Way) => new Tally(way));
    for (let round = -1; round < ROUNDS; round++) {
      for (const tally of tallies) {
        say(`kcalc: 7 × 6 by ${tally.way.name}`);
        await clear(tools);
        await sleep(tally.way.quietBeforeMs ?? 0);
        await attempt(tally, sum, round >= 0, () => shown(stage, open.pid));
        await sleep(tally.way.quietAfterMs ?? 0);
      }
    }
    return actFigures(
      'kcalc',
      'compute 7 × 6',
      tallies.map((tally) => tally.result()),
    );
  } finally {
    await open.close();
  }
}

async function attempt(
  tally: Tally,
  sum: Sum,
  isCounted: boolean,
  isShown: () => Promise<boolean>,
): Promise<void> {
  try {
    const timed = await sum.by(tally.way);
    if (isCounted) tally.count(timed, await isShown());
  } catch (error) {
    if (!(error instanceof ActRefused)) throw error;
    tally.refused(error.message, isCounted);
  }
}

async function clear({ script }: Tools): Promise<void> {
  await script.run(['key', 'Escape', 'sleep', '0.2']);
}

async function shown(stage: Stage, pid: number): Promise<boolean> {
  const args = [String(pid), 'label', '', 'name', RESULT, LIMIT_MS];
  const { met } = await runPeer('atspi_state.py', args, stage.desktop.environment, Seen);
  return met;
}

class Sum {
  private readonly tools: Tools;
  private readonly window: ActWindow;
  private readonly keys: readonly ActCase[] = KEYS.map(keyCase);
  private places: readonly Place[] = [];
  private display = '';

  constructor(tools: Tools, window: ActWindow) {
    this.tools = tools;
    this.window = window;
  }

  async prepare(): Promise<void> {
    const { tools, window } = this;
    const places: Place[] = [];
    for (const key of this.keys) {
      places.push(await window.placeOf(key));
      await tools.ours.prepare(key, window);
    }
    this.places = places;
    this.display = (await window.placeOf(DISPLAY)).ref;
  }

  async by(way: Way): Promise<Timed> {
    const { ours, peer, script } = this.tools;
    if (way === script) return script.run(this.places.flatMap((place) => clickOn(place)));
    if (peer !== undefined && way === peer) await peer.prepare(this.keys[0] ?? DISPLAY, this.window);
    const began = performance.now();
    const claims = new Set<string>();
    for (const key of this.keys) claims.add((await way.act(key, '', this.window)).claim);
    const read =
      way === ours ? await ours.textOf(this.display) : ((await peer?.read(this.window))?.text ?? '');
    const ms = performance.now() - began;
    const hasRead = way === ours ? read === RESULT : read.includes(RESULT);
    if (!hasRead) throw new ActRefused(`it read back ${JSON.stringify(read.slice(0, 60))}`);
    return { ms, claim: [...claims].join(', ') };
  }
}
