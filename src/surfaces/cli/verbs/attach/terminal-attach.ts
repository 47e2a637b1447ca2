import { resolve as toAbsolute } from 'node:path';
import { CallFailure } from '../../daemon/call-failure.ts';
import type { AttachedStream } from '../../daemon/connection.ts';
import { tryToWrite } from '../../printing/output.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { BorrowedTerminal } from './attach-terminal.ts';
import { visit } from './attach-visit.ts';
import type { VisitEnd } from './attach-visit.ts';
import { DEFAULT_DETACH_KEYS, DetachKeys, parseDetachKeys } from './detach-keys.ts';
import type { ClientVerb, VerbContext } from '../verb.ts';

/** For the keys that lead out to be read; any key ends it. */
const HINT_MS = 1000;

const ENTER = '\r';
/** With Ctrl-C and Ctrl-D. */
const DECIDING_KEYS = `${ENTER}\u0003\u0004`;

/** Shows a terminal in the one that this is called in. */
export const attach: ClientVerb = {
  run: async (context) => {
    const { input, stdin, stdout } = context;
    if (input['open'] === true) return openWindow(context);
    const text = textOf(context, 'detach_keys') ?? DEFAULT_DETACH_KEYS;
    parseDetachKeys(text);
    const terminal = BorrowedTerminal.of(stdin, stdout);
    if (terminal === undefined)
      throw new UsageError(
        'terminal attach',
        'A terminal is shown in a terminal, and standard input or output is none.',
        'Run it in a terminal, or give --open to have a window opened.',
      );
    if (textOf(context, 'window') === undefined) return once(context, terminal, text);
    // What is typed from now on was meant for another window, which had the focus until this one opened.
    terminal.borrow().input.on('data', () => undefined);
    for (;;) {
      try {
        return await once(context, terminal, text);
      } catch (error) {
        if (!(error instanceof CallFailure) || error.code === 'CANCELLED') throw error;
        // With this program its window goes, and nobody could read why.
        if (!(await isWantedAgain(context, terminal, error))) throw error;
      }
    }
  },
};

/** @throws CallFailure where it has not ended as somebody wanted */
async function once(context: VerbContext, terminal: BorrowedTerminal, keysText: string): Promise<number> {
  const { signal } = context;
  const window = textOf(context, 'window');
  const keys = new DetachKeys(parseDetachKeys(keysText));
  const connection = await context.connect();
  try {
    const attached = await connection.openTerminal({ ...wishOf(context), window }, signal);
    const hint = window === undefined ? keysText : undefined;
    const end = await sit(context, { terminal, attached, keys, hint });
    await terminal.giveBack();
    return await farewell(context, attached, end);
  } finally {
    await terminal.giveBack();
    await connection.close();
  }
}

async function isWantedAgain(
  { stderr, signal }: VerbContext,
  terminal: BorrowedTerminal,
  { message, suggestion }: CallFailure,
): Promise<boolean> {
  await tryToWrite(
    stderr,
    `${message}\n${suggestion}\n\nEnter shows it here again, Ctrl-C closes the window.\n`,
  );
  const { input } = terminal.borrow();
  const isWanted = await new Promise<boolean>((resolve) => {
    const close = () => resolve(false);
    // Others may have been typed for what was shown.
    input.on('data', (piece) => {
      const key = Array.from(String(piece)).find((one) => DECIDING_KEYS.includes(one));
      if (key !== undefined) resolve(key === ENTER);
    });
    input.once('end', close).once('error', close).resume();
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
  });
  await terminal.giveBack();
  if (isWanted) terminal.borrow().input.resume();
  return isWanted;
}

async function sit(
  { stderr, signal }: VerbContext,
  {
    terminal,
    attached,
    keys,
    hint,
  }: {
    readonly terminal: BorrowedTerminal;
    readonly attached: AttachedStream;
    readonly keys: DetachKeys;
    /** The keys to be told of; absent where nobody has asked for the terminal. */
    readonly hint: string | undefined;
  },
): Promise<VisitEnd> {
  if (hint !== undefined) {
    terminal.borrow();
    await tryToWrite(stderr, `Attached to ${attached.name}; ${hint} leads out of it.\r\n`);
    await firstKey(terminal, signal);
  }
  await terminal.clear({ keepsTitle: hint !== undefined });
  return visit({ terminal, stream: attached.stream, keys, signal, dropsFirst: hint === undefined });
}

/** Resolves with the first key, which is left to be read, or when the time is up. */
async function firstKey({ input }: BorrowedTerminal, signal: AbortSignal): Promise<void> {
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

/** @throws CallFailure where it has not ended as somebody wanted */
async function farewell(
  { stderr }: VerbContext,
  { name, command }: AttachedStream,
  end: VisitEnd,
): Promise<number> {
  const again = `Go on with it: ${command}`;
  switch (end.kind) {
    case 'left':
    case 'detached':
      await tryToWrite(stderr, `Left ${name}; it goes on. ${again}\n`);
      return 0;
    case 'exited': {
      const { exitCode } = end;
      const how = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
      await tryToWrite(stderr, `${name} has ended${how}.\n`);
      return exitCode ?? 0;
    }
    case 'failed':
      throw new CallFailure('ACTION_FAILED', `${name} can be shown no longer: ${end.message ?? ''}`, {
        suggestion: again,
      });
    case 'gone':
      throw new CallFailure(
        'DAEMON_UNAVAILABLE',
        `The daemon has ended, and ${name} is shown no longer. It goes on.`,
        {
          suggestion: again,
          retryable: true,
        },
      );
    default:
      throw new CallFailure('CANCELLED', `Showing ${name} was interrupted; it goes on.`, {
        suggestion: again,
      });
  }
}

/** The daemon opens a window, in which this verb is called again. */
async function openWindow(context: VerbContext): Promise<number> {
  const { globals, session, stdout, stderr, signal } = context;
  const { projectPath, tag } = wishOf(context);
  const connection = await context.connect();
  try {
    const input = {
      ...(projectPath && { project_path: projectPath }),
      ...(tag && { tag }),
    };
    const { format, pretty = stdout.isTTY === true } = globals;
    const answer = await connection.execute(session, 'terminal open', input, { format, pretty, signal });
    await tryToWrite(stderr, answer.stderr);
    await tryToWrite(stdout, answer.stdout);
    return answer.exitCode;
  } finally {
    await connection.close();
  }
}

function wishOf(context: VerbContext): { readonly projectPath?: string; readonly tag?: string } {
  const project = textOf(context, 'project_path');
  const name = textOf(context, 'name');
  const tag = textOf(context, 'tag') ?? name;
  if (name !== undefined && name !== tag)
    throw new UsageError(
      'terminal attach',
      '--tag contradicts the name that stands alone.',
      'Give one of them.',
    );
  return { ...(project && { projectPath: toAbsolute(project) }), ...(tag && { tag }) };
}

function textOf({ input }: VerbContext, key: string): string | undefined {
  const value = input[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
