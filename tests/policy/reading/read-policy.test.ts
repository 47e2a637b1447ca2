import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { DECISIONS, type PolicyRequest } from '../../../src/model/policy/verdict.ts';
import { laterRequest } from '../../../src/policy/current-policy.ts';
import { closedPolicy } from '../../../src/policy/reading/read-policy.ts';
import { NAMES, policy, ruleFile } from '../policy-of.ts';

function failure(run: () => unknown): DeskterityError {
  try {
    run();
  } catch (error) {
    if (error instanceof DeskterityError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

const one = (rule: Record<string, unknown>) => policy({ rule: [rule] });
const button = (name: string, more: Partial<NonNullable<PolicyRequest['element']>> = {}): PolicyRequest => ({
  command: 'click',
  element: { role: 'button', name, ...more },
});
const NOTES = { name: 'Notes', executable: '/usr/bin/notes', desktopIds: ['org.example.Notes'], pid: 5 };

describe('a rule', () => {
  it('denies before one asks, and that before one allows, whatever their order', () => {
    const rule = [
      { decision: 'allow', command: 'click' },
      { decision: 'confirm', command: 'cl*' },
      { decision: 'deny', command: ['type', 'click'], reason: 'no clicks' },
    ];
    for (const order of [rule, rule.toReversed()])
      expect(policy({ rule: order }).decide({ command: 'click' })).toMatchObject({ decision: 'deny' });
    expect(policy({ rule }).decide({ command: 'click' })).toMatchObject({
      rule: 'rule 3',
      why: '/config/policy.toml denies it: no clicks',
    });
    expect(policy({ rule: rule.slice(1, 2) }).decide({ command: 'click' }).decision).toBe('confirm');
  });

  it('is about an element by role and name, description and window', () => {
    const byName = one({ decision: 'deny', role: 'button', element: '*delete*' });
    expect(byName.decide(button('Delete all')).decision).toBe('deny');
    expect(byName.decide(button('ＤＥＬＥ\u200bTE')).decision).toBe('deny');
    expect(byName.decide(button('Keep')).decision).toBe('allow');
    expect(byName.decide({ element: { role: 'link', name: 'Delete' } }).decision).toBe('allow');
    const located = one({
      decision: 'confirm',
      locator: 'window:"Settings" >> role:button[name~="^(send|pay)"]',
    });
    expect(located.decide(button('Pay now', { window: 'My settings' })).decision).toBe('confirm');
    expect(located.decide(button('Pay now', { window: 'Mail' })).decision).toBe('allow');
    // A title that is not known may be the one that is meant.
    expect(located.decide(button('Pay now')).decision).toBe('confirm');
    const described = one({ decision: 'deny', locator: 'role:button[description*="erase"]' });
    expect(described.decide(button('', { description: 'Erase disk' })).decision).toBe('deny');
    expect(one({ decision: 'deny', locator: 'text:pay' }).decide(button('Pay')).decision).toBe('deny');
  });

  it('joins an application with a command or an element', () => {
    const rules = policy({
      rule: [
        { decision: 'deny', application: { name: 'Notes' }, command: 'close-app' },
        { decision: 'confirm', application: '/usr/bin/notes', element: 'Send' },
      ],
    });
    expect(rules.decide({ command: 'close-app', application: NOTES }).decision).toBe('deny');
    expect(rules.decide({ command: 'click', application: NOTES }).decision).toBe('allow');
    expect(rules.decide({ ...button('Send'), application: NOTES }).decision).toBe('confirm');
    expect(rules.decide({ ...button('Send'), application: { name: 'x' } }).decision).toBe('allow');
  });

  it.each([
    [{ name: 'notes' }, NOTES, true],
    [{ name: 'No\u200btes' }, NOTES, true],
    [{ executable: '/usr/bin/notes' }, NOTES, true],
    [{ executable: '/usr/bin/other' }, NOTES, false],
    // What cannot be read may be the program that is meant.
    [{ executable: '/usr/bin/other' }, { name: 'x', pid: 7 }, true],
    [{ desktop_file: 'org.example.Notes.desktop' }, NOTES, true],
    [{ desktop_file: 'org.example.notes' }, { name: 'x', executable: '/usr/bin/notes' }, true],
    [{ desktop_file: 'org.example.Other' }, NOTES, false],
    [{ regex: '^/usr/(local/)?bin/no.es$' }, NOTES, true],
    [{ regex: 'vault' }, NOTES, false],
    [{ name: 'Notes', executable: '/usr/bin/other' }, NOTES, false],
  ])('denies by %j', (application, facts, isDenied) => {
    const { decision } = one({ decision: 'deny', application }).decide({ application: facts });
    expect(decision).toBe(isDenied ? 'deny' : 'allow');
  });

  it('allows an application only by what it cannot claim', () => {
    const byPath = one({ decision: 'allow', application: { regex: '/usr/bin/note.' } });
    const decisions = [
      NOTES,
      { name: '/usr/bin/notes', executable: '/tmp/x' },
      { executable: '/tmp/usr/bin/notes' },
    ].map((application) => byPath.decide({ application }).decision);
    expect(decisions).toEqual(['allow', 'deny', 'deny']);
  });

  it.each([
    [{ decision: 'maybe', command: 'click' }, 'rule 1.decision'],
    [{ decision: 'deny' }, 'does not say what it is about'],
    [{ decision: 'deny', command: 'clik' }, 'there is no command "clik"'],
    [{ decision: 'deny', comand: 'click' }, '"comand" is not known'],
    [{ decision: 'deny', role: 'buton' }, 'there is no role "buton"'],
    [{ decision: 'deny', application: {} }, 'application is empty'],
    [{ decision: 'deny', application: { executable: 'notes' } }, 'must be an absolute path'],
    [{ decision: 'allow', application: { name: 'Notes' } }, 'a name alone'],
    [{ decision: 'allow', command: 'click', tool: 'x' }, 'one condition'],
    [{ decision: 'allow', role: 'button' }, 'cannot be about role'],
    [{ decision: 'deny', application: { regex: '(?<=a)b' } }, 'the regular expression has a group'],
    [{ decision: 'deny', terminal: '/srv', tool: 'x' }, 'terminal and tool cannot be used together'],
    [{ decision: 'deny', terminal: 'srv' }, 'must be an absolute path'],
    [{ decision: 'deny', locator: 'role:dialog >> role:button' }, 'one step'],
    [{ decision: 'deny', locator: 'role:button[nth=2]' }, 'cannot count'],
    [{ decision: 'deny', locator: 'id:x' }, 'cannot search by id'],
    [{ decision: 'deny', locator: 'role:' }, 'the locator is not one'],
    [{ decision: 'deny', locator: 'role:button[disabled]' }, 'cannot require a state'],
  ])('is a mistake that says where, why and what next: %j', (rule, expected) => {
    const { code, message, suggestion } = failure(() => one(rule));
    expect(code).toBe('CONFIG_INVALID');
    expect(message).toContain('/config/policy.toml');
    expect(message).toContain(expected);
    expect(message).toContain('commands are refused');
    expect(suggestion).toContain('policy show');
  });

  it('never loosens: more rules that deny or ask only ever forbid more', () => {
    const rule = fc.record({
      decision: fc.constantFrom('deny', 'confirm'),
      command: fc.constantFrom('click', 'type', '*', 'clip*'),
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), fc.array(rule, { maxLength: 3 }), (some, more) => {
        const [before, after, apart] = [
          policy({ rule: some }),
          policy({ rule: [...some, ...more] }),
          policy([ruleFile({ rule: some }), ruleFile({ rule: more }, { isOfProject: true })]),
        ];
        for (const command of NAMES) {
          const strictness = (one: typeof before) => DECISIONS.indexOf(one.decide({ command }).decision);
          expect(strictness(after)).toBeGreaterThanOrEqual(strictness(before));
          expect(strictness(apart)).toBe(strictness(after));
        }
      }),
    );
  });
});

describe('a project', () => {
  const ofProject = (table: Record<string, unknown>) => policy([ruleFile(table, { isOfProject: true })]);

  it('can forbid, and name the only things that are allowed', () => {
    expect(ofProject({ commands: { denied: ['click'] } }).decide({ command: 'click' }).decision).toBe('deny');
    expect(ofProject({ tools: { allowed: ['git*'] } }).decide({ tool: 'rm' }).decision).toBe('deny');
  });

  it.each([
    [{ applications: { except: ['/usr/bin/keepassxc'] } }, 'may not lift denials'],
    [
      {
        unattended: {
          x: { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-01-02T00:00:00Z') },
        },
      },
      'may not approve',
    ],
  ])('cannot loosen: %j', (table, expected) => {
    expect(failure(() => ofProject(table)).message).toContain(expected);
  });
});

it('refuses everything while it cannot be read, except reports on Deskterity itself', () => {
  const closed = closedPolicy(
    new DeskterityError('CONFIG_INVALID', 'Line 2 is wrong.', { suggestion: 'Correct it.' }),
  );
  expect(closed.decide({ command: 'snapshot', isReadOnly: true })).toMatchObject({
    decision: 'deny',
    why: 'Line 2 is wrong. Correct it.',
  });
  expect(closed.decide({ application: NOTES }).decision).toBe('deny');
  expect(closed.decide({ command: 'config show', isReadOnly: true, isOwnReport: true }).decision).toBe(
    'allow',
  );
});

describe('an unattended run', () => {
  const from = new Date('2026-11-29T20:00:00Z');
  const until = new Date('2026-11-30T06:00:00Z');
  const approved = {
    from,
    until,
    applications: ['/usr/bin/notes'],
    terminals: ['/work/mine'],
    tools: ['git_*'],
    commands: ['clipboard set'],
  };
  const during = until.getTime() - 1000;
  const run = (more: Record<string, unknown> = {}, now = during, name = 'nightly') =>
    policy(
      { ...more, unattended: { nightly: approved } },
      { DESKTERITY_UNATTENDED: name },
      { now: () => now },
    );
  const decisions = (rules: ReturnType<typeof run>) =>
    [
      { command: 'click', reach: 'applications' } as const,
      { application: NOTES },
      { application: { name: 'Notes', executable: '/tmp/notes' } },
      { terminalProject: '/work/mine/part' },
      { terminalProject: '/work/other' },
      { command: 'run-tool', tool: 'git_log' },
      { command: 'run-tool', tool: 'rm' },
      { command: 'clipboard set' },
      { command: 'session kill' },
      { command: 'snapshot', isReadOnly: true },
      { element: { role: 'button', name: 'Delete' } } as const,
    ].map((request) => rules.decide(laterRequest(request, undefined)).decision);

  it('does what was approved, and refuses everything else', () => {
    const allow = 'allow';
    const deny = 'deny';
    expect(decisions(run())).toEqual([
      allow,
      allow,
      deny,
      allow,
      deny,
      allow,
      deny,
      allow,
      deny,
      allow,
      allow,
    ]);
    expect(run().decide({ application: { executable: '/usr/bin/other' } })).toMatchObject({
      rule: 'unattended.nightly.applications',
    });
  });

  it('asks nobody, and lifts no denial', () => {
    const asking = run({ applications: { confirm: ['notes'] }, mode: 'safe' });
    expect(asking.decide({ application: NOTES })).toMatchObject({
      decision: 'allow',
      rule: 'unattended.nightly',
    });
    expect(asking.decide({ command: 'run-tool', tool: 'git_log' }).decision).toBe('allow');
    expect(run({ applications: { denied: ['notes'] } }).decide({ application: NOTES }).decision).toBe('deny');
    expect(run({ mode: 'sandboxed' }).decide({ command: 'click' }).decision).toBe('deny');
  });

  it.each([
    ['before it begins', from.getTime() - 1, 'begins at 2026-11-29T20:00:00Z'],
    ['once it has ended, also in the middle of a call', until.getTime(), 'ended at 2026-11-30T06:00:00Z'],
  ])('does nothing %s', (_when, now, expected) => {
    expect(new Set(decisions(run({}, now)))).toEqual(new Set(['deny']));
    expect(run({}, now).decide({ application: NOTES }).why).toContain(expected);
  });

  it('counts only where it is chosen', () => {
    const rules = policy({ unattended: { nightly: approved }, applications: { confirm: ['notes'] } });
    expect(rules.decide({ application: NOTES }).decision).toBe('confirm');
    expect(failure(() => run({}, during, 'other')).message).toContain('has no table of that name');
  });

  it.each([
    [{ ...approved, until: from }, 'ends before it begins'],
    [{ ...approved, until: new Date('2026-12-10T06:00:00Z') }, 'longer than 7 days'],
    [{ ...approved, until: 'tomorrow' }, 'must be a date and time'],
    [{ applications: ['x'] }, 'unattended.nightly.from'],
  ])('has an end that is near: %j', (table, expected) => {
    expect(failure(() => policy({ unattended: { nightly: table } })).message).toContain(expected);
  });
});
