import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.generated.ts';
import { MODES, type Backend, type Mode } from '../../src/model/effects/mode.ts';
import { REFUSALS } from '../../src/model/effects/refusals.generated.ts';
import { createRegistry, type RegisteredCommand } from '../../src/registry/registry.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';
import { button, DEADLINE, oneWindow, refOf, stage } from './support/stage.ts';

const FIRST: Readonly<Record<Mode, Backend>> = {
  background: 'accessibility',
  focus: 'keyboard',
  pointer: 'pointer',
};

const registry = createRegistry(commands);
// Others pass the mode on to commands that are tried here.
const withMode = registry.commands.filter(
  ({ definition: { input } }) =>
    'mode' in input.shape && !('fields' in input.shape || 'steps' in input.shape),
);

function isRefused(command: RegisteredCommand, means: Backend): boolean {
  const { guarantee } = command.definition;
  if (guarantee === undefined) throw new Error(`${command.name} promises nothing`);
  return 'refused' in guarantee[means];
}

async function target() {
  const on = await stage(oneWindow([button('go', 'Go', { role: 'combobox', actions: [] })]));
  return { engine: on.engine, ref: await refOf(on.engine, 'Go') };
}

it('every command that acts has a guarantee, and only those', () => {
  const acting = registry.commands.filter(({ definition: { kind } }) => kind === 'act' || kind === 'input');
  expect(Object.keys(REFUSALS).toSorted()).toEqual(acting.map(({ name }) => name).toSorted());
});

it('exactly the commands with more than one means, or only the pointer, have a mode', () => {
  const means = withMode.map((command) => Object.values(FIRST).filter((one) => !isRefused(command, one)));
  expect(means.filter((open) => open.length < 2 && open[0] !== 'pointer')).toEqual([]);
});

it.each(withMode.flatMap((command) => MODES.map((mode) => [command.name, mode, command] as const)))(
  '%s in the mode %s is refused exactly if the table says so',
  async (_, mode, command) => {
    const { engine, ref } = await target();
    const { ctx } = fakeDesktop({}, { engine: async () => engine });
    const [example] = command.definition.examples;
    const input = command.input.parse({ ...example?.input, ref, mode });
    const answer = await command.definition.run(ctx, input).then(
      () => '',
      (error: unknown) => String(error),
    );
    const isFirstRefused = isRefused(command, FIRST[mode]);
    // A mode may continue with the pointer if the keyboard cannot do it.
    const isPointerLeft = mode === 'focus' && !isRefused(command, 'pointer');
    expect(answer.includes(`cannot be done in the mode "${mode}"`)).toBe(isFirstRefused && !isPointerLeft);
  },
);

// The command has no mode, but the engine does.
it.each(MODES)('scroll in the mode %s is refused exactly if the table says so', async (mode) => {
  const { engine, ref } = await target();
  const scroll = registry.get('scroll');
  if (scroll === undefined) throw new Error('no command scroll');
  const answer = await engine.scrollTo({ ...DEADLINE, ref, mode }).then(
    () => '',
    (error: unknown) => String(error),
  );
  const isPointerLeft = mode === 'focus' && !isRefused(scroll, 'pointer');
  expect(answer.includes(`cannot be done in the mode "${mode}"`)).toBe(
    isRefused(scroll, FIRST[mode]) && !isPointerLeft,
  );
});
