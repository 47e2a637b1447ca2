import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Environment } from '../../../src/model/sessions/caller.ts';

const CALL_MS = 30_000;
const LOOKS = 100;
const LOOK_EVERY_MS = 50;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What a person does on a display, and what it shows, by programs that know nothing of ours. Windows are named by the title they had first. */
export interface Hands {
  /** Waits until the window is there. */
  find(title: string): Promise<void>;
  isShown(title: string): Promise<boolean>;
  activate(title: string): Promise<void>;
  minimize(title: string): Promise<void>;
  moveWindow(title: string, x: number, y: number): Promise<void>;
  /** Of what the client draws. */
  geometry(title: string): Promise<Box>;
  /** Puts the pointer into a corner. */
  parkPointer(): Promise<void>;
  /** `undefined` if the display does not tell. */
  pointer(): Promise<{ readonly x: number; readonly y: number } | undefined>;
  pressEscape(): Promise<void>;
  /** The window with the keyboard focus, and the position of the pointer if the display tells it. */
  whatTheUserHas(): Promise<string>;
}

/** Ids by title; a minimized window may not be found, and titles change. */
export class WindowIds {
  readonly #known = new Map<string, string>();
  readonly #shown: (title: string) => Promise<readonly string[]>;

  constructor(shown: (title: string) => Promise<readonly string[]>) {
    this.#shown = shown;
  }

  async of(title: string): Promise<string> {
    const known = this.#known.get(title);
    if (known !== undefined) return known;
    for (let look = 0; look < LOOKS; look++) {
      const [id] = await this.#shown(title);
      if (id !== undefined) {
        this.#known.set(title, id);
        return id;
      }
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error(`no window ${title}`);
  }
}

/** Repeats `act` until `isDone`. */
export async function until(
  act: () => Promise<unknown>,
  isDone: () => Promise<boolean>,
  failure: string,
): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    await act();
    if (await isDone()) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(failure);
}

/** Runs a program of the machine on a desktop. @returns what it printed */
export async function runOn(
  environment: Environment,
  program: string,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], {
    env: { ...process.env, ...environment },
    timeout: CALL_MS,
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.trim();
}
