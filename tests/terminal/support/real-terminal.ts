import type { TerminalSize } from '../../../src/model/terminals/terminal-screen.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { readLines, readScreen } from '../../../src/terminal/screen/screen.ts';
import { TerminalEmulator } from '../../../src/terminal/screen/terminal-emulator.ts';
import type { TerminalReading, TerminalView } from '../../../src/ports/terminals.ts';

let terminals = 0;

/** A real program on a real terminal, which `script` opens, read through the emulator. */
export class RealTerminal implements TerminalView {
  readonly id = `term-${++terminals}`;
  readonly name = 'test';
  private readonly child;
  private readonly emulator: TerminalEmulator;
  private readonly listeners = new Set<() => void>();
  private fed: Promise<void> = Promise.resolve();

  constructor(command: string, folder: string, size: TerminalSize = { columns: 80, rows: 24 }) {
    this.emulator = new TerminalEmulator({ size });
    const sized = `stty cols ${size.columns} rows ${size.rows}; ${command}`;
    this.child = spawn('script', ['-qfc', sized, '/dev/null'], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        SHELL: '/bin/sh',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout.on('data', (bytes: Uint8Array) => {
      this.fed = this.fed.then(() => this.take(bytes));
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async read({ scrollbackLines }: { readonly scrollbackLines: number }): Promise<TerminalReading> {
    if (!this.isAlive()) throw ended();
    await this.fed;
    return {
      screen: readScreen(this.emulator),
      scrollback: scrollbackLines === 0 ? [] : readLines(this.emulator, scrollbackLines),
    };
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.isAlive()) throw ended();
    this.child.stdin.write(bytes);
  }

  async resize(): Promise<void> {
    throw new Error('script cannot resize its terminal.');
  }

  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    queueMicrotask(listener);
    return () => this.listeners.delete(listener);
  }

  isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async end(): Promise<void> {
    if (!this.isAlive()) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  private async take(bytes: Uint8Array): Promise<void> {
    await this.emulator.feed(bytes);
    const answers = this.emulator.takeAnswers();
    if (answers.length > 0 && this.isAlive()) this.child.stdin.write(answers);
    this.listeners.forEach((listener) => listener());
  }
}

function ended(): DeskterityError {
  return new DeskterityError('TERMINAL_NOT_FOUND', 'The terminal has ended.', {
    suggestion: 'Start it again.',
  });
}
