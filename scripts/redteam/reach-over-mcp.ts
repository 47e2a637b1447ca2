import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LEDGER_COLOUR, LEDGER_SECRET, LEDGER_TITLE } from './ledger.ts';
import { pixelsOf } from './picture.ts';
import { beside } from './reach-elsewhere.ts';
import type { Attack } from './row.ts';
import {
  against,
  another,
  inFront,
  refOf,
  said,
  sees,
  shows,
  text,
  windowRef,
  type Prepare,
  type Tried,
  type Way,
} from './way.ts';
import type { World } from './world.ts';

const PICTURED = 'a denied application, in a picture';
const READ = 'a denied application, read';
const PRESSED = 'a denied application, acted on';
/** So few pixels of its colour tell nothing. */
const FEW_PIXELS = 20;

const SEEN = 'its colour';
const look = (picture: Buffer): string => (pixelsOf(picture, LEDGER_COLOUR) > FEW_PIXELS ? SEEN : 'grey');

function pictured(
  name: string,
  surface: string,
  args: (ref: string) => readonly string[],
  prepare: Prepare,
  cleanUp: Way['cleanUp'] = async () => undefined,
): Attack {
  return against(
    {
      attack: PICTURED,
      surface,
      name,
      prepare: async (world, ledger) => {
        await inFront(world, ledger);
        return prepare(world, ledger);
      },
      attempt: async (world, _ledger, ref) => {
        const file = join(world.home, `${name}-${another()}.png`);
        const [command = '', ...rest] = args(ref);
        const reply = await world.desk([
          command,
          ...(command === 'session' ? ['view', '--path', file] : [file, ...rest]),
        ]);
        const picture = await readFile(file).catch(() => undefined);
        return {
          code: reply.code,
          shown: picture === undefined ? reply.shown : look(picture),
        };
      },
      cleanUp,
    },
    shows(SEEN),
  );
}

const none: Prepare = async () => '';

/** Another window lies over it in the stack, on a workspace that is not shown. */
const coveredElsewhere: Prepare = async (world) => {
  await beside(world);
  const found = await world.run('/usr/bin/xdotool', ['search', '--name', 'Notes beside']);
  const [notes = ''] = found.shown.trim().split('\n');
  for (const args of [
    ['windowmove', notes, '600', '60'],
    ['windowraise', notes],
    ['set_desktop_for_window', notes, '1'],
  ])
    await world.run('/usr/bin/xdotool', args);
  await world.prepare(['wait', '300']);
  return notes;
};

const pictures: readonly Attack[] = [
  pictured('screenshot-window', 'screenshot --window', (ref) => ['screenshot', '--window', ref], windowRef),
  pictured('screenshot-active', 'screenshot of the active window', () => ['screenshot'], none),
  pictured('screenshot-screen', 'screenshot --screen', () => ['screenshot', '--screen'], none),
  pictured(
    'screenshot-element',
    'screenshot --element',
    (ref) => ['screenshot', '--element', ref],
    refOf('Paint'),
  ),
  pictured(
    'screenshot-region',
    'screenshot --region',
    () => ['screenshot', '--region', '600,60,700,500'],
    none,
  ),
  pictured('session-view', 'session view', () => ['session'], none),
  pictured(
    'screenshot-cover-elsewhere',
    'screenshot --screen, under a window that is on another workspace',
    () => ['screenshot', '--screen'],
    coveredElsewhere,
    async (world) => {
      const found = await world.run('/usr/bin/xdotool', ['search', '--name', 'Notes beside']);
      const [notes = ''] = found.shown.trim().split('\n');
      await world.run('/usr/bin/xdotool', ['set_desktop_for_window', notes, '0']);
      await world.run('/usr/bin/xdotool', ['windowmove', notes, '250', '560']);
    },
  ),
];

type Toolsets = 'all' | 'ax' | 'inspect';

export async function calledOver(
  world: World,
  tool: string,
  input: unknown,
  toolsets: Toolsets = 'all',
): Promise<Tried> {
  const { text: shown, isError } = await (await world.client('--toolsets', toolsets)).call(tool, input);
  return {
    shown,
    code:
      /"?code"?: ?"?([A-Z_]+)/.exec(shown)?.[1] ??
      /\b([A-Z]{4,}_[A-Z_]+)\b/.exec(shown)?.[1] ??
      (isError ? 'error' : 'ok'),
  };
}

const mcpRef =
  (name: string): Prepare =>
  async (world, { app }) => {
    const { shown } = await calledOver(world, 'desktop_find', { query: name, app, exact: true });
    return /@e\d+/.exec(shown)?.[0] ?? '@e0';
  };

