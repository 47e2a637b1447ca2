import type { Readable } from 'node:stream';
import { CallFailure } from '../daemon/call-failure.ts';
import { writeAll, type OutputStream } from '../printing/output.ts';

/** Standard input, if it is a terminal. */
export type Terminal = Readable & { setRawMode(isRaw: boolean): unknown };

export function isTerminal(stdin: Readable): stdin is Terminal {
  return (
    'isTTY' in stdin &&
    stdin.isTTY === true &&
    'setRawMode' in stdin &&
    typeof stdin.setRawMode === 'function'
  );
}

export interface Prompt {
  readonly label: string;
  /** Maximum length in bytes; further input is discarded. */
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Prompts on a terminal without echo, and restores the terminal's mode.
 * @throws CallFailure CANCELLED on Ctrl-C
 */
export async function promptHidden(
  terminal: Terminal,
  stderr: OutputStream,
  prompt: Prompt,
): Promise<string> {
  // Before the prompt, so that early typing is not echoed either.
  terminal.setRawMode(true);
  try {
    await writeAll(stderr, prompt.label);
    return await readLine(terminal, prompt);
  } finally {
    terminal.setRawMode(false);
    terminal.pause();
    await writeAll(stderr, '\n');
  }
}

export function cancelled(): CallFailure {
  return new CallFailure('CANCELLED', 'Cancelled before the secret was read.', {
    suggestion: 'Nothing was done; run the command again.',
    delivered: false,
  });
}

async function readLine(terminal: Terminal, { limitBytes, signal }: Prompt): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const decoder = new TextDecoder();
    let typed: string[] = [];
    let length = 0;
    const settle = (finish: () => void) => {
      terminal.off('data', onData).off('end', onEnd).off('error', onError);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const onEnd = () => settle(() => resolve(typed.join('')));
    const onError = (error: Error) => settle(() => reject(error));
    const onAbort = () => settle(() => reject(cancelled()));
    const onData = (chunk: Uint8Array | string) => {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      for (const character of text) {
        // Raw mode disables the terminal's line editing, so its keys are handled here.
        if (character === '\u0003') return onAbort();
        if (character === '\r' || character === '\n' || character === '\u0004') return onEnd();
        if (character === '\u007F' || character === '\b') length -= Buffer.byteLength(typed.pop() ?? '');
        else if (character === '\u0015') [typed, length] = [[], 0];
        else if (length + Buffer.byteLength(character) <= limitBytes) {
          typed.push(character);
          length += Buffer.byteLength(character);
        }
      }
    };
    terminal.on('data', onData).once('end', onEnd).once('error', onError);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
