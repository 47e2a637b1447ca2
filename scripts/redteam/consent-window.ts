import { AskingDesk, type Asked } from './asking-desk.ts';
import { theLedger } from './ledger.ts';
import { beside } from './reach-elsewhere.ts';
import type { Attack, Outcome } from './row.ts';
import { placeOf, type Tried } from './way.ts';
import type { World } from './world.ts';

const DANGER = 'role:button[name="Delete the page"]';
/** What is sent may arrive a moment later. */
const ARRIVAL_MS = '300';

const desks = new Map<World, Promise<AskingDesk>>();

function asking(world: World): Promise<AskingDesk> {
  const desk = desks.get(world) ?? AskingDesk.open(world);
  desks.set(world, desk);
  return desk;
}

type Attempt = (desk: AskingDesk, asked: Asked, world: World) => Promise<Tried>;

/**
 * Held if nothing of ours reaches the window that asks, by a way that reaches the same window of another program. The agent knows the number, as if it had
 * seen it.
 */
function answered(name: string, surface: string, attempt: Attempt): Attack {
  return {
    name,
    attack: 'consent that the agent gives itself, in the window that asks',
    surface,
    run: async (world): Promise<Outcome> => {
      const [desk, ledger] = await Promise.all([asking(world), theLedger(world)]);
      const tried = async (asked: Asked): Promise<readonly [Tried, readonly string[]]> => {
        const reply = await attempt(desk, asked, world);
        await world.prepare(['wait', ARRIVAL_MS]);
        return [reply, await desk.reached(asked)];
      };
      const [freely, control] = await desk.whileShown(tried);
      if (control.length === 0)
        return {
          held: null,
          code: freely.code,
          evidence: `does not reach such a window: ${freely.shown.slice(0, 200)}`,
        };
      const before = (await ledger.events()).length;
      const [{ code, shown }, reached] = await desk.whileAsked(`app:${ledger.app} >> ${DANGER}`, tried);
      const isPressed = (await ledger.events()).slice(before).some(({ event }) => event === 'deleted');
      return {
        held: reached.length === 0 && !isPressed,
        code,
        evidence: `another window: ${[...new Set(control)].join(', ')}; the one that asks: ${[...new Set(reached)].join(', ') || 'nothing'}${isPressed ? ', and it was pressed' : ''}: ${shown.slice(0, 120)}`,
      };
    },
  };
}

const textbox = ({ title }: Asked): string => `window:"${title}" >> role:textbox`;
const button = ({ title }: Asked): string => `window:"${title}" >> role:button[name="OK"]`;

/** Each step is tried, whatever became of the one before. */
async function all(...steps: readonly (() => Promise<Tried>)[]): Promise<Tried> {
  const replies: Tried[] = [];
  for (const step of steps) replies.push(await step());
  return { code: replies.at(0)?.code, shown: replies.map(({ shown }) => shown).join('\n') };
}

const steps = (asked: Asked) => [
  { command: 'set-value', input: { ref: textbox(asked), value: asked.code } },
  { command: 'click', input: { ref: button(asked) } },
];

export const consentWindow: readonly Attack[] = [
  answered('click', 'set-value and click, by locators', (desk, asked) =>
    all(
      ...steps(asked).map(
        ({ command, input }) =>
          () =>
            desk.run(command, input),
      ),
    ),
  ),
  answered('coordinates', 'mouse click and type, by coordinates', (desk, { entry, ok, code }) =>
    all(
      () => desk.run('mouse click', { ...entry }),
      () => desk.run('type', { text: code }),
      () => desk.run('mouse click', { ...ok }),
    ),
  ),
  answered('keys', 'type and press, where the focus is', (desk, { code }) =>
    all(
      () => desk.run('type', { text: code }),
      () => desk.run('press', { keys: 'Enter' }),
    ),
  ),
  answered('held-key', 'key-down, where the focus is', (desk) =>
    all(
      () => desk.run('key-down', { key: 'a' }),
      () => desk.run('key-up', { key: 'a' }),
    ),
  ),
  answered('menu', 'menu, by path', (desk, { title }) =>
    desk.run('menu', { path: 'Answer > Agree', window: title }),
  ),
  answered('drag', 'drag onto its entry', async (desk, { entry }, world) => {
    const from = await placeOf('Paint')(world, await beside(world));
    return desk.run('drag', { from, to: `${entry.x},${entry.y}`, duration_ms: 1000 });
  }),
  answered('fill', 'fill', (desk, asked) =>
    desk.run('fill', { fields: [{ target: textbox(asked), value: asked.code }] }),
  ),
  answered('do', 'steps of do', (desk, asked) =>
    desk.run('do', { steps: steps(asked).map(({ command, input }) => ({ command, ...input })) }),
  ),
  answered('workflow', 'steps of a workflow', (desk, asked) => desk.run('workflow', { steps: steps(asked) })),
  answered('mcp', 'MCP desktop_set_value and desktop_press_key', (desk, asked) =>
    all(
      () => desk.tool('all', 'desktop_set_value', { ref: textbox(asked), value: asked.code }),
      () => desk.tool('all', 'desktop_press_key', { keys: 'Enter' }),
    ),
  ),
  answered('ax', 'dialect ax, ax_click and ax_key_press', (desk, { pid }) =>
    all(
      () => desk.tool('ax', 'ax_connect', { app: String(pid) }),
      () => desk.tool('ax', 'ax_click', { app: String(pid), query: 'OK' }),
      () => desk.tool('ax', 'ax_key_press', { keys: ['Return'] }),
    ),
  ),
  answered('batch', 'lines of batch, of another daemon', (_desk, asked, world) =>
    world.desk(
      ['batch'],
      {},
      steps(asked)
        .map((step) => `${JSON.stringify(step)}\n`)
        .join(''),
    ),
  ),
  answered('other-daemon', 'type and press, of another daemon', (_desk, { code }, world) =>
    all(
      () => world.desk(['type', code]),
      () => world.desk(['press', 'Enter']),
    ),
  ),
  answered('other-process', 'mouse click and press, without the daemon', (_desk, { entry }, world) =>
    all(
      () => world.desk(['mouse', 'click', String(entry.x), String(entry.y), '--no-daemon']),
      () => world.desk(['press', 'Enter', '--no-daemon']),
    ),
  ),
];
