import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const SELECT = fileURLToPath(new URL('select.ts', import.meta.url));

/** Replaces the real `select.ts` by that of this folder. */
export const simulatedPlatform: Plugin = {
  name: 'simulated-platform',
  setup: (context) => {
    context.onResolve({ filter: /\/platform\/select\.ts$/ }, () => ({ path: SELECT }));
  },
};
