import { join } from 'node:path';
import { z } from 'zod';
import type { Placed, Seen, SeenNode } from '../look/tree.ts';
import { RUNTIME, TOOLS } from '../side/namespaces.ts';
import type { Side } from '../side/side.ts';
import type { Act } from './act.ts';
import { UNLISTED, type Actor, type Answer, type Prepared } from './actor.ts';
import { matchNode, OurNode } from './match.ts';
import { findWidget } from './widgets.ts';

const READ_MS = 15_000;
const ACT_MS = 30_000;
/** What we write stays out of the HOME: the twin has none of it, and applications show and count what is there. Settings are read from it. */
const FOLDERS = ['CACHE', 'DATA', 'STATE'].map((kind) => `XDG_${kind}_HOME=${RUNTIME}/desk`);
const PROGRAM = ['env', ...FOLDERS, join(TOOLS, 'node'), join(TOOLS, 'program/dist/desk.cjs')];

const Windows = z.looseObject({
  windows: z
    .array(
      z.looseObject({
        ref: z.string(),
        pid: z.int(),
        title: z.string(),
        id: z.string().optional(),
        focused: z.boolean().optional(),
        bounds: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).optional(),
      }),
    )
    .default([]),
});
const Matches = z.looseObject({ matches: z.array(OurNode).default([]) });
const Snapshot = z.looseObject({ tree: OurNode.optional() });
const Reply = z.looseObject({
  ok: z.boolean(),
  effect: z.string().optional(),
  evidence: z.array(z.string()).optional(),
  via: z.string().optional(),
  receipt: z.looseObject({ via: z.string().optional(), evidence: z.array(z.string()).optional() }).optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
});

/** Our side: the built program, used as anyone would, through its commands. `program` is the folder that contains its `dist`. */
export function deskActor(program: string): Actor {
  return { name: 'desk', seesChanges: true, tools: { program }, prepare: prepareCommand };
}

async function prepareCommand(side: Side, seen: Seen, act: Act): Promise<Prepared> {
  const placed = findWidget(seen, act.target.key);
  if (placed === undefined) return { excluded: 'not there for the mouse' };
  const { pid } = placed.application;
  const { windows } = Windows.parse(await desk(side, ['list-windows'], READ_MS));
  const frame = placed.above[0] ?? placed.node;
  const own = nearestFirst(
    windows.filter((window) => window.pid === pid),
    frame,
  );
  if (act.kind === 'menu' || act.kind === 'press') {
    const [window] = own;
    if (window === undefined) return { excluded: 'window not listed by desk' };
    // Menus are windows that nobody names, and what is drawn inside another window cannot be given the keyboard: keys go to whatever has it.
    const isUnnamed = frame.role === 'window' && frame.name === '';
    const isInside =
      act.kind === 'press' && window.focused !== true && window.id?.startsWith('atspi:') === true;
    const where = isUnnamed || isInside ? [] : ['--window', window.ref];
    return { act: () => command(side, [act.kind, act.value ?? '', ...where]) };
  }
  for (const { ref } of own) {
    const match = await referenceOf(side, ref, placed);
    if (match === undefined) continue;
    const value = act.value === undefined ? [] : [act.value];
    return { act: () => command(side, [act.kind, match, ...value]) };
  }
  if (own.length === 0) return { excluded: 'window not listed by desk' };
  return { act: async () => ({ effect: 'failed', route: '', words: UNLISTED }) };
}

/** What a person at the command line would type for it: the reference in the window's snapshot, or else what `find` gives for its name. */
export async function referenceOf(
  side: Pick<Side, 'run'>,
  window: string,
  one: Placed,
): Promise<string | undefined> {
  const args = ['snapshot', '--window', window, '--include-bounds', '--max-tokens', '1000000'];
  const { tree } = Snapshot.parse(await desk(side, args, READ_MS));
  const listed = tree === undefined ? undefined : matchNode(tree, one.node);
  return (
    listed ?? (isOfSheet(one) ? findCell(side, window, one.node.name) : findNamed(side, window, one.node))
  );
}

/**
 * The windows of the same title first, as another one may have something at the same place; of several, such as a main window and its message,
 * the one at the place of the frame.
 */
export function nearestFirst<Listed extends z.output<typeof Windows>['windows'][number]>(
  windows: readonly Listed[],
  { name, box }: Pick<SeenNode, 'name' | 'box'>,
): Listed[] {
  const away = ({ bounds }: Listed): number =>
    bounds === undefined || box === null
      ? Number.POSITIVE_INFINITY
      : [bounds.x - box[0], bounds.y - box[1], bounds.width - box[2], bounds.height - box[3]].reduce(
          (sum, part) => sum + Math.abs(part),
          0,
        );
  return windows.toSorted(
    (a, b) => Number(b.title === name) - Number(a.title === name) || compared(away(a), away(b)),
  );
}

function compared(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/** Snapshots leave out the empty cells of a sheet; they are found by their address. */
function isOfSheet({ node, above }: Placed): boolean {
  return node.role === 'table cell' && above.some(({ role }) => role === 'document spreadsheet');
}

async function findCell(side: Pick<Side, 'run'>, window: string, name: string): Promise<string | undefined> {
  const found = await desk(side, ['find', name, '--exact', '--role', 'cell', '--window', window], READ_MS);
  const { matches } = Matches.parse(found);
  return matches.length === 1 ? matches[0]?.ref : undefined;
}

/** Snapshots name some elements without a reference, such as pictures in fields; `find` gives one to each. */
async function findNamed(
  side: Pick<Side, 'run'>,
  window: string,
  node: SeenNode,
): Promise<string | undefined> {
  if (node.name === '') return undefined;
  const { matches } = Matches.parse(
    await desk(side, ['find', node.name, '--exact', '--window', window], READ_MS),
  );
  return matchNode({ role: 'window', children: matches }, node);
}

async function command(side: Side, args: readonly string[]): Promise<Answer> {
  const reply = Reply.parse(await desk(side, args, ACT_MS));
  const route = reply.via ?? reply.receipt?.via ?? '';
  const evidence = (reply.evidence ?? reply.receipt?.evidence ?? []).join('; ');
  const isPartial = reply.error?.message.includes('took effect only in part') === true;
  if (reply.error !== undefined || !reply.ok)
    return {
      effect: 'failed',
      route,
      words: `${reply.error?.code ?? 'failed'}: ${reply.error?.message ?? evidence}`,
      ...(isPartial ? { isPartial } : {}),
    };
  return {
    effect: reply.effect === 'confirmed' ? 'confirmed' : 'unverified',
    route,
    words: evidence,
    ...(evidence.includes('pending: ') ? { isPending: true } : {}),
  };
}

async function desk(side: Pick<Side, 'run'>, args: readonly string[], timeoutMs: number): Promise<unknown> {
  const { stdout, stderr, code } = await side.run([...PROGRAM, ...args, '--json'], timeoutMs);
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`desk ${args.join(' ')} ended with ${code} and no answer: ${stderr.slice(-300)}`);
  }
}
