import { expect, it } from 'vitest';
import { policyDenied } from '../../src/policy/policy-error.ts';
import { spelled } from '../spelled.ts';

const suggestion = (rule: string) =>
  spelled(policyDenied('the application "X"', { decision: 'deny', rule, why: 'So.' }).suggestion);

it('says what to do about a denial: which application to name, what to lift, or where the rules are', () => {
  expect(suggestion('built-in "own terminal"')).toContain('Name the application or window that is meant.');
  expect(suggestion('built-in "own terminal"')).toContain('"own terminal" to applications.except');
  expect(suggestion('built-in "keepassxc"')).toContain('"keepassxc" to applications.except');
  expect(suggestion('built-in "own windows"')).not.toContain('except');
  expect(suggestion('applications.denied "Bank*"')).toContain('all rules');
  expect(suggestion('mode sandboxed')).toContain('DESKTERITY_SECURITY_MODE');
});
