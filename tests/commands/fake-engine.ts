import { policyOf } from '../../src/policy/rules/rules.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { Configuration } from '../../src/model/configuration/config.ts';
import { createMemoryStore } from '../../src/sessions/memory-store.ts';
import { undoStack } from '../../src/sessions/undo-stack.ts';
import type { SessionsPort } from '../../src/ports/sessions.ts';
import type { CommandContext } from '../../src/registry/define.ts';
import type { FilesPort } from '../../src/ports/files.ts';

/** A call that a command made. */
export interface Call {
  readonly method: string;
  readonly request: unknown;
}

export interface FakeDesktop {
  readonly ctx: CommandContext;
  readonly calls: Call[];
  readonly written: Map<string, Uint8Array | string>;
}

const METHODS = [
  'listApps',
  'listWindows',
  'snapshot',
  'journal',
  'find',
  'describe',
  'title',
  'treeStats',
  'focused',
  'screenshot',
  'launch',
  'closeApp',
  'connect',
  'disconnect',
  'waitForElement',
  'waitForWindow',
  'waitUntilGone',
  'waitForText',
  'expect',
  'expectAll',
  'surfaces',
  'waitForMenu',
  'waitForCount',
  'waitForNotification',
  'waitUntilActionable',
  'waitUntilIdle',
  'controlWindow',
  'click',
  'setValue',
  'act',
  'clipboardFormats',
  'readClipboard',
  'writeClipboard',
  'clearClipboard',
  'status',
  'permissions',
  'doctor',
  'reverse',
] as const satisfies readonly (keyof Engine)[];

/** An engine that answers as told, writes down what it was asked, and fails for everything else. */
export function fakeEngine(answers: Partial<Engine>, calls: Call[] = []): Engine {
  const entries = METHODS.map((method) => [
    method,
    async (request: never) => {
      calls.push({ method, request });
      const answer = answers[method];
      if (answer === undefined) throw new Error(`${method} was not expected`);
      return answer(request);
    },
  ]);
  return {
    onStop: () => () => undefined,
    noteAct: answers.noteAct ?? (() => undefined),
    reportsUserInput: answers.reportsUserInput ?? (async () => true),
    heldOn: answers.heldOn ?? (() => undefined),
    stopState: answers.stopState ?? (async () => ({ stopped: false })),
    ...Object.fromEntries(entries),
  };
}

/** No sessions, and none that a command was expected to ask for. */
const fakeSessions: SessionsPort = {
  create: () => Promise.reject(new Error('create was not expected')),
  list: async () => [],
  info: () => Promise.reject(new Error('info was not expected')),
  homeOf: async () => undefined,
  kill: () => Promise.reject(new Error('kill was not expected')),
  picture: () => Promise.reject(new Error('picture was not expected')),
  livePage: () => Promise.reject(new Error('livePage was not expected')),
  takeOver: () => Promise.reject(new Error('takeOver was not expected')),
  handBack: () => Promise.reject(new Error('handBack was not expected')),
};

/** Everything a command can reach, made of thin air. */
export function fakeDesktop(
  answers: Partial<Engine> = {},
  changes: Partial<CommandContext> = {},
): FakeDesktop {
  const calls: Call[] = [];
  const written = new Map<string, Uint8Array | string>();
  const files: FilesPort = {
    read: async () => undefined,
    writeAtomic: async (path, data) => {
      written.set(path, data);
    },
    find: async () => undefined,
  };
  const undo = undoStack(createMemoryStore());
  const ctx: CommandContext = {
    undo: async () => undo,
    callId: 'call-1',
    engine: async () => fakeEngine(answers, calls),
    privateDisplay: () => undefined,
    files,
    documents: () => Promise.reject(new Error('documents was not expected')),
    desktopSetup: () => Promise.reject(new Error('a set-up was not expected')),
    clock: { now: () => performance.now(), sleep: async () => undefined },
    system: {
      version: '9.9.9',
      nodeVersion: '20.20.0',
      platform: 'linux',
      architecture: 'x64',
      desktopVariables: [],
    },
    session: 'default',
    cwd: '/home/someone',
    environment: {},
    policy: policyOf([]),
    configuration: {
      values: Configuration.parse({}),
      entries: [],
      file: '/home/someone/config.toml',
      fileExists: false,
    },
    sessions: fakeSessions,
    operations: () => Promise.reject(new Error('operations was not expected')),
    terminals: () => Promise.reject(new Error('terminals was not expected')),
    tools: () => Promise.reject(new Error('tools was not expected')),
    servers: () => Promise.reject(new Error('servers was not expected')),
    callTool: () => Promise.reject(new Error('callTool was not expected')),
    runs: () => Promise.reject(new Error('runs was not expected')),
    checkCommandLine: async () => [],
    commands: {
      explainable: () => undefined,
      find: () => undefined,
      names: [],
      check: () => {
        throw new Error('check was not expected');
      },
      run: () => Promise.reject(new Error('run was not expected')),
    },
    daemon: undefined,
    calledAt: new Date('2026-01-31T23:59:58.123Z'),
    form: 'json',
    signal: new AbortController().signal,
    ...changes,
  };
  return { ctx, calls, written };
}
