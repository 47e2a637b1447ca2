import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { TERMINAL_ACTIONS } from '../../../src/model/terminals/terminal-action.ts';
import { TerminalCall } from '../../../src/model/terminals/terminal-requests.ts';
import type { TerminalDialect } from '../../../src/surfaces/mcp/dialects/terminal/dialects.ts';
import { readCall } from '../../../src/surfaces/mcp/dialects/terminal/read-call.ts';
import { TERMINAL_PARAMETERS } from '../../../src/surfaces/mcp/dialects/terminal/terminal-parameters.ts';
import type { ParameterRule } from '../../../src/surfaces/mcp/dialects/terminal/terminal-parameters.ts';

const PROJECT = { project_path: '/srv/app' };

/** What was read, as the command that takes it checks it. */
function read(given: Readonly<Record<string, unknown>>, dialect: TerminalDialect = 'terminator') {
  const { call, ignored } = readCall(given, dialect);
  expect(TerminalCall.parse(call)).toEqual(call);
  return { call, ignored };
}

/** Of a call to execute something. */
function requestOf(given: Readonly<Record<string, unknown>>, dialect?: TerminalDialect) {
  const { call } = read(given, dialect);
  if (call.action !== 'execute') throw new Error(`it is to ${call.action}`);
  return call.request;
}

function failure(given: Readonly<Record<string, unknown>>, dialect: TerminalDialect = 'terminator') {
  try {
    read(given, dialect);
  } catch (error) {
    if (error instanceof DeskterityError) return error;
  }
  throw new Error('it did not fail');
}

describe('a missing parameter', () => {
  it('is left to the settings, if there is one for it', () => {
    const { call } = read(PROJECT);
    expect(call).toEqual({
      action: 'execute',
      request: {
        project_path: '/srv/app',
        command: '',
        interrupt: false,
        clear: false,
        confined: false,
        focus_default: true,
      },
    });
    expect(Object.keys(call.request)).toContain('lines');
  });

  it('does not move the focus in our own tool', () => {
    expect(requestOf(PROJECT, 'terminal').focus_default).toBe(false);
  });

  it('is also one given as undefined', () => {
    expect(requestOf({ ...PROJECT, lines: undefined, LINES: 3 }).lines).toBe(3);
  });
});

describe('names of parameters', () => {
  it('match in any case and spelling, by precedence', () => {
    const { call, ignored } = read({
      PROJECT_PATH: '/srv/app',
      TimeoutSeconds: 20,
      timeout: 10,
      MaxLines: '5',
      cmd: 'ls',
    });
    expect(call.request).toMatchObject({ timeout_seconds: 10, lines: 5, command: 'ls' });
    expect(ignored).toEqual([
      "Ignoring option 'TimeoutSeconds' in terminator.execute call: 'timeout' already sets timeout.",
    ]);
  });

  it('of equal precedence match exactly, else by order', () => {
    expect(requestOf({ ...PROJECT, LINES: 1, Lines: 2 }).lines).toBe(1);
    expect(requestOf({ ...PROJECT, LINES: 1, Lines: 2, lines: 3 }).lines).toBe(3);
    expect(requestOf({ ...PROJECT, max_lines: 1, maxlines: 2 }).lines).toBe(2);
  });

  it('may be in options, after those beside it', () => {
    const { call, ignored } = read({
      options: { ...PROJECT, lines: 4, tag: 'inner', fooBar: 1 },
      tag: 'outer',
    });
    expect(call.request).toMatchObject({ project_path: '/srv/app', lines: 4, tag: 'outer' });
    expect(ignored).toContain("Ignoring unknown option 'fooBar' in terminator.execute call.");
  });

  it('that are unknown are ignored and noted, up to a limit', () => {
    expect(read({ ...PROJECT, fooBar: 1 }).ignored).toEqual([
      "Ignoring unknown option 'fooBar' in terminator.execute call.",
    ]);
    expect(read({ ...PROJECT, clear: true }).ignored).toEqual([
      "Ignoring unknown option 'clear' in terminator.execute call.",
    ]);
    expect(requestOf({ ...PROJECT, clear: true }, 'terminal').clear).toBe(true);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, index]));
    const { ignored } = read({ ...PROJECT, ...many });
    expect(ignored).toHaveLength(21);
    expect(ignored.at(-1)).toBe('Ignoring 480 more options.');
  });

  it('never match properties that every object has', () => {
    const given: unknown = JSON.parse('{"project_path":"/a","__proto__":{"lines":1},"constructor":1}');
    if (typeof given !== 'object' || given === null) throw new Error('no object');
    const { call, ignored } = read(Object.fromEntries(Object.entries(given)));
    expect(call.request).toMatchObject({ project_path: '/a' });
    expect('lines' in call.request && call.request.lines).toBeUndefined();
    expect(ignored).toHaveLength(2);
  });

  it('are all distinct', () => {
    const rules: readonly (readonly [string, ParameterRule])[] = Object.entries(TERMINAL_PARAMETERS);
    const all = rules.flatMap(([name, { aliases }]) => [name, ...aliases]);
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((name) => name !== name.toLowerCase())).toEqual([]);
  });
});

