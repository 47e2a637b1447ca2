import { DEADLINE, type Bench } from './bench.ts';
import { taken } from './key-races.ts';
import { moved } from './moving-races.ts';
import { pick, type Random } from './random.ts';
import { covered, minimized } from './target-races.ts';
import type { Trial } from './trial.ts';
import type { Attempt } from './verdict.ts';

/** No formula uses them. */
const CELLS = ['A2', 'A4', 'A5', 'A7'] as const;
const LETTERS = Array.from('qwxyzkvj');
const KINDS = ['calc'] as const;

/** No number, date or formula, and nothing that a spreadsheet completes or corrects. */
function word(random: Random): string {
  return `x${Array.from({ length: 6 }, () => pick(random, LETTERS)).join('')}`;
}

/** Another one than in the cell: all rows draw the same words. */
async function newWord(on: Bench, random: Random, cell: string): Promise<string> {
  const drawn = word(random);
  return (await on.get(cell)).text === drawn ? `${drawn}x` : drawn;
}

async function cellOf(on: Bench, cell: string, turn: number): Promise<string> {
  return turn % 2 === 0 ? on.refOf(cell, 'cell') : on.locator('cell', cell);
}

function setting(mode: 'background' | 'focus' | undefined): Trial['attempt'] {
  return async (on, random, turn) => {
    const cell = pick(random, CELLS);
    const value = await newWord(on, random, cell);
    const ref = await cellOf(on, cell, turn);
    return {
      act: () => on.engine.setValue({ ...DEADLINE, ref, value, mode }),
      typed: value,
      mayTell: () => [cell],
      happened: async () => (await on.get(cell)).text === value,
      isBackground: mode === 'background',
    };
  };
}

/** A text and Enter: without it, Calc keeps the text beside the cell. */
const typing: Trial['attempt'] = async (on, random, turn) => {
  const cell = pick(random, CELLS);
  const text = await newWord(on, random, cell);
  const ref = await cellOf(on, cell, turn);
  return {
    act: () =>
      on.engine.type({ ...DEADLINE, ref, text: `${text}\n`, delayMs: 20, clearFirst: false, mode: 'focus' }),
    typed: text,
    mayTell: () => [cell],
    happened: async () => (await on.get(cell)).text === text,
  };
};

const toggling: Trial['attempt'] = async (on, random, turn) => {
  const before = random() < 0.5;
  await on.set('bold', 'checked', before);
  const ref = await on.target('bold', turn);
  return {
    act: () => on.engine.act({ ...DEADLINE, ref, act: 'toggle' }),
    mayTell: () => [],
    happened: async () => (await on.get('bold')).checked === !before,
  };
};

type Race = (random: Random, on: Bench, attempt: Attempt) => Attempt | Promise<Attempt>;

function racing(race: Race, begin: Trial['attempt']): Trial['attempt'] {
  return async (on, random, turn) => race(random, on, await begin(on, random, turn));
}

/** Cells of a spreadsheet and a button of its toolbar, alone and while something else happens. */
export const CELL_RACES: readonly Trial[] = [
  { command: 'set-value (cell) --mode background', attempt: setting('background') },
  { command: 'set-value (cell) --mode focus', attempt: setting('focus') },
  { command: 'type into a cell', attempt: typing },
  { command: 'toggle (toolbar)', attempt: toggling },
  {
    command: 'set-value (cell), its window minimized at a random moment',
    attempt: racing(minimized, setting(undefined)),
  },
  {
    command: 'set-value (cell) --mode focus, the focus taken by another window at a random moment',
    attempt: racing(taken, setting('focus')),
  },
  {
    command: 'type into a cell, the focus taken by another window at a random moment',
    attempt: racing(taken, typing),
  },
  {
    command: 'type into a cell, its window moved at a random moment',
    attempt: racing(moved, typing),
  },
  {
    command: 'toggle (toolbar), another window raised at a random moment',
    attempt: racing(covered, toggling),
  },
  {
    command: 'toggle (toolbar), its window minimized at a random moment',
    attempt: racing(minimized, toggling),
  },
].map((trial) => ({ ...trial, kinds: KINDS }));
