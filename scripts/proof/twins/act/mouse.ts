import { lookAway, walk } from '../look/look.ts';
import type { Seen } from '../look/tree.ts';
import { SCREEN, type Side } from '../side/side.ts';
import type { Act } from './act.ts';
import type { Actor, Answer, Prepared } from './actor.ts';
import { findWidget, isFocusElsewhere, middle, type WidgetKey } from './widgets.ts';

const RUN_MS = 10_000;
/** A person's pointer has come to rest when the button goes down. */
const REST_S = '0.1';
/** Between two clicks: what the first one opened must be there. */
const STILL_MS = 400;
const MOST_MS = 4000;

/** A person: a plain mouse and keyboard through the display's XTEST extension, aimed by what libatspi reports. */
export const mouse: Actor = {
  name: 'mouse',
  tools: {},
  prepare: async (side, seen, act) => prepareClicks(side, seen, act),
};

/** Moves the pointer to where nothing is. */
export async function park(side: Side): Promise<void> {
  await pointer(side, ['mousemove', String(SCREEN.width - 1), String(SCREEN.height - 1)]);
}

/** Clicks a widget. @throws Error if it is not there */
export async function clickOn(side: Side, seen: Seen, key: WidgetKey): Promise<void> {
  const found = findWidget(seen, key);
  const box = found?.node.box ?? undefined;
  if (box === undefined) throw new Error(`${key.role} ${JSON.stringify(key.name)} is not on the screen`);
  const { x, y } = middle(box);
  await pointer(side, ['mousemove', String(x), String(y), 'sleep', REST_S, 'click', '1']);
}

async function prepareClicks(side: Side, seen: Seen, act: Act): Promise<Prepared> {
  const { kind, target, more, value } = act;
  if (findWidget(seen, target.key) === undefined) return { excluded: 'not there for the mouse' };
  return {
    act: async () => {
      await clickOn(side, seen, target.key);
      for (const key of more) {
        await side.untilStill(STILL_MS, MOST_MS);
        await clickOn(side, await walk(side), key);
      }
      // A person who sees no caret in the field does not type.
      if (kind === 'set-value' && !isFocusElsewhere(await walk(side), target.key))
        await enter(side, value ?? '');
      return DONE;
    },
  };
}

const DONE: Answer = { effect: 'confirmed', route: 'mouse', words: 'clicked' };

/**
 * Replaces a field's text as people do: marks all, types, and leaves the field, which is what commits the new text in many toolkits. Tab would
 * leave it for the next widget, which may react, too; here the keyboard goes nowhere else.
 */
async function enter(side: Side, value: string): Promise<void> {
  await pointer(side, ['sleep', REST_S, 'key', 'ctrl+a', 'type', '--delay', '15', value]);
  await side.untilStill(STILL_MS, MOST_MS);
  await lookAway(side);
}

async function pointer(side: Side, args: readonly string[]): Promise<void> {
  await side.output(['xdotool', ...args], RUN_MS);
}
