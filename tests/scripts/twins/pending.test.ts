import { expect, it } from 'vitest';
import type { Act } from '../../../scripts/proof/twins/act/act.ts';
import { usableWidgets } from '../../../scripts/proof/twins/act/widgets.ts';
import { NOTHING_RESTLESS, type View } from '../../../scripts/proof/twins/look/compare.ts';
import { differenceButMarks } from '../../../scripts/proof/twins/look/marks.ts';
import type { SeenNode } from '../../../scripts/proof/twins/look/tree.ts';
import { isOnlyPending } from '../../../scripts/proof/twins/run/pending.ts';
import { node, seen, view } from './seen.ts';

const field = (text: string, ...inside: SeenNode[]): SeenNode =>
  node('text', 'Name', { text, children: inside });
const shown = (...nodes: SeenNode[]): View => view(seen(nodes));
const label = (text: string): SeenNode => node('label', text);
const before = shown(field(''), label('ready'));
const committed = shown(field('a'), label('saved'));
const list = node('list', 'Suggestions');

async function isPending(
  ours: View,
  {
    twin = committed,
    isTold = true,
    kind = 'set-value',
    left = ours,
  }: {
    twin?: View;
    isTold?: boolean;
    kind?: Act['kind'];
    left?: View;
  } = {},
): Promise<boolean> {
  const [target] = usableWidgets(before.seen);
  if (target === undefined) throw new Error('there is a field');
  const change = (after: View) => differenceButMarks(before, after, NOTHING_RESTLESS);
  return isOnlyPending(
    {
      act: { kind, target, more: [], value: 'a' },
      answer: { effect: 'unverified', route: '', words: '', ...(isTold ? { isPending: true } : {}) },
      before: { ours: before, twin: before },
      after: { ours, twin },
      ours: change(ours),
      twins: change(twin),
    },
    async () => ({ view: left, change: change(left) }),
  );
}

it('a text that is not taken yet explains what is missing on our side', async () => {
  const waiting = shown(field('a'), label('ready'));
  expect(await isPending(waiting)).toBe(true);
  expect(await isPending(waiting, { isTold: false })).toBe(false);
  expect(await isPending(shown(field('b'), label('ready')))).toBe(false);
});

it('a pending text does not explain what only our side changed', async () => {
  expect(await isPending(shown(field('a'), label('deleted')))).toBe(false);
  expect(await isPending(shown(field('a'), label('ready'), label('deleted')))).toBe(false);
  const same = shown(field('a'), label('ready'), label('deleted'));
  expect(await isPending(same, { twin: shown(field('a'), label('ready'), label('deleted'), list) })).toBe(
    true,
  );
});

it('what is in the field belongs to it', async () => {
  expect(await isPending(shown(field('a', node('icon', 'Clear')), label('ready')))).toBe(true);
});

it('what goes with the focus, as by hand, is not held against our side, unless the text goes with it', async () => {
  const offered = shown(field('a'), label('ready'), list);
  const left = shown(field('a'), label('ready'));
  expect(await isPending(offered, { left })).toBe(true);
  expect(await isPending(offered)).toBe(false);
  expect(await isPending(offered, { left, kind: 'type' })).toBe(false);
  expect(await isPending(offered, { left: shown(field(''), label('ready')) })).toBe(false);
});
