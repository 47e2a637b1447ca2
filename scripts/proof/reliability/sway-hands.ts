import type { Environment } from '../../../src/model/sessions/caller.ts';
import { swayWindows, type SwayNode } from '../../../tests/sway-tree.ts';
import { runOn, until, WindowIds, type Hands } from './hands.ts';

/** By swaymsg, and wtype for keys. Sway tells nobody where the pointer is. */
export function swayHands(environment: Environment): Hands {
  const swaymsg = (...args: readonly string[]): Promise<string> => runOn(environment, 'swaymsg', args);
  const windows = async (): Promise<readonly SwayNode[]> => swayWindows(await swaymsg('-t', 'get_tree'));
  const ids = new WindowIds(async (title) =>
    (await windows()).flatMap(({ id, name }) => (name === title ? [String(id)] : [])),
  );
  const find = async (title: string): Promise<SwayNode | undefined> => {
    const id = await ids.of(title);
    return (await windows()).find((node) => String(node.id) === id);
  };
  const command = async (title: string, words: string): Promise<string> =>
    swaymsg(`[con_id=${await ids.of(title)}]`, words);
  return {
    find: async (title) => {
      await ids.of(title);
    },
    isShown: async (title) => (await find(title))?.visible === true,
    activate: async (title) =>
      until(
        async () => {
          if ((await find(title))?.visible === false) await command(title, 'scratchpad show').catch(() => '');
          await command(title, 'focus');
        },
        async () => (await find(title))?.focused === true,
        `${title} did not become active`,
      ),
    minimize: async (title) => {
      await command(title, 'move scratchpad');
    },
    moveWindow: async (title, x, y) => {
      await command(title, `move absolute position ${x} px ${y} px`);
    },
    geometry: async (title) => {
      const node = await find(title);
      if (node === undefined) throw new Error(`no window ${title}`);
      const { rect, window_rect: inner } = node;
      return { x: rect.x + inner.x, y: rect.y + inner.y, width: inner.width, height: inner.height };
    },
    parkPointer: async () => {
      await swaymsg('seat - cursor set 5 5');
    },
    pointer: async () => undefined,
    pressEscape: async () => {
      await runOn(environment, 'wtype', ['-k', 'Escape']);
    },
    whatTheUserHas: async () => String((await windows()).find(({ focused }) => focused)?.id),
  };
}
