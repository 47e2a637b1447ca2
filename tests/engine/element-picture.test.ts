import { expect, it } from 'vitest';
import { pictureOfElement } from '../../src/engine/acting/guard/element-picture.ts';
import { app, button, stage, windowWith } from './support/stage.ts';

const WINDOW = 'win';

it('there is a picture of an element that has a place, and none of a window that cannot be searched for passwords', async () => {
  const { desktop } = await stage([app({ windows: [windowWith([button('delete', 'Delete')])] })]);
  const [window] = await desktop.listWindows({ deadlineMs: 1000 });
  const key = window === undefined ? WINDOW : window.id;
  const bounds = { x: 10, y: 10, width: 80, height: 30 };
  const png = await pictureOfElement(desktop, { window: key, bounds });
  expect(
    Buffer.from(png ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect(await pictureOfElement(desktop, { window: key, bounds: undefined })).toBeUndefined();
  const readTree = () => Promise.reject(new Error('it cannot be read'));
  const unread = new Proxy(desktop, {
    get: (target, name): unknown => (name === 'readTree' ? readTree : Reflect.get(target, name, target)),
  });
  expect(await pictureOfElement(unread, { window: key, bounds })).toBeUndefined();
});
