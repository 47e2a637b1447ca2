import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PageServer } from '../../fixtures/browser/page-server.ts';

let server: PageServer;
beforeEach(async () => {
  server = await PageServer.start();
});
afterEach(() => server.close());

/** What the page's script does. */
const at = (path: string): string => new URL(path, server.url).href;
const post = (path: string, told: unknown): Promise<Response> =>
  fetch(at(path), { method: 'POST', body: JSON.stringify(told) });

describe('the server of the fixture page', () => {
  it('hands the next request over, and resolves with its result', async () => {
    const asked = fetch(at('/order'));
    const result = server.control('get', { widget: 'name' }, 5000);
    const order: unknown = await (await asked).json();
    expect(order).toEqual({ id: 1, op: 'get', fields: { widget: 'name' } });
    await post('/done', { id: 1, result: { text: 'a' } });
    expect(await result).toEqual({ text: 'a' });
  });

  it('fails with what the page refuses, and when it does not answer', async () => {
    const refused = server.control('swap', {}, 5000);
    await (await fetch(at('/order'))).json();
    await Promise.all([
      expect(refused).rejects.toThrow('no widget undefined'),
      post('/done', { id: 1, error: 'no widget undefined' }),
    ]);
    await expect(server.control('get', {}, 50)).rejects.toThrow('did not answer get within 50 ms');
  });

  it('keeps the record in its order', async () => {
    const event = (seq: number, event: string) => ({ seq, time_ms: 1, widget: 'press', event, value: null });
    await post('/events', [event(1, 'focus-in'), { ...event(2, 'clicked'), isTrusted: true }]);
    await post('/events', [event(3, 'clicked')]);
    expect(server.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(server.events[1]?.isTrusted).toBe(true);
  });

  it('serves nothing but the page', async () => {
    expect(await (await fetch(at('/page.html'))).text()).toContain('page.js');
    expect((await fetch(at('/driver.ts'))).status).toBe(404);
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });
});
