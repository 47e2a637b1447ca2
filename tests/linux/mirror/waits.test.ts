import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FIXTURE_KINDS } from '../../../fixtures/driver.ts';
import { memoryStore } from '../../../scripts/proof/stage.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { createClock } from '../../../src/platform/node/clock.ts';
import { Stage } from '../long-lived/stage.ts';

const TURNS = 6;
const WAIT = { deadlineMs: 15_000 };
const LONG_MS = 120_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it.each(FIXTURE_KINDS)(
  'a waiter learns of a change in %s from a reading that asks only what an event told of',
  async (kind) => {
    const fixture = await stage.start(kind);
    const { desktop } = stage;
    const read = desktop.readTree.bind(desktop);
    const messages: Record<'mirrored' | 'anew', number[]> = { mirrored: [], anew: [] };
    desktop.readTree = async (request) => {
      const result = await read(request);
      messages[request.mirrored === true ? 'mirrored' : 'anew'].push(result.callCount);
      return result;
    };
    try {
      const engine = await createEngine({ desktop, session: memoryStore(), clock: createClock() });
      const app = String(fixture.pid);
      const write = (value: string): Promise<unknown> =>
        fixture.control('set', { widget: 'name', property: 'text', value });
      for (let turn = 0; turn < TURNS; turn++) {
        const text = `wake ${turn}`;
        const before = messages.anew.length;
        const found = engine.waitForText({ ...WAIT, text, app });
        while (messages.anew.length === before) await sleep(5);
        await write(text);
        expect((await found).element).toMatchObject({ value: text });
        expect(await fixture.control('get', { widget: 'name' })).toMatchObject({ text });
      }
      expect(messages.mirrored.length).toBeGreaterThan(0);
      expect(Math.min(...messages.mirrored)).toBeLessThan(Math.min(...messages.anew));
      const ref = `app:${app} >> role:button[name="Press"]`;
      await fixture.control('set', { widget: 'press', property: 'enabled', value: false });
      const enabled = engine.expect({ ...WAIT, ref, expected: { enabled: true } });
      await fixture.control('set', { widget: 'press', property: 'enabled', value: true });
      await enabled;
      expect(await fixture.control('get', { widget: 'press' })).toMatchObject({ enabled: true });
    } finally {
      desktop.readTree = read;
    }
  },
  LONG_MS,
);
