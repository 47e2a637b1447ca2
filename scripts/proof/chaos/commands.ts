import { projectOf } from '../private-world.ts';
import { pick, type Random } from '../reliability/random.ts';
import type { SessionApp, AppEvent } from '../session-app.ts';
import type { World } from '../../../tests/e2e/support/kill-world.ts';
import type { Asked } from './judge.ts';

const DEADLINE_MS = 5000;
const LAUNCH_MS = 15_000;
export const SESSION = 'x';

/** A command that is given while a victim is struck. */
export interface Command extends Asked {
  readonly args: readonly string[];
}

/** Acts, each on another widget, so that the record tells them apart. */
function acts(app: SessionApp, token: string): readonly Command[] {
  const of = (
    name: string,
    args: readonly string[],
    happened: Asked['happened'],
    isCounted = false,
  ): Command => ({
    name,
    args: [...args, '--session', SESSION, '--timeout', String(DEADLINE_MS)],
    deadlineMs: DEADLINE_MS,
    ...(happened === undefined ? {} : { happened }),
    isCounted,
  });
  const on =
    (widget: string, event: string, value?: (value: unknown) => boolean) => (events: readonly AppEvent[]) =>
      events.filter((each) => each.widget === widget && each.event === event && (value?.(each.value) ?? true))
        .length;
  const field = app.locator('label:"Name"');
  return [
    of('click', ['click', app.locator('role:button[name="Press"]')], on('press', 'clicked'), true),
    of(
      'click by pointer',
      ['click', app.locator('role:button[name="Press"]'), '--mode', 'pointer'],
      on('press', 'clicked'),
      true,
    ),
    of('toggle', ['toggle', app.locator('role:checkbox[name="Agree"]')], on('agree', 'toggled'), true),
    of(
      'set-value',
      ['set-value', field, token],
      on('name', 'text-changed', (value) => value === token),
    ),
    of(
      'type',
      ['type', field, token],
      on('name', 'text-changed', (value) => String(value).includes(token)),
    ),
    of('snapshot', ['snapshot', '--app', String(app.pid)], undefined),
    of('find', ['find', 'Press', '--app', String(app.pid)], undefined),
    of('list-windows', ['list-windows'], undefined),
    of('list-apps', ['list-apps'], undefined),
    of('screenshot', ['screenshot', '--app', String(app.pid)], undefined),
    of('wait', ['wait', '--text', 'never there', '--app', String(app.pid)], undefined),
  ];
}

function others(world: World): readonly Command[] {
  return [
    { name: 'launch', deadlineMs: LAUNCH_MS, args: ['launch', 'galculator', '--wait', '--session', SESSION] },
    {
      name: 'terminal execute',
      shows: '"output":"done"',
      deadlineMs: DEADLINE_MS,
      args: ['terminal', 'execute', 'echo done', '--timeout-seconds', '5'],
    },
    {
      name: 'sandboxed-shell',
      shows: '9\\n10"',
      deadlineMs: DEADLINE_MS,
      args: ['sandboxed-shell', 'seq 10', '--timeout-seconds', '5', '--sandbox-scope', projectOf(world)],
    },
    { name: 'session list', deadlineMs: DEADLINE_MS, args: ['session', 'list'] },
  ];
}

/** Some commands that are given at once: at most one act, as two would be told apart by neither record nor person. */
export function someCommands(
  world: World,
  app: SessionApp,
  random: Random,
  token: string,
): readonly Command[] {
  const all = acts(app, token);
  const [act, read] = [
    pick(random, all.filter(isAct)),
    pick(
      random,
      all.filter((each) => !isAct(each)),
    ),
  ];
  return [act, read, pick(random, others(world))];
}

/** Those that a holder carries out. */
export function holderCommands(world: World): readonly Command[] {
  return others(world).filter(({ name }) => name === 'terminal execute' || name === 'sandboxed-shell');
}

export function reading(app: SessionApp): Command {
  const args = ['snapshot', '--app', String(app.pid), '--session', SESSION, '--timeout', String(DEADLINE_MS)];
  return { name: 'the next call', deadlineMs: DEADLINE_MS, args, shows: '"name":"Press"' };
}

function isAct({ happened }: Command): boolean {
  return happened !== undefined;
}
