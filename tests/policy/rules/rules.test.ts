import { expect, it } from 'vitest';
import type { PolicyRequest } from '../../../src/model/policy/verdict.ts';
import { policy, ruleFile } from '../policy-of.ts';

const decisionOn = (table: Record<string, unknown>, request: PolicyRequest) =>
  policy(table).decide(request).decision;

it('denies a program by its own name for itself and by its path', () => {
  const rules = { applications: { denied: ['Bank*', '/opt/bank/bin'] } };
  expect(decisionOn(rules, { application: { name: 'Bank of X' } })).toBe('deny');
  expect(decisionOn(rules, { application: { name: 'Notes', executable: '/opt/bank/bin' } })).toBe('deny');
  expect(decisionOn(rules, { application: { name: 'Notes', executable: '/usr/bin/notes' } })).toBe('allow');
  // Full-width letters and an invisible character
  expect(decisionOn(rules, { application: { name: '\u200bＢank' } })).toBe('deny');
});

it('allows a program only by what the kernel reports', () => {
  const rules = policy({ applications: { allowed: ['mousepad'] } });
  expect(rules.decide({ application: { name: 'mousepad', executable: '/tmp/evil' } })).toMatchObject({
    decision: 'deny',
    rule: 'applications.allowed',
  });
  expect(rules.decide({ application: { name: 'mousepad' } }).decision).toBe('deny');
  expect(rules.decide({ application: { name: 'x', executable: '/usr/bin/mousepad' } }).decision).toBe(
    'allow',
  );
});

it('denies what holds or asks for passwords, except a path that is named', () => {
  const vault = { name: 'KeePassXC', executable: '/usr/bin/keepassxc' };
  expect(policy({}).decide({ application: vault })).toMatchObject({
    decision: 'deny',
    rule: 'built-in "keepassxc"',
  });
  const lifted = policy({ applications: { except: ['/usr/bin/keepassxc'] } });
  expect(lifted.decide({ application: vault }).decision).toBe('allow');
  expect(lifted.decide({ application: { ...vault, executable: '/tmp/keepassxc' } }).decision).toBe('deny');
});

it('lets another source tighten, never loosen', () => {
  const file = ruleFile({ applications: { allowed: ['mousepad', 'galculator'] } });
  const project = ruleFile({ applications: { allowed: ['galculator', 'xterm'] } }, { isOfProject: true });
  const decisions = ['mousepad', 'galculator', 'xterm'].map(
    (name) => policy([file, project]).decide({ application: { executable: `/usr/bin/${name}` } }).decision,
  );
  expect(decisions).toEqual(['deny', 'allow', 'deny']);
  const modes = [ruleFile({ mode: 'safe' }), ruleFile({ mode: 'normal' }, { isOfProject: true })];
  expect(policy(modes).mode).toBe('safe');
  expect(policy(modes, { DESKTERITY_SECURITY_MODE: 'sandboxed' }).mode).toBe('sandboxed');
  expect(policy(modes, { DESKTERITY_SECURITY_MODE: 'normal' }).mode).toBe('safe');
});

it('denies commands and tools, deny first', () => {
  const rules = policy({
    commands: { allowed: ['clipboard *'], denied: ['clipboard set'] },
    tools: { denied: ['git*'] },
  });
  expect(rules.decide({ command: 'clipboard get' }).decision).toBe('allow');
  expect(rules.decide({ command: 'clipboard set' }).rule).toBe('commands.denied "clipboard set"');
  expect(rules.decide({ command: 'click' }).rule).toBe('commands.allowed');
  expect(rules.decide({ command: 'clipboard get', tool: 'git_push' }).decision).toBe('deny');
  // What explains a refusal is never refused.
  expect(rules.decide({ command: 'policy explain' }).decision).toBe('allow');
});

it('asks where a list says so, and denies where another one does', () => {
  const rules = policy({ applications: { confirm: ['thunder*'], denied: ['thunderbird'] } });
  expect(rules.decide({ application: { name: 'thunderclap' } })).toMatchObject({
    decision: 'confirm',
    rule: 'applications.confirm "thunder*"',
  });
  expect(rules.decide({ application: { name: 'Thunderbird' } }).decision).toBe('deny');
});

it('judges the projects of terminals by folders, not by beginnings of paths', () => {
  const rules = { terminals: { allowed: ['/work/mine'], denied: ['/work/mine/keys'] } };
  const decided = ['/work/mine/part', '/work/mine-not', '/work/mine/../other', '/work/mine/keys/x'].map(
    (terminalProject) => decisionOn(rules, { terminalProject }),
  );
  expect(decided).toEqual(['allow', 'deny', 'deny', 'deny']);
});

it('only reads in the mode sandboxed', () => {
  const rules = policy({ mode: 'sandboxed' });
  expect(rules.decide({ command: 'click', isReadOnly: false }).rule).toBe('mode sandboxed');
  expect(rules.decide({ command: 'snapshot', isReadOnly: true }).decision).toBe('allow');
  expect(rules.decide({ terminalProject: '/work' }).decision).toBe('deny');
  expect(rules.decide({ terminalProject: '/work', isReadOnly: true }).decision).toBe('allow');
});

it('runs no shell in the mode safe, and asks about tools that no list names', () => {
  const rules = policy({ mode: 'safe', tools: { allowed: ['git_status', 'jira*', 'sandboxed_shell'] } });
  expect(rules.decide({ command: 'click', reach: 'applications' }).decision).toBe('allow');
  expect(rules.decide({ command: 'terminal execute', reach: 'terminals' }).rule).toBe('mode safe');
  expect(rules.decide({ command: 'terminal read', reach: 'terminals', isReadOnly: true }).decision).toBe(
    'allow',
  );
  expect(rules.decide({ command: 'sandboxed-shell', tool: 'sandboxed_shell' }).decision).toBe('deny');
  expect(rules.decide({ command: 'run-tool x', tool: 'git_status' }).decision).toBe('allow');
  expect(policy({ mode: 'safe' }).decide({ command: 'run-tool x', tool: 'x' }).decision).toBe('confirm');
});

it('compares hostile texts in bounded time', () => {
  const rules = policy({ applications: { denied: [`${'*a'.repeat(50)}b`] } });
  const begun = performance.now();
  expect(rules.decide({ application: { name: 'a'.repeat(4000) } }).decision).toBe('allow');
  expect(rules.decide({ application: { name: 'x'.repeat(5000) } }).decision).toBe('deny');
  expect(performance.now() - begun).toBeLessThan(500);
});
