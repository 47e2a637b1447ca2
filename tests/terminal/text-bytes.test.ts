import { expect, test } from 'vitest';
import { typedBytes } from '../../src/terminal/screen/key-bytes.ts';

test('typed text ends lines as the Enter key does', () => {
  expect(Buffer.from(typedBytes('a\nb\r\nc\u0003')).toString()).toBe('a\rb\rc\u0003');
});
