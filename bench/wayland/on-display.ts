import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Fixture } from '../../fixtures/driver.ts';
import type { InputLease, Point } from '../../src/ports/input.ts';
import { CALL, type WaylandStage } from '../../tests/linux/wayland/stage.ts';
import type { Figure } from '../support/figures.ts';
import { compared } from './compare.ts';
import type { WaylandTools } from './tools.ts';

const CLICKS = 100;
const HELD_CLICKS = 20;
const TEXTS = 30;
const CLICK_GOAL_MS = 5;
const TYPING_GOAL = 5;
export const TEXT = 'Order 66: pay $40 + 5% to "me" @home, #1';
/** For an application to record what reached it. */
const RECORDED_MS = 3000;

const State = z.object({ pressed: z.number() });
const Name = z.object({ text: z.string().nullish() });

/** Keyboard and pointer of the adapter, in this process, each act checked by the record of the application. */
export async function onDisplay(
  stage: WaylandStage,
  fixture: Fixture,
  tools: WaylandTools,
): Promise<Figure[]> {
  const lease = await stage.desktop.input.take('bench', CALL);
  try {
    return [
      ...(await clicks(lease, stage, fixture, tools)),
      ...(await heldClicks(lease, stage, fixture)),
      ...(await texts(lease, stage, fixture, tools)),
    ];
  } finally {
    await lease.endLease();
  }
}

async function clicks(
  lease: InputLease,
  stage: WaylandStage,
  fixture: Fixture,
  tools: WaylandTools,
): Promise<Figure[]> {
  const middle = await stage.middleOf(fixture, { role: 'button', name: 'Press' });
  const hasWlrctl = await tools.has('wlrctl');
  const [ours, swaymsg, wlrctl]: [number[], number[], number[]] = [[], [], []];
  let landed = 0;
  for (let turn = 0; turn < CLICKS; turn++) {
    // Not where it is already, as nobody clicks twice at the same point of a desktop by accident.
    const at = { x: middle.x + (turn % 2), y: middle.y };
    ours.push(await recorded(fixture, () => timed(() => clickAt(lease, at))));
    const by = await besides(fixture, () => tools.time('swaymsg', ...swaymsgClick(at)));
    swaymsg.push(by.ms);
    landed += by.landed;
    if (hasWlrctl)
      wlrctl.push(
        (await tools.time('wlrctl', 'pointer', 'move', '1', '0')) +
          (await besides(fixture, () => tools.time('wlrctl', 'pointer', 'click', 'left'))).ms,
      );
  }
  const what = 'click at a place, from the request to the answer of the compositor';
  return [
    ...compared(
      {
        what,
        ours,
        beside: { tool: 'swaymsg', times: swaymsg },
        note: `ours moves, looks what is there, presses and releases; all ${CLICKS} were recorded by the application, of swaymsg’s ${landed}`,
      },
      { atMostMs: CLICK_GOAL_MS },
    ),
    ...(hasWlrctl
      ? compared(
          { what: `${what}, beside wlrctl`, ours, beside: { tool: 'wlrctl', times: wlrctl } },
          { timesFaster: 1 },
        )
      : []),
  ];
}

/** As the command `click` does it. */
async function heldClicks(lease: InputLease, stage: WaylandStage, fixture: Fixture): Promise<Figure[]> {
  const middle = await stage.middleOf(fixture, { role: 'button', name: 'Press' });
  const ours: number[] = [];
  for (let turn = 0; turn < HELD_CLICKS; turn++) {
    const at = { x: middle.x + (turn % 2), y: middle.y };
    const click = async (): Promise<void> => {
      await lease.moveTo(at, CALL);
      await lease.click('left', 1, CALL);
    };
    ours.push(await recorded(fixture, () => timed(click)));
  }
  return compared({
    what: 'the same with the button held for 60 ms, as a hand does',
    ours,
    note: 'lists of GTK 4 lose shorter clicks',
  });
}

async function texts(
  lease: InputLease,
  stage: WaylandStage,
  fixture: Fixture,
  tools: WaylandTools,
): Promise<Figure[]> {
  await clickAt(lease, await stage.middleOf(fixture, { role: 'textbox', name: 'Name' }));
  const [ours, wtype]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TEXTS; turn++) {
    ours.push(
      await typed(fixture, () => lease.type(TEXT, { ...CALL, delayMs: 0, check: async () => undefined })),
    );
    wtype.push(await typed(fixture, () => tools.run('wtype', TEXT)));
  }
  return compared(
    {
      what: `type ${TEXT.length} characters`,
      ours,
      beside: { tool: 'wtype', times: wtype },
      note: 'each text was whole in the field of the application, by both',
    },
    { timesFaster: TYPING_GOAL },
  );
}

async function clickAt(lease: InputLease, at: Point): Promise<void> {
  await lease.moveTo(at, CALL);
  await lease.buttonDown('left', CALL);
  await lease.buttonUp('left', CALL);
}

function swaymsgClick({ x, y }: Point): readonly string[] {
  const seat = 'seat seat0 cursor';
  return [`${seat} set ${x} ${y}; ${seat} press button1; ${seat} release button1`];
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

/** @throws Error unless the button was pressed once */
async function recorded(fixture: Fixture, act: () => Promise<number>): Promise<number> {
  const { ms, landed } = await besides(fixture, act);
  if (landed !== 1) throw new Error(`a click of ours pressed the button ${landed} times`);
  return ms;
}

/** The time of an act, and how often it pressed the button. */
async function besides(
  fixture: Fixture,
  act: () => Promise<number>,
): Promise<{ readonly ms: number; readonly landed: number }> {
  const pressed = async (): Promise<number> => State.parse(await fixture.control('state')).pressed;
  const before = await pressed();
  const ms = await act();
  await holds(async () => (await pressed()) > before);
  return { ms, landed: (await pressed()) - before };
}

/** @throws Error unless the text arrived */
async function typed(fixture: Fixture, act: () => Promise<unknown>): Promise<number> {
  const text = async (): Promise<string> =>
    Name.parse(await fixture.control('get', { widget: 'name' })).text ?? '';
  await fixture.control('set', { widget: 'name', property: 'text', value: '' });
  const ms = await timed(act);
  if (!(await holds(async () => (await text()) === TEXT)))
    throw new Error(`${JSON.stringify(await text())} arrived instead of the text`);
  return ms;
}

async function holds(condition: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + RECORDED_MS;
  while (!(await condition())) {
    if (performance.now() > end) return false;
    await sleep(5);
  }
  return true;
}
