import { expect, it } from 'vitest';
import { encodedSecrets } from '../../../src/model/redaction/encoded-secrets.ts';
import { redact, redactIn } from '../../../src/model/redaction/secret-texts.ts';

const SECRET = 'p4ss/"wörd"+~ ok?';

it.each([
  ['base64', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
  ['base64url', Buffer.from(SECRET).toString('base64url')],
  ['hex', Buffer.from(SECRET).toString('hex')],
  ['upper hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['percent', encodeURIComponent(SECRET)],
  ['percent, lower', encodeURIComponent(SECRET).replaceAll(/%../g, (one) => one.toLowerCase())],
  ['form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
  ['JSON', JSON.stringify(SECRET).slice(1, -1)],
  [
    'JSON in ASCII',
    JSON.stringify(SECRET)
      .slice(1, -1)
      .replaceAll('ö', String.raw`\u00f6`),
  ],
])('withholds a secret in %s', (_, encoded) => {
  const shown = redact(`a ${encoded} b`, [SECRET]);
  expect(shown).toMatch(/^a \[withheld\][\w-]{0,2} b$/);
});

it('withholds a secret that is encoded together with other text, wherever it begins', () => {
  for (const before of ['', 'a', 'ab', 'user:']) {
    const encoded = Buffer.from(`${before}${SECRET} and more`).toString('base64');
    expect(redact(encoded, [SECRET])).toContain('[withheld]');
    expect(
      Buffer.from(redact(encoded, [SECRET]).split('[withheld]').join(''), 'base64').toString(),
    ).not.toContain('rd');
  }
});

it('withholds encoded secrets in data, keys included', () => {
  const hex = Buffer.from(SECRET).toString('hex');
  expect(redactIn({ [hex]: [`x${hex}`] }, [SECRET])).toEqual({ '[withheld]': ['x[withheld]'] });
});

it('leaves texts alone that only look like the encoded form of a short one', () => {
  expect(encodedSecrets('abc1234')).toEqual([]);
  expect(redact('an ordinary sentence with 61626364', ['abcd'])).toBe('an ordinary sentence with 61626364');
});

it('accepts a secret that has no encoding', () => {
  expect(redact('all is well', ['12345678\uD800'])).toBe('all is well');
});
