import { spawn, type ChildProcess } from 'node:child_process';
import { statSync, closeSync, mkdirSync, openSync, readdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../../model/error-code.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { LaunchedApp, LaunchRequest } from '../../../ports/desktop/windows.ts';
import { lastLines } from '../../node/quiet-files.ts';
import { prepareLaunch, type PreparedLaunch } from './prepare-launch.ts';
import { processStartTime, sessionMembers } from './facts.ts';
import { killSession, ProcessFamily } from './kill-family.ts';
import { isSameProgram } from './same-program.ts';
import { resolveApp } from './resolve-app.ts';

/** A program that exits with an error within this time counts as not started. */
const START_WATCH_MS = 300;

/** The desktop to launch in. */
export interface LaunchContext {
  /** Complete environment, with display and bus addresses. */
  readonly environment: Readonly<Record<string, string>>;
  /** Set on a private desktop, which has to end every program it adopts. */
  readonly privateDesktop?: { adopt(pid: number): void; release(pid: number): void } | undefined;
  /** Folder for programs' output; default `deskterity/apps` in the environment's cache folder. */
  readonly logFolder?: string | undefined;
}

/**
 * Starts an application as leader of its own session: it outlives this process, and Ctrl-C here does not reach it.
 * @throws DeskterityError APP_NOT_FOUND, AMBIGUOUS_APP, PERM_DENIED, ACTION_NOT_SUPPORTED, INVALID_ARGUMENT (cwd), ACTION_FAILED if it
 * cannot be run or exits at once, CANCELLED
 */
export async function launchApp(request: LaunchRequest, context: LaunchContext): Promise<LaunchedApp> {
  throwIfCancelled(request.signal);
  const app = resolveApp({ ...request, environment: context.environment });
  const prepared = prepareLaunch(app, {
    environment: context.environment,
    isPrivate: context.privateDesktop !== undefined,
    isRoot: process.getuid?.() === 0,
  });
  const cwd = workingFolder(app.folder, request.cwd);
  const log = openAppLog(
    context.logFolder ?? defaultLogFolder(context.environment),
    path.basename(app.program),
  );
  const child = start(prepared, cwd, log, app.name);
  const pid = await startedPid(child, app.name, prepared);
  context.privateDesktop?.adopt(pid);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      context.privateDesktop?.release(pid);
      resolve(signal ?? `${code ?? ''}`);
    });
  });
  await watchStart({ child, exited, request, name: app.name, log });
  return {
    pid,
    // It leads its own session, in which its children stay.
    owns: (other) => other === pid || sessionMembers(pid).includes(other),
    isRunningAs: (other) => isSameProgram(prepared.program, other),
    command: [prepared.program, ...prepared.args],
    adjustments: prepared.adjustments,
    exited,
  };
}

/** What {@link launchApp} would run, without what it adds. Starts and writes nothing. @throws DeskterityError as that does before it starts anything */
export function resolveLaunch(
  request: LaunchRequest,
  { environment }: LaunchContext,
): Pick<LaunchedApp, 'command'> {
  const app = resolveApp({ ...request, environment });
  workingFolder(app.folder, request.cwd);
  return { command: [app.program, ...app.args] };
}

function start(prepared: PreparedLaunch, cwd: string, log: AppLog | undefined, name: string): ChildProcess {
  const output = log?.descriptor ?? 'ignore';
  try {
    return spawn(prepared.program, prepared.args, {
      cwd,
      env: { ...prepared.environment },
      detached: true,
      stdio: ['ignore', output, output],
    });
  } catch (error) {
    throw spawnFailed(error, name, prepared.program);
  } finally {
    // The application has its own copy.
    if (log !== undefined) closeSync(log.descriptor);
  }
}

function startedPid(child: ChildProcess, name: string, prepared: PreparedLaunch): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(spawnFailed(error, name, prepared.program)));
    child.once('spawn', () => {
      child.unref();
      resolve(child.pid ?? 0);
    });
  });
}

