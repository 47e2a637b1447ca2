import { expect, it } from 'vitest';
import type { ConsentAnswer } from '../../src/model/effects/consent-answer.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import { createPlatform } from '../../src/platform/select.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';
import { app, button, windowWith } from '../engine/support/stage.ts';
import { deskWorld } from '../surfaces/mcp/resources/desk-world.ts';

const REF = 'role:button[name="Delete all"]';

/** An application with a dangerous button, where consent is required, and the user at the desktop. */
function scene(answer: (world: ReturnType<typeof deskWorld>) => Promise<ConsentAnswer>) {
  const [pressed, asked]: [string[], string[]] = [[], []];
  const press = button('delete', 'Delete all', { onPress: () => pressed.push('delete') });
  const { configuration } = fakeDesktop().ctx;
  const values = { ...configuration.values, confirmation: { destructive: 'require' as const } };
  const world = deskWorld([app({ windows: [windowWith([press], { title: 'Notes' })] })], {
    clock: createClock(),
    configuration: async () => ({ ...configuration, values }),
    platform: {
      ...createPlatform(),
      askOnDesktop: async (_, question) => {
        asked.push(question);
        return answer(world);
      },
    },
  });
  return { ...world, pressed, asked };
}

it.each([
  ['agreed', { exitCode: 0 }, ['delete']],
  ['declined', { exitCode: 10 }, []],
  ['absent', { exitCode: 10 }, []],
] as const)('if the user at the desktop has %s', async (answer, outcome, presses) => {
  const { app: desk, pressed, asked } = scene(async () => answer);
  expect(await desk.execute('default', 'click', { ref: REF })).toMatchObject(outcome);
  expect(asked).toEqual([expect.stringContaining('click button "Delete all"')]);
  expect(pressed).toEqual(presses);
});

it('asks for neither a dry run, nor steps, nor what a client that shows forms is asked', async () => {
  const { app: desk, asked, pressed } = scene(async () => 'agreed');
  await desk.execute('default', 'click', { ref: REF, dry_run: true });
  await desk.execute('default', 'do', { steps: [{ command: 'click', ref: REF }] });
  const asking = desk.answer('default', 'click', { ref: REF }, { form: 'outline', canConfirm: true });
  await expect(asking).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  expect([asked, pressed]).toEqual([[], []]);
});

it('refuses the acts of others while the user is asked', async () => {
  let other = '';
  const { app: desk, pressed } = scene(async (world) => {
    other = (await world.app.execute('other', 'click', { ref: REF }, { mayCreateSession: true })).stdout;
    return 'declined';
  });
  await desk.execute('default', 'click', { ref: REF });
  expect(other).toContain('CONFLICT');
  expect(pressed).toEqual([]);
});
