import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.generated.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { readPolicy } from '../../src/policy/reading/read-policy.ts';
import { ruledCommands } from '../../src/registry/ruled-commands.ts';

const RULED = ruledCommands(commands);

/** What is wrong with a policy file; empty if nothing is. */
function problemOf(table: Record<string, unknown>): string {
  try {
    readPolicy(
      [{ path: '/config/policy.toml', file: { table }, isOfProject: false }],
      {},
      { commands: RULED },
    );
    return '';
  } catch (error) {
    if (error instanceof DeskterityError && error.code === 'CONFIG_INVALID')
      return `${error.message} ${error.suggestion}`;
    throw error;
  }
}

const problemOfRule = (rule: Record<string, unknown>): string => problemOf({ rule: [rule] });

const THUNDERBIRD = '/usr/bin/thunderbird';

describe('a rule that would do nothing is a mistake', () => {
  it.each([
    // Nobody is asked about what a reading command reads.
    [{ decision: 'confirm', application: THUNDERBIRD, command: 'snapshot' }, '"snapshot" only reads'],
    [{ decision: 'confirm', application: THUNDERBIRD, command: ['click', 'get'] }, '"get" only reads'],
    [{ decision: 'confirm', application: THUNDERBIRD, command: 'clipboard get' }, 'only reads'],
    [{ decision: 'confirm', terminal: '/srv', command: 'terminal read' }, '"terminal read" only reads'],
    [{ decision: 'confirm', role: 'button', command: 'snapshot' }, '"snapshot" acts on no element'],
    [{ decision: 'deny', locator: 'text:pay', command: 'find' }, '"find" acts on no element'],
    [{ decision: 'deny', element: 'Pay', command: 'close-window' }, '"close-window" acts on no element'],
    [{ decision: 'deny', application: THUNDERBIRD, command: 'operation list' }, 'reaches no application'],
    [{ decision: 'deny', application: THUNDERBIRD, command: 'audit *' }, '"audit *" reaches no application'],
    [{ decision: 'deny', application: THUNDERBIRD, command: 'terminal *' }, '"terminal *" reaches no'],
    [{ decision: 'deny', application: THUNDERBIRD, command: 'do' }, '"do" reaches no application'],
    [{ decision: 'deny', role: 'button', command: 'workflow' }, '"workflow" acts on no element'],
    [{ decision: 'deny', terminal: '/srv', command: 'launch' }, '"launch" reaches no terminal'],
    [{ decision: 'deny', tool: 'git_push', command: 'click' }, '"click" runs no tool'],
    [{ decision: 'confirm', command: 'terminal attach' }, 'asks nobody'],
    [{ decision: 'deny', command: 'stop' }, '"stop" is always possible'],
    [{ decision: 'deny', command: ['click', 'policy explain'] }, 'is always possible'],
    [{ decision: 'deny', command: 'batch' }, 'the commands that it runs are'],
    [{ decision: 'confirm', command: 'daemon *' }, 'which no rule judges'],
  ])('%j', (rule, expected) => {
    const problem = problemOfRule(rule);
    expect(problem).toContain('rule 1: it would do nothing');
    expect(problem).toContain(expected);
    // What to write instead.
    expect(problem).toMatch(/Ask the user to|Write|Name|Remove|Leave/);
  });

  it('also in a list, and in an approval', () => {
    expect(problemOf({ commands: { denied: ['click', 'stop'] } })).toContain(
      'commands.denied: it would do nothing: "stop" is always possible',
    );
    const run = { from: new Date(0), until: new Date(1), applications: ['mousepad'] };
    const approving = (word: string): string =>
      problemOf({ unattended: { nightly: { ...run, commands: [word] } } });
    expect(approving('click')).toContain('unattended.nightly.commands would do nothing: "click" reaches');
    expect(approving('terminal execute')).toContain('Name those in unattended.nightly.terminals');
    expect(['clipboard set', 'session *', '*', 'snapshot'].map(approving)).toEqual(['', '', '', '']);
  });
});

it.each([
  { decision: 'deny', application: THUNDERBIRD, command: 'snapshot' },
  { decision: 'confirm', application: THUNDERBIRD, command: ['click', 'close-app', 'cl*'] },
  { decision: 'confirm', command: ['snapshot', 'clipboard get', 'terminal read'] },
  { decision: 'deny', application: THUNDERBIRD, command: '*' },
  { decision: 'confirm', role: 'button', command: ['undo', 'press', 'mouse click', 'fill'] },
  { decision: 'deny', terminal: '/srv', command: ['terminal read', 'terminal attach', 'press', 'snapshot'] },
  { decision: 'confirm', terminal: '/srv', command: 'terminal execute' },
  { decision: 'confirm', tool: 'git_push', command: ['run-tool', 'tools call', 'run-tool git_push'] },
  { decision: 'deny', tool: 'sandboxed_shell', command: 'sandboxed-shell' },
  { decision: 'confirm', command: 'session view' },
  { decision: 'allow', command: ['stop', 'snapshot', 'policy explain', 'batch'] },
  { decision: 'deny', command: ['do', 'terminal attach'] },
])('a rule that can apply is none: %j', (rule) => {
  expect(problemOfRule(rule)).toBe('');
});

it('tells apart what every command reaches', () => {
  const table = RULED.map(({ name, isReadOnly, reaches, unjudged, isOfPerson }) =>
    [name, isReadOnly ? 'reads' : '', ...reaches, unjudged ?? '', isOfPerson === true ? 'person' : '']
      .filter((part) => part !== '')
      .join(', '),
  );
  expect(table).toMatchSnapshot();
});
