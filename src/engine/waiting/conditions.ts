import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { OutputNode, TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { hasTerminalEnded, nonSecretNodes, observeElement } from '../reading/observe-element.ts';
import type { LookOptions } from '../reading/observe-element.ts';
import { toWindowSummary } from '../reading/observe.ts';
import { isOfAbsentPlace } from '../refs/locate.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { hasWindowKey, windowKey } from '../refs/window-identity.ts';
import type {
  ElementCondition,
  TextFound,
  WaitForElementRequest,
  WaitForTextRequest,
} from '../requests/desktop.ts';
import type { RefRequest } from '../requests/reading.ts';
import { isInView } from '../tree/element-states.ts';
import { heldValue, valueEquality } from '../tree/element-value.ts';
import { MAX_NODES } from '../tree/read-window.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import { KnownWindows } from './known-windows.ts';
import { waitUntil } from './wait-until.ts';

const LONGEST_SEEN = 60;

/** Waits until a condition holds for the element of a ref or of a locator. A ref that was never issued fails at once. */
export async function waitForElement(
  parts: EngineParts,
  request: WaitForElementRequest,
): Promise<OutputNode> {
  const { element, until = 'visible' } = request;
  const isLocator = parseRef(element) === undefined;
  const what = { is: `${element} ${nowInWords(until)}`, isNot: `${element} ${inWords(until)}` };
  return waitUntil(parts, request, what, async (options, note) => {
    const observed = await observeElement(parts, element, options).catch((error: unknown) => {
      // The element may be recreated, and then exactly one may match.
      const isAmbiguous = error instanceof DeskterityError && error.code === 'AMBIGUOUS_TARGET';
      if (isLocator || until !== 'visible' || !isAmbiguous) throw error;
      return { missing: error };
    });
    if (observed.missing) {
      if (until !== 'visible' && !isLocator) throw observed.missing;
      note(observed.missing.message);
      return undefined;
    }
    const { info, target, isSecret } = observed;
    if (typeof until === 'object') {
      if (isSecret) throw unreadable(target);
      const held = heldValue(target.node);
      note(`${info.node.role} ${held === undefined ? 'without a value' : quoteClipped(held, LONGEST_SEEN)}`);
      return held !== undefined && valueEquality(target.node)(held, until.value) ? info.node : undefined;
    }
    note(`${info.node.role} ${info.allStates.join(' ')}`.trim());
    const holds = until === 'visible' ? info.onScreen : info.allStates.includes('focused');
    return holds ? info.node : undefined;
  });
}

/** Something is gone. */
export interface Gone {
  /** The application or window of its locator is not there, so nothing was looked at. */
  readonly because?: string | undefined;
}

/**
 * Waits until an element, or the window of a ref such as `@w3`, is known to have disappeared. The first match of a locator is followed by its
 * ref, so that another window becoming active does not count.
 */
export async function waitUntilGone(parts: EngineParts, request: RefRequest): Promise<Gone> {
  let { ref } = request;
  const kind = parseRef(ref)?.kind;
  const isWindow = kind === 'w' || kind === 't';
  const what = { is: `${request.ref} has disappeared`, isNot: `${request.ref} did not disappear` };
  return waitUntil(parts, request, what, async (options, note): Promise<Gone | undefined> => {
    if (isWindow) {
      const window = await windowOf(parts, ref, options);
      if (window) note(`window ${quoteClipped(window.title, LONGEST_SEEN)}`);
      return window === undefined ? {} : undefined;
    }
    // Read anew each time: the mirror cannot prove that an element is gone.
    const { deadlineMs, signal } = options;
    const observed = await observeElement(parts, ref, liveDeadline({ deadlineMs, signal }, parts.clock));
    if (observed.missing)
      return isOfAbsentPlace(observed.missing) ? { because: observed.missing.message } : {};
    ref = observed.target.ref;
    const { role, name, states = [] } = observed.info.node;
    const called = name === undefined ? [] : [quoteClipped(name, LONGEST_SEEN)];
    note([role, ...called, ...states].join(' '));
    return undefined;
  });
}

/** Waits until a text is on screen, ignoring case: in the given window, else in any window of the given application, else of the active one. */
export async function waitForText(parts: EngineParts, request: WaitForTextRequest): Promise<TextFound> {
  const wanted = request.text.toLowerCase();
  const { app, window: named } = request;
  return waitUntil(
    parts,
    request,
    {
      is: `the text ${quoteClipped(request.text)} is there`,
      isNot: `The text ${quoteClipped(request.text)} did not appear`,
    },
    async (options, note) => {
      const { windows = new KnownWindows(), sameWindows = false } = options;
      const choosing = windows.choose(sameWindows, () =>
        parts.scope.windowAmong({ app, window: named }, options),
      );
      const { window, siblings } = await choosing.catch((error: unknown) => {
        if (!(error instanceof DeskterityError) || !NOT_YET.has(error.code)) throw error;
        note(error.message);
        return { window: undefined, siblings: [] };
      });
      if (window === undefined) return undefined;
      const others = siblings.filter(({ id }) => id !== window.id);
      const searched = named === undefined ? [window, ...others] : [window];
      const withheld = await parts.readings.withheld();
      const titles = searched.map(({ title }) => quoteClipped(title, LONGEST_SEEN));
      // Told if the time is over before they are read.
      note(`${titles.join(', ')}, which could not be read in time`, false);
      const whole: string[] = [];
      const partly: string[] = [];
      for (const [at, candidate] of searched.entries()) {
        const before = partly.length;
        const search = { wanted, withheld, options, note: (part: string) => partly.push(part) };
        const found = await findText(parts, candidate, search);
        if (found) return found;
        if (partly.length === before) whole.push(titles[at] ?? '');
      }
      const read = whole.length === 0 ? [] : [`not in ${whole.join(', ')}`];
      note([...read, ...partly].join('; '), whole.length > 0);
      return undefined;
    },
  );
}

async function findText(
  parts: EngineParts,
  window: DesktopWindow,
  search: {
    readonly wanted: string;
    readonly withheld: ReadonlySet<string>;
    readonly options: LookOptions;
    readonly note: (part: string) => void;
  },
): Promise<TextFound | undefined> {
  const { desktop, session } = parts;
  const { root } = window;
  if (root === undefined) {
    const why = window.responsive === false ? 'its application does not answer' : 'it has no tree';
    search.note(`${quoteClipped(window.title, LONGEST_SEEN)} could not be read, as ${why}`);
    return undefined;
  }
  const request = { root, wholeTree: false, maxNodes: MAX_NODES, includeActions: false };
  const read = await desktop.readTree({ ...search.options, ...request }).catch((error: unknown) => {
    // Windows close while they are read.
    if (error instanceof DeskterityError && error.code === 'STALE_REF') return undefined;
    throw error;
  });
  if (!read) return undefined;
  if (!read.complete)
    search.note(
      `only a part of ${quoteClipped(window.title, LONGEST_SEEN)} could be read: ${read.incompleteReasons.join('; ')}`,
    );
  for (const node of nonSecretNodes(read.root, search.withheld)) {
    // The title of a window is not a text in it.
    if (node === read.root || !contains(node, search.wanted)) continue;
    if (search.options.mirrored === true && !(await isStillShown(desktop, node, search)))
      return findText(parts, window, { ...search, options: { ...search.options, mirrored: false } });
    const index = new TreeIndex(read.root);
    return session.edit((table) => ({
      window: toWindowSummary(window, table),
      element: shownNode(node, table.refForElement(index.describe(node, windowKey(window)))),
    }));
  }
  return undefined;
}

/** Whether the element of a text that is known says the same now. A text that is not its own is not found in this way. */
async function isStillShown(
  desktop: DesktopPort,
  { handle }: TreeNode,
  { wanted, options }: { readonly wanted: string; readonly options: CallOptions },
): Promise<boolean> {
  const { deadlineMs, signal } = options;
  const details = await desktop.describe(handle, { deadlineMs, signal }).catch(() => undefined);
  return details !== undefined && isInView(details) && contains(details, wanted);
}

function contains({ name, value = '' }: Pick<TreeNode, 'name' | 'value'>, wanted: string): boolean {
  return name.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
}

function shownNode({ source, role, name, value = '', states }: TreeNode, ref: string): OutputNode {
  return {
    ref,
    ...(source === undefined ? {} : { source }),
    role,
    ...(name === '' ? {} : { name }),
    ...(value === '' ? {} : { value }),
    ...(states.length === 0 ? {} : { states: [...states] }),
  };
}

/** Errors that pass once the application starts or the window opens. */
const NOT_YET: ReadonlySet<string> = new Set(['APP_NOT_FOUND', 'WINDOW_NOT_FOUND']);

async function windowOf(
  { desktop, session }: EngineParts,
  ref: string,
  options: CallOptions,
): Promise<DesktopWindow | undefined> {
  const key = (await session.read()).windowKey(parseRef(ref)?.ref ?? ref);
  if (key === undefined)
    throw new DeskterityError('WINDOW_NOT_FOUND', `${ref} is not a window of this session and desktop.`, {
      suggestion: `Run ${mentionCommand('list-windows')} to get references; check ${mentionParameter('session')} if you use several.`,
    });
  const windows = await desktop.listWindows(options).catch((error: unknown) => {
    if (hasTerminalEnded(error)) return [];
    throw error;
  });
  return windows.find((window) => hasWindowKey(window, key));
}

function nowInWords(until: ElementCondition): string {
  if (typeof until === 'object') return `has the value ${quoteClipped(until.value)}`;
  return until === 'visible' ? 'is visible' : 'has the focus';
}

function inWords(until: ElementCondition): string {
  if (typeof until === 'object') return `did not get the value ${quoteClipped(until.value)}`;
  return until === 'visible' ? 'did not become visible' : 'did not get the focus';
}

function unreadable({ ref, node }: ResolvedTarget): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `The content of ${ref} (${node.role}) is secret and is never compared.`,
    {
      suggestion: `Wait for something else, such as ${mentionCommand('wait', { element: ref })} or a text beside it.`,
    },
  );
}
