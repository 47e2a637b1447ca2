import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OpenedTerminals } from '../../src/terminal/sessions/opened-terminals.ts';
import { FakeTerminals, factsOf } from './support/fake-terminals.ts';

let state: string;
let port: FakeTerminals;
let opened = 0;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'deskterity-opened-'));
  port = new FakeTerminals();
  opened = 0;
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const create = () =>
  new OpenedTerminals({
    folders: () => ({ state, cache: '', config: '' }),
    openTerminals: async () => {
      opened += 1;
      return port;
    },
  });
const some = (tag: string, ended = false) =>
  factsOf({ projectPath: '/p', tag }, ended ? { state: 'exited' } : {});

it('keeps the process only while there are terminals', async () => {
  const terminals = create();
  expect(terminals.reasons).toEqual([]);
  await terminals.of({});
  port.terminals = [some('a'), some('b'), some('c', true)];
  terminals.refreshCount({});
  await vi.waitFor(() => expect(terminals.reasons).toEqual(['2 terminals']));
  port.terminals = [some('a')];
  await vi.waitFor(() => expect(terminals.reasons).toEqual(['1 terminal']));
  port.terminals = [];
  await vi.waitFor(() => expect(terminals.reasons).toEqual([]));
  expect(opened).toBe(1);
});

it('counts terminals that an earlier process left', async () => {
  const terminals = create();
  terminals.refreshCount({});
  expect(opened).toBe(0);
  mkdirSync(join(state, 'terminals'));
  port.terminals = [some('a')];
  terminals.refreshCount({});
  await vi.waitFor(() => expect(terminals.reasons).toEqual(['1 terminal']));
});

it('retries after a failure to open', async () => {
  const terminals = new OpenedTerminals({
    folders: () => ({ state, cache: '', config: '' }),
    openTerminals: async () => {
      opened += 1;
      if (opened === 1) throw new Error('not yet');
      return port;
    },
  });
  await expect(terminals.of({})).rejects.toThrow('not yet');
  await expect(terminals.of({})).resolves.toBe(port);
});
