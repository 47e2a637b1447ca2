import { expect, it } from 'vitest';
import setup from '../../../src/commands/system/setup.ts';
import type { SetupRequest } from '../../../src/ports/desktop/desktop-setup.ts';
import { fakeDesktop } from '../fake-engine.ts';

it('asks the platform, and tells what is allowed and what comes next', async () => {
  const { ctx } = fakeDesktop();
  const asked: [string, SetupRequest][] = [];
  const desktopSetup = async (name: string) => ({
    run: async (request: SetupRequest) => {
      asked.push([name, request]);
      return {
        file: '/home/me/file',
        hasChanged: true,
        content: request.isUndo ? undefined : 'text',
        also: ['Another one.'],
        allows: 'Everything.',
        next: 'Wait.',
      };
    },
  });
  const run = (input: Record<string, unknown>) =>
    setup.run({ ...ctx, desktopSetup }, setup.input.parse({ desktop: 'kde', ...input }));
  const done = await run({});
  expect(done).toEqual({
    desktop: 'kde',
    changed: true,
    dry_run: false,
    file: '/home/me/file',
    content: 'text',
    also: ['Another one.'],
    allows: 'Everything.',
    next: 'Wait.',
  });
  expect(setup.outline?.(done)).toBe('changed /home/me/file\nAnother one.\nEverything.\nWait.');
  const shown = await run({ dry_run: true });
  expect(setup.outline?.(shown)).toBe('would change /home/me/file\ntext\nAnother one.\nEverything.');
  expect(await run({ undo: true })).not.toHaveProperty('content');
  expect(asked).toMatchObject([
    ['kde', { isUndo: false, isTrial: false }],
    ['kde', { isUndo: false, isTrial: true }],
    ['kde', { isUndo: true, isTrial: false }],
  ]);
});
