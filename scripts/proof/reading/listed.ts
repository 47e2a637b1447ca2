import { join } from 'node:path';
import { z } from 'zod';
import type { Seen } from '../twins/look/tree.ts';
import { TOOLS } from '../twins/side/namespaces.ts';
import type { Side } from '../twins/side/side.ts';

const READ_MS = 30_000;
const PROGRAM = [join(TOOLS, 'node'), join(TOOLS, 'program/dist/desk.cjs')];

/** An element of a snapshot. */
const SnapshotNode = z.looseObject({
  ref: z.string().optional(),
  role: z.string(),
  name: z.string().optional(),
  value: z.string().optional(),
  description: z.string().optional(),
  states: z.array(z.string()).default([]),
  bounds: z.looseObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).optional(),
  elided: z.number().optional(),
  elided_reason: z.string().optional(),
  get children(): z.ZodOptional<z.ZodArray<typeof SnapshotNode>> {
    return z.array(SnapshotNode).optional();
  },
});
type SnapshotNode = z.output<typeof SnapshotNode>;

const Windows = z.looseObject({
  windows: z.array(
    z.looseObject({ ref: z.string(), pid: z.int(), title: z.string(), minimized: z.boolean() }),
  ),
});
const Snapshot = z.looseObject({
  ok: z.boolean(),
  complete: z.boolean().optional(),
  incomplete_reasons: z.array(z.string()).optional(),
  tree: SnapshotNode.optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
});

/** An element that a snapshot lists, as far as it is compared. */
export const Listed = z.object({
  role: z.string(),
  name: z.string(),
  /** Name, value and description. */
  words: z.string(),
  isUsable: z.boolean(),
  isRoot: z.boolean(),
  /** Listed as something that is not to be seen. */
  isHidden: z.boolean(),
  /** The snapshot says that something inside is missing. */
  isElided: z.boolean(),
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  get children(): z.ZodArray<typeof Listed> {
    return z.array(Listed);
  },
});
export type Listed = z.output<typeof Listed>;

/** What our program lists of the applications that libatspi sees. */
export const Listing = z.object({
  roots: z.array(Listed),
  /** Why a window is not complete, or cannot be read. */
  gaps: z.array(z.string()),
});
export type Listing = z.output<typeof Listing>;

/** Reads all windows with `snapshot`, as anyone would. */
export async function list(side: Side, seen: Seen): Promise<Listing> {
  const pids = new Set(seen.applications.map(({ pid }) => pid));
  const { windows } = Windows.parse(await desk(side, ['list-windows']));
  const roots: Listed[] = [];
  const gaps: string[] = [];
  for (const { ref, title, pid } of windows.filter((window) => !window.minimized)) {
    if (!pids.has(pid)) continue;
    const answer = Snapshot.parse(
      await desk(side, [
        'snapshot',
        '--window',
        ref,
        '--include-bounds',
        '--max-tokens',
        '1000000',
        '--timeout',
        '20000',
      ]),
    );
    // A fault of the call is none of the reading.
    if (answer.error?.code === 'INVALID_ARGUMENT') throw new Error(answer.error.message);
    const reasons = answer.incomplete_reasons ?? [];
    if (answer.complete !== true || reasons.length > 0)
      gaps.push(`${title}: ${answer.error?.message ?? reasons.join('; ')}`);
    if (answer.tree !== undefined) roots.push(toListed(answer.tree, true));
  }
  return { roots, gaps };
}

export function* flatten(nodes: readonly Listed[]): Generator<Listed> {
  for (const node of nodes) {
    yield node;
    yield* flatten(node.children);
  }
}

function toListed(node: SnapshotNode, isRoot = false): Listed {
  const { bounds, name = '', value = '', description = '' } = node;
  return {
    role: node.role,
    name,
    words: `${name} ${value} ${description}`,
    isUsable: node.ref !== undefined,
    isRoot,
    isHidden: node.states.includes('offscreen') || node.states.includes('hidden'),
    isElided: node.elided !== undefined || node.elided_reason !== undefined,
    box: bounds && [bounds.x, bounds.y, bounds.width, bounds.height],
    children: (node.children ?? []).map((child) => toListed(child)),
  };
}

async function desk(side: Side, args: readonly string[]): Promise<unknown> {
  const { stdout, stderr, code } = await side.run([...PROGRAM, ...args, '--json'], READ_MS);
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`desk ${args.join(' ')} ended with ${code} and no answer: ${stderr.slice(-300)}`);
  }
}
