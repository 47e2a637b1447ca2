import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../src/surfaces/library/convert.ts';
import { shapes } from '../../../src/surfaces/library/shapes.generated.ts';

function read(command: string, ...given: unknown[]) {
  const shape = shapes.commands[command];
  if (shape === undefined) throw new Error(`no command ${command}`);
  return readArguments(command, given, shape, shapes.named);
}

describe('arguments', () => {
  it.each([
    ['click', ['@e2'], { ref: '@e2' }],
    ['click', [{ ref: '@e2', timeoutMs: 5 }], { ref: '@e2', timeout_ms: 5 }],
    ['click', ['@e2', { timeoutMs: 5 }], { ref: '@e2', timeout_ms: 5 }],
    ['set-value', ['@e2', ''], { ref: '@e2', value: '' }],
    ['get', ['title', { app: 'KCalc' }], { property: 'title', app: 'KCalc' }],
    ['get', ['text', undefined, { ref: '@e1' }], { property: 'text', ref: '@e1' }],
    ['wait', [0], { ms: 0 }],
    ['find', [], {}],
    ['find', [undefined, { role: 'button' }], { role: 'button' }],
    ['snapshot', [{ interactiveOnly: true, app: undefined }], { interactive_only: true }],
    ['launch', ['kate', { args: ['--new'] }], { app: 'kate', args: ['--new'] }],
  ])('%s %j', (command, given, input) => {
    expect(read(command, ...given)).toEqual({ input, signal: undefined });
  });

  it('the signal is not passed to the command', () => {
    const { signal } = new AbortController();
    expect(read('wait', 5, { signal })).toEqual({ input: { ms: 5 }, signal });
  });

  it.each([
    ['click', ['@e2', '@e3'], 'click accepts only ref and an object with options.'],
    ['click', ['@e2', { ref: '@e3' }], 'ref was passed to click twice.'],
    ['click', [{ ref: '@e2' }, { timeoutMs: 5 }], 'Only the last argument of click may be an object.'],
    ['snapshot', ['KCalc'], 'snapshot accepts only an object with options.'],
    ['wait', [5, { signal: 'now' }], 'The signal passed to wait is not an AbortSignal.'],
    [
      'wait',
      [5, { sginal: 1 }],
      'wait does not accept "sginal"; it accepts ms, element, gone, focused, value, is, text, window, app, actionable, count, matches, idle, quietMs, menu, notification, containing, acting, terminal, timeoutMs.',
    ],
  ])('%s %j is refused', (command, given, message) => {
    expect(() => read(command, ...given)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message }),
    );
  });
});

it('leaves out an optional first argument if there are too few for all', () => {
  expect(read('type', 'hello').input).toEqual({ text: 'hello' });
  expect(read('type', '@e4', 'hello').input).toEqual({ ref: '@e4', text: 'hello' });
  expect(read('type', 'hello', { delayMs: 5 }).input).toEqual({ text: 'hello', delay_ms: 5 });
  expect(read('type', '@e4', { text: 'hello' }).input).toEqual({ ref: '@e4', text: 'hello' });
  expect(read('type', undefined, 'hello').input).toEqual({ text: 'hello' });
  expect(() => read('type', 'hello', 'a', 'b')).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
  );
});
