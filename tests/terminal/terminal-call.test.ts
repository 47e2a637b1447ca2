import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { readTerminalCall, requireSession } from '../../src/terminal/use-cases/terminal-call.ts';
import type { TerminalCall } from '../../src/terminal/use-cases/terminal-call.ts';
import { TERMINAL_ACTIONS } from '../../src/model/terminals/terminal-action.ts';
import type { TerminalDialect } from '../../src/model/terminals/terminal-action.ts';
import { TERMINAL_PARAMETERS } from '../../src/terminal/use-cases/terminal-parameters.ts';
import type { ParameterRule } from '../../src/terminal/use-cases/terminal-parameters.ts';
import { settingsWith } from './support/settings.ts';

const PROJECT = { project_path: '/srv/app' };

function read(
  given: Readonly<Record<string, unknown>>,
  dialect: TerminalDialect = 'terminator',
  settings = settingsWith(),
) {
  return readTerminalCall(given, { dialect, settings });
}

function failure(given: Readonly<Record<string, unknown>>, dialect: TerminalDialect = 'terminator') {
  try {
    read(given, dialect);
  } catch (error) {
    if (error instanceof DeskterityError) return error;
  }
  throw new Error('it did not fail');
}

describe('what is left out', () => {
  it('has the defaults of S2', () => {
    expect(read(PROJECT).call).toMatchObject({
      action: 'execute',
      projectPath: '/srv/app',
      tag: 'app',
      command: '',
      background: false,
      lines: 100,
      timeoutSeconds: 60,
      focus: true,
      interrupt: false,
      clear: false,
      confined: false,
    });
  });

  it('leaves the focus alone in our own tool', () => {
    expect(read(PROJECT, 'terminal').call.focus).toBe(false);
    expect(read({ ...PROJECT, action: 'focus' }, 'terminal').call.focus).toBe(true);
  });

  it('is what somebody has set', () => {
    const settings = settingsWith({
      default_lines: 7,
      background_startup_seconds: 8,
      foreground_completion_seconds: 9,
      default_background_execution: true,
      default_focus_on_action: false,
    });
    expect(read(PROJECT, 'terminator', settings).call).toMatchObject({
      lines: 7,
      timeoutSeconds: 8,
      background: true,
      focus: false,
    });
    expect(read({ ...PROJECT, background: 'off' }, 'terminal', settings).call.timeoutSeconds).toBe(9);
    const focused = settingsWith({ default_focus_on_action: true });
    expect(read(PROJECT, 'terminal', focused).call.focus).toBe(true);
  });

  it('is nothing that was given as undefined', () => {
    expect(read({ ...PROJECT, lines: undefined, LINES: 3 }).call.lines).toBe(3);
  });
});

describe('names of parameters', () => {
  it('count in any case and by other spellings, the strongest before the others', () => {
    const { call, notes } = read({
      PROJECT_PATH: '/srv/app',
      TimeoutSeconds: 20,
      timeout: 10,
      MaxLines: '5',
      cmd: 'ls',
    });
    expect(call).toMatchObject({ timeoutSeconds: 10, lines: 5, command: 'ls' });
    expect(notes).toEqual([
      "Ignoring option 'TimeoutSeconds' in terminator.execute call: 'timeout' says timeout already.",
    ]);
  });

  it('of one strength count by the exact one, else the first', () => {
    expect(read({ ...PROJECT, LINES: 1, Lines: 2 }).call.lines).toBe(1);
    expect(read({ ...PROJECT, LINES: 1, Lines: 2, lines: 3 }).call.lines).toBe(3);
    expect(read({ ...PROJECT, max_lines: 1, maxlines: 2 }).call.lines).toBe(2);
  });

  it('may stand in options, behind those beside it', () => {
    const { call, notes } = read({
      options: { ...PROJECT, lines: 4, tag: 'inner', fooBar: 1 },
      tag: 'outer',
    });
    expect(call).toMatchObject({ projectPath: '/srv/app', lines: 4, tag: 'outer' });
    expect(notes).toContain("Ignoring unknown option 'fooBar' in terminator.execute call.");
  });

  it('that mean nothing are passed over, and told, but not without end', () => {
    expect(read({ ...PROJECT, fooBar: 1 }).notes).toEqual([
      "Ignoring unknown option 'fooBar' in terminator.execute call.",
    ]);
    expect(read({ ...PROJECT, clear: true }).notes).toEqual([
      "Ignoring unknown option 'clear' in terminator.execute call.",
    ]);
    expect(read({ ...PROJECT, clear: true }, 'terminal').call.clear).toBe(true);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, index]));
    const { notes } = read({ ...PROJECT, ...many });
    expect(notes).toHaveLength(21);
    expect(notes.at(-1)).toBe('Ignoring 480 options more.');
  });

  it('are never properties that every object has', () => {
    const given: unknown = JSON.parse('{"project_path":"/a","__proto__":{"lines":1},"constructor":1}');
    if (typeof given !== 'object' || given === null) throw new Error('no object');
    const { call, notes } = read(Object.fromEntries(Object.entries(given)));
    expect(call.lines).toBe(100);
    expect(notes).toHaveLength(2);
  });

  it('are all different', () => {
    const rules: readonly (readonly [string, ParameterRule])[] = Object.entries(TERMINAL_PARAMETERS);
    const all = rules.flatMap(([name, { aliases }]) => [name, ...aliases]);
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((name) => name !== name.toLowerCase())).toEqual([]);
  });
});

