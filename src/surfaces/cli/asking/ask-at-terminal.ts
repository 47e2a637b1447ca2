import { randomInt } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { CONSENT_LIMIT_MS, type ConsentAnswer } from '../../../model/effects/consent-answer.ts';
import { writeAll, type OutputStream } from '../printing/output.ts';
import { whyNobodyIsThere } from '../../../platform/own-terminal.ts';

/** The terminal that a person sits at. */
export interface AskedTerminal {
  readonly output: OutputStream;
  readonly input: NodeJS.ReadableStream;
  readonly close: () => void;
}

/** Longer lines are no answer. */
const LONGEST_LINE = 200;

/**
 * Asks the person at the controlling terminal of this process, not whoever feeds standard input. The answer is a number that is shown only now, so
 * that nothing typed, piped or sent before can be it.
 */
export async function askAtTerminal(
  question: string,
  signal: AbortSignal,
  open: () => AskedTerminal | undefined = openOwnTerminal,
  limitMs = CONSENT_LIMIT_MS,
): Promise<ConsentAnswer> {
  const terminal = open();
  if (terminal === undefined) return 'absent';
  const code = String(randomInt(1000, 10_000));
  const asked = `\n${withoutControls(question)}\nIt may be irreversible. To agree to this one act, type ${code} and Enter within ${Math.round(limitMs / 1000)} seconds. Anything else refuses it: `;
  try {
    if (!(await writeAll(terminal.output, asked))) return 'absent';
    const line = await firstLine(terminal.input, signal, limitMs);
    if (line === undefined) await writeAll(terminal.output, '\n');
    return line === undefined ? 'unanswered' : line.trim() === code ? 'agreed' : 'declined';
  } finally {
    terminal.close();
  }
}

/** Names in the question come from applications. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}/gu, ' ');
}

async function firstLine(
  input: NodeJS.ReadableStream,
  until: AbortSignal,
  limitMs: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    // Not AbortSignal.any, whose signals Node may collect before a timeout among them is over.
    const timer = setTimeout(() => settle(undefined), limitMs);
    const settle = (line: string | undefined) => {
      clearTimeout(timer);
      input.off('data', onData).off('end', onEnd).off('error', onEnd);
      until.removeEventListener('abort', onEnd);
      resolve(line);
    };
    const onEnd = () => settle(undefined);
    const onData = (piece: Uint8Array | string) => {
      text += piece.toString();
      const end = text.search(/[\r\n]/);
      if (end !== -1 || text.length > LONGEST_LINE) settle(end === -1 ? '' : text.slice(0, end));
    };
    input.on('data', onData).once('end', onEnd).once('error', onEnd);
    until.addEventListener('abort', onEnd, { once: true });
    if (until.aborted) onEnd();
  });
}

function openOwnTerminal(): AskedTerminal | undefined {
  if (whyNobodyIsThere(process.pid) !== undefined) return undefined;
  let reading: number | undefined;
  try {
    reading = openSync('/dev/tty', 'r+');
    const input = new ReadStream(reading);
    const output: OutputStream = {
      isTTY: true,
      write: (text, done) => input.write(text, done),
    };
    return { input, output, close: () => void input.destroy() };
  } catch {
    if (reading !== undefined) closeSync(reading);
    return undefined;
  }
}
