import { expect, it } from 'vitest';
import type { DisplayKind } from '../../../../src/platform/linux/display/display.ts';
import { selectDisplay } from '../../../../src/platform/linux/display/select-display.ts';
import { BARE } from '../../../linux/display/bare-display.ts';
import { X11 } from '../../../../src/platform/linux/display/x11/x11-display.ts';

const KINDS: readonly [DisplayKind, ...DisplayKind[]] = [X11, BARE];

it('the display server is the first that the environment names', () => {
  expect(selectDisplay({ BARE_DISPLAY: 'b' }, KINDS)).toBe(BARE);
  expect(selectDisplay({ DISPLAY: ':0' }, KINDS)).toBe(X11);
  expect(selectDisplay({ DISPLAY: ':0', BARE_DISPLAY: 'b' }, KINDS)).toBe(X11);
});

it('by default it is X11, which reports what is missing', async () => {
  const display = selectDisplay({}).open({});
  await expect(display.connect({ deadlineMs: 1000 })).rejects.toMatchObject({
    code: 'DISPLAY_UNAVAILABLE',
    message: 'DISPLAY is not set.',
  });
});
