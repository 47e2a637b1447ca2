import type { Environment } from '../../../src/model/sessions/caller.ts';
import { runOn, until, WindowIds, type Box, type Hands } from './hands.ts';

/** By xdotool. */
export function x11Hands(environment: Environment): Hands {
  const xdotool = (...args: readonly string[]): Promise<string> => runOn(environment, 'xdotool', args);
  const shown = async (title: string): Promise<readonly string[]> => {
    const pattern = `^${title.replace(/[()]/g, '\\$&')}$`;
    const ids = await xdotool('search', '--onlyvisible', '--name', pattern).catch(() => '');
    return ids.split('\n').filter((id) => id !== '');
  };
  const ids = new WindowIds(shown);
  return {
    find: async (title) => {
      await ids.of(title);
    },
    isShown: async (title) => (await shown(title)).length > 0,
    activate: async (title) => {
      const id = await ids.of(title);
      await until(
        () => xdotool('windowactivate', id).catch(() => ''),
        async () => (await xdotool('getactivewindow').catch(() => '')) === id,
        `${title} did not become active`,
      );
    },
    minimize: async (title) => {
      await xdotool('windowminimize', await ids.of(title));
    },
    moveWindow: async (title, x, y) => {
      await xdotool('windowmove', await ids.of(title), String(x), String(y));
    },
    geometry: async (title): Promise<Box> => {
      const told = await xdotool('getwindowgeometry', '--shell', await ids.of(title));
      const value = (name: string): number => Number(new RegExp(`^${name}=(-?\\d+)$`, 'm').exec(told)?.[1]);
      return { x: value('X'), y: value('Y'), width: value('WIDTH'), height: value('HEIGHT') };
    },
    parkPointer: async () => {
      await xdotool('mousemove', '5', '5');
    },
    pointer: async () => {
      const [x = -1, y = -1] = (await xdotool('getmouselocation', '--shell'))
        .split('\n')
        .map((line) => Number(line.split('=')[1]));
      return { x, y };
    },
    pressEscape: async () => {
      await xdotool('key', 'Escape');
    },
    whatTheUserHas: () => xdotool('getmouselocation', 'getactivewindow'),
  };
}
