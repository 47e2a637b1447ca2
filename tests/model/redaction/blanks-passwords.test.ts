import { expect, it } from 'vitest';
import { completeConfiguration } from '../../../src/model/configuration/config.ts';
import { blanksPasswords } from '../../../src/model/redaction/blanks-passwords.ts';

it.each([
  ['file', false, false],
  ['environment', false, true],
  ['flag', false, true],
  ['environment', true, true],
  ['default', true, true],
] as const)('by the %s, %j: blanked is %j', (source, value, blanked) => {
  const values = completeConfiguration({ redaction: { password_fields: value } });
  expect(blanksPasswords({ values, entries: [{ key: 'redaction.password_fields', value, source }] })).toBe(
    blanked,
  );
});
