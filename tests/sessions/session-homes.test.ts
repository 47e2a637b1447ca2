import { describe, expect, it } from 'vitest';
import type { DesktopPort } from '../../src/ports/desktop/desktop.ts';
import { fakeEngine } from '../commands/fake-engine.ts';
import { fakeApp } from '../app/fake-app.ts';

describe('callers with separate folders', () => {
  const caller = (home: string) => ({ environment: { DISPLAY: ':1', HOME: home }, cwd: '/' });

  function host() {
    const desktop: Partial<DesktopPort> = {
      desktopId: async () => 'here',
      close: async () => undefined,
      input: {} as DesktopPort['input'],
      clipboard: {} as DesktopPort['clipboard'],
    };
    return fakeApp(
      // Only what the host itself uses of a desktop.
      async () => desktop as DesktopPort,
      async () => fakeEngine({ focused: async () => undefined }),
    );
  }

  it('have different sessions with the same name', async () => {
    const shared = host();
    const names = async (home: string): Promise<unknown> =>
      (await shared.call('default', 'session list', {}, { caller: caller(home) }))['sessions'];
    await shared.call('default', 'focused', {}, { caller: caller('/a') });
    await shared.call('default', 'session new', { name: 'other' }, { caller: caller('/b') });
    await shared.call('other', 'focused', {}, { caller: caller('/b') });
    expect(await names('/a')).toMatchObject([{ name: 'default' }]);
    expect(await names('/b')).toMatchObject([{ name: 'other' }]);
    await expect(
      shared.call('default', 'session kill', { name: 'other' }, { caller: caller('/a') }),
    ).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(await names('/b')).toMatchObject([{ name: 'other' }]);
  });
});
