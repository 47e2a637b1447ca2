import { byAnyMeans, CHANGE_SEEN } from '../../model/effects/guarantees.ts';
import { actOptions } from '../../registry/define.ts';
import { elementCommand } from '../element-command.ts';

export default elementCommand({
  name: 'click',
  group: 'interaction',
  kind: 'act',
  guarantee: byAnyMeans(CHANGE_SEEN),
  title: 'Press an element',
  toolsets: ['core'],
  needs: ['tree'],
  summary: 'Press an element: through its accessibility action, or with the pointer where it has none.',
  description:
    'Waits up to 5 s until it is enabled. The receipt says what was seen: "confirmed" with evidence, or "unverified" when nothing visible came of it; "via" names the way. ' +
    '"changes" lists what came of it, with references that can be used at once.',
  examples: [
    { about: 'Press a button', input: { ref: '@e2' } },
    {
      about: 'Press it without disturbing whoever is at the desktop',
      input: { ref: '@e2', mode: 'background' },
    },
    { about: 'Press what a locator matches', input: { ref: 'role:button[name="Save"]' } },
    { about: 'Give a slow application more time', input: { ref: '@e2', timeout_ms: 30_000 } },
  ],
  run: async (ctx, input) => {
    const engine = await ctx.engine({ targets: [input.ref] });
    return engine.click({ ref: input.ref, ...actOptions(ctx, input) });
  },
});
