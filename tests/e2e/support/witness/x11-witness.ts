import type { Place } from '../../harness.ts';
import { until } from '../../../until.ts';
import type { Witness } from './witness.ts';

const PREFIX = 'x11:';

/** By xdotool, xprop and xwininfo. */
export function x11Witness(place: Place): Witness {
  return {
    prefix: PREFIX,
    activate: async (title) => {
      let id = '';
      await until(async () => {
        const search = ['search', '--onlyvisible', '--name', escapePattern(title)];
        id = (await place.run('xdotool', search).catch(() => '')).trim().split('\n').at(-1) ?? '';
        return id !== '';
      }, `a window ${title}`);
      await place.run('xdotool', ['windowactivate', '--sync', id]);
    },
    press: async (...keys) => {
      await place.run('xdotool', ['key', ...keys]);
    },
    clickAt: async (x, y) => {
      await place.run('xdotool', ['mousemove', '--sync', String(x), String(y), 'click', '1']);
    },
    parkPointer: async () => {
      await place.run('xdotool', ['mousemove', '--sync', '3', '1000']);
    },
    facts: (id) => factsOf(place, id.replace(PREFIX, '')),
    hasWindow: async (id) =>
      (await place.run('xprop', ['-root', '_NET_CLIENT_LIST'])).includes(id.replace(PREFIX, '')),
  };
}

async function factsOf(place: Place, id: string) {
  const [info, properties, root] = await Promise.all([
    place.run('xwininfo', ['-id', id]),
    place.run('xprop', ['-id', id, '_NET_WM_STATE', '_GTK_FRAME_EXTENTS']),
    place.run('xprop', ['-root', '_NET_ACTIVE_WINDOW']),
  ]);
  const number = (label: string): number => Number(new RegExp(`${label}: +(-?\\d+)`).exec(info)?.[1]);
  // Shadows drawn by the toolkit are part of the X window, but not of the window that people see.
  const shadows = /EXTENTS.*= ([\d, ]+)/.exec(properties)?.[1] ?? '0, 0, 0, 0';
  const [left = 0, right = 0, top = 0, bottom = 0] = shadows.split(', ').map(Number);
  const states = properties.replaceAll(/\s+/g, ' ');
  return {
    x: number('Absolute upper-left X') + left,
    y: number('Absolute upper-left Y') + top,
    width: number('Width') - left - right,
    height: number('Height') - top - bottom,
    isMinimized: states.includes('HIDDEN'),
    isMaximized: /MAXIMIZED_VERT.*MAXIMIZED_HORZ/.test(states),
    isActive: /0x[0-9a-f]+/.exec(root)?.[0] === id,
  };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
