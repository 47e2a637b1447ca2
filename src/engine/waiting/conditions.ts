import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import type { OutputNode, TreeNode } from '../../model/tree/node.ts';
import type { CallOptions, DesktopWindow } from '../../ports/desktop.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { isPassing, isPlaceGone, nonSecretNodes, observeElement } from '../reading/observe-element.ts';
import { toWindowSummary } from '../reading/observe.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { goesBy, windowKey } from '../refs/window-identity.ts';
import type {
  ElementCondition,
  TextFound,
  WaitForElementRequest,
  WaitForTextRequest,
} from '../requests/desktop.ts';
import type { RefRequest } from '../requests/reading.ts';
import { heldValue, valueEquality } from '../tree/element-value.ts';
import { MAX_NODES } from '../tree/read-window.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import { waitFor } from '../wait.ts';

const LONGEST_SEEN = 60;

/** Waits until a condition holds of the element of a ref, or of the one that a locator matches by then. A ref that was never given out cannot come true and fails at once. */
export async function waitForElement(
  parts: EngineParts,
  request: WaitForElementRequest,
): Promise<OutputNode> {
  const { element, until = 'visible' } = request;
  const isLocator = parseRef(element) === undefined;
  return repeatedly(parts, request, `${element} ${inWords(until)}`, async (options, note) => {
    const observed = await observeElement(parts, element, options).catch((error: unknown) => {
      // What is to be visible may be made anew, and then there may be one that is it.
      const isAmbiguous = error instanceof DeskterityError && error.code === 'AMBIGUOUS_TARGET';
      if (isLocator || until !== 'visible' || !isAmbiguous) throw error;
      return { gone: error };
    });
    if (observed.gone) {
      if (until !== 'visible' && !isLocator) throw observed.gone;
      note(observed.gone.message);
      return undefined;
    }
    const { info, target, isSecret } = observed;
    if (typeof until === 'object') {
      if (isSecret) throw unreadable(target);
      const held = heldValue(target.node);
      note(`${info.node.role} ${held === undefined ? 'without a value' : quote(clip(held, LONGEST_SEEN))}`);
      return held !== undefined && valueEquality(target.node)(held, until.value) ? info.node : undefined;
    }
    note(`${info.node.role} ${info.allStates.join(' ')}`.trim());
    const holds = until === 'visible' ? info.onScreen : info.allStates.includes('focused');
    return holds ? info.node : undefined;
  });
}

/**
 * Waits until an element, or the window of a ref such as `@w3`, is known to be gone. What a locator matches at first is followed by its ref: that
 * another window has become the active one does not make it go.
 */
export async function waitUntilGone(parts: EngineParts, request: RefRequest): Promise<void> {
  let { ref } = request;
  const kind = parseRef(ref)?.kind;
  const isWindow = kind === 'w' || kind === 't';
  await repeatedly(parts, request, `${request.ref} going away`, async (options, note) => {
    if (isWindow) {
      const window = await windowOf(parts, ref, options);
      if (window) note(`window ${quote(clip(window.title, LONGEST_SEEN))}`);
      return window === undefined ? true : undefined;
    }
    const observed = await observeElement(parts, ref, options);
    if (observed.gone) return true;
    ref = observed.target.ref;
    const { role, name, states = [] } = observed.info.node;
    const called = name === undefined ? [] : [quote(clip(name, LONGEST_SEEN))];
    note([role, ...called, ...states].join(' '));
    return undefined;
  });
}

/** Waits until a text is on screen, in any case: in the named window, else in any of the application's, else of the active one's. */
export async function waitForText(parts: EngineParts, request: WaitForTextRequest): Promise<TextFound> {
  const wanted = request.text.toLowerCase();
  const { app, window: named } = request;
  return repeatedly(parts, request, `The text ${quote(clip(request.text, 80))}`, async (options, note) => {
    const { window, siblings } = await parts.scope
      .windowAmong({ app, window: named }, options)
      .catch((error: unknown) => {
        if (!(error instanceof DeskterityError) || !NOT_YET.has(error.code)) throw error;
        note(error.message);
        return { window: undefined, siblings: [] };
      });
    if (window === undefined) return undefined;
    const others = siblings.filter(({ id }) => id !== window.id);
    const searched = named === undefined ? [window, ...others] : [window];
    const withheld = await parts.readings.withheld();
    const titles = searched.map(({ title }) => quote(clip(title, LONGEST_SEEN)));
    note(`not in ${titles.join(', ')}`);
    for (const candidate of searched) {
      const found = await findText(parts, candidate, { wanted, withheld, options, note });
      if (found) return found;
    }
    return undefined;
  });
}

