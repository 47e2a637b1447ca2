import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Fixture } from '../../fixtures/driver.ts';
import { decodePng } from '../../tests/image/decode-png.ts';
import type { WaylandStage } from '../../tests/linux/wayland/stage.ts';
import type { Figure } from '../support/figures.ts';
import type { Calls } from '../support/program.ts';
import { compared } from './compare.ts';
import { TEXT } from './on-display.ts';
import type { WaylandTools } from './tools.ts';

const ROUNDS = 30;
const SESSION = 'default';

type Input = Parameters<Calls['call']>[2];

/** Whole commands, as a connected client calls them. */
export async function throughDaemon(
  calls: Calls,
  {
    stage,
    fixture,
    tools,
    folder,
  }: {
    readonly stage: WaylandStage;
    readonly fixture: Fixture;
    readonly tools: WaylandTools;
    readonly folder: string;
  },
): Promise<Figure[]> {
  const command = async (name: string, input?: Input): Promise<number> => {
    const began = performance.now();
    await calls.call(SESSION, name, input);
    return performance.now() - began;
  };
  const inTurn = async (
    what: string,
    ours: (turn: number) => Promise<number>,
    tool?: readonly [string, (turn: number) => readonly string[]],
  ) => {
    const [mine, theirs]: [number[], number[]] = [[], []];
    await ours(0);
    for (let turn = 0; turn < ROUNDS; turn++) {
      mine.push(await ours(turn));
      if (tool !== undefined) theirs.push(await tools.time(tool[0], ...tool[1](turn)));
    }
    return { what, ours: mine, ...(tool && { beside: { tool: tool[0], times: theirs } }) };
  };
  const picture = path.join(folder, 'ours.png');
  const theirPicture = path.join(folder, 'theirs.png');
  const shot = (): Promise<number> => command('screenshot', { path: picture, screen: true });
  const middle = await stage.middleOf(fixture, { role: 'button', name: 'Press' });
  const field = `app:${fixture.pid} >> role:textbox[name="Name"]`;
  const screenshots = await inTurn('screenshot of the screen into a PNG file', shot, [
    'grim',
    () => [theirPicture],
  ]);
  const same = await samePixels(picture, theirPicture);
  return [
    ...compared(
      {
        ...screenshots,
        note: `${same} % of the pixels are the same in both files; ours looks for password fields before and after, and blanks them`,
      },
      { timesFaster: 1 },
    ),
    ...compared(
      await inTurn('screenshot, beside grim with its least compression', shot, [
        'grim',
        () => ['-l', '1', theirPicture],
      ]),
    ),
    ...compared({
      ...(await inTurn('list-windows', () => command('list-windows'), ['swaymsg', () => ['-t', 'get_tree']])),
      note: 'ours also asks the applications for what they say of their windows',
    }),
    ...compared({
      ...(await inTurn('the whole command mouse click', (turn) =>
        command('mouse click', { x: middle.x + (turn % 2), y: middle.y }),
      )),
      note: 'with the time for the application to react',
    }),
    ...compared({
      ...(await inTurn(`the whole command type, ${TEXT.length} characters by keys`, () =>
        command('type', { ref: field, text: TEXT, mode: 'focus', clear_first: true }),
      )),
      note: 'with finding the field, giving it the focus, and the time for the application to react',
    }),
  ];
}

/** In percent; grim draws no pointer either. */
async function samePixels(one: string, other: string): Promise<number> {
  const [a, b] = [decodePng(await readFile(one)), decodePng(await readFile(other))];
  if (a.width !== b.width || a.height !== b.height) return 0;
  const [left, right] = [Buffer.from(a.bgrx), Buffer.from(b.bgrx)];
  let same = 0;
  for (let at = 0; at < left.length; at += 4)
    if (left.readUInt32LE(at) >>> 8 === right.readUInt32LE(at) >>> 8) same++;
  return Math.floor((1000 * same) / (left.length / 4)) / 10;
}