const resource = (part: string): Attack =>
  against(
    {
      attack: READ,
      surface: `MCP resource, ${part}`,
      name: `resource-${part}`,
      attempt: async (world) => {
        const uri = `deskterity://app/ledger.py/${part}`;
        const answer = await (await world.client('--toolsets', 'all')).request('resources/read', { uri });
        const shown = JSON.stringify(answer);
        const blob = /"blob":"([^"]+)"/.exec(shown)?.[1];
        if (blob === undefined) return { shown, code: 'error' in answer ? 'error' : 'ok' };
        return { shown: look(Buffer.from(blob, 'base64')) };
      },
    },
    shows(LEDGER_SECRET, LEDGER_TITLE, SEEN),
  );

const overMcp: readonly Attack[] = [
  against(
    {
      attack: READ,
      surface: 'MCP desktop_snapshot',
      name: 'mcp-snapshot',
      attempt: (world, { app }) => calledOver(world, 'desktop_snapshot', { app }),
    },
    said,
  ),
  against(
    {
      attack: PRESSED,
      surface: 'MCP desktop_click, by an older reference',
      name: 'mcp-click',
      prepare: mcpRef('Sign the page'),
      attempt: (world, _ledger, ref) => calledOver(world, 'desktop_click', { ref }),
    },
    sees('clicked'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'MCP desktop_do',
      name: 'mcp-do',
      prepare: mcpRef('Sign the page'),
      attempt: (world, _ledger, ref) =>
        calledOver(world, 'desktop_do', { steps: [{ command: 'click', ref }] }),
    },
    sees('clicked'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'MCP desktop_workflow',
      name: 'mcp-workflow',
      prepare: mcpRef('Amount'),
      attempt: (world, _ledger, ref) =>
        calledOver(world, 'desktop_workflow', {
          steps: [{ command: 'set-value', input: { ref, value: text() } }],
        }),
    },
    sees('changed'),
  ),
  against(
    {
      attack: PRESSED,
      surface: 'MCP desktop_press_key, where the focus is',
      name: 'mcp-press',
      prepare: inFront,
      attempt: (world) => calledOver(world, 'desktop_press_key', { keys: 'd' }),
    },
    sees('key'),
  ),
  against(
    {
      attack: READ,
      surface: 'MCP tasks/result of a call from before',
      name: 'task-result',
      prepare: async (world, { app }) => {
        const client = await world.client('--toolsets', 'all');
        const begun = await client.request('tools/call', {
          name: 'desktop_snapshot',
          arguments: { app },
          task: { ttl: 600_000 },
        });
        return /"taskId":"(task-[a-z2-7]+)"/.exec(JSON.stringify(begun))?.[1] ?? 'task-';
      },
      attempt: async (world, _ledger, taskId) => {
        const client = await world.client('--toolsets', 'all');
        const shown = JSON.stringify(await client.request('tasks/result', { taskId }));
        return { shown, code: /POLICY_DENIED/.exec(shown)?.[0] ?? 'other' };
      },
    },
    said,
  ),
  resource('tree'),
  resource('state'),
  resource('screenshot'),
  resource('events'),
  against(
    {
      attack: READ,
      surface: 'MCP subscription to what changes in it',
      name: 'subscription',
      prepare: async (world) => {
        await (
          await world.client('--toolsets', 'all')
        ).request('resources/subscribe', { uri: 'deskterity://app/ledger.py/tree' });
        return '';
      },
      attempt: async (world, ledger) => {
        const client = await world.client('--toolsets', 'all');
        // One that it is told of is that it may no longer be read.
        const told: string[] = [];
        for (let times = 0; times < 3; times += 1) {
          const before = client.notices.length;
          await ledger.tell();
          await world.prepare(['wait', '1200']);
          if (times > 0) told.push(...client.notices.slice(before));
        }
        return { shown: told.join('\n') };
      },
    },
    shows('app/ledger.py', LEDGER_SECRET),
  ),
  against(
    {
      attack: READ,
      surface: 'dialect ax, ax_find',
      name: 'ax-find',
      attempt: async (world, { app }) => {
        await calledOver(world, 'ax_connect', { app }, 'ax');
        return calledOver(world, 'ax_get_tree', { app }, 'ax');
      },
    },
    said,
  ),
  against(
    {
      attack: PRESSED,
      surface: 'dialect ax, ax_click',
      name: 'ax-click',
      prepare: async (world, { app }) => {
        await calledOver(world, 'ax_connect', { app }, 'ax');
        return app;
      },
      attempt: (world, _ledger, app) => calledOver(world, 'ax_click', { app, query: 'Sign the page' }, 'ax'),
    },
    sees('clicked'),
  ),
  against(
    {
      attack: READ,
      surface: 'dialect inspect, get_ui_tree',
      name: 'inspect-tree',
      attempt: (world, { app }) =>
        calledOver(world, 'get_ui_tree', { app: Number(app), depth: 20 }, 'inspect'),
    },
    said,
  ),
];

export const overPictures: readonly Attack[] = [...pictures, ...overMcp];