describe('values', () => {
  it.each(['true', '1', 't', 'yes', 'on', 'TRUE', 'Yes', 'oN', true])('%j is true', (value) => {
    expect(read({ ...PROJECT, background: value }).call.background).toBe(true);
    expect(read({ ...PROJECT, focus: value }, 'terminal').call.focus).toBe(true);
  });

  it.each(['false', '0', 'f', 'no', 'off', 'FALSE', 'No', 'oFF', false])('%j is false', (value) => {
    expect(read({ ...PROJECT, background: value }).call.background).toBe(false);
    expect(read({ ...PROJECT, focus: value }).call.focus).toBe(false);
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
    expect(Object.is(read({ ...PROJECT, lines: value }).call.lines, lines)).toBe(true);
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
  ])('%s of %j is an error that names it', (name, value) => {
    const error = failure({ ...PROJECT, [name]: value });
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(error.message).toContain(`'${name}'`);
    expect(error.message.length).toBeLessThan(300);
    expect(error.suggestion).toMatch(/^[A-Z].*[.?]$/);
  });

  it('that are wrong are told as they were given', () => {
    expect(failure({ ...PROJECT, MaxLines: 'many' }).message).toBe(
      'The parameter \'lines\' is "many", but must be a whole number from 0 to 1000000.',
    );
    expect(failure({ ...PROJECT, background: 'perhaps' }).message).toBe(
      'The parameter \'background\' is "perhaps", but must be true or false (also 1, t, yes, on and 0, f, no, off).',
    );
    expect(failure({ ...PROJECT, action: 'exec' }).suggestion).toBe('Did you mean execute?');
  });

  it('of sizes are bounded by what shells and memory bear', () => {
    const message = (size: object) => failure({ ...PROJECT, ...size }, 'terminal').message;
    for (const columns of [1, 1001])
      expect(message({ columns })).toContain('must be a whole number from 2 to 1000');
    for (const rows of [0, 1001])
      expect(message({ rows })).toContain('must be a whole number from 1 to 1000');
  });
});

describe('a session', () => {
  it('is never guessed', () => {
    expect(failure({}).message).toBe("The parameter 'project_path' is missing.");
    expect(failure({ action: 'list' }).message).toBe("The parameter 'project_path' is missing.");
    expect(failure({}, 'terminal').message).toBe("The parameter 'project_path' is missing.");
    const { call } = read({ action: 'list' }, 'terminal');
    expect(call).toMatchObject({ projectPath: undefined, tag: undefined });
    expect(() => requireSession(call)).toThrow(
      "Cannot determine a session tag. Please provide a 'tag' or ensure a project context is available.",
    );
  });

  it('of a command line is that of its folder, but a list is of all', () => {
    const setting = { dialect: 'terminal', settings: settingsWith(), usualProject: '/srv/here' } as const;
    expect(requireSession(readTerminalCall({}, setting).call)).toEqual({
      projectPath: '/srv/here',
      tag: 'here',
    });
    expect(readTerminalCall({ action: 'list' }, setting).call.projectPath).toBeUndefined();
    expect(readTerminalCall({ action: 'LIST', ...PROJECT }, setting).call).toMatchObject({
      action: 'list',
      projectPath: '/srv/app',
      tag: undefined,
    });
  });

  it('has the tag it was given, as it was given', () => {
    expect(read({ ...PROJECT, tag: 'ui build/2' }).call.tag).toBe('ui build/2');
  });
});

it('takes every action of its own, and no other', () => {
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

it('answers anything at all with an input in its bounds or a sentence', () => {
  const names = [...Object.keys(TERMINAL_PARAMETERS), 'TimeoutSeconds', 'options', 'x'];
  const value = fc.oneof(
    fc.constantFrom<unknown>('/srv', 'true', '50.5', 'execute', 'kill', 1, true, null, undefined),
    fc.anything(),
  );
  const inBounds = ({ lines, timeoutSeconds, projectPath, tag }: TerminalCall) =>
    Number.isInteger(lines) &&
    lines >= 0 &&
    Number.isInteger(timeoutSeconds) &&
    timeoutSeconds >= 1 &&
    (projectPath === undefined || projectPath.startsWith('/')) &&
    tag !== '';
  const isGoodAnswer = (answer: () => TerminalCall) => {
    try {
      return inBounds(answer());
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
