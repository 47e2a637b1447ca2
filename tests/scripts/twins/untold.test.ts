import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../scripts/proof/twins/act/widgets.ts';
import {
  comparePictures,
  compareViews,
  isOnlyByClick,
  NOTHING_RESTLESS,
  type View,
} from '../../../scripts/proof/twins/look/compare.ts';
import { estimatedBars } from '../../../scripts/proof/twins/look/scroll-bars.ts';
import { keptSelections } from '../../../scripts/proof/twins/look/selections.ts';
import { placed, type Seen } from '../../../scripts/proof/twins/look/tree.ts';
import { frame, node, pictured, seen, view } from './seen.ts';

describe('a scroll bar beside equal rows', () => {
  const inToolkit = (toolkit: string): Seen => {
    const bar = node('scroll bar', '', { box: [56, 0, 8, 64] });
    const of = seen([node('scroll pane', '', { box: [0, 0, 64, 64], children: [bar] })]);
    return { ...of, applications: of.applications.map((one) => ({ ...one, toolkit })) };
  };
  const drawn = (toolkit: string, thumb: number, rows: boolean): View => {
    const picture = frame(0xff_00_00, [56, thumb, 8, 16]);
    if (rows) picture.pixels.fill(0x00_00_ff, 640, 650);
    return view(inToolkit(toolkit), picture);
  };
  const left = (toolkit: string, rows: boolean): unknown => {
    const [one, other] = [drawn(toolkit, 0, rows), drawn(toolkit, 24, rows)];
    return comparePictures(one.frame, other.frame, estimatedBars(one, other))?.box;
  };

  it('may be of another length in GTK 4, which estimates it', () => {
    expect(left('GTK', true)).toBeUndefined();
  });

  it('counts in other toolkits, and where there is nothing else to be seen', () => {
    expect([left('gtk', true), left('GTK', false)]).toEqual([
      [56, 0, 8, 40],
      [56, 0, 8, 40],
    ]);
  });
});

describe('a marked text', () => {
  const fields = (marked: boolean): View =>
    view(
      seen([
        node('text', 'Acted on'),
        node('text', 'Beside', { box: [0, 16, 32, 16], ...(marked ? { marked: [0, 4] } : {}) }),
      ]),
    );
  const [, target, beside] = [...placed(fields(true).seen)].map(keyOf);
  if (target === undefined || beside === undefined) throw new Error('there are two fields');
  const pair = (ours: boolean, twin: boolean): { ours: View; twin: View } => ({
    ours: fields(ours),
    twin: fields(twin),
  });

  it('that only the mouse unmarked by moving the focus does not count', () => {
    expect(keptSelections(pair(true, true), pair(true, false), target).size).toBeGreaterThan(0);
  });

  it.each<[string, boolean, boolean]>([
    ['our act marked it', false, false],
    ['it was marked on one side only', true, false],
  ])('counts if %s', (_, ours, twin) => {
    expect(keptSelections(pair(ours, twin), pair(true, false), target).size).toBe(0);
  });

  it('counts in the field that was acted on', () => {
    expect(keptSelections(pair(true, true), pair(true, false), beside).size).toBe(0);
  });
});

describe('what a click into a field does', () => {
  const plain = view(seen([node('push button', 'Back', { states: ['showing'] })]));
  const clicked = view(seen([node('push button', 'Back')]));
  const click = compareViews(plain, clicked, NOTHING_RESTLESS);

  it('explains the same difference, but no other one, and no picture alone', () => {
    const more = compareViews(
      plain,
      view(seen([node('push button', 'Back'), node('label', 'twin 42')])),
      NOTHING_RESTLESS,
    );
    const picture = { ...compareViews(plain, plain, NOTHING_RESTLESS), picture: pictured([0, 0, 8, 8]) };
    expect(
      [click, more, picture].map((part) =>
        isOnlyByClick(part, { ...click, picture: pictured([0, 0, 64, 64]) }),
      ),
    ).toEqual([true, false, false]);
  });
});
