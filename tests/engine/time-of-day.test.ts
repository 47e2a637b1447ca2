import { describe, expect, it } from 'vitest';
import { becameTimeOfDay } from '../../src/engine/evidence/time-of-day.ts';
import type { ObservedChange } from '../../src/engine/evidence/window-diff.ts';
import type { Role } from '../../src/model/tree/role.ts';
import { click, DEAD, STATUS } from './support/acting.ts';
import { button, oneWindow, stage } from './support/stage.ts';

const AT = new Date(2026, 10, 30, 15, 43, 2);

function shows(before: string, after: string, role: Role = 'text'): boolean {
  const node: ObservedChange['node'] = {
    handle: { app: 'app', path: 'clock' },
    role,
    nativeRole: 'label',
    name: after,
    states: [],
    bounds: undefined,
    children: [],
  };
  const change = { kind: 'changed' as const, role, before: `name "${before}"`, after: `name "${after}"` };
  return becameTimeOfDay({ change, node, key: 'clock', lineage: [] }, AT);
}

it.each([
  ['15:42:27', '15:43:00'],
  ['3:42', '3:43'],
  ['Mon 30 Nov 15∶\u200E42', 'Mon 30 Nov 15∶\u200E43'],
  ['15:41', '15:42'],
])('%s that became %s is the time of day', (before, after) => {
  expect(shows(before, after)).toBe(true);
});

it.each([
  ['15:10', '15:20'],
  ['00:25', '00:00'],
  ['115:42', '115:43'],
  ['Stopped at 15:42', 'Started at 15:43'],
  ['42', '43'],
])('%s that became %s is not', (before, after) => {
  expect(shows(before, after)).toBe(false);
});

it('the time that somebody entered is not', () => {
  expect(shows('15:42', '15:43', 'textbox')).toBe(false);
});

describe('a clock without seconds', () => {
  it('confirms no dead button', async () => {
    const time = (): string => new Date().toTimeString().slice(0, 5);
    const dead = button('dead', 'Dead', {
      onPress: (world) => world.change('app', 'status', { name: time() }),
    });
    const on = await stage(
      oneWindow([
        { ...STATUS, name: '99:99' },
        { ...DEAD, ...dead },
      ]),
    );
    expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
  });
});
