import { join } from 'node:path';
import { TOOLS } from '../side/namespaces.ts';
import type { Kind } from './act.ts';
import type { Actor, Answer } from './actor.ts';

const ACT_MS = 10_000;

/** Acts through accessibility and believes it: what the instrument must see through. */
export const believer: Actor = {
  name: 'believer',
  tools: {},
  prepare: async (side, _seen, { kind, target, more, value }) => {
    if (!BELIEVED.has(kind)) return { excluded: 'no accessible action does it' };
    const act = async (): Promise<Answer> => {
      const { application, path } = more.at(-1) ?? target.key;
      const request = JSON.stringify({ application, path, kind, value });
      await side.output(['/usr/bin/python3', join(TOOLS, 'twins/act/accessibility.py'), request], ACT_MS);
      return { effect: 'confirmed', route: 'accessibility', words: 'it said so' };
    };
    return { act };
  },
};

const BELIEVED = new Set<Kind>(['click', 'toggle', 'select', 'set-value', 'menu']);

/** Does nothing and claims success: every act with an effect must be found. */
export const idler: Actor = {
  name: 'idler',
  tools: {},
  prepare: async () => ({
    act: async () => ({ effect: 'confirmed', route: 'none', words: 'it says so' }),
  }),
};
