import * as fc from 'fast-check';
import type { ClientFrame } from '../../src/wire/client-frames.ts';
import type { ServerFrame } from '../../src/wire/daemon-protocol.ts';
import type { FromHolder, ToHolder } from '../../src/wire/holder-protocol.ts';
import type { TerminalHolderRequest, TerminalHolderEvent } from '../../src/wire/terminal-protocol.ts';

const text = fc.string({ unit: 'grapheme' });
const anyText = fc.string({ unit: 'binary' });
const flag = fc.boolean();
const count = fc.nat(2 ** 40);
const environment = fc.dictionary(fc.string(), text);
const lacking = <T>(part: fc.Arbitrary<T>) => fc.option(part, { nil: undefined });
const tagged = <T extends string>(type: T) => fc.constant(type);

const options = fc.record({
  toolsets: fc.array(text),
  isReadOnly: flag,
  structured: lacking(fc.constantFrom('always' as const, 'never' as const)),
  session: lacking(text),
});
const http = fc.record({
  bind: text,
  port: fc.nat(65_535),
  isSseServed: flag,
  token: lacking(text),
  mostToolsets: lacking(fc.array(text)),
  folders: fc.array(fc.record({ name: text, folder: text })),
  isSessionIsolated: flag,
  isEchoed: flag,
});

export const clientFrames: fc.Arbitrary<ClientFrame> = fc.oneof(
  fc.record({
    type: tagged('hello'),
    protocol: fc.nat(),
    version: text,
    pid: fc.nat(),
    cwd: anyText,
    environment,
    colour: flag,
  }),
  fc.record({
    type: tagged('execute'),
    id: count,
    session: text,
    command: text,
    input: fc.dictionary(fc.string(), fc.jsonValue()),
    format: lacking(fc.constantFrom('json', 'outline', 'text', 'quiet')),
    pretty: lacking(flag),
    secrets: lacking(fc.array(text)),
    log: lacking(fc.constantFrom('debug', 'info')),
  }),
  fc.record({ type: tagged('cancel'), id: count }),
  fc.record({ type: tagged('mcp'), options }),
  fc.record({ type: tagged('mcp-http'), options, http }),
  fc.record({
    type: tagged('attach'),
    terminal: fc.record({ projectPath: text, tag: text, window: text }, { requiredKeys: [] }),
  }),
  fc.record({ type: fc.constantFrom('ask', 'stop', 'retire') }),
);

const identity = { version: text, pid: fc.nat(), isIdle: flag, why: lacking(text) };

export const serverFrames: fc.Arbitrary<ServerFrame> = fc.oneof(
  fc.record({
    type: tagged('answer'),
    id: count,
    exitCode: fc.nat(255),
    stdout: fc.string({ unit: 'grapheme', maxLength: 5000 }),
    stderr: text,
  }),
  fc.record({ type: tagged('log'), id: count, line: anyText }),
  fc.record({ type: tagged('piped') }),
  fc.record({ type: tagged('attached'), name: text, command: text }),
  fc.record({ type: tagged('serving'), url: text }),
  fc.record({ type: tagged('echo'), text }),
  fc.record({ type: fc.constantFrom('self', 'skew'), ...identity }),
  fc.record({ type: tagged('leaving'), pid: fc.nat() }),
  fc.record({ type: tagged('late'), id: count }),
  fc.record({ type: tagged('refused'), id: lacking(count), code: text, message: text, suggestion: text }),
);

const confinement = fc.record({
  by: fc.constantFrom('landlock', 'bubblewrap', 'none'),
  scope: text,
  read: fc.array(text),
  write: fc.array(text),
  network: flag,
  unixSockets: flag,
  denyReport: flag,
});
const name = fc.record({ projectPath: anyText, tag: text });
const size = fc.record({
  columns: fc.integer({ min: 8, max: 1000 }),
  rows: fc.integer({ min: 2, max: 1000 }),
});
const waitMs = fc.nat(86_400_000);
const waits = fc.record({ interruptMs: waitMs, terminateMs: waitMs });
const lines = fc.nat(1_000_000);
const terminal = text;
const bytes = fc.uint8Array({ maxLength: 300 }).map((content) => Buffer.from(content));

