import { expect, it } from 'vitest';
import { policyOf, type RuleSource } from '../../src/policy/rules.ts';

const NONE = { allowed: [], denied: [] };
const source = (changes: Partial<RuleSource>): RuleSource => ({
  source: 'policy.toml',
  applications: { ...NONE, except: [] },
  commands: NONE,
  tools: NONE,
  ...changes,
});
const applications = (lists: Partial<RuleSource['applications']>) =>
  source({ applications: { allowed: [], denied: [], except: [], ...lists } });

it('denies a program by its own name for itself and by its path', () => {
  const policy = policyOf([applications({ denied: ['Bank*', '/opt/bank/bin'] })]);
  expect(policy.decide({ application: { name: 'Bank of X' } }).decision).toBe('deny');
  expect(policy.decide({ application: { name: 'Notes', executable: '/opt/bank/bin' } }).decision).toBe(
    'deny',
  );
  expect(policy.decide({ application: { name: 'Notes', executable: '/usr/bin/notes' } }).decision).toBe(
    'allow',
  );
  // Full-width letters and an invisible character
  expect(policy.decide({ application: { name: '\u200bＢank' } }).decision).toBe('deny');
});

it('allows a program only by what the kernel reports', () => {
  const policy = policyOf([applications({ allowed: ['mousepad'] })]);
  expect(policy.decide({ application: { name: 'mousepad', executable: '/tmp/evil' } })).toMatchObject({
    decision: 'deny',
    rule: 'applications.allowed',
  });
  expect(policy.decide({ application: { name: 'mousepad' } }).decision).toBe('deny');
  expect(policy.decide({ application: { name: 'x', executable: '/usr/bin/mousepad' } }).decision).toBe(
    'allow',
  );
});

it('denies what holds or asks for passwords, except a path that is named', () => {
  const vault = { name: 'KeePassXC', executable: '/usr/bin/keepassxc' };
  expect(policyOf([]).decide({ application: vault })).toMatchObject({
    decision: 'deny',
    rule: 'built-in "keepassxc"',
  });
  const lifted = policyOf([applications({ except: ['/usr/bin/keepassxc'] })]);
  expect(lifted.decide({ application: vault }).decision).toBe('allow');
  expect(lifted.decide({ application: { ...vault, executable: '/tmp/keepassxc' } }).decision).toBe('deny');
});

it('lets another source tighten, never loosen', () => {
  const file = applications({ allowed: ['mousepad', 'galculator'] });
  const client = applications({ allowed: ['galculator', 'xterm'] });
  const decisions = ['mousepad', 'galculator', 'xterm'].map(
    (name) => policyOf([file, client]).decide({ application: { executable: `/usr/bin/${name}` } }).decision,
  );
  expect(decisions).toEqual(['deny', 'allow', 'deny']);
  expect(policyOf([source({ mode: 'sandboxed' }), source({ mode: 'normal' })]).mode).toBe('sandboxed');
});

it('denies commands and tools, deny first', () => {
  const policy = policyOf([
    source({
      commands: { allowed: ['clipboard *'], denied: ['clipboard set'] },
      tools: { allowed: [], denied: ['git*'] },
    }),
  ]);
  expect(policy.decide({ command: 'clipboard get' }).decision).toBe('allow');
  expect(policy.decide({ command: 'clipboard set' }).rule).toBe('commands.denied "clipboard set"');
  expect(policy.decide({ command: 'click' }).rule).toBe('commands.allowed');
  expect(policy.decide({ command: 'clipboard get', tool: 'git_push' }).decision).toBe('deny');
});

it('only reads in the mode sandboxed', () => {
  const policy = policyOf([source({ mode: 'sandboxed' })]);
  expect(policy.decide({ command: 'click', isReadOnly: false }).rule).toBe('mode sandboxed');
  expect(policy.decide({ command: 'snapshot', isReadOnly: true }).decision).toBe('allow');
});

it('compares hostile texts in bounded time', () => {
  const policy = policyOf([applications({ denied: [`${'*a'.repeat(50)}b`] })]);
  const begun = performance.now();
  expect(policy.decide({ application: { name: 'a'.repeat(4000) } }).decision).toBe('allow');
  expect(policy.decide({ application: { name: 'x'.repeat(5000) } }).decision).toBe('deny');
  expect(performance.now() - begun).toBeLessThan(500);
});
