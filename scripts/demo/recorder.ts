import { join } from 'node:path';
import type { Album } from './album.ts';
import type { Desk } from './desk.ts';
import type { Outcome, Step } from './step.ts';

/** What a step is about: the application in whose window it happens, and the element that it presses. */
export interface Subject {
  readonly app: string;
  readonly ref?: string;
  /** Also take a picture with references. */
  readonly isAnnotated?: true;
}

/** Ends the demo; the failed step is already recorded. */
export class DemoFailed extends Error {}

/** Performs steps one after the other and takes the pictures of each. */
export class Recorder {
  readonly steps: Step[] = [];
  readonly #desk: Desk;
  readonly #folder: string;
  readonly #album: Album;
  readonly #say: (text: string) => void;

  constructor(parts: {
    readonly desk: Desk;
    readonly folder: string;
    readonly album: Album;
    readonly say: (text: string) => void;
  }) {
    this.#desk = parts.desk;
    this.#folder = parts.folder;
    this.#album = parts.album;
    this.#say = parts.say;
  }

  /** @throws DemoFailed when the step failed. */
  async step(what: string, command: string, subject: Subject, body: () => Promise<Outcome>): Promise<void> {
    // Before the act: an element that closes with its menu has no place afterwards.
    const target = subject.ref === undefined ? undefined : await this.#desk.boundsOf(subject.ref);
    const begin = performance.now();
    const outcome = await body().catch((error: unknown): Outcome => {
      return { effect: 'failed', evidence: [error instanceof Error ? error.message : String(error)] };
    });
    const milliseconds = Math.round(performance.now() - begin);
    const pictures = await this.#pictures(what, subject, target);
    this.steps.push({ what, command, ...outcome, ...pictures, milliseconds });
    this.#say(`${mark(outcome.effect)} ${what} – ${outcome.effect}, ${milliseconds} ms`);
    this.#say(`      $ ${command}`);
    for (const line of outcome.evidence) this.#say(`      ${line}`);
    if (outcome.outline !== undefined) this.#say(outcome.outline.replaceAll(/^/gm, '      | '));
    if (outcome.effect === 'failed') throw new DemoFailed(what);
  }

  /** A step that only reads, and returns what it read. @throws DemoFailed when it failed. */
  async look<T>(
    what: string,
    command: string,
    subject: Subject,
    body: () => Promise<{ readonly value: T; readonly evidence: readonly string[] }>,
  ): Promise<T> {
    const seen: T[] = [];
    await this.step(what, command, subject, async () => {
      const { value, evidence } = await body();
      seen.push(value);
      return { effect: 'observed', evidence };
    });
    const [value] = seen;
    if (value === undefined) throw new DemoFailed(what);
    return value;
  }

  /** A picture that cannot be taken is reported, but does not end the demo. */
  async #pictures(
    what: string,
    { app, isAnnotated }: Subject,
    target: Parameters<Album['add']>[2],
  ): Promise<Pick<Step, 'before' | 'after' | 'annotated'>> {
    const slug = what
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 48);
    const name = `${String(this.steps.length + 1).padStart(2, '0')}-${slug}`;
    try {
      const pictures = await this.#album.add(name, await this.#desk.windowOf(app), target);
      if (isAnnotated !== true) return pictures;
      const annotated = `${name}-refs.png`;
      await this.#desk.call('screenshot', { app, path: join(this.#folder, annotated), annotate: true });
      return { ...pictures, annotated };
    } catch (error) {
      this.#say(`      no picture: ${error instanceof Error ? error.message : String(error)}`);
      return {};
    }
  }
}

function mark(effect: string): string {
  return effect === 'failed' ? '✗' : '✓';
}
