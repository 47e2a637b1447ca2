import { expect, it } from 'vitest';
import { pageAddress } from '../../../../src/surfaces/mcp/questions/page-address.ts';

it.each([
  ['https://example.org/authorize?client_id=a&state=b', 'https://example.org/authorize?client_id=a&state=b'],
  ['http://127.0.0.1:3000/login', 'http://127.0.0.1:3000/login'],
  ['http://localhost:3000', 'http://localhost:3000/'],
  ['http://[::1]:8/x', 'http://[::1]:8/x'],
  ['https://exa\u{43C}ple.org/', 'https://xn--exaple-kqf.org/'],
])('%s may be opened', (given, address) => {
  expect(pageAddress(given)).toBe(address);
});

it.each([
  'http://example.org/',
  'http://localhost.example.org/',
  'http://127.0.0.1.example.org/',
  'https://example.org@evil.test/',
  'https://user:secret@example.org/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  'not an address',
  '',
  `https://example.org/${'x'.repeat(9000)}`,
])('%s may not', (given) => {
  expect(() => pageAddress(given)).toThrow('Nobody is asked to open');
});
