import { expect, it } from 'vitest';
import { captureByConsent } from '../../../src/platform/linux/desktop/capture-by-consent.ts';
import type { DisplayConnection } from '../../../src/platform/linux/display/display.ts';
import type { CapturedImage } from '../../../src/ports/desktop/capture.ts';

const IMAGE: CapturedImage = {
  width: 1,
  height: 1,
  bgrx: new Uint8Array(4),
  origin: { x: 0, y: 0 },
  scale: 1,
};
const CALL = { deadlineMs: 1000 };

function take(isUnasked: boolean, isPrivate: boolean): Promise<string> {
  const taken: string[] = [];
  const capture = async (): Promise<CapturedImage> => {
    taken.push('direct');
    return IMAGE;
  };
  const connection = { capture } as unknown as DisplayConnection;
  return captureByConsent(
    { kind: 'screen', isUnasked },
    { portal: undefined, connection, isPrivate },
    CALL,
  ).then(() => taken.join());
}

it('a picture that nobody asked for is not taken of the desktop of a user who wants to be asked', async () => {
  await expect(take(true, false)).rejects.toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
  expect(await take(false, false)).toBe('direct');
});

it('on a private desktop it is, as nobody could be asked there', async () => {
  expect(await take(true, true)).toBe('direct');
});
