import { createEngine } from '../../src/engine/create-engine.ts';
import type { App } from '../../src/app/app.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { createMemoryStore } from '../../src/sessions/memory-store.ts';
import type { SessionStore } from '../../src/ports/session-store.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import type { TerminalFactsView, TerminalsPort } from '../../src/ports/terminals.ts';
import { RealTerminal } from '../terminal/support/real-terminal.ts';
import { fakeApp } from './fake-app.ts';

/** The whole program without the operating system, with real programs on terminals of this process and no desktop. */
export class TerminalWorld {
  readonly folder: string;
  readonly app: App;
  private readonly stores = new Map<string, SessionStore>();
  private readonly terminals = new Map<string, { readonly tag: string; readonly terminal: RealTerminal }>();

  constructor(folder: string) {
    this.folder = folder;
    this.app = this.another();
  }

  /** A new process that sees only what sessions have stored. */
  another(): App {
    const clock = createClock();
    return fakeApp(
      () => Promise.reject(new Error('no desktop was expected')),
      () => Promise.reject(new Error('no engine of a desktop was expected')),
      {
        clock,
        caller: { environment: {}, cwd: this.folder },
        createEngine: (parts) => createEngine(parts),
        openSession: (_folder, name) => {
          const store = this.stores.get(name) ?? createMemoryStore();
          this.stores.set(name, store);
          return store;
        },
        storedSessions: async () => [...this.stores.keys()],
        openTerminals: async () => this.port,
      },
    );
  }

  run(tag: string, command: string): RealTerminal {
    const terminal = new RealTerminal(command, this.folder);
    this.terminals.set(terminal.id, { tag, terminal });
    return terminal;
  }

  async end(): Promise<void> {
    await this.app.close();
    await Promise.all([...this.terminals.values()].map(({ terminal }) => terminal.end()));
  }

  private get port(): TerminalsPort {
    return {
      ownerOf: async () => undefined,
      list: async () =>
        [...this.terminals.values()].flatMap(({ tag, terminal }) =>
          terminal.isAlive() ? [this.facts(terminal, tag)] : [],
        ),
      view: async (id) => {
        const found = this.terminals.get(id)?.terminal;
        if (found?.isAlive() === true) return found;
        throw new DeskterityError('TERMINAL_NOT_FOUND', `There is no terminal ${id}.`, {
          suggestion: 'Run "desk terminal list".',
        });
      },
      find: notExpected,
      remains: notExpected,
      open: notExpected,
      facts: async (id) => {
        const found = this.terminals.get(id);
        return found === undefined ? notExpected() : this.facts(found.terminal, found.tag);
      },
      run: notExpected,
      lines: notExpected,
      output: notExpected,
      bytes: notExpected,
      kill: notExpected,
      clear: notExpected,
      close: notExpected,
      attach: notExpected,
      onCommandEnd: () => () => undefined,
    };
  }

  private facts({ id, pid }: RealTerminal, tag: string): TerminalFactsView {
    return {
      id,
      name: { projectPath: this.folder, tag },
      pid,
      ttyPath: '',
      shell: '/bin/sh',
      startedAt: new Date(),
      isConfined: false,
      size: { columns: 80, rows: 24 },
      title: '',
      cwd: undefined,
      state: 'running',
      restsOn: [],
      prompt: undefined,
      running: undefined,
      exitCode: undefined,
      attached: 0,
    };
  }
}

async function notExpected(): Promise<never> {
  throw new Error('was not expected of terminals');
}
