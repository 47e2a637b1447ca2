import { closeSync, openSync } from 'node:fs';
import { configurationOf, openProcessLog, toTerminalLine } from '../../app/process-log.ts';
import { openApp } from '../../app/open-app.ts';
import { completeConfiguration } from '../../model/configuration/config.ts';
import { daemonSocket, socketFolderProblem } from '../../platform/paths.ts';
import { createPlatform } from '../../platform/select.ts';
import { startDaemon } from './daemon.ts';
import { collectAtRest } from './collect-at-rest.ts';
import { surviveFaults } from '../faults.ts';
import { buildVersion } from '../../wire/daemon-protocol.ts';
import { DAEMON_VARIABLES } from '../../wire/daemon-variables.ts';

/** The process is no longer reliable (EX_SOFTWARE of sysexits.h). */
const FAULTY_EXIT_CODE = 70;
/** For clients, logs and desktops. With fewer a daemon would start but refuse or lose its clients. */
const SPARE_FILES = 32;
/** After the call that started the daemon, which it must not slow down. */
const END_LEFTOVERS_AFTER_MS = 1000;

serve().catch((error: unknown) => {
  // The process that started us reads this.
  say({ problem: error instanceof Error ? error.message : String(error) });
  process.exit(1);
});

async function serve(): Promise<void> {
  // Nobody reads it later, and a write must not end this process.
  process.stderr.on('error', () => undefined);
  const { env } = process;
  for (const name of Object.keys(DAEMON_VARIABLES)) delete env[name];
  const version = buildVersion();
  const packageVersion = version.replace(/\+[^+]*$/, '');
  const socket = daemonSocket(env);
  const problem = socketFolderProblem(socket);
  if (problem !== undefined) throw new Error(`the folder of ${socket} ${problem}`);
  checkSpareFiles();
  const loadMcp = () => import('../../surfaces/mcp/index.ts');
  // The client that started it is about to connect.
  if (process.argv.includes('mcp', 2)) loadMcp().catch(() => undefined);
  const platform = createPlatform();
  const log = await openProcessLog(platform, env);
  surviveFaults(log, () => void log.flush().finally(() => process.exit(FAULTY_EXIT_CODE)));
  const daemon = await startDaemon({
    socket,
    version,
    packageVersion,
    loadMcp,
    sockets: platform.sockets,
    openApp: () =>
      openApp({
        platform,
        environment: env,
        cwd: '/',
        version: packageVersion,
        build: version,
        isPersistent: true,
        asksLoginShell: true,
        log,
        daemonFacts: () => ({
          pid: process.pid,
          version,
          uptimeMs: Math.round(process.uptime() * 1000),
          socket,
          logFile: log.logFile(new Date()),
          memoryBytes: process.memoryUsage.rss(),
        }),
      }),
    log,
    toLine: (...asked) => toTerminalLine(platform, ...asked),
    idleTimeoutMs: async (environment) =>
      (await configurationOf(platform, environment)).values.daemon.idle_timeout_ms,
    initialIdleTimeoutMs: completeConfiguration().daemon.idle_timeout_ms,
    exclusively: (step) => platform.withFileLock(`${socket}.lock`, step),
  });
  say({ ready: true });
  if (daemon === undefined) process.exit(0);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => daemon.leave(`signal ${signal}`));
  collectAtRest();
  // What an earlier daemon left behind when it was killed with the supervisors of its desktops.
  setTimeout(() => void platform.desktops.endLeftovers(), END_LEFTOVERS_AFTER_MS).unref();
  await daemon.gone;
  process.exit(0);
}

/** @throws Error if too few files may be open at once */
function checkSpareFiles(): void {
  const opened: number[] = [];
  try {
    while (opened.length < SPARE_FILES) opened.push(openSync(process.execPath, 'r'));
  } catch (error) {
    throw new Error(`it may open too few files at once, see "ulimit -n": ${String(error)}`, { cause: error });
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

function say(message: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${JSON.stringify(message)}\n`);
}
