import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandOutcome } from '../../../src/terminal/shells/command-session.ts';
import { ShellProtocol, type Received } from '../../../src/terminal/shells/shell-protocol.ts';
import { CLEAR_LINE, startOf, type ShellStart } from '../../../src/terminal/shells/shell-integration.ts';
import { shellKindOf, type BoundedShellKind } from '../../../src/terminal/shells/shell-kind.ts';

const PTY_PROGRAM = path.join(import.meta.dirname, 'pty-program.py');
const PROMPT = /[$#%>][^\n]*$/;
const PATIENCE_MS = 20_000;
const TOKEN = '5f0c3b1d9a7e42688c2f6d1b7a903e54';

export interface LabOptions {
  /** Files of the user, below the home folder. */
  readonly home?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Our hooks are not read at the start, as where the user's files prevent it. */
  readonly isLate?: boolean;
}

export interface Ran {
  readonly outcome: CommandOutcome;
  readonly output: string;
  readonly bytes: Uint8Array;
}

/** A real login shell in a real pseudo-terminal, with a home folder of its own. */
export class ShellLab {
  readonly folder: string;
  readonly home: string;
  readonly token = TOKEN;
  readonly dialogue: ShellProtocol;
  /** All that would be on the screen. */
  shown = '';
  readonly exited: Promise<number | null>;
  private readonly kind: BoundedShellKind;
  private readonly start: ShellStart;
  private readonly program: ChildProcessByStdio<Writable, Readable, null>;
  private readonly outcomes: CommandOutcome[] = [];

  constructor(shell: string, options: LabOptions = {}) {
    const root = mkdtempSync(path.join(os.tmpdir(), 'shell-lab-'));
    this.home = path.join(root, 'home');
    this.folder = path.join(root, "it's a session");
    mkdirSync(this.home);
    mkdirSync(this.folder, { mode: 0o700 });
    for (const [name, text] of Object.entries(options.home ?? {})) {
      mkdirSync(path.dirname(path.join(this.home, name)), { recursive: true });
      writeFileSync(path.join(this.home, name), text);
    }
    const kind = shellKindOf(shell);
    if (kind === 'none') throw new Error(`${shell} has no command boundaries`);
    this.kind = kind;
    this.dialogue = new ShellProtocol({
      kind,
      token: TOKEN,
      startedMs: performance.now(),
      keptBytes: 4 * 1024 * 1024,
    });
    const environment = {
      HOME: this.home,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      ...options.environment,
    };
    this.start = startOf(kind, shell, environment, { folder: this.folder, token: TOKEN });
    for (const file of this.start.files)
      writeFileSync(path.join(this.folder, file.name), file.text, { mode: 0o600 });
    const isLate = options.isLate === true;
    const command = isLate ? [shell, '-l', '-i'] : this.start.command;
    this.program = spawn('/usr/bin/python3', [PTY_PROGRAM, '80', '24', ...command], {
      cwd: this.home,
      env: isLate ? environment : this.start.environment,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.program.stdin.on('error', () => undefined);
    this.program.stdout.on('data', (chunk: Buffer) => {
      this.take(this.dialogue.receive(chunk, performance.now()));
    });
    this.exited = new Promise((resolve) => {
      this.program.on('close', (code) => {
        this.take(this.dialogue.end({ exitCode: code ?? undefined, signal: undefined }, performance.now()));
        resolve(code);
      });
    });
  }

  /** At the first prompt. */
  static async open(shell: string, options: LabOptions = {}): Promise<ShellLab> {
    const lab = new ShellLab(shell, options);
    if (options.isLate === true || !lab.start.isHooked) {
      await lab.until(() => PROMPT.test(lab.shown), 'a prompt');
      lab.type(lab.start.lateLine);
    }
    await lab.idle();
    return lab;
  }

  /** Writes to the terminal as somebody at its keyboard. */
  type(text: string): void {
    this.program.stdin.write(text);
  }

  submit(command: string): number {
    const typed = this.dialogue.run(command, performance.now(), {
      isBackground: false,
      waitMs: PATIENCE_MS,
    });
    writeFileSync(path.join(this.folder, typed.file.name), typed.file.text, { mode: 0o600 });
    this.type(typed.line);
    return typed.sequence;
  }

  async ended(sequence: number): Promise<Ran> {
    const find = (): CommandOutcome | undefined =>
      this.outcomes.find((outcome) => outcome.sequence === sequence);
    await this.until(() => find() !== undefined, `the end of command ${String(sequence)}`);
    const outcome = find();
    const captured = this.dialogue.outputOf(sequence, Number.MAX_SAFE_INTEGER);
    if (outcome === undefined || captured === undefined) throw new Error('no outcome');
    return { outcome, output: Buffer.from(captured.bytes).toString('utf8'), bytes: captured.bytes };
  }

  /** Runs a command, to its end and to the prompt after it. */
  async run(command: string): Promise<Ran> {
    const ran = await this.ended(this.submit(command));
    await this.until(() => this.isAtRest(), 'the next prompt');
    return ran;
  }

  /** Until a prompt follows. */
  async clearLine(): Promise<void> {
    let pressedMs = Number.NEGATIVE_INFINITY;
    await this.until(() => {
      const { state } = this.dialogue;
      if (state.kind === 'idle' && !state.isTouched) return true;
      if (performance.now() - pressedMs > 300) {
        this.type(CLEAR_LINE[this.kind]);
        pressedMs = performance.now();
      }
      return false;
    }, 'a clean prompt');
  }

  async idle(): Promise<void> {
    await this.until(() => this.dialogue.state.kind === 'idle', 'a prompt');
  }

  async until(holds: () => boolean, what: string): Promise<void> {
    const limit = performance.now() + PATIENCE_MS;
    while (!holds()) {
      if (performance.now() > limit)
        throw new Error(
          `${what} did not come; ${JSON.stringify(this.dialogue.state)}; shown: ${JSON.stringify(this.shown.slice(-500))}`,
        );
      if ((this.dialogue.deadlineMs ?? Number.POSITIVE_INFINITY) <= performance.now())
        this.take(this.dialogue.pass(performance.now()));
      await sleep(2);
    }
  }

  async close(): Promise<void> {
    this.program.stdin.end();
    const timer = setTimeout(() => this.program.kill('SIGKILL'), 3000);
    await this.exited;
    clearTimeout(timer);
    // fish may still write its completions.
    rmSync(path.dirname(this.home), { recursive: true, force: true, maxRetries: 5 });
  }

  private isAtRest(): boolean {
    return this.dialogue.state.kind === 'idle' || this.dialogue.state.kind === 'gone';
  }

  private take(received: Received): void {
    for (const bytes of received.shown) this.shown += Buffer.from(bytes).toString('latin1');
    this.outcomes.push(...received.outcomes);
    for (const sequence of received.begun) rmSync(path.join(this.folder, `command-${String(sequence)}`));
    if (received.isPrompt)
      for (const file of this.start.files) rmSync(path.join(this.folder, file.name), { force: true });
  }
}
