import { join } from 'node:path';
import type { Desk } from './desk.ts';
import type { Outcome, Step } from './step.ts';

/** Where the picture of a step is taken: one application's window, or the whole screen. */
export type View = { readonly app: string } | { readonly screen: true };

/** Ends the demo; the failed step is already recorded. */
export class DemoFailed extends Error {}

/** Performs steps one after the other and takes two pictures of each, plain and with labels. */
export class Recorder {
  readonly steps: Step[] = [];
  readonly #desk: Desk;
  readonly #folder: string;
  readonly #say: (text: string) => void;

  constructor(desk: Desk, folder: string, say: (text: string) => void) {
    this.#desk = desk;
    this.#folder = folder;
    this.#say = say;
  }

  /** @throws DemoFailed when the step failed. */
  async step(what: string, command: string, view: View, body: () => Promise<Outcome>): Promise<void> {
    const begin = performance.now();
    const outcome = await body().catch((error: unknown): Outcome => {
      return { effect: 'failed', evidence: [error instanceof Error ? error.message : String(error)] };
    });
    const milliseconds = Math.round(performance.now() - begin);
    const pictures = await this.#pictures(what, view);
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
    view: View,
    body: () => Promise<{ readonly value: T; readonly evidence: readonly string[] }>,
  ): Promise<T> {
    const seen: T[] = [];
    await this.step(what, command, view, async () => {
      const { value, evidence } = await body();
      seen.push(value);
      return { effect: 'observed', evidence };
    });
    const [value] = seen;
    if (value === undefined) throw new DemoFailed(what);
    return value;
  }

  /** A picture that cannot be taken is reported, but does not end the demo. */
  async #pictures(what: string, view: View): Promise<Pick<Step, 'screenshot' | 'annotated'>> {
    const slug = what
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 48);
    const base = `${String(this.steps.length + 1).padStart(2, '0')}-${slug}`;
    try {
      const screenshot = `${base}.png`;
      await this.#desk.call('screenshot', { ...view, path: join(this.#folder, screenshot) });
      const annotated = `${base}-refs.png`;
      await this.#desk.call('screenshot', { ...view, path: join(this.#folder, annotated), annotate: true });
      return { screenshot, annotated };
    } catch (error) {
      this.#say(`      no picture: ${error instanceof Error ? error.message : String(error)}`);
      return {};
    }
  }
}

function mark(effect: string): string {
  return effect === 'failed' ? '✗' : '✓';
}