async function watchStart(started: {
  readonly child: ChildProcess;
  readonly exited: Promise<string>;
  readonly request: LaunchRequest;
  readonly name: string;
  readonly log: AppLog | undefined;
}): Promise<void> {
  const { request, name, log } = started;
  const stopWatch = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, stopWatch.signal]) : stopWatch.signal;
  const watch = Math.max(0, Math.min(START_WATCH_MS, request.deadlineMs));
  const over = sleep(watch, undefined, { signal }).catch(() => undefined);
  const ended = await Promise.race([started.exited, over]);
  stopWatch.abort();
  if (ended === undefined && request.signal?.aborted === true) {
    if (started.child.pid !== undefined) killStarted(started.child.pid);
    throwIfCancelled(request.signal);
  }
  if (ended === undefined || ended === '0') return;
  const how = /^\d+$/.test(ended) ? `exit code ${ended}` : ended;
  const lines = lastLogLines(log);
  throw new DeskterityError('ACTION_FAILED', `"${name}" exited at once with ${how}.`, {
    suggestion: 'Read its last output in platform_detail; run it in a terminal if that does not explain it.',
    platformDetail: lines === '' ? `${how}, nothing printed` : lines,
    delivered: true,
  });
}

function workingFolder(asked: string | undefined, given: string): string {
  if (asked !== undefined && isFolder(asked)) return asked;
  if (isFolder(given)) return given;
  throw new DeskterityError('INVALID_ARGUMENT', `The folder ${given} does not exist.`, {
    suggestion: 'Pass an existing folder as the working directory.',
  });
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function defaultLogFolder(environment: Readonly<Record<string, string>>): string {
  const cache = environment['XDG_CACHE_HOME'] ?? path.join(environment['HOME'] ?? '/tmp', '.cache');
  return path.join(cache, 'deskterity', 'apps');
}

/** It leads its own session. */
function killStarted(pid: number): void {
  const startTime = processStartTime(pid);
  if (startTime === undefined) killSession(pid);
  else new ProcessFamily([{ pid, startTime }]).kill();
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new DeskterityError('CANCELLED', 'The launch was cancelled.', {
    suggestion: 'Launch it again when you need it.',
  });
}

function spawnFailed(error: unknown, name: string, program: string): DeskterityError {
  const errno = errorCode(error) ?? String(error);
  const code =
    errno === 'ENOENT'
      ? 'APP_NOT_FOUND'
      : errno === 'EACCES' || errno === 'EPERM'
        ? 'PERM_DENIED'
        : 'ACTION_FAILED';
  return new DeskterityError(code, `"${name}" could not be started.`, {
    suggestion:
      errno === 'ENOEXEC'
        ? `${program} is not a program; a script needs a "#!" line.`
        : `Check that ${program} runs in a terminal.`,
    platformDetail: errno,
    cause: error,
  });
}

/** Application logs older than this are removed. */
const KEPT_MS = 3 * 24 * 60 * 60 * 1000;
let count = 0;

/** The file that an application's output goes to. */
interface AppLog {
  readonly file: string;
  readonly descriptor: number;
}

/** Opens a new log in `folder`; `undefined` if the folder is not writable, which must not prevent an application from starting. */
function openAppLog(folder: string, name: string): AppLog | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    removeOld(folder);
    count += 1;
    const file = path.join(
      folder,
      `${name.replaceAll(/[^\w.-]/g, '_')}-${process.pid}-${Date.now()}-${count}.log`,
    );
    return { file, descriptor: openSync(file, 'ax', 0o600) };
  } catch {
    return undefined;
  }
}

/** The last lines an application printed. */
function lastLogLines(log: AppLog | undefined): string {
  return log === undefined ? '' : lastLines(log.file, 8).slice(-2000);
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (name.endsWith('.log') && Date.now() - statSync(file).mtimeMs > KEPT_MS) unlinkSync(file);
  }
}
