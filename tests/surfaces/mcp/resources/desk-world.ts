import { createEngine } from '../../../../src/engine/create-engine.ts';
import type { App, AppParts } from '../../../../src/app/app.ts';
import type { RequestChannel } from '../../../../src/surfaces/mcp/connections/connection.ts';
import { openClientCalls } from '../../../../src/surfaces/mcp/tools/client-calls.ts';
import { SimulatedDesktop } from '../../../simulated/simulated-desktop.ts';
import { SimulatedWorld, type SimulatedApp } from '../../../simulated/simulated-world.ts';
import { fakeApp } from '../../../app/fake-app.ts';

/** The whole program below an MCP connection, on a simulated desktop. */
export function deskWorld(apps: SimulatedApp[], changes: Partial<AppParts> = {}) {
  const world = new SimulatedWorld(apps);
  const desktop = new SimulatedDesktop(world);
  const app: App = fakeApp(
    async () => desktop,
    () => Promise.reject(new Error('see createEngine')),
    {
      createEngine: (parts) => createEngine({ ...parts, clock: world.clock }),
      outlivesCalls: true,
      ...changes,
    },
  );
  const calls = openClientCalls({
    app,
    caller: { environment: { DISPLAY: ':1' }, cwd: '/' },
    session: undefined,
  });
  return { world, desktop, app, calls };
}

/** What a request says that says nothing; only the signal is ever asked for. */
export const VOICE: Pick<RequestChannel, 'signal'> = { signal: new AbortController().signal };
