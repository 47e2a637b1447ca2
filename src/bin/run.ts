import { main } from '../cli/main.ts';
import { manifest } from '../cli/manifest.generated.ts';
import { hasColour, openDaemon, workingFolder } from '../cli/open-daemon.ts';

/** Exit code after a second Ctrl-C, by the custom of shells. */
const KILLED_BY_INTERRUPT = 130;

/** Runs the command line of this process and ends it. */
export async function run(): Promise<void> {
  const { argv, env: environment, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    // A reader that went away, as in `desk … | head -1`; the write callbacks see it too.
    stream.on('error', () => undefined);
  }
  const exitCode = await main({
    argv: argv.slice(2),
    environment,
    manifest,
    stdin: () => process.stdin,
    stdout,
    stderr,
    signal: abortOnSignals(),
    connect: async (where) => {
      if (where === 'daemon') return openDaemon({ environment, manifest, stderr });
      const { openInProcess } = await import('./in-process.ts');
      const colour = hasColour(environment, stderr);
      return openInProcess({ environment, cwd: workingFolder(), version: manifest.version, colour });
    },
  });
  // Open connections to the desktop would keep the process alive; everything is printed by now.
  process.exit(exitCode);
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
