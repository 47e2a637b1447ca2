import { shownName } from '../../model/tree/shown-name.ts';
import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError, type Candidate } from '../../model/effects/errors.ts';
import type { ElementRecord } from '../../model/refs/ref-document.ts';
import { parseRef, requireRef } from '../../model/refs/ref.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import type { State } from '../../model/tree/state.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { clip, isReusable, isSameElement } from '../tree/identity.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import type { LocatorResolver, LookBasis, Matching, TargetOptions } from './locate.ts';
import type { Session } from './session.ts';
import { named, windowTarget, type ResolvedTarget } from './target.ts';
import { hasWindowKey, windowKey } from './window-identity.ts';

/** How long an act waits for its target to appear. */
const LONGEST_WAIT_MS = 5000;
/** The rest of the time is for the act. */
const WAIT_SHARE = 0.5;
/** At most this many elements are searched; in larger windows a lost element is never found again. */
const MAX_SEARCHED = 20_000;

/** Resolves refs and locators to live elements: the right one or none. */
export class TargetResolver {
  private readonly desktop: DesktopPort;
  private readonly session: Session;
  private readonly locators: Pick<LocatorResolver, 'locate' | 'matching'>;

  constructor(
    desktop: DesktopPort,
    session: Session,
    locators: Pick<LocatorResolver, 'locate' | 'matching'>,
  ) {
    this.desktop = desktop;
    this.session = session;
    this.locators = locators;
  }

  /**
   * The element of a ref, or the one that a locator matches.
   * @throws DeskterityError ELEMENT_NOT_FOUND, STALE_REF, AMBIGUOUS_TARGET, APP_UNRESPONSIVE, and the errors of locators
   */
  async resolve(target: string, options: CallOptions & TargetOptions): Promise<ResolvedTarget> {
    if (parseRef(target) !== undefined) return this.resolveRef(target, options);
    const anew = { ...options, mirrored: false, sameWindows: false };
    const located = await this.locators.locate(target, options).catch((error: unknown) => {
      if (options.mirrored === true && isAmbiguous(error)) return this.locators.locate(target, anew);
      throw error;
    });
    const { ref, healed, known } = located;
    const found = await this.resolveRef(ref, options);
    if (known !== undefined && !isAsKnown(found.node, known)) return this.resolve(target, anew);
    return { ...found, healed };
  }

  /** Everything on screen that a locator matches. */
  matching(locator: string, options: CallOptions & LookBasis): Promise<Matching> {
    return this.locators.matching(locator, options);
  }

  /** {@link resolve} for an act, which waits for its target during part of its time. */
  resolveForActing(target: string, options: CallOptions, heal = false): Promise<ResolvedTarget> {
    const waitMs = Math.min(LONGEST_WAIT_MS, options.deadlineMs * WAIT_SHARE);
    return this.resolve(target, { ...options, waitMs, heal });
  }

  private async resolveRef(text: string, options: CallOptions): Promise<ResolvedTarget> {
    if (parseRef(text)?.kind === 't') return this.wholeScreen(text, options);
    const ref = requireRef(text, 'e');
    const record = await this.recordOf(ref, options);
    const details = await this.desktop
      .describe({ app: record.app, path: record.path }, options)
      .catch((error: unknown) => {
        if (error instanceof DeskterityError && error.code === 'STALE_REF') return undefined;
        throw error;
      });
    const isAlive = details?.role === record.role && !details.states.includes('defunct');
    if (isAlive && (!isReusable(record) || isSameCell(details, record)))
      return { ref, record, node: details };
    return this.findAgain(ref, record, isAlive ? details : undefined, options);
  }

  /** A text screen is an element itself: it receives all typed text. */
  private async wholeScreen(text: string, options: CallOptions): Promise<ResolvedTarget> {
    const ref = requireRef(text, 't');
    const [window] = await this.desktop.listWindows(options);
    if (window?.root === undefined || (await this.session.read()).windowKey(ref) !== windowKey(window))
      throw new DeskterityError('TERMINAL_NOT_FOUND', `${ref} is not a terminal of this session.`, {
        suggestion: `Run ${mentionCommand('terminal list')} to see the terminals.`,
      });
    return windowTarget({ desktop: this.desktop, session: this.session }, window, options);
  }

