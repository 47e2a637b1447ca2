import { expect, it } from 'vitest';
import {
  completeConfiguration,
  strictestConfirmation,
  strictestConsent,
  type Confirmation,
  type ConfigurationSource,
} from '../../../src/model/configuration/config.ts';

it.each<[Confirmation, ConfigurationSource, Confirmation, Confirmation]>([
  ['require', 'file', 'never', 'require'],
  ['ask', 'file', 'never', 'ask'],
  ['ask', 'file', 'require', 'require'],
  ['never', 'file', 'ask', 'ask'],
  ['ask', 'default', 'never', 'never'],
])('a user whose setting is %s by the %s, and a caller who says %s: %s', (own, source, caller, counts) => {
  const key = 'confirmation.destructive';
  const user = {
    values: completeConfiguration({ confirmation: { destructive: own } }),
    entries: [{ key, value: own, source }],
  };
  expect(strictestConfirmation(user, caller)).toBe(counts);
});

it.each([
  ['portal', 'direct', 'portal'],
  ['auto', 'portal', 'portal'],
  ['direct', 'auto', 'auto'],
] as const)('a user who wants pictures by %s, and a caller who wants %s: %s', (own, caller, counts) => {
  const values = completeConfiguration({ screenshot: { consent: own } });
  expect(strictestConsent({ values }, caller)).toBe(counts);
});
