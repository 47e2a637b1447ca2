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
  [2, 'button', 1, 'unverified'],
  [2, 'button', 2, 'confirmed'],
  [3, 'button', 2, 'unverified'],
  [3, 'link', 3, 'confirmed'],
  [1, 'button', 1, 'confirmed'],
  // The first press of a double click selects a row, and nothing more may come.
  [2, 'row', 1, 'confirmed'],
  // Not every toolkit reports everything.
  [2, 'button', 0, 'confirmed'],
] as const)('%d presses of a %s that were answered %d times are %s', (presses, role, times, effect) => {
  const judgement = withAllPresses(judged, { presses, role }, reported(times));
  expect(judgement.effect).toBe(effect);
  expect(judgement.evidence.join()).toMatch(
    effect === 'unverified' ? /not all of the \d presses/ : /^text changed$/,
  );
});
