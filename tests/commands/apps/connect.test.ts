import { describe, expect, it } from 'vitest';
import connect from '../../../src/commands/apps/connect.ts';
import disconnect from '../../../src/commands/apps/disconnect.ts';
import { fakeDesktop } from '../fake-engine.ts';
import { WINDOW } from '../samples.ts';

const LEFT = { alias: 'left', app: 'Mail', pid: 4242 };

describe('connect', () => {
  it('gives the application and its alias to the engine, and answers with its windows', async () => {
    const { ctx, calls } = fakeDesktop({ connect: async () => ({ ...LEFT, windows: [WINDOW] }) });
    const output = await connect.run(ctx, connect.input.parse({ app: '4242', alias: 'left' }));
    expect(calls).toMatchObject([{ method: 'connect', request: { app: '4242', alias: 'left' } }]);
    expect(output).toEqual({ ...LEFT, windows: [WINDOW] });
    expect(connect.outline?.(output)).toContain('connected left: "Mail" pid=4242\n');
  });

  it.each(['', '42', 'a b', '@w1', 'x'.repeat(64), 'a>>b', '__proto__ x'])(
    'refuses the alias %j',
    (alias) => {
      expect(connect.input.safeParse({ app: 'Mail', alias }).success).toBe(false);
    },
  );

  it.each(['mail', 'Œuvre_2', 'a.b-c'])('accepts the alias %j', (alias) => {
    expect(connect.input.safeParse({ app: 'Mail', alias }).success).toBe(true);
  });
});

describe('disconnect', () => {
  it('forgets one alias or all, and needs to know which', async () => {
    const { ctx, calls } = fakeDesktop({ disconnect: async () => [LEFT] });
    const output = await disconnect.run(ctx, disconnect.input.parse({ alias: 'left' }));
    await disconnect.run(ctx, disconnect.input.parse({ all: true }));
    expect(calls.map(({ request }) => request)).toEqual([{ alias: 'left' }, { alias: undefined }]);
    expect(disconnect.outline?.(output)).toBe('disconnected left: "Mail" pid=4242');
    for (const wrong of [{}, { alias: 'left', all: true }])
      expect(disconnect.input.safeParse(wrong).success).toBe(false);
  });
});
