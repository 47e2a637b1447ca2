import { expect, it } from 'vitest';
import { OpeningDialogs } from '../../../src/platform/linux/desktop/opening-dialogs.ts';

const of = (kind: 'qt' | 'gtk3', path: string, isDialog = true) => ({
  application: { bus: ':1.7', traits: { kind } },
  path,
  isDialog,
});

it('dialogs of Qt are opening until the display has them, and for a second at most', () => {
  let now = 5000;
  const opening = new OpeningDialogs(() => now);
  const dialog = { topLevel: of('qt', '/dialog') };
  const others = [
    { topLevel: of('qt', '/main', false) },
    { topLevel: of('gtk3', '/other') },
    { shown: { id: 'x11:7' }, topLevel: of('qt', '/shown') },
    { shown: { id: 'x11:8' } },
  ];
  expect([...opening.among([dialog, ...others])]).toEqual([dialog]);
  now += 900;
  expect([...opening.among([dialog])]).toEqual([dialog]);
  now += 200;
  expect([...opening.among([dialog])]).toEqual([]);
  // Once it was closed, a dialog at the same place is another one.
  expect([...opening.among([])]).toEqual([]);
  expect([...opening.among([dialog])]).toEqual([dialog]);
});
