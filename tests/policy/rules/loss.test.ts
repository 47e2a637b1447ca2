import { expect, it } from 'vitest';
import type { PolicyRequest } from '../../../src/model/policy/verdict.ts';
import { laterRequest } from '../../../src/policy/current-policy.ts';
import { policy, ruleFile } from '../policy-of.ts';

const DELETE: PolicyRequest = {
  command: 'run-tool jira__delete',
  tool: 'jira__delete',
  loss: { why: 'its name says so', isAsked: true },
};
const unasked = (request: PolicyRequest): PolicyRequest => ({
  ...request,
  loss: { why: 'x', isAsked: false },
});

it('asks about a loss where the settings or the mode safe say so', () => {
  const [normal, safe] = [policy({}), policy({ mode: 'safe' })];
  expect(normal.decide(DELETE)).toEqual({
    decision: 'confirm',
    rule: 'destructive',
    why: 'A person agrees to it: its name says so.',
  });
  expect(normal.decide({ ...DELETE, tool: undefined }).rule).toBe('destructive');
  expect(normal.decide(unasked(DELETE)).decision).toBe('allow');
  const loss = { ...unasked(DELETE), concerning: 'loss' } as const;
  expect([normal, safe].map((one) => one.decide(loss).decision)).toEqual(['allow', 'confirm']);
});

it('denies first, and asks by a rule first', () => {
  expect(policy({ tools: { denied: ['jira__*'] } }).decide(DELETE).decision).toBe('deny');
  expect(policy({ tools: { confirm: ['jira__*'] } }).decide(DELETE).rule).toContain('tools.confirm');
  expect(policy({ mode: 'sandboxed' }).decide(DELETE).decision).toBe('deny');
});

it('asks nobody about a tool that the user approved by its full name', () => {
  const allowed = (...names: string[]) => policy({ tools: { allowed: names } });
  expect(allowed('*', 'JIRA__delete').decide(DELETE)).toMatchObject({
    decision: 'allow',
    rule: 'tools.allowed "jira__delete"',
  });
  expect(policy({ rule: [{ decision: 'allow', tool: 'jira__delete' }] }).decide(DELETE).rule).toBe(
    'rule 1 "jira__delete"',
  );
  // Who names many tools did not think of this one.
  expect(allowed('jira__*').decide(DELETE).decision).toBe('confirm');
  const project = ruleFile({ tools: { allowed: ['jira__delete'] } }, { isOfProject: true });
  expect(policy([project]).decide(DELETE).decision).toBe('confirm');
});

it('asks nobody in an unattended run, which names its tools', () => {
  const run = (tool: string) =>
    policy(
      { unattended: { now: { from: new Date(0), until: new Date(9), tools: [tool] } } },
      { DESKTERITY_UNATTENDED: 'now' },
      { now: () => 5 },
    );
  expect(run('jira__delete').decide(DELETE).decision).toBe('allow');
  expect(run('other').decide(DELETE).rule).toBe('unattended.now.tools');
  const later = laterRequest({ ...DELETE, concerning: 'loss' }, undefined);
  expect(run('jira__delete').decide(later).decision).toBe('allow');
});

it('lets no project answer what the mode safe of somebody else asks about tools', () => {
  const decide = (own: Record<string, unknown>, ofProject: Record<string, unknown>, environment = {}) =>
    policy([ruleFile(own), ruleFile(ofProject, { isOfProject: true })], environment).decide({
      command: 'run-tool x',
      tool: 'x',
    }).decision;
  const listing = { tools: { allowed: ['*'] } };
  const safe = { mode: 'safe' };
  expect(decide(safe, listing)).toBe('confirm');
  expect(decide({}, listing, { DESKTERITY_SECURITY_MODE: 'safe' })).toBe('confirm');
  expect(decide({ ...safe, ...listing }, {})).toBe('allow');
  expect(decide(listing, {}, { DESKTERITY_SECURITY_MODE: 'safe' })).toBe('allow');
  // Its own question it may answer, because without it nobody would have asked.
  expect(decide({}, { ...safe, ...listing })).toBe('allow');
  expect(decide(safe, { ...safe, ...listing })).toBe('confirm');
});
