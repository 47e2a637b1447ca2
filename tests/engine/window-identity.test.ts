import { describe, expect, it } from 'vitest';
import { diffWindows } from '../../src/engine/evidence/window-diff.ts';
import { goesBy, membership, windowKey } from '../../src/engine/refs/window-identity.ts';
import type { DesktopWindow } from '../../src/ports/desktop.ts';

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

describe('a window that one side of the desktop knows before the other', () => {
  it('goes by both its ids', () => {
    expect([goesBy(shown, 'x11:0x7'), goesBy(shown, ACCESSIBLE), goesBy(shown, 'x11:0x8')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('neither opens when the display shows it nor closes when the display lets it go', () => {
    expect(diffWindows([early], [shown])).toEqual([]);
    expect(diffWindows([shown], [early])).toEqual([]);
  });

  it('is another one when another process has its id', () => {
    const mine = { ...shown, process: '5:100' };
    const others = { ...window('x11:0x7', 'atspi::1.9/window'), process: '9:200' };
    expect(goesBy(mine, windowKey(mine))).toBe(true);
    expect(goesBy(others, windowKey(mine))).toBe(false);
    expect(diffWindows([mine], [others])).toHaveLength(2);
  });

  it('is another one when the display says so', () => {
    const next = window('x11:0x8', ACCESSIBLE);
    expect(membership([shown])(next)).toBe(false);
    expect(diffWindows([shown], [next]).map(({ change }) => change.kind)).toEqual([
      'window_opened',
      'window_closed',
    ]);
  });
});
