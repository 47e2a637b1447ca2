import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { readText } from '../../node/quiet-files.ts';
import { processStartTime, readProcess } from '../process/facts.ts';
import { SUPERVISOR_SCRIPT, SUPERVISOR_TAG } from './supervisor-script.ts';

/** The facts about a desktop that its supervisor needs. */
export interface SupervisedDesktop {
  readonly id: string;
  readonly folder: string;
  readonly ownerPid: number;
}

/** A supervisor that ends sooner than this is replaced only after this time. */
const LEAST_LIFE_MS = 1000;
/** How often it is checked, while it is waited for, whether a supervisor is suspended; it may be only for a moment. */
const LOOK_MS = 250;
const SUSPENDED_LOOKS = 4;

/**
 * The small process that shuts a desktop down. It reads from a pipe that the kernel closes when this process exits, however it exits. If it is killed,
 * another one takes over.
 */
export class Supervisor {
  readonly #desktop: SupervisedDesktop;
  #process: ChildProcess;
  #isFinishing = false;
  /** Lines in the notes: everything sent to the supervisor, for one that may have to take over. */
  #noted = 0;

  constructor(desktop: SupervisedDesktop) {
    this.#desktop = desktop;
    this.#process = this.#launch();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Registers a program that may not carry the marker, with its start time. */
  noteProcess(pid: number, startTime: string): void {
    this.#note(`process ${pid}:${startTime}`);
  }

  /** Unregisters a program that has exited and left its session empty: its pid may soon be reused. */
  forgetProcess(pid: number, startTime: string): void {
    this.#note(`forget ${pid}:${startTime}`);
  }

  /** Registers a program that must outlive the applications: display, bus, window manager. */
  noteService(pid: number, startTime: string): void {
    this.#note(`service ${pid}:${startTime}`);
  }

  /** Registers a display number that this process has locked or is about to lock. */
  noteDisplay(number: number): void {
    this.#note(`display ${number}`);
  }

  /** Ends every process and resolves when they and the folder are gone. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    const child = this.#process;
    if (child.exitCode === null && child.signalCode === null) {
      child.ref();
      child.stdin?.end('stop\n');
      await untilExit(child);
    }
    if (child.exitCode === 0) return;
    // It was killed: start another one to finish the work.
    this.#process = launch(this.#desktop, this.#noted);
    this.#process.ref();
    this.#process.stdin?.end('stop\n');
    await untilExit(this.#process);
  }

  #launch(): ChildProcess {
    const child = launch(this.#desktop, this.#noted);
    const started = performance.now();
    child.once('exit', () => {
      if (this.#isFinishing) return;
      const pauseMs = performance.now() - started < LEAST_LIFE_MS ? LEAST_LIFE_MS : 0;
      setTimeout(() => this.#replace(), pauseMs).unref();
    });
    return child;
  }

  #replace(): void {
    if (!this.#isFinishing) this.#process = this.#launch();
  }

  #note(line: string): void {
    this.#process.stdin?.write(`${line}\n`);
    appendFileSync(notesFile(this.#desktop.folder), `${line}\n`);
    this.#noted += 1;
  }
}

/** One that is suspended is killed, as it would never end: another one finishes its work. */
async function untilExit(child: ChildProcess): Promise<void> {
  let suspendedLooks = 0;
  const timer = setInterval(() => {
    const isSuspended = /^[Tt]/.test(readProcess(child.pid ?? 0)?.state ?? '');
    suspendedLooks = isSuspended ? suspendedLooks + 1 : 0;
    if (suspendedLooks === SUSPENDED_LOOKS) child.kill('SIGKILL');
  }, LOOK_MS);
  try {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  } finally {
    clearInterval(timer);
  }
}

/** Cleans up after a dead owner, in another process. Resolves when that has exited; never rejects. */
export async function cleanUpAfter(desktop: SupervisedDesktop): Promise<void> {
  const child = launch(desktop, 0);
  child.stdin?.end(`${notesThatHold(desktop.folder)}stop\n`);
  await new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
}

/** Long after the owner exited, a noted process counts only while it still runs: its pid may have been reused. */
function isStillRunning(note: string): boolean {
  const process = /^(?:process|service|forget) (\d+):(\d+)$/.exec(note);
  return process === null || processStartTime(Number(process[1])) === process[2];
}

function notesFile(folder: string): string {
  return path.join(folder, 'notes');
}

function notesThatHold(folder: string): string {
  const notes = (readText(notesFile(folder)) ?? '').split('\n').slice(0, -1);
  return notes
    .filter(isStillRunning)
    .map((note) => `${note}\n`)
    .join('');
}

/** @param noted how many lines of the notes it begins with */
function launch({ id, folder, ownerPid }: SupervisedDesktop, noted: number): ChildProcess {
  const args = ['-c', SUPERVISOR_SCRIPT, SUPERVISOR_TAG, id, folder, `${ownerPid}`, `${noted}`];
  const child = spawn('/bin/sh', args, {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    // Without an outer desktop's marker: it must outlive that desktop to clean up its own.
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin` },
  });
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  child.unref();
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}
