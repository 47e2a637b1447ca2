import {
  LONGEST_TERMINAL_WAIT_SECONDS,
  MOST_TERMINAL_LINES,
  TERMINAL_SIZES,
} from '../../model/terminals/terminal-bounds.ts';
import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import {
  confinement,
  environment,
  flag,
  integer,
  optional,
  record,
  text,
  wrong,
} from '../../operations/holder/frame-fields.ts';
import type { Parsed } from '../../operations/holder/line-frames.ts';
import type { EndWaits } from '../../ports/process.ts';
import type { RunRequest, TerminalName, TerminalStart } from '../../ports/terminals.ts';

/** What a holder is asked about terminals. Bytes go as Base64. */
export type TerminalAsk =
  /** Answered by the facts of the one of that name, or of a new one. */
  | { readonly do: 'open'; readonly start: TerminalStart }
  /** Answered by the facts of all that this holder keeps. */
  | { readonly do: 'list' }
  | { readonly do: 'facts' | 'clear' | 'watch' | 'unwatch'; readonly terminal: string }
  | { readonly do: 'run'; readonly terminal: string; readonly request: RunRequest }
  | { readonly do: 'lines'; readonly terminal: string; readonly most: number }
  | { readonly do: 'read'; readonly terminal: string; readonly scrollbackLines: number }
  /** `byPerson`: whoever is attached types secrets, too. */
  | {
      readonly do: 'write';
      readonly terminal: string;
      readonly bytes: Uint8Array;
      readonly byPerson: boolean;
    }
  | { readonly do: 'resize' | 'attach'; readonly terminal: string; readonly size: TerminalSize }
  | { readonly do: 'kill' | 'close'; readonly terminal: string; readonly waits: EndWaits };

const LONGEST_WAIT_MS = LONGEST_TERMINAL_WAIT_SECONDS * 1000;

/** As it goes over the wire. */
export function askFrame(ask: TerminalAsk): Parsed {
  if (ask.do !== 'write') return { ...ask };
  return { ...ask, bytes: Buffer.from(ask.bytes).toString('base64') };
}

/** What a client asks, checked. @throws FrameError */
export function parseAsk(frame: Parsed): TerminalAsk {
  const terminal = () => text(frame, 'terminal');
  const kind = frame['do'];
  switch (kind) {
    case 'open':
      return { do: 'open', start: startOf(record(frame, 'start')) };
    case 'list':
      return { do: 'list' };
    case 'facts':
    case 'clear':
    case 'watch':
    case 'unwatch':
      return { do: kind, terminal: terminal() };
    case 'run':
      return { do: 'run', terminal: terminal(), request: request(record(frame, 'request')) };
    case 'lines':
      return { do: 'lines', terminal: terminal(), most: atMost(frame, 'most', MOST_TERMINAL_LINES) };
    case 'read': {
      const scrollbackLines = atMost(frame, 'scrollbackLines', MOST_TERMINAL_LINES);
      return { do: 'read', terminal: terminal(), scrollbackLines };
    }
    case 'write': {
      const bytes = Buffer.from(text(frame, 'bytes'), 'base64');
      return { do: 'write', terminal: terminal(), bytes, byPerson: flag(frame, 'byPerson') };
    }
    case 'resize':
    case 'attach':
      return { do: kind, terminal: terminal(), size: sizeOf(frame, 'size') };
    case 'kill':
    case 'close':
      return { do: kind, terminal: terminal(), waits: waits(frame, 'waits') };
    default:
      throw wrong('do');
  }
}

export function nameOf(frame: Parsed, key: string): TerminalName {
  const name = record(frame, key);
  return { projectPath: text(name, 'projectPath'), tag: text(name, 'tag') };
}

export function sizeOf(frame: Parsed, key: string): TerminalSize {
  const size = record(frame, key);
  return { columns: cells(size, 'columns'), rows: cells(size, 'rows') };
}

function startOf(frame: Parsed): TerminalStart {
  return {
    name: nameOf(frame, 'name'),
    shell: text(frame, 'shell'),
    environment: environment(record(frame, 'environment')),
    cwd: text(frame, 'cwd'),
    confinement: confinement(record(frame, 'confinement')),
    size: sizeOf(frame, 'size'),
    budgetBytes: integer(frame, 'budgetBytes'),
  };
}

function request(frame: Parsed): RunRequest {
  return {
    command: text(frame, 'command'),
    isBackground: flag(frame, 'isBackground'),
    waitMs: atMost(frame, 'waitMs', LONGEST_WAIT_MS),
    lines: atMost(frame, 'lines', MOST_TERMINAL_LINES),
    interrupt: optional(frame, 'interrupt', waits),
    clear: flag(frame, 'clear'),
  };
}

function waits(frame: Parsed, key: string): EndWaits {
  const value = record(frame, key);
  return {
    interruptMs: atMost(value, 'interruptMs', LONGEST_WAIT_MS),
    terminateMs: atMost(value, 'terminateMs', LONGEST_WAIT_MS),
  };
}

function cells(size: Parsed, key: 'columns' | 'rows'): number {
  const { least, most } = TERMINAL_SIZES[key];
  const value = atMost(size, key, most);
  if (value < least) throw wrong(key);
  return value;
}

function atMost(frame: Parsed, key: string, most: number): number {
  const value = integer(frame, key);
  if (value > most) throw wrong(key);
  return value;
}