export const terminalRequests: fc.Arbitrary<TerminalHolderRequest> = fc.oneof(
  fc.record({
    do: tagged('open'),
    start: fc.record({ name, shell: text, environment, cwd: text, confinement, size, budgetBytes: count }),
  }),
  fc.record({ do: tagged('list') }),
  fc.record({ do: fc.constantFrom('facts', 'clear', 'watch', 'unwatch'), terminal }),
  fc.record({
    do: tagged('run'),
    terminal,
    request: fc.record({
      command: anyText,
      isBackground: flag,
      waitMs,
      lines,
      interrupt: lacking(waits),
      clear: flag,
    }),
  }),
  fc.record({ do: tagged('lines'), terminal, most: lines }),
  fc.record({ do: tagged('read'), terminal, scrollbackLines: lines }),
  fc.record({ do: tagged('write'), terminal, bytes, byPerson: flag }),
  fc.record({ do: fc.constantFrom('resize', 'attach'), terminal, size }),
  fc.record({ do: fc.constantFrom('kill', 'close'), terminal, waits }),
);

const facts = fc.record({
  id: text,
  name,
  pid: count,
  ttyPath: text,
  shell: text,
  startedAt: fc.date({ noInvalidDate: true }),
  isConfined: flag,
  size,
  title: anyText,
  cwd: lacking(text),
  state: fc.constantFrom(
    'idle',
    'running',
    'waiting_for_line',
    'waiting_for_secret',
    'full_screen',
    'exited',
  ),
  restsOn: fc.array(text),
  prompt: lacking(text),
  running: lacking(text),
  exitCode: lacking(fc.nat(255)),
  attached: count,
});

export const terminalEvents: fc.Arbitrary<TerminalHolderEvent> = fc.oneof(
  fc.record({ news: fc.constantFrom('shown', 'exited'), terminal }),
  fc.record({ news: tagged('bytes'), terminal, bytes }),
  fc.record({
    news: tagged('command-ended'),
    ended: fc.record({ terminal: facts, command: text, exitCode: lacking(fc.nat(255)) }),
  }),
);

const step = fc.record({
  command: fc.tuple(fc.string({ minLength: 1 }), text),
  cwd: text,
  delayMs: lacking(count),
  environment,
  confinement,
});

export const framesToHolder: fc.Arbitrary<ToHolder> = fc.oneof(
  fc.record({ type: tagged('hello'), protocol: fc.nat(), token: text }),
  fc.record({ type: tagged('prepare'), id: count, confinement }),
  fc.record({
    type: tagged('start'),
    id: count,
    request: fc.record({
      tool: text,
      steps: fc.array(step, { minLength: 1, maxLength: 4 }),
      scope: text,
      session: text,
      timeoutMs: lacking(count),
      output: fc.constantFrom('merged', 'separate'),
      budgetBytes: count,
    }),
  }),
  fc.record({ type: tagged('cancel'), id: count, operation: text }),
  fc.record({
    type: tagged('end'),
    id: count,
    operation: text,
    leader: lacking(fc.record({ pid: count, startTime: text })),
  }),
  fc.record({ type: tagged('ask'), id: count, ask: terminalRequests }),
  fc.record({ type: tagged('leave'), id: count }),
);

const record = fc.dictionary(fc.string(), fc.jsonValue());

export const framesFromHolder: fc.Arbitrary<FromHolder> = fc.oneof(
  fc.record({ type: tagged('welcome'), pid: count }),
  fc.record({ type: tagged('started'), id: count, record }),
  fc.record({ type: tagged('done'), id: count }),
  fc.record({ type: tagged('answer'), id: count, answer: record }),
  fc.record({
    type: tagged('refused'),
    id: lacking(count),
    code: text,
    message: text,
    suggestion: text,
    detail: lacking(text),
    isRetryable: flag,
    isDelivered: lacking(flag),
  }),
  fc.record({ type: tagged('news'), news: terminalEvents }),
  fc.record({ type: tagged('changed'), operation: text, isOver: flag }),
);
