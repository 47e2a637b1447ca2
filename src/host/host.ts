import type { Engine } from '../engine/engine.ts';
import { DeskterityError } from '../model/errors.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { DesktopPort } from '../ports/desktop.ts';
import type { FilesPort } from '../ports/files.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { CommandContext, SystemFacts } from '../registry/define.ts';
import { invoke } from '../registry/invoke.ts';
import { nearest } from '../model/nearest.ts';
import type { Registry } from '../registry/registry.ts';
import { asDeskterityError } from '../registry/wrappers/classify-errors.ts';
import { renderAnswer, renderFailure } from './render.ts';
import type { OutputFormat, Rendered } from './render.ts';

/** What a host is made of. The factories are called when a command first needs them, so that `version` touches no display. */
export interface HostParts {
  readonly registry: Registry;
  readonly files: FilesPort;
  readonly clock: ClockPort;
  readonly system: SystemFacts;
  /** Folder that relative paths in commands are resolved against. */
  readonly cwd: string;
  readonly openDesktop: () => Promise<DesktopPort>;
  readonly createEngine: (parts: {
    desktop: DesktopPort;
    session: SessionStore;
    clock: ClockPort;
  }) => Promise<Engine>;
  /** The store of one session; `note` receives what the user should know about it. */
  readonly openSession: (session: string, note: (message: string) => void) => SessionStore;
}

export interface ExecuteOptions {
  readonly format: OutputFormat;
  /** JSON over several lines. */
  readonly pretty?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs commands and renders their answers: the one way in, for every surface. */
export interface Host {
  /** Never rejects: a failure is an answer with an exit code. */
  execute(session: string, command: string, input: unknown, options: ExecuteOptions): Promise<Rendered>;
  close(): Promise<void>;
}

const SESSION_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

export function createHost(parts: HostParts): Host {
  const desktop = once(parts.openDesktop);
  const engines = new Map<string, Once<Engine>>();
  // Sessions outlive a call, so what a store has to say goes to the call that is under way.
  const notes: string[] = [];

  const engineOf = (session: string): Once<Engine> => {
    const known = engines.get(session);
    if (known !== undefined) return known;
    const engine = once(async () => {
      const store = parts.openSession(session, (message) => notes.push(message));
      return parts.createEngine({ desktop: await desktop.get(), session: store, clock: parts.clock });
    });
    engines.set(session, engine);
    return engine;
  };

  const run = async (
    session: string,
    name: string,
    input: unknown,
    options: ExecuteOptions,
  ): Promise<Rendered> => {
    const rendering = { format: options.format, pretty: options.pretty ?? false };
    const command = parts.registry.get(name);
    try {
      if (command === undefined) throw unknownCommand(parts.registry, name);
      requireSessionName(session);
      const ctx: CommandContext = {
        engine: () => engineOf(session).get(),
        files: parts.files,
        clock: parts.clock,
        system: parts.system,
        session,
        cwd: parts.cwd,
        calledAt: new Date(),
        form: options.format === 'json' ? 'json' : 'outline',
        signal: options.signal ?? new AbortController().signal,
      };
      return renderAnswer(command, await invoke(command, ctx, input), rendering);
    } catch (error) {
      return renderFailure(command?.name ?? name, asDeskterityError(error, name), rendering);
    }
  };

  return {
    execute: async (session, command, input, options) => {
      const rendered = await run(session, command, input, options);
      const stderr = notes.splice(0).map((note) => `note: ${note}\n`);
      return { ...rendered, stderr: stderr.join('') + rendered.stderr };
    },
    close: async () => {
      await (await desktop.current())?.close();
    },
  };
}

/** Something that is opened at most once. */
interface Once<T> {
  get(): Promise<T>;
  /** What was opened, when anything was. */
  current(): Promise<T> | undefined;
}

/** Calls `open` once; a failure is not kept, so that the next call tries again. */
function once<T>(open: () => Promise<T>): Once<T> {
  let opened: Promise<T> | undefined;
  const get = async () => {
    const attempt = (opened ??= open());
    try {
      return await attempt;
    } catch (error) {
      if (opened === attempt) opened = undefined;
      throw error;
    }
  };
  return { get, current: () => opened };
}

function requireSessionName(session: string): void {
  if (SESSION_NAME.test(session)) return;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(session.slice(0, 80))} cannot be a session name.`,
    {
      suggestion:
        'Use letters, digits, dots, dashes and underscores, at most 64, starting with a letter or digit.',
    },
  );
}

function unknownCommand(registry: Registry, name: string): DeskterityError {
  const close = nearest(
    name,
    registry.commands.flatMap((command) => [command.name, ...command.aliases]),
  );
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `There is no command ${JSON.stringify(name.slice(0, 80))}.`,
    {
      suggestion: close === undefined ? 'Run "desk --help" to see all commands.' : `Did you mean ${close}?`,
    },
  );
}
