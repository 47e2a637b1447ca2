import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const Record = z.object({
  held: z.array(z.string()),
  log: z.array(z.tuple([z.string(), z.string()])),
  is_active: z.boolean(),
});

/** Names of GTK in the words of leases. */
const NAMES: Readonly<Partial<globalThis.Record<string, string>>> = {
  Shift_L: 'Shift',
  Control_L: 'Control',
  'button 1': 'left button',
  'button 2': 'middle button',
  'button 3': 'right button',
};

/** A window over the whole screen that tells what reached it: the oracle for keys and buttons. */
export class RawInput {
  readonly pid: number;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  /** Resolves once the window has the keyboard, if the display has one before we bring ours. */
  static async start(
    environment: Readonly<globalThis.Record<string, string>>,
    { hasKeyboard = true }: { readonly hasKeyboard?: boolean } = {},
  ): Promise<RawInput> {
    const program = fileURLToPath(new URL('./raw_input.py', import.meta.url));
    const raw = new RawInput(
      spawn('/usr/bin/python3', [program], { env: { ...environment }, stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    for (let attempt = 0; attempt < 200; attempt++) {
      const { is_active: isActive } = await raw.#ask('look');
      if (isActive || !hasKeyboard) return raw;
      await sleep(50);
    }
    throw new Error('the window never got the keyboard');
  }

  /** What is down, in the words of leases. */
  async held(): Promise<readonly string[]> {
    return (await this.#ask('look')).held.map((name) => NAMES[name] ?? name);
  }

  /** What reached the window since the last call. */
  async log(): Promise<readonly (readonly [kind: string, name: string])[]> {
    return (await this.#ask('clear')).log;
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }

  async #ask(line: string): Promise<z.output<typeof Record>> {
    this.#child.stdin.write(`${line}\n`);
    const answer = await this.#lines.next();
    return Record.parse(JSON.parse(answer.value));
  }
}
