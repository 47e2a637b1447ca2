import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.generated.ts';
import { messageParts, type TerminalAnswer } from '../../../src/model/terminals/terminal-answer.ts';
import type { TerminalAction } from '../../../src/model/terminals/terminal-action.ts';
import type {
  TerminalCallOptions,
  TerminalUseCases,
} from '../../../src/ports/terminals/terminal-use-cases.ts';
import { invoke } from '../../../src/registry/invoke.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { fakeDesktop } from '../fake-engine.ts';

const registry = createRegistry(commands);
const ANSWER: TerminalAnswer = { success: true, message: 'Terminator: done.', action: 'execute' };
const OUTCOME = { answer: ANSWER, bare_message: ANSWER.message };

/** What a command asks of terminals. */
async function asked(
  name: string,
  input: Readonly<Record<string, unknown>>,
  onTrial: () => Promise<unknown> = async () => undefined,
) {
  const seen: (readonly [TerminalAction, unknown, TerminalCallOptions])[] = [];
  const useCase = (action: TerminalAction) => async (request: unknown, options: TerminalCallOptions) => {
    seen.push([action, request, options]);
    if (options.isTrial === true) await onTrial();
    return OUTCOME;
  };
  const terminals: TerminalUseCases = {
    execute: useCase('execute'),
    read: useCase('read'),
    list: useCase('list'),
    info: useCase('info'),
    focus: useCase('focus'),
    kill: useCase('kill'),
    send: useCase('send'),
    screen: useCase('screen'),
    resize: useCase('resize'),
    output: useCase('output'),
    attach: useCase('attach'),
    close: useCase('close'),
  };
  const { ctx } = fakeDesktop({}, { terminals: async () => terminals });
  const command = registry.get(name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const output = await invoke(command, ctx, input);
  const [[action, request, options] = []] = seen;
  expect(options?.signal).toBeInstanceOf(AbortSignal);
  return { action, request, ignored: options?.ignored, output };
}

function definition(name: string) {
  const found = registry.get(name)?.definition;
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return found;
}

describe('a terminal command', () => {
  it.each([
    [
      'terminal execute',
      { command: 'npm test', project_path: 'sub', tag: 't', timeout_seconds: 9, lines: 3, interrupt: true },
      'execute',
      {
        command: 'npm test',
        project_path: '/home/someone/sub',
        tag: 't',
        timeout_seconds: 9,
        lines: 3,
        interrupt: true,
        clear: false,
        confined: false,
      },
    ],
    // The settings say what background and focus are.
    ['terminal execute', {}, 'execute', { command: '', interrupt: false, clear: false, confined: false }],
    ['terminal read', { lines: 5 }, 'read', { lines: 5 }],
    ['terminal send', { text: 'y', keys: 'Enter' }, 'send', { text: 'y', keys: 'Enter' }],
    ['terminal screen', { project_path: '/srv' }, 'screen', { project_path: '/srv' }],
    [
      'terminal output',
      { pattern: 'x' },
      'output',
      { pattern: 'x', ignore_case: false, raw: false, max_tokens: 4000 },
    ],
    ['terminal list', { project_path: '.' }, 'list', { project_path: '/home/someone' }],
    ['terminal info', {}, 'info', {}],
    ['terminal kill', { clear: true }, 'kill', { clear: true }],
    ['terminal resize', { rows: 50 }, 'resize', { rows: 50 }],
    ['terminal close', {}, 'close', {}],
    ['terminal focus', {}, 'focus', {}],
    ['terminal open', {}, 'attach', {}],
  ] as const)('%s', async (name, input, action, request) => {
    expect(await asked(name, input)).toEqual({ action, request, output: ANSWER });
  });

  it.each(['terminal open', 'terminal focus'])(
    '%s, tried without being done, is refused where its application may not be started',
    async (name) => {
      const refused = new DeskterityError('POLICY_DENIED', 'The policy denies xterm.', { suggestion: 'x' });
      await expect(asked(name, { dry_run: true }, () => Promise.reject(refused))).rejects.toMatchObject({
        code: 'POLICY_DENIED',
      });
      expect((await asked(name, { dry_run: true })).output).toMatchObject({ dry_run: true });
    },
  );

  it('by a model accepts every action and notes ignored parameters', async () => {
    const call = { action: 'kill', request: { clear: true, focus_default: true } };
    expect(await asked('terminal-call', { call, ignored: ['x'] })).toEqual({
      action: 'kill',
      request: call.request,
      ignored: ['x'],
      output: OUTCOME,
    });
  });

  it.each([
    ['a line break in a tag', { tag: 'a\nb' }, 'contains a line break or tab'],
    ['half a character', { command: '\uD800' }, 'must not contain NUL or lone surrogates'],
  ])('is never %s', async (_, input, message) => {
    await expect(asked('terminal execute', input)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
  });
});

describe('an answer', () => {
  const execute = definition('terminal execute');
  const screen = definition('terminal screen');

  it('exits with 0 whatever the exit code of the command is, and with 7 on a timeout', () => {
    expect(execute.exitCode?.({ ...ANSWER, exit_code: 3 })).toBe(0);
    expect(execute.exitCode?.({ ...ANSWER, success: false, timed_out: true })).toBe(7);
  });

  it('as text is the output of the command, or a message if it has not ended', () => {
    expect(execute.text?.({ ...ANSWER, output: 'a\nb\n', exit_code: 0 })).toBe('a\nb');
    expect(execute.text?.({ ...ANSWER, output: 'a\n', state: 'waiting_for_line' })).toBe('Terminator: done.');
    expect(screen.text?.({ ...ANSWER, action: 'screen', output: ' x' })).toBe(' x');
    expect(execute.outline?.({ ...ANSWER, output: 'a', exit_code: 0 })).toBe('Terminator: done.');
  });

  it.each([
    ['head\nout\nput\n\nremark', 'out\nput\n', { head: 'head', output: 'out\nput\n', remarks: 'remark' }],
    ['head\nout', 'out', { head: 'head', output: 'out', remarks: '' }],
    // What cannot be told apart is all ours, as it is not the output.
    ['head\nother', 'out', { head: 'head\nother', output: '', remarks: '' }],
    ['head', undefined, { head: 'head', output: '', remarks: '' }],
  ])('%j is distinguished from program output', (message, output, parts) => {
    expect(messageParts({ success: true, message, ...(output === undefined ? {} : { output }) })).toEqual(
      parts,
    );
  });
});
