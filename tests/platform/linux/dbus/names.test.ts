import { describe, expect, it } from 'vitest';
import {
  isBusName,
  isInterfaceName,
  isMemberName,
  isObjectPath,
} from '../../../../src/platform/linux/dbus/names.ts';

const long = `a.${'b'.repeat(254)}`;

describe('names of the bus', () => {
  it.each(['/', '/a', '/a/b_1/C', '/0'])('%j is an object path', (text) =>
    expect(isObjectPath(text)).toBe(true),
  );
  it.each(['', 'a', '//', '/a/', '/a//b', '/a-b', '/é', '/a b', '/a\0'])('%j is not an object path', (text) =>
    expect(isObjectPath(text)).toBe(false),
  );

  it.each(['a.b', 'org.freedesktop.DBus', '_._'])('%j is an interface', (text) =>
    expect(isInterfaceName(text)).toBe(true),
  );
  it.each(['', 'a', '.a.b', 'a..b', 'a.b.', 'a.1b', 'a-b.c', 'a.b\n', long])(
    '%j is not an interface',
    (text) => expect(isInterfaceName(text)).toBe(false),
  );

  it.each(['Get', '_x', 'A1'])('%j is a member', (text) => expect(isMemberName(text)).toBe(true));
  it.each(['', 'a.b', '1a', 'a-b', 'a\n'])('%j is not a member', (text) =>
    expect(isMemberName(text)).toBe(false),
  );

  it.each([':1.2', 'a.b-c', ':1.2.3', '_a.b'])('%j is a bus name', (text) =>
    expect(isBusName(text)).toBe(true),
  );
  it.each(['', ':1', 'a', 'a.1b', 'a..b', ':', '1.a', long])('%j is not a bus name', (text) =>
    expect(isBusName(text)).toBe(false),
  );
});
