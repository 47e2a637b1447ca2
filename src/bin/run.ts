import { fileURLToPath } from 'node:url';
import { DaemonConnection } from '../cli/connect.ts';
import { findCommand } from '../cli/find-command.ts';
import { main } from '../cli/main.ts';
import { manifest } from '../cli/manifest.generated.ts';
import { buildVersion } from '../daemon/wire.ts';
import { daemonSocket } from '../platform/paths.ts';

/** Exit code after a second Ctrl-C, by the custom of shells. */
const KILLED_BY_INTERRUPT = 130;

/** Runs the command line of this process and ends it. */
export async function run(): Promise<void> {
  const { argv, env: environment, stdout, stderr, pid } = process;
  for (const stream of [stdout, stderr]) {
    // A reader that went away, as in `desk … | head -1`; the write callbacks see it too.
    stream.on('error', () => undefined);
  }
  const colour = stderr.isTTY && environment['TERM'] !== 'dumb' && (environment['NO_COLOR'] ?? '') === '';
  const exitCode = await main({
    argv: argv.slice(2),
    environment,
    manifest,
    stdin: () => process.stdin,
    stdout,
    stderr,
    signal: abortOnSignals(),
    connect: async (where) => {
      const cwd = workingFolder();
      if (where === 'process') {
        const { openInProcess } = await import('./in-process.ts');
        return openInProcess({ environment, cwd, version: manifest.version, colour });
      }
      return new DaemonConnection({
        socket: daemonSocket(environment),
        program: fileURLToPath(new URL('daemon.js', import.meta.url)),
        version: buildVersion(),
        environment,
        cwd,
        pid,
        colour,
        isRepeatable: (command) => isRepeatable(command),
      });
    },
  });
  // Open connections to the desktop would keep the process alive; everything is printed by now.
  process.exit(exitCode);
}

function isRepeatable(name: string): boolean {
  try {
    const { command } = findCommand(manifest, name.split(' '));
    return command.kind === 'read' || command.idempotent === true;
  } catch {
    return false;
  }
}

/** The folder may have been removed under us; commands that need it then say so. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** The first signal cancels the command, which then says so; a second one does not wait for that. */
function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(KILLED_BY_INTERRUPT);
    controller.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onSignal);
  return controller.signal;
}
