import { describe, expect, it } from 'vitest';
import {
  formatAddress,
  isAddressable,
  parseAddress,
} from '../../../../src/surfaces/mcp/resources/address.ts';

describe('an address', () => {
  it.each([
    ['deskterity://system/status', { kind: 'status' }],
    ['deskterity://apps', { kind: 'apps' }],
    ['deskterity://clipboard', { kind: 'clipboard' }],
    ['deskterity://app/KCalc/tree', { kind: 'tree', app: 'KCalc' }],
    ['deskterity://app/a%2Fb%25%20%F0%9F%98%80/state', { kind: 'state', app: 'a/b% 😀' }],
    ['deskterity://app/x/events', { kind: 'events', app: 'x' }],
    ['deskterity://session/mcp-0a1b/journal', { kind: 'journal', session: 'mcp-0a1b' }],
    ['deskterity://app/4242/screenshot', { kind: 'screenshot', app: '4242' }],
    ['deskterity://app/x/window/0/tree', { kind: 'window', app: 'x', index: 0 }],
  ])('%s', (uri, address) => {
    expect(parseAddress(uri)).toEqual(address);
  });

  it.each([
    '',
    'deskterity://',
    'deskterity://app',
    'deskterity://apps/',
    'deskterity://clipboard/text',
    'deskterity://app//tree',
    'deskterity://session/x',
    'deskterity://session/../journal',
    'deskterity://session/%61/journal',
    'deskterity://session/X/journal',
    'deskterity://app/x/clipboard',
    'deskterity://app/x/tree/more',
    'deskterity://app/x/window/-1/tree',
    'deskterity://app/x/window/01/tree',
    'deskterity://app/x/window/1e3/tree',
    'deskterity://app/x/window/99999/tree',
    'deskterity://app/%/tree',
    'deskterity://app/%FF/tree',
    'deskterity://app/%00/tree',
    'deskterity://app/a%0Ab/tree',
    'deskterity://app/../tree',
    'deskterity://app/%2E%2E/tree',
    'deskterity://app/x/tree?y',
    'deskterity://app/x/tree#y',
    'file:///etc/passwd',
    `deskterity://app/${'x'.repeat(401)}/tree`,
    `deskterity://app/${'%41'.repeat(100_000)}/tree`,
  ])('%s is not one', (uri) => {
    expect(parseAddress(uri)).toBeUndefined();
  });

  it.each(['KCalc', 'a/b', '100%', '😀', 'q?#&', 'Ünï cödé', String.raw`back\slash`])(
    'the name %s survives the round trip',
    (app) => {
      expect(isAddressable(app)).toBe(true);
      expect(parseAddress(formatAddress({ kind: 'tree', app }))).toEqual({ kind: 'tree', app });
    },
  );

  it.each(['', ' ', '..', '.', '123', 'a\0b', '\uD800', 'x'.repeat(401), ' padded', 'a\u202Eb', 'a\u200Bb'])(
    'the name %j is not used in a URI',
    (name) => {
      expect(isAddressable(name)).toBe(false);
    },
  );
});
