import type { Attack } from './row.ts';
import {
  against,
  another,
  inFront,
  placeOf,
  refOf,
  sees,
  text,
  windowRef,
  type Args,
  type Prepare,
} from './way.ts';

const PRESSED = 'a denied application, acted on';

function acts(
  name: string,
  surface: string,
  events: readonly string[],
  args: Args,
  prepare?: Prepare,
): Attack {
  return against(
    {
      attack: PRESSED,
      surface,
      name,
      ...(prepare === undefined ? {} : { prepare }),
      attempt: (world, ledger, prepared) => world.desk(args(ledger, prepared)),
    },
    sees(...events),
  );
}

export const acting: readonly Attack[] = [
  acts(
    'click-reference',
    'click, by an older reference',
    ['clicked'],
    (_, ref) => ['click', ref],
    refOf('Sign the page'),
  ),
  acts('click-locator', 'click, by locator', ['clicked'], ({ app }) => [
    'click',
    `app:${app} >> role:button[name="Sign the page"]`,
  ]),
  acts(
    'click-pointer',
    'click --mode pointer',
    ['clicked'],
    (_, ref) => ['click', ref, '--mode', 'pointer'],
    refOf('Sign the page'),
  ),
  acts(
    'mouse-click',
    'mouse click, by coordinates',
    ['clicked'],
    (_, place) => ['mouse', 'click', ...place.split(',')],
    placeOf('Sign the page'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'mouse move, down and up',
      name: 'mouse-down',
      prepare: placeOf('Paint'),
      attempt: async (world, _ledger, place) => {
        await world.desk(['mouse', 'move', ...place.split(',')]);
        const down = await world.desk(['mouse', 'down']);
        await world.desk(['mouse', 'up']);
        return down;
      },
    },
    sees('button-press-event', 'enter-notify-event'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'mouse wheel, where the pointer is already',
      name: 'mouse-wheel',
      prepare: async (world, ledger) => {
        const place = await placeOf('Paint')(world, ledger);
        await world.prepare(['mouse', 'move', ...place.split(',')]);
        return place;
      },
      attempt: (world) => world.desk(['mouse', 'wheel', '100']),
    },
    sees('scroll-event'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'hover',
      name: 'hover',
      prepare: async (world, ledger) => {
        const ref = await refOf('Paint')(world, ledger);
        await world.prepare(['mouse', 'move', '20', '1000']);
        return ref;
      },
      again: true,
      attempt: (world, _ledger, ref) => world.desk(['hover', ref]),
    },
    sees('enter-notify-event'),
  ),
  acts(
    'drag-from',
    'drag, from it',
    ['dragged', 'button-press-event'],
    (_, place) => ['drag', place, '100,1000'],
    placeOf('Paint'),
  ),
  acts('press-focus', 'press, where the focus is', ['key'], () => ['press', 'a'], inFront),
  acts('press-app', 'press --app', ['key'], ({ app }) => ['press', 'b', '--app', app], inFront),
  against(
    {
      attack: PRESSED,
      surface: 'key-down, where the focus is',
      name: 'key-down',
      prepare: inFront,
      attempt: async (world) => {
        const down = await world.desk(['key-down', 'c']);
        await world.desk(['key-up', 'c']);
        return down;
      },
    },
    sees('key'),
  ),
  acts('type-focus', 'type, where the focus is', ['key', 'changed'], () => ['type', text()], inFront),
  acts(
    'type-reference',
    'type, by an older reference',
    ['key', 'changed'],
    (_, ref) => ['type', ref, text()],
    refOf('Amount'),
  ),
  acts('set-value', 'set-value', ['changed'], (_, ref) => ['set-value', ref, text()], refOf('Amount')),
  acts('fill', 'fill', ['changed'], ({ app }) => [
    'fill',
    'role:textbox[name="Amount"]',
    text(),
    '--app',
    app,
  ]),
  acts('toggle', 'toggle', ['toggled'], (_, ref) => ['toggle', ref], refOf('Approved')),
  acts('menu', 'menu, by path', ['menu'], ({ app }) => ['menu', 'Book > Post', '--app', app]),
  acts('do-acts', 'a step of do', ['clicked'], (_, ref) => ['do', `click '${ref}'`], refOf('Sign the page')),
  acts(
    'workflow-acts',
    'a step of a workflow',
    ['clicked'],
    (_, ref) => ['workflow', '--steps', JSON.stringify({ command: 'click', input: { ref } })],
    refOf('Sign the page'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'a line of batch',
      name: 'batch-acts',
      prepare: refOf('Sign the page'),
      attempt: (world, _ledger, ref) =>
        world.desk(['batch'], {}, `${JSON.stringify({ command: 'click', input: { ref } })}\n`),
    },
    sees('clicked'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'undo of an act from before',
      name: 'undo',
      prepare: async (world, ledger) => {
        await world.prepare(['set-value', await world.ref('Amount', ledger.app), text()]);
        return '';
      },
      again: true,
      attempt: (world) => world.desk(['undo']),
    },
    sees('changed'),
  ),
  acts(
    'move-window',
    'move-window',
    ['moved'],
    (_, ref) => ['move-window', String(600 + another()), '90', '--window', ref],
    windowRef,
  ),
  acts(
    'close-window',
    'close-window',
    ['closed'],
    (_, ref) => ['close-window', '--window', ref, '--timeout', '1500'],
    windowRef,
  ),
  acts('close-app', 'close-app, by process', ['closed'], ({ app }) => [
    'close-app',
    app,
    '--timeout',
    '1500',
  ]),
];
