import { resolve as toAbsolute } from 'node:path';
import { CallFailure } from '../../daemon/call-failure.ts';
import type { AttachedStream } from '../../daemon/connection.ts';
import { tryToWrite } from '../../printing/output.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { UserTerminal } from './attach-terminal.ts';
import { relay, type RelayEnd } from './attach-relay.ts';
import { DEFAULT_DETACH_KEYS, DetachKeys, parseDetachKeys } from './detach-keys.ts';
import type { ClientVerb, VerbContext } from '../verb.ts';

/** How long the hint about the detach keys is shown; any key ends it. */
const HINT_MS = 1000;

const ENTER = '\r';
/** With Ctrl-C and Ctrl-D. */
const DECIDING_KEYS = `${ENTER}\u0003\u0004`;

/** Attaches to a terminal in the current one. */
export const attach: ClientVerb = {
  run: async (context) => {
    const { input, stdin, stdout } = context;
    if (input['open'] === true) return openWindow(context);
    const text = textOf(context, 'detach_keys') ?? DEFAULT_DETACH_KEYS;
    parseDetachKeys(text);
    const terminal = UserTerminal.of(stdin, stdout);
    if (terminal === undefined)
      throw new UsageError(
        'terminal attach',
        'Standard input or output is not a terminal.',
        'Run this in a terminal, or use --open to open a window.',
      );
    if (textOf(context, 'window') === undefined) return attachOnce(context, terminal, text);
    // Input typed now was meant for the window that had the focus until this one opened.
    terminal.enterRawMode().input.on('data', () => undefined);
    for (;;) {
      try {
        return await attachOnce(context, terminal, text);
      } catch (error) {
        if (!(error instanceof CallFailure) || error.code === 'CANCELLED') throw error;
        // The window closes with this program, and the message would be lost.
        if (!(await wantsRetry(context, terminal, error))) throw error;
      }
    }
  },
};

/** @throws CallFailure if it ended unexpectedly */
async function attachOnce(context: VerbContext, terminal: UserTerminal, keysText: string): Promise<number> {
  const { signal } = context;
  const window = textOf(context, 'window');
  const keys = new DetachKeys(parseDetachKeys(keysText));
  const connection = await context.connect();
  try {
    const attached = await connection.openTerminal({ ...requestOf(context), window }, signal);
    const hint = window === undefined ? keysText : undefined;
    const end = await showTerminal(context, { terminal, attached, keys, hint });
    await terminal.restore();
    return await reportEnd(context, attached, end);
  } finally {
    await terminal.restore();
    await connection.close();
  }
}

async function wantsRetry(
  { stderr, signal }: VerbContext,
  terminal: UserTerminal,
  { message, suggestion }: CallFailure,
): Promise<boolean> {
  await tryToWrite(
    stderr,
    `${message}\n${suggestion}\n\nPress Enter to try again, Ctrl-C to close the window.\n`,
  );
  const { input } = terminal.enterRawMode();
  const wantsAgain = await new Promise<boolean>((resolve) => {
    const close = () => resolve(false);
    // Other keys may have been meant for the terminal.
    input.on('data', (piece) => {
      const key = Array.from(String(piece)).find((one) => DECIDING_KEYS.includes(one));
      if (key !== undefined) resolve(key === ENTER);
    });
    input.once('end', close).once('error', close).resume();
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
  });
  await terminal.restore();
  if (wantsAgain) terminal.enterRawMode().input.resume();
  return wantsAgain;
}

async function showTerminal(
  { stderr, signal }: VerbContext,
  {
    terminal,
    attached,
    keys,
    hint,
  }: {
    readonly terminal: UserTerminal;
    readonly attached: AttachedStream;
    readonly keys: DetachKeys;
    /** The detach keys to mention; absent in a window that was opened for the terminal. */
    readonly hint: string | undefined;
  },
): Promise<RelayEnd> {
  if (hint !== undefined) {
    terminal.enterRawMode();
    await tryToWrite(stderr, `Attached to ${attached.name}; ${hint} detaches.\r\n`);
    await firstKey(terminal, signal);
  }
  await terminal.clear({ keepsTitle: hint !== undefined });
  return relay({ terminal, stream: attached.stream, keys, signal, discardsEarlyInput: hint === undefined });
}

/** Resolves at the first key, which remains to be read, or when time is up. */
async function firstKey({ input }: UserTerminal, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      input.off('readable', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, HINT_MS);
    input.on('readable', done);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** @throws CallFailure if it ended unexpectedly */
async function reportEnd(
  { stderr }: VerbContext,
  { name, command }: AttachedStream,
  end: RelayEnd,
): Promise<number> {
  const again = `Attach again: ${command}`;
  switch (end.kind) {
    case 'left':
    case 'detached':
      await tryToWrite(stderr, `Detached from ${name}; it keeps running. ${again}\n`);
      return 0;
    case 'exited': {
      const { exitCode } = end;
      const how = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
      await tryToWrite(stderr, `${name} has ended${how}.\n`);
      return exitCode ?? 0;
    }
    case 'failed':
      throw new CallFailure('ACTION_FAILED', `${name} can no longer be shown: ${end.message ?? ''}`, {
        suggestion: again,
      });
    case 'gone':
      throw new CallFailure(
        'DAEMON_UNAVAILABLE',
        `The daemon has exited, so ${name} is no longer shown. It keeps running.`,
        { suggestion: again, retryable: true },
      );
    default:
      throw new CallFailure('CANCELLED', `Showing ${name} was interrupted; it keeps running.`, {
        suggestion: again,
      });
  }
}

/** The daemon opens a window that runs this verb. */
async function openWindow(context: VerbContext): Promise<number> {
  const { globals, session, stdout, stderr, signal } = context;
  const { projectPath, tag } = requestOf(context);
  const connection = await context.connect(true);
  try {
    const input = { ...(projectPath && { project_path: projectPath }), ...(tag && { tag }) };
    const { format, pretty = stdout.isTTY === true } = globals;
    const answer = await connection.execute(session, 'terminal open', input, { format, pretty, signal });
    await tryToWrite(stderr, answer.stderr);
    await tryToWrite(stdout, answer.stdout);
    return answer.exitCode;
  } finally {
    await connection.close();
  }
}

function requestOf(context: VerbContext): { readonly projectPath?: string; readonly tag?: string } {
  const project = textOf(context, 'project_path');
  const name = textOf(context, 'name');
  const tag = textOf(context, 'tag') ?? name;
  if (name !== undefined && name !== tag)
    throw new UsageError('terminal attach', '--tag contradicts the name argument.', 'Give only one of them.');
  return { ...(project && { projectPath: toAbsolute(project) }), ...(tag && { tag }) };
}

function textOf({ input }: VerbContext, key: string): string | undefined {
  const value = input[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
