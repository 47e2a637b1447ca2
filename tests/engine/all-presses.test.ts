import { expect, it } from 'vitest';
import { withAllPresses } from '../../src/engine/evidence/all-presses.ts';
import { confirmed } from '../../src/engine/evidence/evidence.ts';
import type { ObservedChange } from '../../src/engine/evidence/window-diff.ts';
import { handleKey } from '../../src/model/tree/node.ts';
import type { DesktopEvent } from '../../src/ports/desktop/events.ts';

const counter = { app: 'app', path: '/counter' };
const CHANGED: ObservedChange = {
  change: { kind: 'changed', role: 'text', before: 'name "1"', after: 'name "2"' },
  key: handleKey(counter),
  lineage: [],
  node: { handle: counter, role: 'text', nativeRole: 'label', name: '2', states: [], children: [] },
};
const judged = { ...confirmed(['text changed'], false), reliesOn: CHANGED };

function reported(times: number): DesktopEvent[] {
  return Array.from({ length: times }, (_, index) => [
    { kind: 'text-changed', detail: 'delete', node: counter, atMs: index } as const,
    { kind: 'text-changed', detail: 'insert', node: counter, atMs: index } as const,
  ]).flat();
}

it.each([
  ['double-click', 'button', 1, 'unverified'],
  ['double-click', 'button', 2, 'confirmed'],
  ['triple-click', 'button', 2, 'unverified'],
  ['triple-click', 'link', 3, 'confirmed'],
  ['click', 'button', 1, 'confirmed'],
  // The first press of a double click selects a row, and nothing more may come.
  ['double-click', 'row', 1, 'confirmed'],
  // Not every toolkit reports everything.
  ['double-click', 'button', 0, 'confirmed'],
] as const)('%s on a %s that was answered %d times is %s', (kind, role, times, effect) => {
  const judgement = withAllPresses(judged, { kind, role }, reported(times));
  expect(judgement.effect).toBe(effect);
  expect(judgement.evidence.join()).toMatch(
    effect === 'unverified' ? /not all of the \d presses/ : /^text changed$/,
  );
});
