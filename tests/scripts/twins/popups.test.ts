import { expect, it } from 'vitest';
import { comparePictures, type View } from '../../../scripts/proof/twins/look/compare.ts';
import { movedPopups } from '../../../scripts/proof/twins/look/popups.ts';
import { placed, type Box } from '../../../scripts/proof/twins/look/tree.ts';
import { keyOf } from '../../../scripts/proof/twins/act/widgets.ts';
import { frame, node, seen, view } from './seen.ts';

/** The height of LibreOffice's menu bar. */
const BAR = 24;

function withPopup(box: Box, colour = 0, name = 'soffice', button: Box = [0, 0, 20, 10]): View {
  const before = seen([node('push button', 'Style', { box: button })]);
  const windows = [...before.windows, { id: 2, title: '', pid: 7, box, managed: false }];
  const applications = before.applications.map((application) => ({ ...application, name }));
  return view({ ...before, applications, windows }, frame(colour, box));
}

const difference = (one: View, other: View) =>
  comparePictures(one.frame, other.frame, movedPopups(one, other, keyOfButton(other)));

function keyOfButton({ seen: shown }: View) {
  const button = [...placed(shown)].find(({ node: { role } }) => role === 'push button');
  if (button === undefined) throw new Error('it has a button');
  return keyOf(button);
}

it('a popup that is drawn alike a little apart is the same', () => {
  expect(difference(withPopup([8, 16, 16, 16]), withPopup([8, 16 + BAR, 16, 16]))).toBeUndefined();
});

it('a popup that looks different, is larger, or is far away is not', () => {
  const one = withPopup([8, 16, 16, 16]);
  for (const other of [
    withPopup([8, 16 + BAR, 16, 16], 0xff_ff_ff),
    withPopup([8, 16 + BAR, 16, 20]),
    withPopup([8, 24, 16, 16]),
    withPopup([16, 16 + BAR, 16, 16]),
    withPopup([40, 48, 16, 16]),
  ])
    expect(difference(one, other)).toBeDefined();
});

it('what differs elsewhere still does', () => {
  const [one, other] = [withPopup([8, 16, 16, 16]), withPopup([8, 16 + BAR, 16, 16])];
  other.frame.pixels.fill(0xff_00_00, 0, 8);
  expect(difference(one, other)?.box).toEqual([0, 0, 8, 8]);
});

it('a popup of another application a row lower is another popup', () => {
  const one = withPopup([8, 16, 16, 16], 0, 'thunar');
  expect(difference(one, withPopup([8, 16 + BAR, 16, 16], 0, 'thunar'))).toBeDefined();
});

it('the button that it hangs from may look pressed beside the other one, and no other button', () => {
  const paint = (button: Box): ReturnType<typeof difference> => {
    const one = withPopup([8, 16, 16, 16], 0, 'soffice', button);
    const other = withPopup([8, 16 + BAR, 16, 16], 0, 'soffice', button);
    const [x, y, width] = button;
    for (const row of [y, y + 1]) other.frame.pixels.fill(0xff_00_00, row * 64 + x, row * 64 + x + width);
    return difference(one, other);
  };
  expect(paint([8, 4, 40, 16 + BAR - 4])).toBeUndefined();
  expect(paint([40, 4, 16, 16 + BAR - 4])).toBeDefined();
  expect(paint([8, 4, 40, 4])).toBeDefined();
});

it('a menu that opened where the pointer waits, in the corner of the screen, is the same as at another place', () => {
  const one = withPopup([46, 47, 16, 16], 0, 'easytag');
  expect(difference(one, withPopup([8, 16, 16, 16], 0, 'easytag'))).toBeUndefined();
  expect(difference(one, withPopup([8, 16, 16, 16], 0xff_ff_ff, 'easytag'))).toBeDefined();
  expect(difference(one, withPopup([8, 16, 16, 20], 0, 'easytag'))).toBeDefined();
  expect(difference(withPopup([8, 16, 16, 16], 0, 'easytag'), one)).toBeDefined();
});