  private async recordOf(ref: string, options: CallOptions): Promise<ElementRecord> {
    const table = await this.session.read();
    const record = table.element(ref);
    if (record) return record;
    // If the desktop cannot be reached, report that instead.
    await this.desktop.desktopId(options);
    if (table.wasIssued(ref))
      throw new DeskterityError(
        'STALE_REF',
        `${ref} belongs to another desktop or was issued too long ago.`,
        {
          suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} again and use the new reference.`,
        },
      );
    throw new DeskterityError('ELEMENT_NOT_FOUND', `${ref} was never issued in this session.`, {
      suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} to get references; check ${mentionParameter('session')} if you use several.`,
    });
  }

  /**
   * The native object no longer exists or may show another item now. `alive` is its present state, which suffices if its position is the same.
   * Otherwise exactly one element must match in every respect; if the toolkit creates new objects for each reading and the old one still has
   * the same name, its neighbours may differ.
   */
  private async findAgain(
    ref: string,
    record: ElementRecord,
    alive: NodeDetails | undefined,
    options: CallOptions,
  ): Promise<ResolvedTarget> {
    const window = (await this.desktop.listWindows(options)).find((candidate) =>
      hasWindowKey(candidate, record.window),
    );
    if (!window?.root)
      throw window?.responsive === false
        ? silent(ref, record)
        : stale(ref, record, 'Its window has closed.', []);
    if (alive?.remade === true && !record.has_twin && clip(alive.name) === record.name) {
      const read = await this.readIndex(window.root, true, options);
      const [same, ...others] = read.index.candidates(record, false);
      if (same && others.length === 0 && read.complete) return this.follow(ref, record, same, options);
    }
    // Hidden elements count as neighbours only if they were read: the ref may come from either kind of reading.
    const onScreen = await this.readIndex(window.root, false, options);
    if (alive && isRecognised(onScreen.index, record)) return { ref, record, node: alive };
    const whole = await this.readIndex(window.root, true, options);
    if (alive && isRecognised(whole.index, record)) return { ref, record, node: alive };

    const alike = whole.index.candidates(record, false);
    const here = alive && whole.complete ? whole.index.drawnAs(record, alive) : undefined;
    if (here) return this.follow(ref, record, here, options);
    if (record.has_twin) throw await this.ambiguous(ref, record, alike, whole.index);
    const strict = unique([
      ...onScreen.index.candidates(record, true),
      ...whole.index.candidates(record, true),
    ]);
    const [found] = alike;
    // Qt trees recreate their rows for each reading, so two readings show one row as two.
    const isOne = found !== undefined && alike.length === 1;
    const isBeside =
      isOne && isReusable(record) && [onScreen, whole].some(({ index }) => index.standsBeside(record));
    const isFound = isOne && (strict.length > 0 || isBeside);
    const only = isFound ? found : strict.length === 1 ? strict[0] : undefined;
    if (only && whole.complete && (await this.hasNoRef(only.handle)))
      return this.follow(ref, record, only, options);
    if (alike.length > 1) throw await this.ambiguous(ref, record, alike, whole.index);
    const candidates = await this.candidates(record, alike, whole.index);
    // Rows may exist where they cannot be read; any other element that is not on screen and has no object no longer exists.
    if (whole.complete || (onScreen.complete && !isReusable(record)))
      throw stale(ref, record, 'The element no longer exists.', candidates);
    const why = 'The element was not found, and only part of its window could be read.';
    throw stale(ref, record, why, candidates, true);
  }

  /** Makes the ref name this native object. */
  private async follow(
    ref: string,
    record: ElementRecord,
    { handle }: TreeNode,
    options: CallOptions,
  ): Promise<ResolvedTarget> {
    const described = { ...record, app: handle.app, path: handle.path };
    await this.session.edit((table) => table.update(ref, described));
    return { ref, record: described, node: await this.desktop.describe(handle, options) };
  }

  private async readIndex(
    root: NodeHandle,
    wholeTree: boolean,
    options: CallOptions,
  ): Promise<{ index: TreeIndex; complete: boolean }> {
    const read = await this.desktop.readTree({
      ...options,
      root,
      wholeTree,
      maxNodes: MAX_SEARCHED,
      includeActions: false,
      mirrored: false,
    });
    return { index: new TreeIndex(read.root), complete: read.complete };
  }

  /** An element with its own ref is not the lost one: it was seen beside it or later. */
  private async hasNoRef(handle: NodeHandle): Promise<boolean> {
    return (await this.session.read()).refOf(handle) === undefined;
  }

  private async candidates(
    record: ElementRecord,
    alike: readonly TreeNode[],
    index: TreeIndex,
  ): Promise<Candidate[]> {
    return this.session.edit((table) =>
      alike.slice(0, 10).map((node): Candidate => ({
        ref: table.refForElement(index.describe(node, record.window)),
        role: node.role,
        name: shownName(node),
      })),
    );
  }

  private async ambiguous(
    ref: string,
    record: ElementRecord,
    alike: readonly TreeNode[],
    index: TreeIndex,
  ): Promise<DeskterityError> {
    const candidates = await this.candidates(record, alike, index);
    return new DeskterityError(
      'AMBIGUOUS_TARGET',
      `${named(ref, record)} no longer exists, and several elements look like it.`,
      {
        suggestion:
          candidates.length > 0
            ? 'Use the reference of the candidate you mean.'
            : `Run ${mentionCommand('snapshot')} again.`,
        candidates,
        delivered: false,
      },
    );
  }
}

