import { describe, expect, it } from 'vitest';
import { STATE } from '../../../src/platform/linux/atspi/tree/states.ts';
import { joinWindows } from '../../../src/platform/linux/desktop/window-join.ts';
import { bits } from './atspi/support/bits.ts';

const BOX = { x: 100, y: 100, width: 800, height: 600 };

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly pid: number | undefined;
  readonly bounds: typeof BOX;
  readonly active: boolean;
}

function shown(id: string, changes: Partial<Shown> = {}): Shown {
  return { id, title: 'Editor', pid: 10, bounds: BOX, active: false, ...changes };
}

function told(id: string, changes: Partial<ReturnType<typeof plain>> = {}) {
  return { ...plain(id), ...changes };
}

function plain(id: string) {
  return {
    id,
    title: 'Editor',
    states: bits(),
    extents: BOX as typeof BOX | undefined,
    application: { pid: 10 },
  };
}

function pairs(windows: readonly Shown[], topLevels: readonly ReturnType<typeof plain>[]): string[] {
  return joinWindows(windows, topLevels).map(
    (window) => `${window.shown?.id ?? '-'}:${window.topLevel?.id ?? '-'}`,
  );
}

const at = (x: number, y: number, width = 800, height = 600): typeof BOX => ({ x, y, width, height });

describe('two windows of one process', () => {
  it('are distinguished by title, in any order', () => {
    const windows = [shown('x1', { title: 'A' }), shown('x2', { title: 'B' })];
    expect(pairs(windows, [told('t2', { title: 'B' }), told('t1', { title: 'A' })])).toEqual([
      'x1:t1',
      'x2:t2',
    ]);
  });

  it('with the same title are distinguished by size', () => {
    const windows = [shown('x1', { bounds: at(0, 0, 400, 300) }), shown('x2')];
    const topLevels = [told('t2'), told('t1', { extents: at(0, 0, 400, 300) })];
    expect(pairs(windows, topLevels)).toEqual(['x1:t1', 'x2:t2']);
  });

  it('that swapped their sizes are matched by title', () => {
    const windows = [
      shown('x1', { title: 'A', bounds: at(0, 0, 400, 300) }),
      shown('x2', { title: 'B', bounds: at(0, 0, 900, 700) }),
    ];
    const topLevels = [
      told('t1', { title: 'A', extents: at(0, 0, 900, 700) }),
      told('t2', { title: 'B', extents: at(0, 0, 400, 300) }),
    ];
    expect(pairs(windows, topLevels)).toEqual(['x1:t1', 'x2:t2']);
  });

  it('with the same title and size are distinguished by position', () => {
    const windows = [shown('x1', { bounds: at(0, 0) }), shown('x2', { bounds: at(150, 0) })];
    expect(pairs(windows, [told('t2', { extents: at(150, 0) }), told('t1', { extents: at(0, 0) })])).toEqual([
      'x1:t1',
      'x2:t2',
    ]);
  });

  it('that are otherwise identical, in a toolkit without positions, are matched by the active state', () => {
    const windows = [shown('x1'), shown('x2', { active: true })];
    const topLevels = [
      told('t2', { states: bits(STATE.ACTIVE), extents: at(0, 0) }),
      told('t1', { extents: at(0, 0) }),
    ];
    expect(pairs(windows, topLevels)).toEqual(['x1:t1', 'x2:t2']);
    expect(pairs(windows.toReversed(), topLevels.toReversed())).toEqual(['x2:t2', 'x1:t1']);
  });

  it('of a toolkit without titles are matched by size', () => {
    const windows = [shown('x1', { title: 'A', bounds: at(0, 0, 400, 300) }), shown('x2', { title: 'B' })];
    expect(
      pairs(windows, [told('t2', { title: '' }), told('t1', { title: '', extents: at(0, 0, 400, 300) })]),
    ).toEqual(['x1:t1', 'x2:t2']);
  });
});

