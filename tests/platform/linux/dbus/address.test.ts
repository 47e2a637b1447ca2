import { describe, expect, it } from 'vitest';
import { socketPath } from '../../../../src/platform/linux/dbus/address.ts';
import { BusError } from '../../../../src/platform/linux/dbus/index.ts';
import { parseAddress } from '../../../../src/platform/linux/dbus/address.ts';

function parsed(text: string): { transport: string; options: Record<string, string> }[] {
  return parseAddress(text).map(({ transport, options }) => ({
    transport,
    options: Object.fromEntries(options),
  }));
}

describe('parseAddress', () => {
  it('reads several addresses in order', () => {
    expect(
      parsed('unix:path=/run/user/0/bus,guid=ab;unix:abstract=/tmp/x;tcp:host=localhost,port=1;'),
    ).toEqual([
      { transport: 'unix', options: { path: '/run/user/0/bus', guid: 'ab' } },
      { transport: 'unix', options: { abstract: '/tmp/x' } },
      { transport: 'tcp', options: { host: 'localhost', port: '1' } },
    ]);
  });

  it('decodes escapes', () => {
    expect(parsed('unix:path=/tmp/a%20b%c3%a9%2C%3b')).toEqual([
      { transport: 'unix', options: { path: '/tmp/a bé,;' } },
    ]);
  });

  it('accepts a transport without options', () => {
    expect(parsed('autolaunch:')).toEqual([{ transport: 'autolaunch', options: {} }]);
  });

  it.each([
    '',
    ';',
    'unix',
    ':path=/x',
    'unix:path',
    'unix:=x',
    'unix:path=%',
    'unix:path=%zz',
    'unix:path=%ff',
    'unix:path=%00',
    'unix:path=a,path=b',
  ])('refuses %j', (text) => {
    expect(() => parseAddress(text)).toThrow(BusError);
  });
});

describe('socketPath', () => {
  it.each([
    ['unix:path=/x/bus', '/x/bus'],
    ['unix:abstract=/x/bus', '\0/x/bus'],
    ['unix:tmpdir=/tmp', undefined],
    ['unix:dir=/tmp', undefined],
    ['tcp:host=localhost,port=1', undefined],
  ])('%s', (text, path) => {
    expect(parseAddress(text).map(socketPath)).toEqual([path]);
  });
});