/** One of several matches may have gone since it was read. */
function isAmbiguous(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'AMBIGUOUS_TARGET';
}

/**
 * Whether an element still says what it said when it was read last, so that the locator which matched that matches this, too. What was empty there cannot
 * have matched. Fields whose names are in their labels do not say them: they are searched anew.
 */
function isAsKnown(now: NodeDetails, { name, value = '', states }: TreeNode): boolean {
  const own = (all: readonly State[]): string =>
    all
      .filter((state) => !ABOUT_PLACE.has(state))
      .toSorted()
      .join();
  return (
    (name === '' || now.name === name) &&
    (value === '' || now.value === value) &&
    own(now.states) === own(states)
  );
}

/** States that depend on what is around an element, which is not read with it. */
const ABOUT_PLACE: ReadonlySet<State> = new Set<State>(['hidden', 'offscreen']);

/** The handle of a sheet cell is its address, which is also its name: it never shows another cell. */
function isSameCell({ isNamedByPlace, name }: NodeDetails, record: ElementRecord): boolean {
  return isNamedByPlace === true && name === record.name;
}

/** Whether the native object of a record is still the same element in the tree. */
function isRecognised(index: TreeIndex, record: ElementRecord): boolean {
  const node = index.at(record);
  return node !== undefined && isSameElement(record, index.describe(node, record.window));
}

/** Two readings show the same element as two nodes. */
function unique(nodes: readonly TreeNode[]): TreeNode[] {
  return [...new Map(nodes.map((node) => [handleKey(node.handle), node])).values()];
}

function stale(
  ref: string,
  record: ElementRecord,
  why: string,
  candidates: readonly Candidate[],
  retryable = false,
): DeskterityError {
  return new DeskterityError('STALE_REF', `${named(ref, record)} can no longer be used. ${why}`, {
    suggestion:
      candidates.length > 0
        ? 'If the candidate is what you mean, use its reference.'
        : `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} again and use the new reference.`,
    candidates,
    retryable,
    delivered: false,
  });
}

/** Its window exists but shows no tree, so the element may still exist. */
function silent(ref: string, record: ElementRecord): DeskterityError {
  return new DeskterityError(
    'APP_UNRESPONSIVE',
    `${named(ref, record)} cannot be read: its application does not answer.`,
    { suggestion: 'Wait until it answers again and repeat the command.', retryable: true, delivered: false },
  );
}
