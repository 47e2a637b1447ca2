import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { SessionSecrets } from '../../../src/model/redaction/session-secrets.ts';

function secretsOf(...values: string[]): SessionSecrets {
  const secrets = new SessionSecrets();
  secrets.add(values);
  return secrets;
}

describe('the secrets of a session', () => {
  it('are replaced in all texts of an answer, however deep', () => {
    const secrets = secretsOf('hunter2secret');
    expect(
      secrets.mask({ tree: { name: 'a hunter2secret b', children: [{ value: 'hunter2secret' }] }, lines: 3 }),
    ).toEqual({ tree: { name: 'a [withheld] b', children: [{ value: '[withheld]' }] }, lines: 3 });
  });

  it('are replaced in the forms in which programs repeat them', () => {
    const secrets = secretsOf('p&ss w"rd/1');
    const base64 = Buffer.from('p&ss w"rd/1').toString('base64');
    expect(secrets.maskText(`https://x/?k=${encodeURIComponent('p&ss w"rd/1')}`)).toBe(
      'https://x/?k=[withheld]',
    );
    expect(secrets.maskText('{"k":"p&ss w\\"rd/1"}')).toBe('{"k":"[withheld]"}');
    expect(secrets.maskText(`Basic ${base64}`)).not.toContain(base64.slice(0, 8));
  });

  it('with several lines are replaced line by line', () => {
    const secrets = secretsOf('-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nab\n');
    expect(secrets.maskText('line: MIIEvQIBADANBgkq, ab')).toBe('line: [withheld], ab');
  });

  it('leave the words of the program itself alone, which would otherwise tell the secret', () => {
    const secrets = secretsOf('textbox', 'true', 'abc');
    expect(secrets.mask({ role: 'textbox', name: 'a textbox', states: ['enabled'], on: 'true abc' })).toEqual(
      {
        role: 'textbox',
        name: 'a [withheld]',
        states: ['enabled'],
        on: 'true abc',
      },
    );
  });

  it('are replaced in every text of an error, which then has no cause', () => {
    const secret = 'hunter2secret';
    const error = new DeskterityError('ACTION_FAILED', `It shows ${secret}.`, {
      suggestion: `Not ${secret}.`,
      platformDetail: `detail ${secret}`,
      candidates: [{ ref: '@e1', name: `a ${secret}` }],
      result: { evidence: [`fresh read: ${secret}`] },
      report: `report ${secret}`,
      cause: new Error(secret),
    });
    const masked = secretsOf(secret).maskError(error);
    const texts = JSON.stringify([masked.toBody(), masked.result, masked.report, String(masked.cause)]);
    expect(texts).not.toContain(secret);
    expect(masked.code).toBe('ACTION_FAILED');
    expect(masked.candidates[0]?.ref).toBe('@e1');
  });

  it('are bounded in number and length', () => {
    const secrets = new SessionSecrets();
    secrets.add(Array.from({ length: 300 }, (_, index) => `secret-number-${String(index).padStart(4, '0')}`));
    expect(secrets.maskText('secret-number-0000 secret-number-0299')).toBe('secret-number-0000 [withheld]');
    secrets.add(['x'.repeat(20_000)]);
    expect(secrets.maskText('x'.repeat(20_000))).toBe('x'.repeat(20_000));
  });
});
