import type { CallOptions, Connection, Rendered } from '../cli/connection.ts';
import { openProcessLog, toTerminalLine } from '../host/process-log.ts';
import { openHost } from '../host/production.ts';

export interface InProcessOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  /** Whether lines for standard error may be coloured. */
  readonly colour: boolean;
}

/** The host in this process, for calls without a daemon; it ends with the connection. */
export async function openInProcess(options: InProcessOptions): Promise<Connection> {
  const { environment, cwd, version, colour } = options;
  const log = await openProcessLog(environment);
  const host = openHost({ environment, cwd, version, log });
  return {
    execute: (session, command, input, call: CallOptions = {}): Promise<Rendered> => {
      const { onLog, logLevel = 'info' } = call;
      return host.execute(session, command, input, {
        ...call,
        onLog: (entry) => {
          const line = onLog && toTerminalLine(entry, logLevel, colour);
          if (line !== undefined) onLog?.(line);
        },
      });
    },
    close: () => host.close(),
  };
}
