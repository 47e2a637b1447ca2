import type { Place } from '../../harness.ts';
import { until } from '../../../until.ts';
import { swayWindows, type SwayNode } from '../../../sway-tree.ts';
import type { Witness } from './witness.ts';

const PREFIX = 'sway:';
/** Applications need a moment to notice a new keyboard, and miss what comes before. */
const NOTICED_MS = '150';

/** By swaymsg, and wtype for keys. */
export function swayWitness(place: Place): Witness {
  const windows = async (): Promise<readonly SwayNode[]> =>
    swayWindows(await place.run('swaymsg', ['-t', 'get_tree']));
  const find = async (id: string): Promise<SwayNode | undefined> =>
    (await windows()).find((node) => `${PREFIX}${node.id}` === id);
  return {
    prefix: PREFIX,
    activate: (title) =>
      until(async () => {
        const found = (await windows()).findLast(
          ({ name, visible }) => visible === true && name?.includes(title) === true,
        );
        if (found?.focused === true) return true;
        if (found !== undefined) await place.run('swaymsg', [`[con_id=${found.id}]`, 'focus']);
        return false;
      }, `a window ${title} in front`),
    press: async (...keys) => {
      await place.run('wtype', ['-s', NOTICED_MS, ...keys.flatMap(asWtype)]);
    },
    clickAt: async (x, y) => {
      const acts = [`set ${x} ${y}`, 'press button1', 'release button1'];
      await place.run('swaymsg', [acts.map((act) => `seat seat0 cursor ${act}`).join('; ')]);
    },
    parkPointer: async () => {
      await place.run('swaymsg', ['seat - cursor set 3 1000']);
    },
    facts: async (id) => {
      const node = await find(id);
      if (node === undefined) throw new Error(`sway has no window ${id}`);
      const { rect, window_rect: inner, focused, visible } = node;
      const place = { x: rect.x + inner.x, y: rect.y + inner.y };
      // Sway has no maximized windows; hidden ones are on its scratchpad.
      const states = { isMinimized: visible !== true, isMaximized: false, isActive: focused };
      return { ...place, width: inner.width, height: inner.height, ...states };
    },
    hasWindow: async (id) => (await find(id)) !== undefined,
  };
}

/** `ctrl+n` as wtype writes it. */
function asWtype(keys: string): readonly string[] {
  const parts = keys.split('+');
  const modifiers = parts.slice(0, -1);
  return [
    ...modifiers.flatMap((name) => ['-M', name]),
    '-k',
    parts.at(-1) ?? '',
    ...modifiers.flatMap((name) => ['-m', name]),
  ];
}
