import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Fixture } from '../../../fixtures/driver.ts';
import { expectedWidgets } from '../../../fixtures/widgets.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { Receipt } from '../../../src/model/effects/effect.ts';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';

const ACT = { deadlineMs: 10_000, settle: { quietMs: 80, limitMs: 1000 } };
const ARRIVES_MS = 1500;
const Widget = z.looseObject({ text: z.string().nullish(), checked: z.unknown() });

/** An act, and what the application itself says of it. */
export interface SeatAct {
  readonly name: string;
  /** @param round counts from 0 */
  run(engine: Engine, round: number): Promise<Receipt>;
  /** Whether it arrived, once and as meant; absent if nothing but the user can tell. */
  arrived?(round: number): Promise<boolean>;
  /** Ends what it opened. */
  after?(engine: Engine): Promise<void>;
}

export function fixtureActs(fixture: Fixture): readonly SeatAct[] {
  const app = String(fixture.pid);
  const ref = (id: string): string => {
    const widget = expectedWidgets(fixture.kind).find((each) => each.id === id);
    return `app:${app} >> role:${widget?.role}[name=${JSON.stringify(widget?.name)}]`;
  };
  const read = async (widget: string): Promise<z.output<typeof Widget>> =>
    Widget.parse(await fixture.control('get', { widget }));
  const soon = async (isSo: () => Promise<boolean>): Promise<boolean> => {
    const end = performance.now() + ARRIVES_MS;
    while (!(await isSo())) {
      if (performance.now() > end) return false;
      await sleep(20);
    }
    return true;
  };
  let clicked = 0;
  let isChecked: unknown;
  const clicks = async (): Promise<number> =>
    (await fixture.events()).filter(({ widget, event }) => widget === 'press' && event === 'clicked').length;
  const escape = (over: Engine): Promise<void> =>
    over.press({ keys: parseKeyCombination('Escape'), app, ...ACT }).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof DeskterityError)) throw error;
      },
    );
  return [
    {
      name: 'click on a button',
      run: async (over) => {
        clicked = await clicks();
        return over.click({ ref: ref('press'), mode: 'pointer', ...ACT });
      },
      arrived: () => soon(async () => (await clicks()) === clicked + 1),
    },
    {
      name: 'click on a check box',
      run: async (over) => {
        isChecked = (await read('agree')).checked;
        return over.click({ ref: ref('agree'), mode: 'pointer', ...ACT });
      },
      arrived: () => soon(async () => (await read('agree')).checked !== isChecked),
    },
    {
      name: 'text by keyboard',
      run: (over, round) =>
        over.type({
          ref: ref('name'),
          text: textOf(round),
          mode: 'focus',
          delayMs: 0,
          clearFirst: true,
          ...ACT,
        }),
      arrived: (round) => soon(async () => (await read('name')).text === textOf(round)),
    },
    {
      name: 'double click in text',
      run: (over) => over.gesture({ gesture: 'double-click', ref: ref('name'), ...ACT }),
    },
    {
      name: 'context menu',
      run: (over) => over.gesture({ gesture: 'right-click', ref: ref('notes'), ...ACT }),
      after: escape,
    },
    {
      name: 'list of a combo box',
      run: (over) => over.click({ ref: ref('colour'), mode: 'pointer', ...ACT }),
      after: escape,
    },
  ];
}

/** With letters that no layout of a test has. */
function textOf(round: number): string {
  return `Zażółć ${round} Ω`;
}
