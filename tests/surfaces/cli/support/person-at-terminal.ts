import { spawn, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const PROGRAM = path.join(import.meta.dirname, 'person-at-terminal.py');
const PATIENCE_MS = 30_000;

const Modes = z.object({ line: z.boolean(), echo: z.boolean() });
const Told = z.object({
  shown: z.string().optional(),
  modes: Modes.nullable().optional(),
  state: z.string().optional(),
  exit: z.number().optional(),
});

export interface Left {
  /** Negative for a signal. */
  readonly exit: number;
  /** Of the terminal when the program had ended; `null` where it had been hung up. */
  readonly modes: z.output<typeof Modes> | null;
}

/** Somebody who sits at a terminal in which a program runs. */
export class PersonAtTerminal {
  /** All that was written to the terminal. */
  shown = '';
  readonly left: Promise<Left>;
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private answers: z.output<typeof Told>[] = [];

  constructor(
    command: readonly string[],
    {
      columns = 80,
      rows = 24,
      environment = process.env,
      cwd,
    }: {
      readonly columns?: number;
      readonly rows?: number;
      readonly environment?: NodeJS.ProcessEnv;
      readonly cwd?: string;
    } = {},
  ) {
    this.child = spawn('python3', [PROGRAM, String(columns), String(rows), ...command], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: environment,
      cwd,
    });
    let faults = '';
    this.child.stderr.on('data', (text) => (faults += String(text)));
    this.left = new Promise((resolve, reject) => {
      createInterface({ input: this.child.stdout }).on('line', (line) => {
        const told = Told.parse(JSON.parse(line));
        if (told.shown !== undefined) this.shown += Buffer.from(told.shown, 'base64').toString('utf8');
        else if (told.exit === undefined) this.answers.push(told);
        else resolve({ exit: told.exit, modes: told.modes ?? null });
      });
      this.child.once('close', () => reject(new Error(`it told of no end: ${faults}`)));
    });
    this.left.catch(() => undefined);
  }

  type(text: string): void {
    this.order({ type: text });
  }

  resize(columns: number, rows: number): void {
    this.order({ resize: [columns, rows] });
  }

  signal(number: number): void {
    this.order({ signal: number });
  }

  hangUp(): void {
    this.order({ hangup: true });
  }

  async modes(): Promise<z.output<typeof Modes>> {
    this.order({ modes: true });
    return Modes.parse((await this.answer()).modes);
  }

  /** Waits until the program is in this state, as the kernel has it: `T` is stopped. */
  async is(state: string): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      this.order({ state: true });
      const { state: now } = await this.answer();
      if (now === state) return;
      if (performance.now() > end) throw new Error(`it is ${now}, not ${state}`);
      await sleep(10);
    }
  }

  async sees(what: string | RegExp): Promise<void> {
    await this.until(
      () => (typeof what === 'string' ? this.shown.includes(what) : what.test(this.shown)),
      () => {
        return `it did not show ${String(what)}, but ${JSON.stringify(this.shown.slice(-2000))}`;
      },
    );
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  private async answer(): Promise<z.output<typeof Told>> {
    await this.until(
      () => this.answers.length > 0,
      () => 'there was no answer',
    );
    const [first] = this.answers.splice(0, 1);
    if (first === undefined) throw new Error('it is gone again');
    return first;
  }

  private async until(holds: () => boolean, why: () => string): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (!holds()) {
      if (performance.now() > end) throw new Error(why());
      await sleep(10);
    }
  }

  private order(what: Readonly<Record<string, unknown>>): void {
    this.child.stdin.write(`${JSON.stringify(what)}\n`);
  }
}
