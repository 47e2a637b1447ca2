import { openExtent } from '../../../operations/output/output-extent.ts';
import type { RunOutcome } from '../../../ports/terminals.ts';
import { textOf } from '../../screen/clean-lines.ts';
import { readShown } from './shown-bytes.ts';
import type { RunAnswer } from '../../../wire/terminal-protocol.ts';

/** How far back the last lines are looked for. */
const MOST_TAIL_BYTES = 16 * 1024 * 1024;

/** What the caller of a run gets: what the holder did not have at hand is read from the disk. @param folder of the segments @param lines how many were asked for */
export async function runOutcome(answer: RunAnswer, folder: string, lines: number): Promise<RunOutcome> {
  const { kind, exitCode, durationMs, range, facts, leftOut, tail } = answer;
  const { text, said } =
    tail === undefined && range !== undefined
      ? await fromDisk(folder, range, lines)
      : { text: tail?.text ?? '', said: linesBefore(tail?.omittedLines ?? 0, range) };
  return {
    kind,
    exitCode,
    output: text,
    leftOut: [...said, ...leftOut],
    durationMs,
    range,
    terminal: facts,
  };
}

type Range = NonNullable<RunOutcome['range']>;

function linesBefore(count: number, range: Range | undefined): string[] {
  if (count === 0) return [];
  const where = range === undefined ? '' : `; all of it begins at cursor ${range.from} of the output`;
  return [
    `${count} ${count === 1 ? 'line' : 'lines'} before ${count === 1 ? 'is' : 'are'} left out${where}.`,
  ];
}

async function fromDisk(
  folder: string,
  range: Range,
  lines: number,
): Promise<{ readonly text: string; readonly said: string[] }> {
  const to = range.to ?? (await openExtent(folder, 'merged')).totalBytes;
  const kept = await readShown(folder, Math.max(range.from, to - MOST_TAIL_BYTES), to);
  const all = textOf(kept.bytes).split('\n');
  // The first may be a part of one.
  const whole = kept.from > range.from ? all.slice(1) : all;
  const last = lines === 0 ? [] : whole.slice(-lines);
  const isAll = last.length === whole.length && kept.from === range.from;
  const said = isAll
    ? []
    : [`What is before these lines is left out; all of it begins at cursor ${range.from} of the output.`];
  return { text: last.join('\n'), said };
}
