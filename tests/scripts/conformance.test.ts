import { describe, expect, it } from 'vitest';
import { findingsIn } from '../../scripts/conformance/inspector.mjs';
import { judge } from '../../scripts/conformance/judge.mjs';

const passes = (id: string) => ({ id, status: 'SUCCESS' });
const fails = (id: string) => ({ id, status: 'FAILURE', errorMessage: 'wrong' });
const wire = passes('wire-schema-valid');

const set = {
  name: '2026-07-28',
  required: ['ping'],
  optional: [] as string[],
  results: new Map([['ping', [passes('ping'), wire]]]),
  expected: [] as { scenario: string; check: string; reason: string }[],
  leftOut: [] as { scenarios: string[]; reason: string }[],
};

describe('judging a run of the conformance suite', () => {
  it('counts what passes', () => {
    const { report, problems } = judge(set);
    expect(report).toEqual({ name: '2026-07-28', passed: 2, failed: 0, expected_failures: [], left_out: [] });
    expect(problems).toEqual([]);
  });

  it('counts a failure, and a warning as one', () => {
    const warns = { id: 'later', status: 'WARNING', description: 'should be so' };
    const { report, problems } = judge({
      ...set,
      results: new Map([['ping', [fails('ping'), warns, wire]]]),
    });
    expect(report).toMatchObject({ passed: 1, failed: 2 });
    expect(problems).toEqual(['ping/ping: wrong', 'ping/later: should be so']);
  });

  it('takes a scenario that did not run, or checked nothing, for a failure', () => {
    expect(judge({ ...set, results: new Map() })).toMatchObject({
      report: { passed: 0, failed: 1 },
      problems: ['ping: nothing was checked'],
    });
    const skips = { id: 'ping', status: 'SKIPPED' };
    expect(judge({ ...set, results: new Map([['ping', [skips, wire]]]) })).toMatchObject({
      report: { failed: 1 },
      problems: ['ping: nothing was checked'],
    });
  });

  it('leaves out what is required only of a client that does not declare it', () => {
    const leftOut = [{ scenarios: ['ping'], reason: 'not declared' }];
    const results = new Map([['ping', [fails('ping')]]]);
    expect(judge({ ...set, results, leftOut, mayLeaveOutRequired: true })).toMatchObject({
      report: { passed: 0, failed: 0, left_out: [{ scenario: 'ping', reason: 'not declared' }] },
      problems: [],
    });
    expect(judge({ ...set, leftOut, mayLeaveOutRequired: true }).problems).toEqual([
      'ping: passes; take it out of what is left out',
    ]);
  });

  it('lists an expected failure apart', () => {
    const known = { scenario: 'ping', check: 'ping', reason: 'because' };
    const results = new Map([['ping', [fails('ping'), passes('more')]]]);
    const { report, problems } = judge({ ...set, results, expected: [known] });
    expect(report).toMatchObject({ passed: 1, failed: 0, expected_failures: [known] });
    expect(problems).toEqual([]);
  });

  it('wants an expected failure to fail', () => {
    const { report, problems } = judge({
      ...set,
      expected: [{ scenario: 'ping', check: 'ping', reason: 'because' }],
    });
    expect(report).toMatchObject({ failed: 1, expected_failures: [] });
    expect(problems).toEqual(['ping/ping: does not fail any more; take it out of the expected failures']);
  });

  it('leaves out what the set does not count and the server does not offer', () => {
    const results = new Map([...set.results, ['tasks', [fails('tasks')]]]);
    const leftOut = [{ scenarios: ['tasks'], reason: 'not offered' }];
    expect(judge({ ...set, results, optional: ['tasks'], leftOut })).toMatchObject({
      report: { passed: 2, failed: 0, left_out: [{ scenario: 'tasks', reason: 'not offered' }] },
      problems: [],
    });
  });

  it.each([
    ['what is required', [] as string[], 'ping', 'ping: is required, so it cannot be left out'],
    ['what is not in the set', [], 'tasks', 'tasks: is left out, but is not in this set'],
    ['what passes', ['tasks'], 'tasks', 'tasks: passes; take it out of what is left out'],
  ])('does not leave out %s', (_what, optional, scenario, problem) => {
    const results = new Map([...set.results, ['tasks', [passes('tasks')]]]);
    const leftOut = [{ scenarios: [scenario], reason: 'because' }];
    const { report, problems } = judge({ ...set, results, optional, leftOut });
    expect(problems).toEqual([problem]);
    expect(report.failed).toBe(1);
  });
});

describe('reading what the Inspector says of schemas', () => {
  it('finds each error and each warning', () => {
    const output = [
      '{"result":{"tools":[]}}',
      'Warning: tool "desktop_get"',
      '  Path: outputSchema.properties.value',
      '  Issue: Schema carries no validation keyword at all.',
      '  Suggestion: Declare what the value is.',
      '',
      'Error: tool "desktop_find"',
      '  Path: inputSchema.properties.name',
      '  Issue: Bare `true` used where a schema object is expected.',
      '  Suggestion: Declare what the value is.',
      '',
      '1 error, 1 warning across 2 tools.',
    ].join('\n');
    expect(findingsIn(output)).toEqual([
      'warning: desktop_get outputSchema.properties.value: Schema carries no validation keyword at all.',
      'error: desktop_find inputSchema.properties.name: Bare `true` used where a schema object is expected.',
    ]);
    expect(findingsIn('{"result":{"tools":[]}}')).toEqual([]);
  });
});
