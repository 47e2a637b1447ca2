import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { main } from '../../surfaces/cli/main.ts';
import { hasColour } from '../../surfaces/cli/printing/screen.ts';
import { manifest } from '../../surfaces/cli/arguments/manifest.generated.ts';
import { openDaemon, workingFolder } from '../../surfaces/cli/daemon/open-daemon.ts';

/** Exit code after a second Ctrl-C, as shells report it. */
const KILLED_BY_INTERRUPT = 130;

/** Runs the command line of this process and ends it. */
export async function run(): Promise<void> {
  const { argv, env: environment } = process;
  const stdout = lazily(() => process.stdout);
  const stderr = lazily(() => process.stderr);
  const exitCode = await main({
    argv: argv.slice(2),
    isInputPiped,
    environment,
    manifest,
    manual: async () => (await import('../../surfaces/cli/printing/manual.generated.ts')).manual,
    stdin: () => process.stdin,
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    signal: abortOnSignals(),
    connect: async (where, { variables, screen } = {}) => {
      const environment = { ...process.env, ...variables };
      if (where === 'daemon') return openDaemon({ environment, manifest, screen });
      const { openInProcess } = await import('./in-process.ts');
      const colour = hasColour(environment, isatty(2));
      return openInProcess({ environment, cwd: workingFolder(), version: manifest.version, colour, screen });
    },
  });
  // Everything is printed; open connections to the desktop would keep the process alive.
  process.exit(exitCode);
}

/** A pipe or a socket; not a terminal, a file or /dev/null. */
function isInputPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket();
  } catch {
    // Standard input is closed.
    return false;
  }
}

/** The first signal cancels the command, which then reports that; the second exits at once. */
function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(KILLED_BY_INTERRUPT);
    controller.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onSignal);
  return controller.signal;
}

/** A standard stream, created on first use: each costs half a millisecond, and most calls use one. */
function lazily(open: () => NodeJS.WriteStream): () => NodeJS.WriteStream {
  let stream: NodeJS.WriteStream | undefined;
  // A closed reader, as in `desk … | head -1`, is no error; the write callbacks see it too.
  return () => (stream ??= open().on('error', () => undefined));
}
