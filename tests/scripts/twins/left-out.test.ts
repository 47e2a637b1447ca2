import { describe, expect, it } from 'vitest';
import type { Act } from '../../../scripts/proof/twins/act/act.ts';
import type { Answer } from '../../../scripts/proof/twins/act/actor.ts';
import { usableWidgets } from '../../../scripts/proof/twins/act/widgets.ts';
import { NOTHING_RESTLESS, type View } from '../../../scripts/proof/twins/look/compare.ts';
import { differenceButMarks } from '../../../scripts/proof/twins/look/marks.ts';
import type { Seen, SeenNode } from '../../../scripts/proof/twins/look/tree.ts';
import { leftOut } from '../../../scripts/proof/twins/run/left-out.ts';
import { frame, node, seen, view } from './seen.ts';

/** What becomes of an act, by what both sides showed before it, and each side after it. */
function becomes(
  { kind, value, more = [] }: Pick<Act, 'kind' | 'value'> & { more?: Act['more'] },
  answer: Partial<Answer>,
  [before, ours, twin]: readonly [before: View, ours: View, twin: View],
  isClaimed = true,
  mouseFailed?: string,
  target = usableWidgets(before.seen)[0],
): string | undefined {
  if (target === undefined) throw new Error('there is a widget');
  return leftOut({
    act: { kind, target, more, ...(value === undefined ? {} : { value }) },
    answer: { effect: 'confirmed', route: '', words: '', ...answer },
    isClaimed,
    before: { ours: before, twin: before },
    after: { ours, twin },
    ours: differenceButMarks(before, ours, NOTHING_RESTLESS),
    twins: differenceButMarks(before, twin, NOTHING_RESTLESS),
    ...(mouseFailed === undefined ? {} : { mouseFailed }),
  })?.verdict;
}

const FAILED = { effect: 'failed' } as const;
const shown = (...nodes: SeenNode[]): View => view(seen(nodes));

describe('what the mouse did not open', () => {
  const row = (states: string[], name = 'More'): View =>
    shown(node('list item', name, { states: ['sensitive', ...states] }));
  const [closed, open] = [row(['expandable']), row(['expandable', 'expanded'])];
  const expand = (answer: Partial<Answer>, ours: View, before = closed, twin = closed): string | undefined =>
    becomes({ kind: 'expand' }, answer, [before, ours, twin]);

  it('is a lie if our side confirms it and is closed, too', () => {
    expect(expand({}, closed)).toBe('false_success');
    expect(expand({ effect: 'unverified' }, closed)).toBe('excluded');
    expect(expand(FAILED, closed)).toBe('excluded');
  });

  it('is a false failure if it is open on our side, unless the answer says so in part', () => {
    expect(expand(FAILED, open)).toBe('false_failure');
    expect(expand({ ...FAILED, isPartial: true }, open)).toBe('excluded');
    expect(expand({ ...FAILED, isPending: true }, open)).toBe('excluded');
    expect(expand(FAILED, open, open)).toBe('excluded');
  });

  it('is left out if the answer is right, and what it opened may be called otherwise then', () => {
    expect(expand({}, open)).toBe('excluded');
    expect(expand({}, row(['expanded'], 'Less'))).toBe('excluded');
  });

  it('says nothing if it is gone on both sides, and something if it is gone on ours alone', () => {
    const gone = shown(node('label', 'done'));
    expect(expand({}, gone, closed, gone)).toBe('excluded');
    expect(expand({}, gone)).toBe('false_success');
  });

  it('says nothing of a submenu that has items now, and closed when the pointer left', () => {
    const [empty, filled] = [[], [node('menu item', 'File…')]].map((children) =>
      shown(
        node('menu', 'File', {
          states: ['sensitive'],
          children: [node('menu', 'Open', { states: ['sensitive', 'expandable'], children })],
        }),
      ),
    );
    if (empty === undefined || filled === undefined) throw new Error('there are two');
    const target = usableWidgets(empty.seen).find(({ key }) => key.name === 'Open');
    if (target === undefined) throw new Error('there is a submenu');
    const verdictOf = (ours: View, layer?: 'popup'): string | undefined =>
      becomes({ kind: 'expand' }, {}, [empty, ours, empty], true, undefined, {
        ...target,
        ...(layer === undefined ? {} : { layer }),
      });
    expect(verdictOf(filled, 'popup')).toBe('excluded');
    expect(verdictOf(empty, 'popup')).toBe('false_success');
    expect(verdictOf(filled)).toBe('false_success');
  });

  it('is compared as usual once the mouse has opened it', () => {
    expect(expand({}, closed, closed, open)).toBeUndefined();
  });

  it('is left out for a mouse on our side, which claims nothing', () => {
    expect(becomes({ kind: 'expand' }, {}, [closed, closed, closed], false)).toBe('excluded');
  });
});

