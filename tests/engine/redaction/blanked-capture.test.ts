import { expect, it } from 'vitest';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { blankedCapture } from '../../../src/engine/redaction/blanked-capture.ts';
import { blank } from '../../../src/image/blank.ts';
import type { SimulatedNode } from '../../simulated/simulated-world.ts';
import { DEADLINE, oneWindow, stage, type Stage } from '../support/stage.ts';

const FIELD = { x: 100, y: 50, width: 40, height: 20 };
const WINDOW = { kind: 'window', windowId: 'win' } as const;
const password: SimulatedNode = {
  id: 'password',
  role: 'textbox',
  name: 'Password',
  states: ['protected'],
};

/** A window of one colour, of which a picture is taken after what `meanwhile` does. */
async function pictured(meanwhile?: (place: Stage, pictures: number) => void): Promise<Stage> {
  const place = await stage(oneWindow([{ ...password }]));
  place.world.node('app', 'password').bounds = { ...FIELD };
  let pictures = 0;
  place.desktop.capture = async () => {
    pictures += 1;
    meanwhile?.(place, pictures);
    const bgrx = new Uint8Array(200 * 100 * 4).fill(255);
    return { width: 200, height: 100, bgrx, origin: { x: 0, y: 0 }, scale: 1 };
  };
  return place;
}

const colourAt = ({ bgrx, width }: { bgrx: Uint8Array; width: number }, x: number, y: number) =>
  bgrx[(y * width + x) * 4];

it('blanks password fields, and nothing else', async () => {
  const { desktop } = await pictured();
  const image = await blankedCapture(desktop, WINDOW, DEADLINE);
  expect(image.blanked).toHaveLength(1);
  expect(image.unread).toEqual([]);
  expect(colourAt(image, 100, 50)).toBe(127);
  expect(colourAt(image, 139, 69)).toBe(127);
  expect(colourAt(image, 97, 50)).toBe(255);
  expect(colourAt(image, 120, 73)).toBe(255);
});

it('blanks a field that goes elsewhere while the picture is taken', async () => {
  const { desktop } = await pictured(({ world }, pictures) => {
    world.node('app', 'password').bounds = { ...FIELD, y: 20 * (pictures % 2) };
  });
  const image = await blankedCapture(desktop, WINDOW, DEADLINE);
  expect([colourAt(image, 110, 5), colourAt(image, 110, 25)]).toEqual([127, 127]);
});

it('blanks the field of a window that closes while the picture is taken', async () => {
  const { desktop } = await pictured(({ world }, pictures) => {
    if (pictures === 1) world.node('app', 'win-root').children = [];
  });
  const image = await blankedCapture(desktop, WINDOW, DEADLINE);
  // It was taken again without it.
  expect(colourAt(image, 110, 55)).toBe(255);
  expect(image.blanked).toEqual([]);
});

it('says which windows it could not search, and can refuse then', async () => {
  const { desktop, engine } = await pictured();
  desktop.readTree = async () => {
    throw new DeskterityError('APP_UNRESPONSIVE', 'It does not answer.', { suggestion: 'Wait.' });
  };
  const request = {
    ...DEADLINE,
    window: undefined,
    screen: true,
    annotate: false,
    format: 'png',
    quality: 80,
  } as const;
  const { unread, blanked } = await engine.screenshot(request);
  expect([unread, blanked]).toEqual([['Document'], 0]);
  await expect(engine.screenshot({ ...request, refusesUnread: true })).rejects.toMatchObject({
    code: 'POLICY_DENIED',
  });
});

it('shows them if that was asked for', async () => {
  const { engine } = await pictured();
  const request = { ...DEADLINE, screen: true, annotate: false, format: 'png', quality: 80 } as const;
  expect((await engine.screenshot({ ...request, showsPasswords: true })).blanked).toBe(0);
  expect((await engine.screenshot(request)).blanked).toBe(1);
});

it('leaves the given picture as it was, which may be shown again', () => {
  const image = { width: 2, height: 2, bgrx: new Uint8Array(16).fill(9), origin: { x: 0, y: 0 }, scale: 1 };
  expect(blank(image, [{ x: 5, y: 5, width: 3, height: 3 }])).toBe(image);
  expect(colourAt(blank(image, [{ x: 1, y: 0, width: 1, height: 1 }]), 1, 0)).toBe(127);
  expect(image.bgrx.every((byte) => byte === 9)).toBe(true);
});
