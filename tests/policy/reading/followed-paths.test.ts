import { expect, it, vi } from 'vitest';
import type { PathFacts } from '../../../src/ports/policy/policy-file.ts';
import { policy, ruleFile } from '../policy-of.ts';

/** `/usr/bin/firefox` is a script, `/usr/bin/writer` and `/home/me/app` are links. */
const PLACES: Readonly<Record<string, PathFacts>> = {
  '/usr/bin/firefox': { isScript: true },
  '/usr/bin/writer': { real: '/usr/lib/office/writer.bin' },
  '/home/me/app': { real: '/data/app' },
  '/opt/payroll': { real: '/srv/payroll' },
  '/usr/bin/keepassxc': { real: '/usr/lib/keepassxc/keepassxc' },
};
const followPath = (path: string): PathFacts => PLACES[path] ?? {};
const WRITER = { executable: '/usr/lib/office/writer.bin', pid: 5 };
const options = { followPath };

it.each([
  [{ applications: { denied: ['/usr/bin/writer'] } }, 'deny'],
  [{ applications: { confirm: ['/usr/bin/writer'] } }, 'confirm'],
  [{ applications: { denied: ['/usr/bin/other'] } }, 'allow'],
  [{ applications: { allowed: ['/usr/bin/writer'] } }, 'allow'],
  [{ applications: { allowed: ['/usr/bin/other'] } }, 'deny'],
  [{ rule: [{ decision: 'deny', application: { executable: '/usr/bin/writer' } }] }, 'deny'],
  [{ rule: [{ decision: 'deny', application: '/usr/bin/writer' }] }, 'deny'],
  [{ rule: [{ decision: 'allow', application: { executable: '/usr/bin/writer' } }] }, 'allow'],
])('a path with a link names the file behind it: %j', (table, decision) => {
  expect(policy(table, {}, options).decide({ application: WRITER }).decision).toBe(decision);
});

it('tells the path as it is written', () => {
  const rules = policy({ applications: { denied: ['/usr/bin/writer'] } }, {}, options);
  expect(rules.decide({ application: WRITER }).rule).toBe('applications.denied "/usr/bin/writer"');
});

it('follows the folder of a pattern', () => {
  const rules = policy({ applications: { denied: ['/opt/payroll/*'] } }, {}, options);
  expect(rules.decide({ application: { executable: '/srv/payroll/bin/pay' } }).decision).toBe('deny');
  expect(rules.decide({ application: { executable: '/srv/other/pay' } }).decision).toBe('allow');
});

it.each([
  { applications: { denied: ['/usr/bin/firefox'] } },
  { rule: [{ decision: 'deny', application: { executable: '/usr/bin/firefox' } }] },
])('a script that starts another program denies what is called like it: %j', (table) => {
  const rules = policy(table, {}, options);
  const running = { name: 'Firefox', executable: '/usr/lib/firefox-esr/firefox-esr', pid: 5 };
  expect(rules.decide({ application: running }).decision).toBe('deny');
  expect(rules.decide({ application: { ...running, name: 'Files' } }).decision).toBe('allow');
});

it('a script does not allow what is called like it', () => {
  const rules = policy({ applications: { allowed: ['/usr/bin/firefox'] } }, {}, options);
  expect(rules.decide({ application: { name: 'firefox', executable: '/tmp/firefox' } }).decision).toBe(
    'deny',
  );
});

it('follows the variables of a client and what is lifted', () => {
  const denied = policy([], { DESKTERITY_DENIED_APPS: '/usr/bin/writer' }, options);
  expect(denied.decide({ application: WRITER }).decision).toBe('deny');
  const lifted = policy({ applications: { except: ['/usr/bin/keepassxc'] } }, {}, options);
  const vault = { name: 'KeePassXC', executable: '/usr/lib/keepassxc/keepassxc' };
  expect(lifted.decide({ application: vault }).decision).toBe('allow');
});

it.each([
  { terminals: { denied: ['/home/me/app'] } },
  { rule: [{ decision: 'deny', terminal: '/home/me/app' }] },
])('a folder with a link names the folder behind it: %j', (table) => {
  const rules = policy(table, {}, options);
  expect(rules.decide({ terminalProject: '/data/app/src' }).decision).toBe('deny');
  expect(rules.decide({ terminalProject: '/home/me/app' }).decision).toBe('deny');
  expect(rules.decide({ terminalProject: '/data/other' }).decision).toBe('allow');
});

it('notices that a link leads elsewhere now, and keeps the policy otherwise', () => {
  vi.useFakeTimers();
  try {
    let real = '/usr/lib/one';
    const file = ruleFile({ applications: { denied: ['/usr/bin/editor'] } });
    const read = () => policy([file], {}, { followPath: () => ({ real }) });
    const first = read();
    vi.advanceTimersByTime(5000);
    expect(read()).toBe(first);
    real = '/usr/lib/two';
    vi.advanceTimersByTime(5000);
    expect(read().decide({ application: { executable: '/usr/lib/two' } }).decision).toBe('deny');
  } finally {
    vi.useRealTimers();
  }
});