describe('what the mouse could not enter', () => {
  const field = (more: Partial<SeenNode>, picture = frame()): View =>
    view(seen([node('text', 'Name', { box: [0, 16, 32, 16], ...more })]), picture);
  const [empty, filled] = [field({ text: '' }), field({ text: 'twin 42' })];
  const enter = (
    answer: Partial<Answer>,
    [before, ours]: readonly [View, View],
    kind: 'set-value' | 'type' = 'set-value',
  ): string | undefined => becomes({ kind, value: 'twin 42' }, answer, [before, ours, before]);

  it.each(['set-value', 'type'] as const)(
    'is a lie if our side confirms it and shows nothing of it: %s',
    (kind) => {
      expect(enter({}, [empty, empty], kind)).toBe('false_success');
      expect(enter({}, [empty, filled], kind)).toBe('excluded');
      expect(enter({ effect: 'unverified' }, [empty, empty], kind)).toBe('excluded');
    },
  );

  it('is a false failure if it is there on our side, unless the answer says so in part', () => {
    expect(enter(FAILED, [empty, filled])).toBe('false_failure');
    expect(enter({ ...FAILED, isPartial: true }, [empty, filled])).toBe('excluded');
    expect(enter(FAILED, [empty, empty])).toBe('excluded');
  });

  it('may be gone with its field', () => {
    const gone = shown(node('label', 'done'));
    expect(enter({}, [empty, gone])).toBe('excluded');
    expect(enter(FAILED, [empty, gone])).toBe('excluded');
  });

  it('may be what the field showed already', () => {
    expect(enter({}, [filled, filled])).toBe('excluded');
    const number = shown(node('spin button', 'Size', { value: 3 }));
    expect(becomes({ kind: 'set-value', value: '3' }, {}, [number, number, number])).toBe('excluded');
    expect(becomes({ kind: 'set-value', value: '4' }, {}, [number, number, number])).toBe('false_success');
  });

  it('shows in the picture of a field that tells its text to nobody', () => {
    const silent = field({});
    expect(enter({}, [silent, silent])).toBe('false_success');
    expect(enter({}, [silent, field({}, frame(0, [8, 20, 8, 8]))])).toBe('excluded');
  });
});

describe('an item that opens a menu', () => {
  const item = node('menu item', 'Recent');
  const more = [{ application: 'app', role: 'menu item', name: 'Recent', path: [0, 0, 0] }];
  const menu = (...others: SeenNode[]): View => shown(node('menu', 'File', { children: [item] }), ...others);
  const closed = shown(node('menu', 'File'));
  const open = (answer: Partial<Answer>, ours: View): string | undefined =>
    becomes({ kind: 'menu', more }, answer, [closed, ours, menu()]);

  it('is left out if our side opened it, too, or says that it did nothing', () => {
    expect(open({}, menu())).toBe('excluded');
    expect(open(FAILED, closed)).toBe('excluded');
  });

  it('is judged if our side confirms it and is as before, or did something else', () => {
    expect(open({}, closed)).toBe('judged');
    expect(open({}, menu(node('label', 'Deleted')))).toBe('judged');
    expect(open(FAILED, menu(node('label', 'Deleted')))).toBe('judged');
  });
});

describe('a link that opens a browser', () => {
  const link = shown(node('link', 'Home page'));
  const browser = ({ applications, ...more }: Seen): Seen => ({
    ...more,
    applications: [
      ...applications,
      { name: 'Browser', pid: 9, toolkit: 'Gecko', version: '', windows: [node('frame', 'Page')] },
    ],
  });
  const opened = view(browser(link.seen));
  const click = (ours: View, answer: Partial<Answer> = {}): string | undefined =>
    becomes({ kind: 'click' }, answer, [link, ours, opened]);

  it('is left out, also if it opens later on our side', () => {
    expect(click(opened)).toBe('excluded');
    expect(click(link, { effect: 'unverified' })).toBe('excluded');
  });

  it('is judged if our side confirms it and is as before, or did something else', () => {
    expect(click(link)).toBe('judged');
    expect(click(view(browser(seen([node('link', 'Home page'), node('label', 'Deleted')]))))).toBe('judged');
  });
});

describe('what the mouse could not finish', () => {
  const start = shown(node('button', 'OK'), node('label', 'one'));
  const done = shown(node('button', 'OK'), node('label', 'two'));
  const click = (answer: Partial<Answer>, isDone: boolean, isClaimed = true): string | undefined => {
    const ours = isDone ? done : start;
    return becomes({ kind: 'click' }, answer, [start, ours, start], isClaimed, 'it is not on the screen');
  };

  it('is a lie if our side confirms it and shows nothing of it', () => {
    expect(click({}, false)).toBe('false_success');
    expect(click({ words: 'already selected' }, false)).toBe('excluded');
    expect(click({ effect: 'unverified' }, false)).toBe('excluded');
    expect(click(FAILED, false)).toBe('excluded');
    expect(click({}, true)).toBe('excluded');
    expect(click({}, false, false)).toBe('excluded');
  });

  it('is judged by the text that our side shows', () => {
    const field = (text: string): View => shown(node('text', 'Name', { text }));
    const type = (answer: Partial<Answer>, text: string): string | undefined =>
      becomes({ kind: 'type', value: 'Ada' }, answer, [field(''), field(text), field('')], true, 'no caret');
    expect(type({}, '')).toBe('false_success');
    expect(type(FAILED, 'Ada')).toBe('false_failure');
    expect(type({}, 'Ada')).toBe('excluded');
  });
});

it('what the mouse did is the measure of everything else', () => {
  const button = shown(node('push button', 'OK'));
  expect(becomes({ kind: 'click' }, {}, [button, button, button])).toBeUndefined();
});
