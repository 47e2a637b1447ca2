import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { FIXTURE_KINDS, type Fixture, type FixtureKind } from '../../fixtures/driver.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import { CALL, HAS_GNOME, HAS_KWIN, WaylandStage, worksOnWayland } from '../../tests/linux/wayland/stage.ts';
import { mergeByName, repeat, seededRandom, type ProofOptions, type ProofRow } from './row.ts';

const SEED = 20_261_129;
const REPEATS = 25;
const TEXT = 'Order 66: pay $40 + 5% to "me" @home, #1';
/** For an application to record what reached it. */
const RECORDED_MS = 2000;

const NO_GNOME = 'GNOME Shell is not installed: gnome-shell, pipewire';

/** Compositors that are not installed, and what to install. */
const MISSING: Readonly<Partial<Record<string, string>>> = {
  ...(HAS_KWIN ? {} : { kwin: 'KWin is not installed: kwin-wayland' }),
  ...(HAS_GNOME ? {} : { gnome: NO_GNOME, 'gnome-bare': NO_GNOME }),
};

const STARTS: Readonly<Record<string, () => Promise<WaylandStage>>> = {
  sway: () => WaylandStage.start('wayland'),
  kwin: () => WaylandStage.start('kwin'),
  gnome: () => WaylandStage.start('gnome'),
  'gnome-bare': () => WaylandStage.startBareGnome(),
};

const State = z.object({ pressed: z.number() });
const Name = z.object({ text: z.string().nullish() });

/** What keyboard and pointer do under each compositor, judged by the record of the application. `only` names compositors: sway, kwin, gnome, gnome-bare (without our extension). */
export async function prove({
  say,
  repeats = REPEATS,
  only = Object.keys(STARTS),
  seed = SEED,
  commit,
}: ProofOptions): Promise<ProofRow[]> {
  const rows: ProofRow[] = [];
  for (const name of only) {
    const missing = MISSING[name];
    if (missing !== undefined) {
      say(missing);
      continue;
    }
    for (const kind of FIXTURE_KINDS)
      if (worksOnWayland(kind))
        rows.push(...(await on(name, kind, { say, repeats, random: seededRandom(seed) })));
  }
  return rows.map((row) => ({ ...row, at: commit }));
}

/** Rows of compositors that were not tried stay. */
export function merge(earlier: unknown, later: readonly ProofRow[]): ProofRow[] {
  return mergeByName(earlier, later);
}

interface Run {
  readonly say: ProofOptions['say'];
  readonly repeats: number;
  readonly random: () => number;
}

async function on(name: string, kind: FixtureKind, { say, repeats, random }: Run): Promise<ProofRow[]> {
  const start = STARTS[name];
  if (start === undefined) throw new Error(`there is no compositor ${name}`);
  const stage = await start();
  try {
    const fixture = await stage.fixture(kind);
    const row = (what: string, attempt: () => Promise<void>) =>
      repeat(`${name}, ${kind}: ${what}`, repeats, say, attempt);
    return [
      name === 'gnome-bare'
        ? // Mutter moves no window for others.
          await row('a click at a place presses the button once', () => click(stage, fixture))
        : await row('a click at a place of a window that was moved presses the button once', async () => {
            await move(stage, fixture, random);
            await click(stage, fixture);
          }),
      await row('40 characters arrive as they were typed', () => type(stage, fixture)),
    ];
  } finally {
    await stage.stop();
  }
}

async function move(stage: WaylandStage, fixture: Fixture, random: () => number): Promise<void> {
  const { id } = await stage.window(fixture);
  const place = { x: 20 + Math.floor(random() * 250), y: 40 + Math.floor(random() * 40) };
  await stage.desktop.controlWindow(id, { kind: 'move', ...place }, CALL);
  await until(async () => {
    const { bounds } = await stage.window(fixture);
    return bounds?.x === place.x && bounds.y === place.y;
  }, `the window is not at ${place.x},${place.y}`);
}

async function click(stage: WaylandStage, fixture: Fixture): Promise<void> {
  const pressed = async (): Promise<number> => State.parse(await fixture.control('state')).pressed;
  const before = await pressed();
  const lease = await stage.desktop.input.take('proof', CALL);
  await lease.moveTo(await stage.middleOf(fixture, { role: 'button', name: 'Press' }), CALL);
  await lease.click('left', 1, CALL);
  await lease.endLease();
  await until(async () => (await pressed()) > before, 'the click was lost');
  if ((await pressed()) !== before + 1) throw new Error('it was pressed more than once');
}

async function type(stage: WaylandStage, fixture: Fixture): Promise<void> {
  const text = async (): Promise<string> =>
    Name.parse(await fixture.control('get', { widget: 'name' })).text ?? '';
  const lease = await stage.desktop.input.take('proof', CALL);
  await lease.moveTo(await stage.middleOf(fixture, { role: 'textbox', name: 'Name' }), CALL);
  await lease.click('left', 1, CALL);
  await lease.press(parseKeyCombination('ctrl+a'), CALL);
  await lease.press(parseKeyCombination('Delete'), CALL);
  await until(async () => (await text()) === '', 'the field is not empty');
  await lease.type(TEXT, { ...CALL, delayMs: 0, check: async () => undefined });
  await lease.endLease();
  await until(async () => (await text()) === TEXT, 'another text arrived');
}

async function until(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
  const end = performance.now() + RECORDED_MS;
  while (performance.now() < end) {
    if (await holds()) return;
    await sleep(20);
  }
  throw new Error(otherwise);
}
