import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Figure, Say } from '../support/figures.ts';
import { runPeer } from '../support/peer.ts';
import type { Stage } from '../support/stage.ts';
import { sheetFile } from '../support/subjects.ts';
import { actFigures, type Measured } from './act-figures.ts';
import type { ActCase } from './cases.ts';
import { Tally } from './rounds.ts';
import { waysOf, windowOf, type Tools } from './tools.ts';
import { ActRefused } from './way.ts';

const ROUNDS = 8;
const LIMIT_MS = '3000';
const Seen = z.object({ met: z.boolean(), seen: z.array(z.string()) });

const CALC = {
  name: 'LibreOffice Calc',
  program: 'soffice',
  packageName: 'libreoffice-calc libreoffice-gtk3',
  title: /prices.*Calc$/i,
  atLeastNodes: 300,
  prepare: sheetFile,
} as const;

const BOLD: ActCase = {
  act: 'press',
  name: 'Bold',
  roles: ['togglebutton', 'button', 'checkbox'],
  values: ['true', 'false'],
  isRecorded: () => true,
};
const CELL: ActCase = {
  act: 'set-value',
  name: 'H5',
  roles: ['cell'],
  values: ['17', '23'],
  isRecorded: () => true,
};

/** LibreOffice keeps no record; libatspi, in a process of its own, reads the state of the button after each press. */
export function officePressFigures(stage: Stage, tools: Tools, say: Say): Promise<Figure[]> {
  return officeFigures(BOLD, 'press', { stage, tools, say }, (pid, value) => [
    pid,
    'toggle button',
    'Bold',
    'checked',
    value,
    LIMIT_MS,
  ]);
}

/** A number into a cell by its name. */
export function cellFigures(stage: Stage, tools: Tools, say: Say): Promise<Figure[]> {
  return officeFigures(CELL, 'set a cell', { stage, tools, say }, (pid, value) => [
    pid,
    'table cell',
    'H5',
    'text',
    value,
    LIMIT_MS,
  ]);
}

async function officeFigures(
  one: ActCase,
  act: Measured,
  { stage, tools, say }: { readonly stage: Stage; readonly tools: Tools; readonly say: Say },
  check: (pid: string, value: string) => readonly string[],
): Promise<Figure[]> {
  const open = await stage.open(CALC);
  try {
    const window = await windowOf(tools.ours, open.pid);
    const tallies = waysOf(tools).map((way) => new Tally(way));
    for (const tally of tallies) await tally.prepare(one, window);
    // Each way alternates by itself, starting from what the one before has left.
    let turn = 0;
    for (let round = -1; round < ROUNDS; round++) {
      for (const tally of tallies) {
        if (tally.isUnable) continue;
        say(`libreoffice: ${act} by ${tally.way.name}`);
        const value = one.values[turn % one.values.length] ?? '';
        try {
          await sleep(tally.way.quietBeforeMs ?? 0);
          const timed = await tally.way.act(one, value, window);
          const { met } = await runPeer(
            'atspi_state.py',
            check(String(open.pid), value),
            stage.desktop.environment,
            Seen,
          );
          if (round >= 0) tally.count(timed, met);
          if (met) turn++;
        } catch (error) {
          if (!(error instanceof ActRefused)) throw error;
          tally.refused(error.message, round >= 0);
        }
      }
    }
    return actFigures(
      'libreoffice',
      act,
      tallies.map((tally) => tally.result()),
    );
  } finally {
    await open.close();
  }
}