describe('values', () => {
  it.each(['true', '1', 't', 'yes', 'on', 'TRUE', 'Yes', 'oN', true])('%j is true', (value) => {
    expect(requestOf({ ...PROJECT, background: value }).background).toBe(true);
    expect(requestOf({ ...PROJECT, focus: value }, 'terminal').focus).toBe(true);
  });

  it.each(['false', '0', 'f', 'no', 'off', 'FALSE', 'No', 'oFF', false])('%j is false', (value) => {
    expect(requestOf({ ...PROJECT, background: value }).background).toBe(false);
    expect(requestOf({ ...PROJECT, focus: value }).focus).toBe(false);
  });

  it.each([
    ['50', 50],
    ['50.5', 50],
    [50.9, 50],
    [0, 0],
    ['-0', 0],
    ['+7', 7],
    ['007', 7],
  ])('%j lines are %d', (value, lines) => {
    expect(Object.is(requestOf({ ...PROJECT, lines: value }).lines, lines)).toBe(true);
  });

  it.each([
    ['lines', 'many'],
    ['lines', '5 lines'],
    ['lines', ''],
    ['lines', '1e3'],
    ['lines', '0x10'],
    ['lines', -1],
    ['lines', '-0.5'],
    ['lines', Number.NaN],
    ['lines', Number.POSITIVE_INFINITY],
    ['lines', true],
    ['lines', null],
    ['lines', [5]],
    ['timeout', 0],
    ['timeout', '0.9'],
    ['timeout', 86_401],
    ['timeout', 'soon'],
    ['timeout', {}],
    ['background', 'perhaps'],
    ['background', ''],
    ['background', ' true'],
    ['background', 1],
    ['background', null],
    ['focus', 'y'],
    ['focus', {}],
    ['command', 7],
    ['command', ['ls']],
    ['command', 'a\0b'],
    ['command', '\uD800'],
    ['tag', 7],
    ['tag', ''],
    ['tag', 'a\nb'],
    ['tag', 'a\u202Eb'],
    ['tag', 'x'.repeat(257)],
    ['action', 'dance'],
    ['action', ''],
    ['action', 7],
    ['action', 'send'],
    ['project_path', 'srv/app'],
    ['project_path', '~/app'],
    ['project_path', ''],
    ['project_path', 7],
    ['project_path', '/a\0'],
  ])('%s of %j is an error that names the parameter', (name, value) => {
    const error = failure({ ...PROJECT, [name]: value });
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(error.message).toContain(`'${name}'`);
    expect(error.message.length).toBeLessThan(300);
    expect(error.suggestion).toMatch(/^[A-Z].*[.?]$/);
  });

  it('that are invalid are repeated as given', () => {
    expect(failure({ ...PROJECT, MaxLines: 'many' }).message).toBe(
      'The parameter \'lines\' is "many", but must be a whole number from 0 to 1000000.',
    );
    expect(failure({ ...PROJECT, background: 'perhaps' }).message).toBe(
      'The parameter \'background\' is "perhaps", but must be true or false (also 1, t, yes, on and 0, f, no, off).',
    );
    expect(failure({ ...PROJECT, action: 'exec' }).suggestion).toBe('Did you mean execute?');
  });

  it('of sizes are limited', () => {
    const message = (size: object) => failure({ ...PROJECT, ...size }, 'terminal').message;
    for (const columns of [7, 1001])
      expect(message({ columns })).toContain('must be a whole number from 8 to 1000');
    for (const rows of [1, 1001])
      expect(message({ rows })).toContain('must be a whole number from 2 to 1000');
  });
});

describe('a session', () => {
  it('is never guessed by Terminator’s tool', () => {
    expect(failure({}).message).toBe("The parameter 'project_path' is missing.");
    expect(failure({ action: 'list' }).message).toBe("The parameter 'project_path' is missing.");
  });

  it('of our tool defaults to the caller’s, and a list to all', () => {
    expect(requestOf({}, 'terminal').project_path).toBeUndefined();
    expect(read({ action: 'list' }, 'terminal').call.request).toEqual({});
    expect(read({ action: 'LIST', ...PROJECT }, 'terminal').call).toEqual({
      action: 'list',
      request: PROJECT,
    });
  });

  it('keeps the given tag unchanged', () => {
    expect(requestOf({ ...PROJECT, tag: 'ui build/2' }).tag).toBe('ui build/2');
  });
});

it('accepts exactly its own actions', () => {
  const taken = (dialect: TerminalDialect) =>
    TERMINAL_ACTIONS.filter((action) => {
      try {
        return read({ ...PROJECT, action }, dialect).call.action === action;
      } catch {
        return false;
      }
    });
  expect(taken('terminator')).toEqual(['execute', 'read', 'list', 'info', 'focus', 'kill']);
  expect(taken('terminal')).toEqual([...TERMINAL_ACTIONS]);
});

it('turns any input into a valid request or an error message', () => {
  const names = [...Object.keys(TERMINAL_PARAMETERS), 'TimeoutSeconds', 'options', 'x'];
  const value = fc.oneof(
    fc.constantFrom<unknown>('/srv', 'true', '50.5', 'execute', 'kill', 1, true, null, undefined),
    fc.anything(),
  );
  const isGoodAnswer = (answer: () => unknown) => {
    try {
      return answer() !== undefined;
    } catch (error) {
      return error instanceof DeskterityError;
    }
  };
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names), value),
      fc.constantFrom<TerminalDialect>('terminal', 'terminator'),
      (given, dialect) => {
        expect(isGoodAnswer(() => read({ ...PROJECT, ...given }, dialect).call)).toBe(true);
      },
    ),
    { numRuns: 400 },
  );
});