describe('a title to which the application adds something for screen readers', () => {
  const windows = [shown('x1', { title: 'Page - Browser', active: true, bounds: at(0, 0, 1042, 976) })];
  const menu = told('menu', { title: '', states: bits(STATE.ACTIVE), extents: at(600, 275, 447, 425) });
  const page = (title: string) => told('page', { title, extents: at(0, 0, 1050, 980) });

  it('still belongs to its window, and not to an open menu', () => {
    expect(pairs(windows, [menu, page('Page - Network error - Browser')])).toEqual(['x1:page', '-:menu']);
    expect(pairs(windows, [menu, page('Page - Browser - Pinned')])).toEqual(['x1:page', '-:menu']);
  });

  it('is told from another title', () => {
    const other = shown('x2', { title: 'Pages - Browser', bounds: at(0, 0, 1042, 976) });
    const both = [
      told('t2', { title: 'Pages - Browser', extents: at(0, 0, 1050, 980) }),
      page('Page - Muted - Browser'),
    ];
    expect(pairs([...windows, other], both)).toEqual(['x1:page', 'x2:t2']);
  });
});

describe('sizes', () => {
  it('agree at twice the scale', () => {
    const windows = [
      shown('x1', { bounds: at(200, 200, 1600, 1200) }),
      shown('x2', { bounds: at(0, 0, 600, 400) }),
    ];
    const topLevels = [told('t2', { extents: at(0, 0, 300, 200) }), told('t1', { extents: at(100, 100) })];
    expect(pairs(windows, topLevels)).toEqual(['x1:t1', 'x2:t2']);
  });

  it('agree within a shadow', () => {
    const windows = [shown('x1', { title: 'A', bounds: at(90, 90, 852, 652) })];
    expect(pairs(windows, [told('t1', { title: 'B' })])).toEqual(['x1:t1']);
  });

  it('that are missing leave the match to the title', () => {
    const windows = [shown('x1', { title: 'A' }), shown('x2', { title: 'B' })];
    const topLevels = [
      told('t2', { title: 'B', extents: undefined }),
      told('t1', { title: 'A', extents: at(0, 0, 0, 0) }),
    ];
    expect(pairs(windows, topLevels)).toEqual(['x1:t1', 'x2:t2']);
  });
});

describe('processes', () => {
  it('that differ are never joined, however similar their windows', () => {
    expect(pairs([shown('x1', { pid: 11 })], [told('t1')])).toEqual(['x1:-', '-:t1']);
  });

  it('that are unknown to the display are joined by title alone', () => {
    const windows = [shown('x1', { pid: undefined }), shown('x2', { pid: undefined, title: 'Other' })];
    expect(pairs(windows, [told('t1', { extents: undefined })])).toEqual(['x1:t1', 'x2:-']);
    expect(pairs([shown('x1', { pid: undefined, title: '' })], [told('t1', { title: '' })])).toEqual([
      'x1:-',
      '-:t1',
    ]);
  });

  it('with the right title take precedence over a window without a process', () => {
    const windows = [shown('x1', { pid: undefined, bounds: at(0, 0, 10, 10) }), shown('x2')];
    expect(pairs(windows, [told('t1')])).toEqual(['x1:-', 'x2:t1']);
  });
});

describe('windows on only one side', () => {
  it('stay unpaired when the display has more than the application lists', () => {
    const windows = [shown('x1', { title: 'Splash', bounds: at(0, 0, 300, 100) }), shown('x2')];
    expect(pairs(windows, [told('t1')])).toEqual(['x1:-', 'x2:t1']);
  });

  it('stay unpaired when neither title nor size matches', () => {
    const windows = [shown('x1', { title: 'Splash', bounds: at(0, 0, 300, 100) })];
    expect(pairs(windows, [told('t1')])).toEqual(['x1:-', '-:t1']);
  });

  it('are all listed, once', () => {
    const windows = [shown('x1'), shown('x2'), shown('x3')];
    const joined = pairs(windows, [told('t1'), told('t2'), told('t3', { application: { pid: 99 } })]);
    expect(joined).toHaveLength(4);
    expect(new Set(joined.flatMap((pair) => pair.split(':'))).size).toBe(7);
  });

  it('are none when there are none', () => {
    expect(pairs([], [])).toEqual([]);
  });
});