async function findText(
  { desktop, session }: EngineParts,
  window: DesktopWindow,
  search: {
    readonly wanted: string;
    readonly withheld: ReadonlySet<string>;
    readonly options: CallOptions;
    readonly note: (seen: string) => void;
  },
): Promise<TextFound | undefined> {
  const { root } = window;
  if (root === undefined) return undefined;
  const request = { root, wholeTree: false, maxNodes: MAX_NODES, includeActions: false };
  const read = await desktop.readTree({ ...search.options, ...request }).catch((error: unknown) => {
    // Windows close while they are read.
    if (error instanceof DeskterityError && error.code === 'STALE_REF') return undefined;
    throw error;
  });
  if (!read) return undefined;
  if (!read.complete)
    search.note(
      `not in the part of ${quote(clip(window.title, LONGEST_SEEN))} that could be read: ${read.incompleteReasons.join('; ')}`,
    );
  for (const node of nonSecretNodes(read.root, search.withheld)) {
    // The title of a window is no text in it.
    if (node === read.root || !says(node, search.wanted)) continue;
    const index = new TreeIndex(read.root);
    return session.edit((table) => ({
      window: toWindowSummary(window, table),
      element: shownNode(node, table.giveElement(index.describe(node, windowKey(window)))),
    }));
  }
  return undefined;
}

function says({ name, value = '' }: TreeNode, wanted: string): boolean {
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

/** What may start or open yet. */
const NOT_YET: ReadonlySet<string> = new Set(['APP_NOT_FOUND', 'WINDOW_NOT_FOUND']);

async function windowOf(
  { desktop, session }: EngineParts,
  ref: string,
  options: CallOptions,
): Promise<DesktopWindow | undefined> {
  const key = (await session.read()).windowKey(parseRef(ref)?.ref ?? ref);
  if (key === undefined)
    throw new DeskterityError('WINDOW_NOT_FOUND', `${ref} is no window of this session and desktop.`, {
      suggestion: `Run ${mentionCommand('list-windows')} to get references; check ${mentionParameter('session')} if you use several.`,
    });
  const windows = await desktop.listWindows(options).catch((error: unknown) => {
    if (isPlaceGone(error)) return [];
    throw error;
  });
  return windows.find((window) => goesBy(window, key));
}

/** {@link waitFor} with failures that time may heal taken as "not yet", and with what was seen at the last look. */
async function repeatedly<T>(
  parts: EngineParts,
  request: CallOptions,
  what: string,
  look: (options: CallOptions, note: (seen: string) => void) => Promise<T | undefined>,
): Promise<T> {
  let seen = '';
  const { deadlineMs, signal } = request;
  return waitFor(parts, { deadlineMs, signal, what, lastSeen: () => seen }, async (remainingMs) => {
    const options = liveDeadline({ deadlineMs: remainingMs, signal }, () => parts.clock.now());
    try {
      return await look(options, (now) => {
        seen = now.replace(/\.$/, '');
      });
    } catch (error) {
      if (!isPassing(error)) throw error;
      seen = error.message.replace(/\.$/, '');
      return undefined;
    }
  });
}

function inWords(until: ElementCondition): string {
  if (typeof until === 'object') return `holding ${quote(clip(until.value, 80))}`;
  return until === 'visible' ? 'becoming visible' : 'getting the focus';
}

function unreadable({ ref, node }: ResolvedTarget): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `What ${ref} (${node.role}) holds is a secret and is not compared with anything.`,
    {
      suggestion: `Wait for something else, such as ${mentionCommand('wait', { element: ref })} or a text beside it.`,
    },
  );
}
