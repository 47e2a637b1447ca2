import { describe, expect, it } from 'vitest';
import { diffWindows } from '../../src/engine/evidence/window-diff.ts';
import { hasWindowKey, membership, windowKey } from '../../src/engine/refs/window-identity.ts';
import type { DesktopWindow } from '../../src/ports/desktop/windows.ts';

const ACCESSIBLE = 'atspi::1.5/window';

function window(id: string, otherId?: string): DesktopWindow {
  return {
    id,
    otherId,
    title: 'Confirm',
    appId: ':1.5',
    appName: 'Editor',
    pid: 5,
    focused: false,
    minimized: false,
    accessible: true,
  };
}

const early = window(ACCESSIBLE);
const shown = window('x11:0x7', ACCESSIBLE);

describe('a window that only display or accessibility knows first', () => {
  it('is identified by both its ids', () => {
    expect([
      hasWindowKey(shown, 'x11:0x7'),
      hasWindowKey(shown, ACCESSIBLE),
      hasWindowKey(shown, 'x11:0x8'),
    ]).toEqual([true, true, false]);
  });

  it('neither opens when the display shows it nor closes when the display drops it', () => {
    expect(diffWindows([early], [shown])).toEqual([]);
    expect(diffWindows([shown], [early])).toEqual([]);
  });

  it('is another one if another process has its id', () => {
    const mine = { ...shown, process: '5:100' };
    const others = { ...window('x11:0x7', 'atspi::1.9/window'), process: '9:200' };
    expect(hasWindowKey(mine, windowKey(mine))).toBe(true);
    expect(hasWindowKey(others, windowKey(mine))).toBe(false);
    expect(diffWindows([mine], [others])).toHaveLength(2);
  });

  it('is another one if the display reports another process', () => {
    const next = window('x11:0x8', ACCESSIBLE);
    expect(membership([shown])(next)).toBe(false);
    expect(diffWindows([shown], [next]).map(({ change }) => change.kind)).toEqual([
      'window_opened',
      'window_closed',
    ]);
  });
});
