import { describe, expect, it } from 'vitest';
import type { EndedCommand, TerminalStart } from '../../src/ports/terminals.ts';
import { ownedTerminals } from '../../src/terminal/sessions/owned-terminals.ts';
import { FakeTerminals, factsOf } from './support/fake-terminals.ts';

const NOBODY = { code: 'TERMINAL_NOT_FOUND' };
const WAITS = { interruptMs: 0, terminateMs: 0 };

function start(tag: string): TerminalStart {
  return {
    name: { projectPath: '/p', tag },
    shell: '/bin/sh',
    environment: {},
    cwd: '/p',
    confinement: {
      by: 'none',
      scope: '/p',
      read: [],
      write: [],
      network: true,
      unixSockets: true,
      denyReport: false,
    },
    size: { columns: 80, rows: 24 },
    budgetBytes: 1,
  };
}

function two() {
  const port = new FakeTerminals();
  return { port, ada: ownedTerminals(port, 'ada'), bob: ownedTerminals(port, 'bob') };
}

describe('the terminals of two clients of one server', () => {
  it('are seen by their own client and by the user, and by no other client', async () => {
    const { port, ada, bob } = two();
    const { id } = await ada.open(start('a'));
    const other = await bob.open(start('b'));
    expect((await ada.list()).map((one) => one.id)).toEqual([id]);
    expect((await bob.list()).map((one) => one.id)).toEqual([other.id]);
    expect(await ownedTerminals(port, undefined).list()).toHaveLength(2);
    expect(await bob.find({ projectPath: '/p', tag: 'a' })).toBeUndefined();
  });

  it('are out of reach by id in every way', async () => {
    const { port, ada, bob } = two();
    const { id } = await ada.open(start('a'));
    const { signal } = new AbortController();
    const request = {
      command: 'x',
      isBackground: false,
      waitMs: 1,
      lines: 1,
      interrupt: undefined,
      clear: false,
    };
    for (const attempt of [
      () => bob.ownerOf(id),
      () => bob.facts(id),
      () => bob.run(id, request, signal),
      () => bob.lines(id, 1),
      () => bob.output(id, { maxTokens: 1 }),
      () => bob.bytes(id, { from: 0, to: 1 }),
      () => bob.kill(id, WAITS),
      () => bob.clear(id),
      () => bob.close(id, WAITS),
      () => bob.view(id),
      () => bob.attach(id, { size: { columns: 1, rows: 1 }, onBytes: () => undefined, signal }),
    ])
      await expect(attempt()).rejects.toMatchObject(NOBODY);
    expect(port.asked).toEqual([]);
    await ada.clear(id);
    expect(port.asked).toEqual([['clear', id]]);
  });

  it('have names of their own: that of another is taken, even if both open it at once', async () => {
    const { port, ada, bob } = two();
    await ada.open(start('a'));
    await expect(bob.open(start('a'))).rejects.toMatchObject({ code: 'CONFLICT', delivered: false });
    expect(port.started).toHaveLength(1);
    const [{ id } = factsOf({ projectPath: '/p', tag: 'a' }, {})] = port.terminals;
    port.open = async () => port.facts(id);
    await expect(bob.open(start('c'))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('report the ends of their commands to their own client only', async () => {
    const { port, ada, bob } = two();
    const terminal = await ada.open(start('a'));
    const listeners: ((ended: EndedCommand) => void)[] = [];
    port.onCommandEnd = (listener: (ended: EndedCommand) => void) => {
      listeners.push(listener);
      return () => undefined;
    };
    const heard: string[] = [];
    ada.onCommandEnd(() => heard.push('ada'));
    bob.onCommandEnd(() => heard.push('bob'));
    for (const listener of listeners) listener({ terminal, command: 'x', exitCode: 0 });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(heard).toEqual(['ada']);
  });
});
