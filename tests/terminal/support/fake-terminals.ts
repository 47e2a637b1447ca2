import type { ScreenRow, TerminalScreen } from '../../../src/model/terminals/terminal-screen.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type {
  RunOutcome,
  EndedCommand,
  TerminalFactsView,
  TerminalName,
  TerminalRemains,
  TerminalsPort,
  TerminalStart,
  TerminalView,
} from '../../../src/ports/terminals.ts';

/** A call of the fake: the method and its arguments. */
export type Asked = readonly [string, ...unknown[]];

export function factsOf(name: TerminalName, more: Partial<TerminalFactsView> = {}): TerminalFactsView {
  return {
    id: `term-${name.tag}`,
    name,
    pid: 4711,
    ttyPath: '/dev/pts/3',
    shell: '/bin/bash',
    startedAt: new Date('2026-01-31T00:00:00Z'),
    isConfined: false,
    size: { columns: 120, rows: 40 },
    title: '',
    cwd: name.projectPath,
    state: 'idle',
    restsOn: ['a fact'],
    prompt: undefined,
    running: undefined,
    exitCode: undefined,
    attached: 0,
    ...more,
  };
}

export function rowOf(text: string, at: number, more: Partial<ScreenRow> = {}): ScreenRow {
  return {
    line: at,
    top: at,
    height: 1,
    text,
    start: 0,
    end: text.length,
    highlight: 'none',
    parts: [],
    hasCursor: false,
    ...more,
  };
}

export function screenOf(rows: readonly ScreenRow[], more: Partial<TerminalScreen> = {}): TerminalScreen {
  return {
    size: { columns: 120, rows: 40 },
    title: '',
    isAlternate: false,
    alternateVisit: 0,
    cursor: { row: 0, column: 0, isVisible: true },
    modes: {
      isBracketedPaste: false,
      isApplicationCursor: false,
      isApplicationKeypad: false,
      mouseTracking: 'none',
      isSgrMouse: false,
      isFocusReported: false,
    },
    rows,
    ...more,
  };
}

/** Simulated terminals with the results that a test defines. */
export class FakeTerminals implements TerminalsPort {
  readonly asked: Asked[] = [];
  readonly started: TerminalStart[] = [];
  terminals: TerminalFactsView[] = [];
  readonly owners = new Map<string, string | undefined>();
  outcome: Partial<RunOutcome> = {};
  failure: DeskterityError | undefined;
  left: TerminalRemains | undefined;
  shown = { text: '', leftOut: [] as readonly string[] };
  killed = 1;
  /** Changes the size from elsewhere. */
  holdsSize = false;
  screen = screenOf([]);
  typed = '';
  /** The screen after typing. */
  onType: ((text: string) => TerminalScreen) | undefined;

  async ownerOf(id: string) {
    return this.owners.get(id);
  }
  async list() {
    return this.terminals;
  }
  async find({ projectPath, tag }: TerminalName) {
    return this.terminals.find(({ name }) => name.projectPath === projectPath && name.tag === tag);
  }
  async remains() {
    return this.left;
  }
  async open(start: TerminalStart) {
    this.started.push(start);
    const facts = factsOf(start.name, { isConfined: start.confinement.by !== 'none', size: start.size });
    this.terminals = [facts, ...this.terminals];
    this.owners.set(facts.id, start.owner);
    return facts;
  }
  async facts(id: string) {
    const found = this.terminals.find((terminal) => terminal.id === id);
    if (found === undefined)
      throw new DeskterityError('TERMINAL_NOT_FOUND', 'It has ended.', { suggestion: 'Open another.' });
    return found;
  }
  async run(id: string, request: unknown) {
    this.asked.push(['run', id, request]);
    if (this.failure !== undefined) throw this.failure;
    return {
      kind: 'completed' as const,
      exitCode: 0,
      output: 'one\ntwo\n',
      leftOut: [],
      durationMs: 5,
      range: undefined,
      terminal: await this.facts(id),
      ...this.outcome,
    };
  }
  async lines(id: string, most: number) {
    this.asked.push(['lines', id, most]);
    return this.shown;
  }
  async output(id: string, query: unknown) {
    this.asked.push(['output', id, query]);
    return { text: 'part\n', left_out: ['3 lines before'], next_cursor: 9, total_bytes: 9, total_lines: 4 };
  }
  async bytes(_id: string, { from, to }: { readonly from: number; readonly to: number }) {
    return Buffer.from('a\u{200B}b\u{202E}').subarray(from, to);
  }
  async kill(id: string, waits: unknown) {
    this.asked.push(['kill', id, waits]);
    return this.killed;
  }
  async clear(id: string) {
    this.asked.push(['clear', id]);
  }
  async close(id: string, waits: unknown) {
    this.asked.push(['close', id, waits]);
  }
  async view(id: string): Promise<TerminalView> {
    const listeners = new Set<() => void>();
    return {
      id,
      name: 'fake',
      pid: 1,
      read: async () => ({ screen: this.screen, scrollback: [] }),
      write: async (bytes) => {
        if (this.failure !== undefined) throw this.failure;
        this.typed += Buffer.from(bytes).toString();
        this.screen = this.onType?.(this.typed) ?? this.screen;
        for (const listener of listeners) listener();
      },
      resize: async (size) => {
        this.asked.push(['resize', id, size]);
        if (this.holdsSize) return;
        this.terminals = this.terminals.map((one) => (one.id === id ? { ...one, size } : one));
      },
      watch: (listener) => {
        listeners.add(listener);
        queueMicrotask(listener);
        return () => listeners.delete(listener);
      },
      isAlive: () => true,
    };
  }
  attach() {
    return Promise.reject(new Error('attach was not expected'));
  }
  onCommandEnd(_listener: (ended: EndedCommand) => void) {
    return () => undefined;
  }
}
