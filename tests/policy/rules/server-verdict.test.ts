import { describe, expect, it } from 'vitest';
import { policy, ruleFile } from '../policy-of.ts';

const decisionOf = (given: Parameters<typeof policy>[0], environment: Record<string, string> = {}) =>
  policy(given, environment).decide({ server: 'jira' });

const SOON = { from: new Date(Date.now() - 1000), until: new Date(Date.now() + 60_000) };

describe('a server of which no tool can be used', () => {
  it.each([
    ['each of its tools is denied', { tools: { denied: ['jira__*'] } }, 'tools.denied "jira__*"'],
    ['so does a shorter pattern', { tools: { denied: ['JI*'] } }, 'tools.denied "JI*"'],
    ['all tools are', { tools: { denied: ['*'] } }, 'tools.denied "*"'],
    ['a star within', { tools: { denied: ['j*a__*'] } }, 'tools.denied "j*a__*"'],
    ['it is denied itself', { tools: { denied: ['jira'] } }, 'tools.denied "jira"'],
    ['a rule is about it', { rule: [{ decision: 'deny', tool: 'jira__*' }] }, 'rule 1'],
    ['no tool of it is allowed', { tools: { allowed: ['git_*', 'jira'] } }, 'tools.allowed'],
    [
      'the only one that is allowed is denied',
      { tools: { allowed: ['jira__read'], denied: ['*__read'] } },
      'tools.allowed',
    ],
    ['no command that calls them is allowed', { commands: { allowed: ['click'] } }, 'commands.allowed'],
    ['the mode runs no tools', { mode: 'sandboxed' }, 'mode sandboxed'],
  ])('is denied: %s', (_, tables, rule) => {
    expect(decisionOf(tables)).toMatchObject({ decision: 'deny', rule });
  });

  it.each([
    ['nothing is said', {}],
    ['another server is denied', { tools: { denied: ['jir__*', 'jirax__*', 'jira_'] } }],
    ['some of its tools are denied', { tools: { denied: ['jira__delete*', '*__read', 'jira__x*y'] } }],
    ['one is allowed', { tools: { allowed: ['jira__read'] } }],
    ['some may be allowed', { tools: { allowed: ['*read'] } }],
    ['a person agrees to each call', { tools: { confirm: ['*'] } }],
    [
      'they are denied in one way only',
      { rule: [{ decision: 'deny', tool: 'jira__*', command: 'run-tool' }] },
    ],
    ['the mode asks for each tool', { mode: 'safe' }],
  ])('is not denied if %s', (_, tables) => {
    expect(decisionOf(tables)).toMatchObject({ decision: 'allow' });
  });

  it('is denied if one source allows none of it, whatever another one allows', () => {
    const files = [
      ruleFile({ tools: { allowed: ['jira__*'] } }),
      ruleFile({ tools: { allowed: ['make'] } }, { isOfProject: true }),
    ];
    expect(decisionOf(files)).toMatchObject({ decision: 'deny', rule: 'tools.allowed' });
  });

  it('is denied in an unattended run for which none of its tools was approved', () => {
    const run = (tools: string[]) => ({ unattended: { nightly: { ...SOON, tools } } });
    const environment = { DESKTERITY_UNATTENDED: 'nightly' };
    expect(decisionOf(run(['git_*']), environment)).toMatchObject({ decision: 'deny' });
    expect(decisionOf(run(['jira__read']), environment)).toMatchObject({ decision: 'allow' });
  });
});

describe('the name of a server', () => {
  const call = (tables: Record<string, unknown>) =>
    policy(tables).decide({ command: 'tools call', tool: 'jira__read' }).decision;

  it('is all its tools in what denies and asks', () => {
    expect(call({ tools: { denied: ['jira'] } })).toBe('deny');
    expect(call({ tools: { confirm: ['jira'] } })).toBe('confirm');
  });

  it('allows nothing: a project might call a server like a tool that is allowed', () => {
    expect(call({ tools: { allowed: ['jira'] } })).toBe('deny');
  });
});
