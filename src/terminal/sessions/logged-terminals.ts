import { DeskterityError } from '../../model/effects/errors.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { LogEntry, LogPort } from '../../ports/log.ts';
import type { RunRequest, TerminalsPort } from '../../ports/terminals.ts';

type Fields = NonNullable<LogEntry['fields']>;

/**
 * Terminals that log each call with its result and duration. Commands and paths are logged only at level debug; typed and displayed text never.
 */
export function loggedTerminals(
  port: TerminalsPort,
  log: Pick<LogPort, 'write'>,
  clock: Pick<ClockPort, 'now'>,
): TerminalsPort {
  const noted = async <T>(
    action: string,
    about: Fields,
    work: () => Promise<T>,
    outcome: (result: T) => Fields = () => ({}),
    level: LogEntry['level'] = 'info',
  ): Promise<T> => {
    const started = clock.now();
    const note = (of: LogEntry['level'], fields: Fields): void =>
      log.write({
        level: of,
        message: 'terminal',
        fields: { action, ...about, ...fields, duration_ms: Math.round(clock.now() - started) },
      });
    try {
      const result = await work();
      note(level, outcome(result));
      return result;
    } catch (error) {
      const code = error instanceof DeskterityError ? error.code : 'INTERNAL';
      note(code === 'INTERNAL' ? 'error' : 'warn', { error: code });
      throw error;
    }
  };
  const read = <T>(action: string, id: string, work: () => Promise<T>): Promise<T> =>
    noted(action, { terminal: id }, work, undefined, 'debug');
  const change = <T>(action: string, id: string, work: () => Promise<T>, outcome?: (result: T) => Fields) =>
    noted(action, { terminal: id }, work, outcome);
  const debug = (message: string, fields: Fields): void => log.write({ level: 'debug', message, fields });

  return {
    ownerOf: (id) => port.ownerOf(id),
    list: () => port.list(),
    find: (name) => port.find(name),
    remains: (name) => port.remains(name),
    facts: (id) => port.facts(id),
    onCommandEnd: (listener) => port.onCommandEnd(listener),
    open: (start) => {
      const { name, shell, cwd } = start;
      const { tag, projectPath } = name;
      debug('terminal requested', { tag, project_path: projectPath, shell, cwd });
      return noted(
        'open',
        { tag, confined_by: start.confinement.by },
        () => port.open(start),
        ({ id, pid, state }) => ({ terminal: id, shell_pid: pid, state }),
      );
    },
    run: (id, request, signal) => {
      debug('terminal command', { terminal: id, command: request.command });
      return noted(
        'run',
        { terminal: id, ...asked(request) },
        () => port.run(id, request, signal),
        (ran) => ({
          outcome: ran.kind,
          ...(ran.exitCode === undefined ? {} : { exit_code: ran.exitCode }),
          ...(ran.range?.to === undefined ? {} : { output_bytes: ran.range.to - ran.range.from }),
        }),
      );
    },
    lines: (id, most) => read('lines', id, () => port.lines(id, most)),
    output: (id, query) => read('output', id, () => port.output(id, query)),
    bytes: (id, range) => read('bytes', id, () => port.bytes(id, range)),
    view: (id) => read('view', id, () => port.view(id)),
    kill: (id, waits) =>
      change(
        'kill',
        id,
        () => port.kill(id, waits),
        (ended) => ({ ended }),
      ),
    clear: (id) => change('clear', id, () => port.clear(id)),
    close: (id, waits) => change('close', id, () => port.close(id, waits)),
    attach: (id, options) => change('attach', id, () => port.attach(id, options)),
  };
}

function asked({ isBackground, interrupt, clear }: RunRequest): Fields {
  return {
    background: isBackground,
    ...(interrupt === undefined ? {} : { interrupt: true }),
    ...(clear ? { clear: true } : {}),
  };
}
