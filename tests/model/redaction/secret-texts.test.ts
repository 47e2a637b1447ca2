import { expect, it } from 'vitest';
import { redact, secretsAmong } from '../../../src/model/redaction/secret-texts.ts';

it('replaces the whole of secrets that contain or overlap each other', () => {
  expect(redact('abcdefGHIJKL abcdef', ['abcdef', 'abcdefGHIJKL'])).toBe('[withheld] [withheld]');
  expect(redact('abcdefghi', ['abcdef', 'defghi'])).toBe('[withheld]');
  expect(redact('aaaaaaa', ['aaaa'])).toBe('[withheld]');
  expect(redact('a withheld one', ['a withheld', 'withheld'])).toBe('[withheld] one');
});

it('withholds every value, whatever its name, except paths and plain words', () => {
  const secrets = secretsAmong([
    ['PIN', '4711'],
    ['SEC', 's3cr3t'],
    ['MODE', 'debug'],
    ['USE', 'true'],
    ['DATA', '/srv/data/a.db'],
    ['KEY_FILE', '/srv/keys/a'],
    ['SHORT', 'abc'],
    ['Authorization', 'Bearer abcd1234'],
  ]);
  expect(redact('4711 s3cr3t debug true /srv/data/a.db /srv/keys/a abc abcd1234', secrets)).toBe(
    '[withheld] [withheld] debug true /srv/data/a.db [withheld] abc [withheld]',
  );
});
