import { describe, expect, it } from 'vitest';
import {
  AliasName,
  connectionDocument,
  isAlias,
  readConnections,
  usualAlias,
} from '../../../src/model/sessions/connection.ts';

describe('the usual alias', () => {
  it.each([
    ['KCalc', 'kcalc'],
    ['LibreOffice Writer', 'libreoffice-writer'],
    [' Text  Editor ', 'text-editor'],
    ['2048', 'app'],
    ['7-Zip', 'zip'],
    ['…', 'app'],
    ['', 'app'],
    [`${'x'.repeat(80)} y`, 'x'.repeat(63)],
  ])('of %j is %s', (app, alias) => {
    expect(usualAlias(app)).toBe(alias);
    expect(AliasName.safeParse(alias).success).toBe(true);
  });
});

describe('stored connections', () => {
  const one = { alias: 'one', app: 'Mail', pid: 10, process: '10:1' };

  it('belong to one desktop', () => {
    const document = connectionDocument('here', [one]);
    expect(readConnections(document, 'here')).toEqual([one]);
    expect(readConnections(document)).toEqual([one]);
    expect(readConnections(document, 'there')).toEqual([]);
    expect(connectionDocument('here', [])).toBeUndefined();
  });

  it('are bounded, and what is not a document is none', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ ...one, alias: `a${index}` }));
    expect(readConnections(connectionDocument('here', many)).at(0)?.alias).toBe('a10');
    for (const wrong of [undefined, null, [], { desktop_id: 'here', connections: [{ alias: '' }] }])
      expect(readConnections(wrong)).toEqual([]);
  });

  it('are found in any case', () => {
    expect(isAlias('Straße', ' STRASSE ')).toBe(false);
    expect(isAlias('Left', ' lEFT ')).toBe(true);
  });
});
