import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isatty } from 'node:tty';
import { buildVersion } from '../../../wire/daemon-protocol.ts';
import type { Environment, ScreenFacts } from '../../../wire/client-frames.ts';
import { daemonSocket } from '../../../platform/paths.ts';
import { DaemonConnection } from './connect.ts';
import { findCommand } from '../arguments/find-command.ts';
import { hasColour } from '../printing/screen.ts';
import type { Manifest } from '../arguments/manifest.ts';

/** The user's daemon; nothing happens before the first call. */
export function openDaemon({
  environment,
  manifest,
  screen,
}: {
  readonly environment: Environment;
  readonly manifest: Manifest;
  /** The terminal that answers are printed on. */
  readonly screen?: ScreenFacts | undefined;
}): DaemonConnection {
  return new DaemonConnection({
    socket: daemonSocket(environment),
    // Beside the bundle that contains this file.
    program: join(import.meta.dirname, 'daemon.cjs'),
    script: join(import.meta.dirname, 'desk.cjs'),
    version: buildVersion(),
    environment,
    cwd: workingFolder(),
    pid: process.pid,
    colour: hasColour(environment, isatty(2)),
    screen,
    deadlineOf: (command, input) => givenDeadlineMs(input) ?? deadlineOf(manifest, command),
    isRepeatable: (command) => isRepeatable(manifest, command),
  });
}

/**
 * The current folder; empty if it was removed, or if its name is not UTF-8, which Node cannot represent. Commands that need it
 * then report that.
 */
export function workingFolder(): string {
  try {
    const folder = process.cwd();
    return isAbsolute(folder) && (!folder.includes('\uFFFD') || existsSync(folder)) ? folder : '';
  } catch {
    return '';
  }
}

/** The time limit that the caller named, in whichever unit the command takes it. */
function givenDeadlineMs(input: Readonly<Record<string, unknown>>): number | undefined {
  const { timeout_ms: milliseconds, timeout_seconds: seconds } = input;
  if (typeof milliseconds === 'number') return milliseconds;
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/** The default of its timeout, if it has one. */
function deadlineOf(manifest: Manifest, name: string): number | undefined {
  try {
    const { command } = findCommand(manifest, name.split(' '));
    const usual = command.parameters.find(({ key }) => key === 'timeout_ms')?.default;
    return typeof usual === 'number' ? usual : undefined;
  } catch {
    return undefined;
  }
}

function isRepeatable(manifest: Manifest, name: string): boolean {
  try {
    const { command } = findCommand(manifest, name.split(' '));
    return command.kind === 'read' || command.idempotent === true;
  } catch {
    return false;
  }
}
