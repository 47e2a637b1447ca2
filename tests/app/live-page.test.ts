import { expect, it } from 'vitest';
import type { LivePlace } from '../../src/sessions/live/shown-session.ts';
import { fakeEngine } from '../commands/fake-engine.ts';
import { app, DEADLINE, stage, windowWith } from '../engine/support/stage.ts';
import { policy } from '../policy/policy-of.ts';
import { fakeApp } from './fake-app.ts';

it('A live page shows and reaches what the policy allows, also one that is tightened later', async () => {
  const { desktop } = await stage([
    app({ id: 'vault', name: 'Vault', windows: [windowWith([], { id: 'safe', title: 'hunter2' })] }),
  ]);
  let shown: LivePlace | undefined;
  let rules = policy({});
  const program = fakeApp(
    async () => desktop,
    async () => fakeEngine({ focused: async () => undefined }),
    {
      outlivesCalls: true,
      policy: async () => rules,
      openLiveView: async () => ({
        show: async (_name, place) => {
          shown = place;
          return 'http://127.0.0.1/page';
        },
        isWatched: false,
        close: async () => undefined,
      }),
    },
  );
  await program.call('default', 'focused', {});
  await program.call('default', 'session view', { live: true });
  const page = await shown?.desktop();
  expect(await page?.listWindows(DEADLINE)).toMatchObject([{ title: 'hunter2' }]);
  rules = policy({ applications: { denied: ['vault'] } });
  await program.call('default', 'focused', {});
  expect(JSON.stringify(await page?.listWindows(DEADLINE))).not.toContain('hunter2');
  for (const reach of [
    page?.capture({ kind: 'window', windowId: 'safe' }, DEADLINE),
    page?.controlWindow('safe', { kind: 'focus' }, DEADLINE),
  ])
    await expect(reach).rejects.toMatchObject({ code: 'POLICY_DENIED' });
  await program.close();
});
