import { expect, it } from 'vitest';
import { progressLine } from '../../src/app/page/screen-style.ts';

it('shortens the words of a step, but never an address to open at its end', () => {
  const address = `https://example.com/authorize?state=${'a'.repeat(600)}&b=%20`;
  expect(progressLine(`open this address: ${address}`)).toBe(`open this address: ${address}`);
  expect(progressLine('x'.repeat(500)).length).toBeLessThan(250);
});
