import { describe, expect, it } from 'vitest';
import type { TerminalFactsView, TerminalsPort, TerminalView } from '../../../src/ports/terminals.ts';
import { currentPolicy, underPolicy, withinCommand } from '../../../src/policy/current-policy.ts';
import { guardedTerminals } from '../../../src/policy/guard/guarded-terminals.ts';
import { policy } from '../policy-of.ts';

function factsOf(id: string, projectPath: string): TerminalFactsView {
  return {
    id,
    name: { projectPath, tag: id },
    pid: 7,
    ttyPath: '',
    shell: '/bin/sh',
    startedAt: new Date(0),
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

const MINE = factsOf('term-1', '/work/mine');
const SECRET = factsOf('term-2', '/work/secret');

/** Terminals that only record what reaches them. */
function fakeTerminals() {
  const reached: string[] = [];
  const note = async (what: string): Promise<never> => {
    reached.push(what);
    throw new Error('reached');
  };
  const view: TerminalView = {
    id: 'term-1',
    name: 'x',
    pid: 7,
    read: () => note('view.read'),
    write: () => note('view.write'),
    resize: () => note('view.resize'),
    watch: () => () => undefined,
    isAlive: () => true,
  };
  const port: TerminalsPort = {
    ownerOf: async () => undefined,
    list: async () => [MINE, SECRET],
    find: async ({ projectPath }) => [MINE, SECRET].find(({ name }) => name.projectPath === projectPath),
    remains: async () => undefined,
    open: () => note('open'),
    facts: async (id) => (id === MINE.id ? MINE : SECRET),
    run: () => note('run'),
    lines: () => note('lines'),
    output: () => note('output'),
    bytes: () => note('bytes'),
    kill: () => note('kill'),
    clear: () => note('clear'),
    close: () => note('close'),
    view: async () => view,
    attach: () => note('attach'),
    onCommandEnd: (listener) => {
      for (const terminal of [MINE, SECRET]) listener({ terminal, command: 'ls', exitCode: 0 });
      return () => undefined;
    },
  };
  return { reached, guarded: guardedTerminals(port, currentPolicy) };
}

const { signal } = new AbortController();
const WAITS = { interruptMs: 1, terminateMs: 1, killMs: 1 };
const CALL = { deadlineMs: 1000 };
const SIZE = { columns: 80, rows: 24 };
type Use = readonly [name: string, use: (port: TerminalsPort, id: string) => Promise<unknown>];
const RUN = {
  command: 'ls',
  isBackground: false,
  waitMs: 1,
  lines: 1,
  interrupt: undefined,
  clear: false,
};

const READING: readonly Use[] = [
  ['lines', (port, id) => port.lines(id, 1)],
  ['bytes', (port, id) => port.bytes(id, { from: 0, to: 1 })],
  ['output', (port, id) => port.output(id, { maxTokens: 100 })],
  ['view.read', async (port, id) => (await port.view(id)).read({ ...CALL, scrollbackLines: 0 })],
];
const ACTING: readonly Use[] = [
  ['run', (port, id) => port.run(id, RUN, signal)],
  ['kill', (port, id) => port.kill(id, WAITS)],
  ['clear', (port, id) => port.clear(id)],
  ['close', (port, id) => port.close(id, WAITS)],
  ['attach', (port, id) => port.attach(id, { size: SIZE, onBytes: () => undefined, signal })],
  ['view.write', async (port, id) => (await port.view(id)).write(new Uint8Array(1), CALL)],
  ['view.resize', async (port, id) => (await port.view(id)).resize(SIZE, CALL)],
];

describe('terminals under a policy', () => {
  const denied = policy({ terminals: { denied: ['/work/secret'] } });

  it.each([...READING, ...ACTING])('%s does not reach one of a denied project', async (name, use) => {
    const { guarded, reached } = fakeTerminals();
    await underPolicy(denied, async () => {
      await expect(use(guarded, SECRET.id)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
      expect(reached).toEqual([]);
      await expect(use(guarded, MINE.id)).rejects.toThrow('reached');
      expect(reached).toEqual([name]);
    });
  });

  it('does not tell of one of a denied project', async () => {
    const { guarded } = fakeTerminals();
    await underPolicy(denied, async () => {
      expect((await guarded.list()).map(({ id }) => id)).toEqual([MINE.id]);
      await expect(guarded.find(SECRET.name)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
      const ended: string[] = [];
      guarded.onCommandEnd(({ terminal }) => ended.push(terminal.id));
      expect(ended).toEqual([MINE.id]);
    });
  });

  it.each(['safe', 'sandboxed'])('are only read in the mode %s', async (mode) => {
    const { guarded, reached } = fakeTerminals();
    await underPolicy(policy({ mode }), async () => {
      for (const [, use] of READING) await expect(use(guarded, MINE.id)).rejects.toThrow('reached');
      for (const [, use] of ACTING)
        await expect(use(guarded, MINE.id)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
      expect(reached).toEqual(READING.map(([name]) => name));
    });
  });

  it('are read without consent, and used with it', async () => {
    const { guarded, reached } = fakeTerminals();
    const asking = policy({ terminals: { confirm: ['/work'] } });
    const asked: string[] = [];
    const [write] = ACTING;
    await underPolicy(asking, async () => {
      for (const [, use] of READING) await expect(use(guarded, MINE.id)).rejects.toThrow('reached');
      // Nobody can be asked.
      await expect(write?.[1](guarded, MINE.id)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    });
    const call = {
      policy: asking,
      command: { command: 'terminal execute', isReadOnly: false },
      ask: (what: string) => void asked.push(what),
    };
    await withinCommand(call, async () => {
      await expect(write?.[1](guarded, MINE.id)).rejects.toThrow('reached');
    });
    expect(asked).toEqual(['use the terminals of "/work/mine"']);
    expect(reached).toHaveLength(READING.length + 1);
  });
});
