import { expect, it } from 'vitest';
import { CallerHosts } from '../../../src/policy/guard/caller-hosts.ts';
import { relatedProcesses } from '../../../src/policy/guard/related-processes.ts';
import type { ProcessKey, ProgramFacts } from '../../../src/ports/policy/program-facts.ts';

const SHELL = { pid: 30, key: 'a', isInTerminal: true };
const EMULATOR = { pid: 20, key: 'b', isInTerminal: false };
const PANEL = { pid: 10, key: 'c', isInTerminal: false };
const CHAT = { pid: 40, key: 'd', isInTerminal: false };

const RUNNING: Readonly<Record<number, ProgramFacts>> = {
  10: { executable: '/usr/bin/panel', otherNames: [] },
  20: { executable: '/usr/bin/python3', otherNames: ['python3', '/usr/bin/terminator'] },
  30: { executable: '/usr/bin/bash', otherNames: ['bash'] },
  40: { executable: '/opt/chat/chat', otherNames: [] },
};

async function hostsOf(keys: Readonly<Record<number, string>> = { 10: 'c', 20: 'b', 30: 'a', 40: 'd' }) {
  const lines: Readonly<Record<number, readonly ProcessKey[]>> = {
    30: [SHELL, EMULATOR, PANEL, { pid: 1, key: 'i' }],
    40: [CHAT],
  };
  const hosts = new CallerHosts({
    keyOf: async (pid) => keys[pid],
    lineageOf: async (pid) => [lines[pid] ?? []],
  });
  for (const pid of [30, 40]) await hosts.note(pid);
  return hosts;
}

const related = async (wanted: ProgramFacts, hosts = hostsOf()) =>
  relatedProcesses(wanted, await hosts, {
    ofProcess: async (pid) => RUNNING[pid] ?? { otherNames: [] },
  });

it('are those outside of the terminal from which callers come, by their program', async () => {
  expect(await related({ executable: '/usr/bin/panel', otherNames: [] })).toEqual([
    { pid: 10, isSurely: false },
  ]);
  // A caller that no terminal shows runs in itself.
  expect(await related({ executable: '/opt/chat/chat', otherNames: [] })).toEqual([
    { pid: 40, isSurely: true },
  ]);
  expect(await related({ executable: '/usr/bin/bash', otherNames: [] })).toEqual([]);
});

it('are found by their script, or by the name alone', async () => {
  const found = [{ pid: 20, isSurely: false }];
  expect(await related({ executable: '/usr/bin/terminator', otherNames: [] })).toEqual(found);
  expect(await related({ otherNames: ['Terminator'] })).toEqual(found);
  expect(await related({ otherNames: ['other'] })).toEqual([]);
});

it('are not those that have ended, whose numbers others have', async () => {
  const ended = hostsOf({ 10: 'x', 20: 'b', 30: 'a', 40: 'd' });
  expect(await related({ executable: '/usr/bin/panel', otherNames: [] }, ended)).toEqual([]);
});
