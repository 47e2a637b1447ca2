import { expect, it } from 'vitest';
import type { ResolvedConfiguration } from '../../src/model/configuration/config.ts';
import { fakeDesktop, fakeEngine } from '../commands/fake-engine.ts';
import { fakeApp } from './fake-app.ts';

const VARIABLE = 'DESKTERITY_CONFIRM_DESTRUCTIVE';

it('A file that begins to require consent counts with the next call, whatever a variable of the caller says', async () => {
  const { configuration } = fakeDesktop().ctx;
  let inFile: 'never' | 'require' = 'never';
  const settings = async (environment: Readonly<Record<string, string | undefined>>) => {
    const destructive = environment[VARIABLE] === undefined ? inFile : 'never';
    const entry = { key: 'confirmation.destructive', value: destructive, source: 'file' } as const;
    const values = { ...configuration.values, confirmation: { destructive } };
    return { ...configuration, values, entries: [entry] } satisfies ResolvedConfiguration;
  };
  const program = fakeApp(
    () => Promise.reject(new Error('no desktop was expected')),
    async () => fakeEngine({}),
    { configuration: settings },
  );
  // The client can be asked, so that no dialog opens here.
  const kill = (app: string) =>
    program.call(
      'default',
      'close-app',
      { app, force: true },
      { canConfirm: true, caller: { environment: { DISPLAY: ':1', [VARIABLE]: 'never' }, cwd: '/' } },
    );
  await expect(kill('one')).rejects.not.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  inFile = 'require';
  await expect(kill('two')).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
});
