import { z } from 'zod';
import { Bounds } from './bounds.ts';
import { ROLES, type Role } from './role.ts';
import { STATES, type State } from './state.ts';

/** Where a name came from if the element itself has none. `label` is the element's own name and is left out of output. */
export const NAME_SOURCES = ['label', 'labelled_by', 'tooltip', 'content', 'neighbour'] as const;
export type NameSource = (typeof NAME_SOURCES)[number];

/** What an element was read from, if not from an accessibility tree. */
export const NODE_SOURCES = ['terminal'] as const;
export type NodeSource = (typeof NODE_SOURCES)[number];

/**
 * The native object behind an element. Opaque outside the adapter, plain data so that a session can store it.
 * `app` names the process generation (on Linux the unique bus name, never reused while that bus lives), `path` the object in it.
 */
export interface NodeHandle {
  readonly app: string;
  readonly path: string;
}

/** A handle as the key of a map. */
export function handleKey({ app, path }: NodeHandle): string {
  return `${app} ${path}`;
}

/** One accessible object as an adapter reads it, before distillation. Mutable while the adapter fills it, read-only afterwards. */
export interface TreeNode {
  readonly handle: NodeHandle;
  /** Only if the toolkit makes a new object for it on every request: which child of its container it is, and of how many. */
  slot?: { readonly container: string; readonly index: number; readonly count: number };
  /** A cell of a sheet whose name says where it is: B2. Only where such cells were asked for. */
  isNamedByPlace?: boolean;
  /** The formula of such a cell; ends with … where its application reports only the beginning. */
  formula?: string;
  /** Absent for elements of graphical applications. */
  source?: NodeSource;
  role: Role;
  /** The platform's word for the role, such as `push button`. */
  nativeRole: string;
  name: string;
  nameFrom?: NameSource;
  /** A text that is the label of another element than the one after it. */
  labelsAnother?: boolean;
  value?: string;
  description?: string;
  identifier?: string;
  /** Characters of the name before the cursor, if it is in this element; may exceed the name's length by blanks. */
  caret?: number;
  states: readonly State[];
  /** Its state `pressed` means that it is switched on, though its role is not that of a toggle button; it is never merely held down. */
  staysPressed?: boolean;
  bounds?: Bounds;
  /** Names of the actions the element offers, in the toolkit's order; absent if not requested. */
  actions?: readonly string[];
  /** The number of children, if `children` does not contain all of them. */
  childCount?: number;
  /** Why children are missing: not requested, too many, out of time. */
  elided?: ElisionReason;
  /** Children that exist but are not on screen, and are not in `children`: before the first and after the last that is. */
  offscreen?: { readonly before: number; readonly after: number };
  children: TreeNode[];
}

export const ELISION_REASONS = [
  'depth',
  'budget',
  /** The answer would have been too long. */
  'size',
  'too_many',
  'lazy',
  'deadline',
  'cycle',
  'error',
  /** Something is drawn there that the application does not describe. */
  'undescribed',
] as const;
export type ElisionReason = (typeof ELISION_REASONS)[number];

/** How many elements of a container are scrolled out of it, by direction; at least as many, if they contain others. */
export const OffScreen = z
  .object({
    up: z.int().positive().optional(),
    down: z.int().positive().optional(),
    left: z.int().positive().optional(),
    right: z.int().positive().optional(),
  })
  .meta({ id: 'OffScreen' });
export type OffScreen = z.output<typeof OffScreen>;

/** An element as commands return it: empty fields are left out. */
export const OutputNode = z
  .object({
    ref: z.string().optional(),
    /** Present beside a ref; absent for elements of graphical applications. */
    source: z.enum(NODE_SOURCES).optional(),
    role: z.enum(ROLES),
    name: z.string().optional(),
    name_from: z.enum(NAME_SOURCES).optional(),
    value: z.string().optional(),
    /** Characters of the whole value, if `value` is only its beginning. */
    value_length: z.int().positive().optional(),
    description: z.string().optional(),
    identifier: z.string().optional(),
    /** Characters of the name before the cursor; absent if the cursor is elsewhere or right after the name. */
    caret: z.int().nonnegative().optional(),
    states: z.array(z.enum(STATES)).optional(),
    bounds: Bounds.optional(),
    actions: z.array(z.string()).optional(),
    /** Number of elements left out below this one. */
    elided: z.int().positive().optional(),
    elided_reason: z.enum(ELISION_REASONS).optional(),
    /** What is scrolled out of this container, and so is not below it. */
    offscreen: OffScreen.optional(),
    get children(): z.ZodOptional<z.ZodArray<typeof OutputNode>> {
      return z.array(OutputNode).optional();
    },
  })
  .meta({ id: 'Node', description: 'One element of a user interface; empty fields are left out.' });
export type OutputNode = z.output<typeof OutputNode>;
