import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.generated.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { ModedRequest } from '../../src/engine/requests/acting.ts';
import { MODES } from '../../src/model/effects/mode.ts';
import type { Backend, Mode } from '../../src/model/effects/mode.ts';
import { REFUSALS } from '../../src/model/effects/refusals.generated.ts';
import type { ActingCommand } from '../../src/model/effects/refusals.generated.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { button, DEADLINE, oneWindow, refOf, stage } from './support/stage.ts';

const FIRST: Readonly<Record<Mode, Backend>> = {
  background: 'accessibility',
  focus: 'keyboard',
  pointer: 'pointer',
};

const BY_MODE: Readonly<
  Partial<Record<ActingCommand, (engine: Engine, request: ModedRequest) => Promise<unknown>>>
> = {
  clear: (engine, request) => engine.act({ ...request, act: 'clear' }),
  click: (engine, request) => engine.click(request),
  collapse: (engine, request) => engine.act({ ...request, act: 'collapse' }),
  'double-click': (engine, request) => engine.gesture({ ...request, gesture: 'double-click' }),
  expand: (engine, request) => engine.act({ ...request, act: 'expand' }),
  focus: (engine, request) => engine.act({ ...request, act: 'focus' }),
  hover: (engine, request) => engine.gesture({ ...request, gesture: 'hover' }),
  'right-click': (engine, request) => engine.gesture({ ...request, gesture: 'right-click' }),
  scroll: (engine, request) => engine.scrollTo(request),
  'set-value': (engine, request) => engine.setValue({ ...request, value: 'x' }),
  toggle: (engine, request) => engine.act({ ...request, act: 'toggle' }),
  type: (engine, request) => engine.type({ ...request, text: 'x', delayMs: 0, clearFirst: false }),
};

const registry = createRegistry(commands);

function isRefused(command: ActingCommand, means: Backend): boolean {
  const guarantee = registry.get(command)?.definition.guarantee;
  if (guarantee === undefined) throw new Error(`${command} promises nothing`);
  return 'refused' in guarantee[means];
}

it('every command that acts has a guarantee, and only those', () => {
  const acting = registry.commands.filter(({ definition: { kind } }) => kind === 'act' || kind === 'input');
  expect(Object.keys(REFUSALS).toSorted()).toEqual(acting.map(({ name }) => name).toSorted());
});

it('commands with a mode are those that have more than one means, or none but the pointer', () => {
  const withMode = registry.commands.filter(({ definition }) => 'mode' in definition.input.shape);
  expect(withMode.map(({ name }) => name).filter((name) => !(name in BY_MODE) && name !== 'select')).toEqual(
    [],
  );
});

it.each(
  Object.entries(BY_MODE).flatMap(([command, run]) =>
    MODES.map((mode) => [command as ActingCommand, mode, run] as const),
  ),
)('%s in the mode %s is refused where the table says so, and nowhere else', async (command, mode, run) => {
  const on = await stage(oneWindow([button('go', 'Go', { role: 'combobox', actions: [] })]));
  const ref = await refOf(on.engine, 'Go');
  const answer = await run(on.engine, { ...DEADLINE, ref, mode }).then(
    () => '',
    (error: unknown) => String(error),
  );
  const isFirstRefused = isRefused(command, FIRST[mode]);
  // A mode may go on to the pointer where the keyboard has no way.
  const isPointerLeft = mode === 'focus' && !isRefused(command, 'pointer');
  expect(answer.includes(`cannot be done in the mode "${mode}"`)).toBe(isFirstRefused && !isPointerLeft);
});
