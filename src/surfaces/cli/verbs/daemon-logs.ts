import { open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { dailyLogFile } from '../../../platform/paths.ts';
import { exitCodeOfLost, tryToWrite } from '../printing/output.ts';
import { printAnswer } from './print-answer.ts';
import type { ClientVerb, VerbContext } from './verb.ts';

/** Enough for the maximum number of lines of usual length. */
const TAIL_BYTES = 4 * 1024 * 1024;
const FOLLOW_MS = 250;

export const logs: ClientVerb = {
  run: async (context) => {
    const { input, environment } = context;
    const file = dailyLogFile(environment, new Date());
    const count = typeof input['lines'] === 'number' ? input['lines'] : 50;
    const { text, end } = await readFrom(file, undefined);
    const lines = text
      .split('\n')
      .filter((line) => line !== '')
      .slice(-count);
    if (input['follow'] === true) return follow(context, { file, end, lines });
    return printAnswer(context, 'daemon logs', { file, lines: lines.map(parsed) }, lines.join('\n'));
  },
};

/** Prints whole lines as they are added, across midnight, until interrupted. */
async function follow(
  { environment, stdout, signal, globals }: VerbContext,
  from: { readonly file: string; readonly end: number; readonly lines: readonly string[] },
): Promise<number> {
  const print = (text: string) => tryToWrite(stdout, globals.format === 'quiet' ? '' : text);
  let { file, end } = from;
  let printed = await print(from.lines.map((line) => `${line}\n`).join(''));
  while (!signal.aborted && printed === 'written') {
    const today = dailyLogFile(environment, new Date());
    const added = await readFrom(file, end);
    const whole = added.text.slice(0, added.text.lastIndexOf('\n') + 1);
    end = added.end - Buffer.byteLength(added.text) + Buffer.byteLength(whole);
    printed = await print(whole);
    if (whole === '' && today !== file) [file, end] = [today, 0];
    else if (whole === '') await setTimeout(FOLLOW_MS, undefined, { signal }).catch(() => undefined);
  }
  return printed === 'lost' ? exitCodeOfLost(0) : 0;
}

/** Reads a file from an offset, or only its last bytes; a file that became shorter, from its start. No text if the file does not exist. */
async function readFrom(path: string, start: number | undefined): Promise<{ text: string; end: number }> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const from = start === undefined ? Math.max(0, size - TAIL_BYTES) : start > size ? 0 : start;
      const bytes = Buffer.alloc(Math.min(size - from, TAIL_BYTES));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return { text: bytes.toString('utf8', 0, bytesRead), end: from + bytesRead };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { text: '', end: 0 };
    throw error;
  }
}

function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return value;
  } catch {
    return { message: line };
  }
}
