import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.generated.ts';
import type { TerminalAnswer } from '../../../src/model/terminals/terminal-answer.ts';
import { messageParts } from '../../../src/model/terminals/terminal-answer.ts';
import type { CommandContext } from '../../../src/registry/define.ts';
import { invoke } from '../../../src/registry/invoke.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { fakeDesktop } from '../fake-engine.ts';

const registry = createRegistry(commands);
const ANSWER: TerminalAnswer = { success: true, message: 'Terminator: done.', action: 'execute' };

/** What a command asks of terminals. */
async function asked(name: string, input: Readonly<Record<string, unknown>>) {
  const seen: Parameters<CommandContext['terminalCall']>[] = [];
  const { ctx } = fakeDesktop(
    {},
    {
      terminalCall: async (...given) => {
        seen.push(given);
        return ANSWER;
      },
    },
  );
  const command = registry.get(name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  expect(await invoke(command, ctx, input)).toEqual(ANSWER);
  const [[given, options] = []] = seen;
  expect(options?.signal).toBeInstanceOf(AbortSignal);
  return { given, dialect: options?.dialect };
}

function definition(name: string) {
  const found = registry.get(name)?.definition;
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return found;
}

describe('what is asked of terminals', () => {
  it.each([
    [
      'terminal execute',
      { command: 'npm test', project_path: 'sub', tag: 't', timeout_seconds: 9, lines: 3, interrupt: true },
      {
        action: 'execute',
        command: 'npm test',
        project_path: '/home/someone/sub',
        tag: 't',
        timeout: 9,
        lines: 3,
        interrupt: true,
        clear: false,
        confined: false,
      },
    ],
    // The settings say what background and focus are.
    [
      'terminal execute',
      {},
      { action: 'execute', command: '', interrupt: false, clear: false, confined: false },
    ],
    ['terminal read', { lines: 5 }, { action: 'read', lines: 5 }],
    ['terminal send', { text: 'y', keys: 'Enter' }, { action: 'send', text: 'y', keys: 'Enter' }],
    ['terminal screen', { project_path: '/srv' }, { action: 'screen', project_path: '/srv' }],
    [
      'terminal output',
      { pattern: 'x' },
      { action: 'output', pattern: 'x', ignore_case: false, max_tokens: 4000 },
    ],
    ['terminal list', { project_path: '.' }, { action: 'list', project_path: '/home/someone' }],
    ['terminal info', {}, { action: 'info' }],
    ['terminal kill', { clear: true }, { action: 'kill', clear: true }],
    ['terminal resize', { rows: 50 }, { action: 'resize', rows: 50 }],
    ['terminal close', {}, { action: 'close' }],
    ['terminal focus', {}, { action: 'focus' }],
    ['terminal open', {}, { action: 'attach' }],
  ])('%s', async (name, input, given) => {
    expect(await asked(name, input)).toEqual({ given, dialect: 'terminal' });
  });

  it('by a model comes through as it is', async () => {
    const given = { cmd: 1, Lines: ['x'], unknown: null };
    expect(await asked('terminal-call', { given, dialect: 'terminator' })).toEqual({
      given,
      dialect: 'terminator',
    });
  });
});

describe('an answer', () => {
  const execute = definition('terminal execute');

  it('ends with 0 whatever the exit code of its command is, and with 7 when the time was up', () => {
    expect(execute.exitCode?.({ ...ANSWER, exit_code: 3 })).toBe(0);
    expect(execute.exitCode?.({ ...ANSWER, success: false, timed_out: true })).toBe(7);
  });

  it('is as text what the command wrote, and a sentence where it has not ended', () => {
    expect(execute.text?.({ ...ANSWER, output: 'a\nb\n', exit_code: 0 })).toBe('a\nb');
    expect(execute.text?.({ ...ANSWER, output: 'a\n', state: 'waiting_for_line' })).toBe('Terminator: done.');
    expect(execute.text?.({ ...ANSWER, action: 'screen', output: ' x' })).toBe(' x');
    expect(execute.outline?.({ ...ANSWER, output: 'a', exit_code: 0 })).toBe('Terminator: done.');
  });

  it.each([
    ['head\nout\nput\n\nremark', 'out\nput\n', { head: 'head', output: 'out\nput\n', remarks: 'remark' }],
    ['head\nout', 'out', { head: 'head', output: 'out', remarks: '' }],
    // What cannot be told apart is all ours, as it is not the output.
    ['head\nother', 'out', { head: 'head\nother', output: '', remarks: '' }],
    ['head', undefined, { head: 'head', output: '', remarks: '' }],
  ])('%j is told apart from what a program wrote', (message, output, parts) => {
    expect(messageParts({ success: true, message, ...(output === undefined ? {} : { output }) })).toEqual(
      parts,
    );
  });
});
