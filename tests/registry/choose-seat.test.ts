import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.generated.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { seatRefusal } from '../../src/model/effects/seat-refusal.ts';
import { byOwnSeat, inputOf, usedInput } from '../../src/model/effects/via.ts';
import { createRegistry, type RegisteredCommand } from '../../src/registry/registry.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { fakeDesktop, fakeEngine, type Call } from '../commands/fake-engine.ts';

const registry = createRegistry(commands);
const REF = { ref: '@e4' };

function commandOf(name: string): RegisteredCommand {
  const command = registry.get(name);
  if (command === undefined) throw new Error(`no command ${name}`);
  return command;
}

/** Runs `click`; resolves with which engine was asked for which seat. */
interface Circumstances {
  readonly setting?: string;
  readonly hasSeat?: boolean;
  /** What an act on the own seat fails with. */
  readonly failure?: DeskterityError;
  readonly held?: ReturnType<Engine['heldOn']>;
}

async function clicked(
  input: object,
  { setting = 'shared', hasSeat = true, failure, held }: Circumstances = {},
): Promise<string[]> {
  const asked: string[] = [];
  const calls: Call[] = [];
  const click = (seat: string) => async () => {
    asked.push(seat);
    if (seat === 'own' && failure !== undefined) throw failure;
    return { effect: 'confirmed' } as never;
  };
  const shared: Engine = {
    ...fakeEngine({ click: click('shared'), heldOn: () => held }, calls),
    onOwnSeat: ({ isRequired }) => {
      if (hasSeat) return fakeEngine({ click: click('own') });
      if (isRequired) throw new DeskterityError('ACTION_NOT_SUPPORTED', 'None.', { suggestion: 'None.' });
      return shared;
    },
  };
  const { ctx } = fakeDesktop({}, { engine: async () => shared });
  const { configuration } = ctx;
  const values = { ...configuration.values, input: { seat: setting === 'own' ? 'own' : 'shared' } } as const;
  await invoke(
    commandOf('click'),
    { ...ctx, configuration: { ...configuration, values } },
    { ...REF, ...input },
  );
  return asked;
}

describe('the seat of an act', () => {
  it('is that of the user, unless the call or the setting says otherwise', async () => {
    expect(await clicked({})).toEqual(['shared']);
    expect(await clicked({ seat: 'own' })).toEqual(['own']);
    expect(await clicked({}, { setting: 'own' })).toEqual(['own']);
    expect(await clicked({ seat: 'shared' }, { setting: 'own' })).toEqual(['shared']);
  });

  it('is no reason to fail where there is none, but for a call that asks for it', async () => {
    expect(await clicked({}, { setting: 'own', hasSeat: false })).toEqual(['shared']);
    await expect(clicked({ seat: 'own' }, { hasSeat: false })).rejects.toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
    });
  });

  it('is that of the user for what is not done with another, unless the call asks for that', async () => {
    const failure = seatRefusal('Not proven.').with({ suggestion: 'Told otherwise.' });
    expect(await clicked({}, { setting: 'own', failure })).toEqual(['own', 'shared']);
    await expect(clicked({ seat: 'own' }, { failure })).rejects.toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
    });
    const other = new DeskterityError('ACTION_NOT_SUPPORTED', 'No.', { suggestion: 'None.' });
    await expect(clicked({}, { setting: 'own', failure: other })).rejects.toMatchObject({ message: 'No.' });
  });

  it('is the one on which the session holds something, and no other can be named', async () => {
    const held = { seat: 'own', held: ['Shift'] } as const;
    expect(await clicked({}, { held })).toEqual(['own']);
    expect(await clicked({}, { setting: 'own', held: { seat: 'shared', held: ['Shift'] } })).toEqual([
      'shared',
    ]);
    await expect(clicked({ seat: 'shared' }, { held })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'This session holds Shift down with its own keyboard and pointer.',
    });
  });

  it('can be chosen for the acts that were tried with it, and no others', () => {
    const taking = registry.commands.filter(({ input }) => 'seat' in input.shape).map(({ name }) => name);
    expect(taking.toSorted()).toEqual([
      'click',
      'double-click',
      'drag',
      'hover',
      'key-down',
      'key-up',
      'mouse click',
      'mouse down',
      'mouse move',
      'mouse up',
      'mouse wheel',
      'press',
      'right-click',
      'scroll',
      'triple-click',
      'type',
    ]);
  });

  it('is told by how it was done', () => {
    expect(byOwnSeat('pointer:left button at 3,4')).toBe('pointer:left button at 3,4 (own seat)');
    expect(byOwnSeat('atspi:click')).toBe('atspi:click');
    expect(usedInput(byOwnSeat('keyboard:5 characters'))).toBe(true);
    expect(inputOf(byOwnSeat('keyboard:5 characters'))).toBe('keyboard');
  });
});
