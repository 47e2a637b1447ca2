import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Candidate } from '../../model/effects/errors.ts';
import type { ElementRecord } from '../../model/refs/ref-document.ts';
import { parseRef, requireRef } from '../../model/refs/ref.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import type { CallOptions, DesktopPort, NodeDetails } from '../../ports/desktop.ts';
import { clip, isReusable, isSameElement } from '../tree/identity.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import type { LocatorResolver, TargetOptions } from './locate.ts';
import type { Session } from './session.ts';
import { named, windowTarget } from './target.ts';
import type { ResolvedTarget } from './target.ts';
import { goesBy, windowKey } from './window-identity.ts';

/** As long as Playwright waits for what it acts on. */
const LONGEST_WAIT_MS = 5000;
/** The rest of the time is for the act. */
const WAIT_SHARE = 0.5;
/** More elements than this are not searched; what cannot be searched wholly is not found again. */
const MAX_SEARCHED = 20_000;

/** Turns refs and locators into live elements: the right one or none. */
export class TargetResolver {
  private readonly desktop: DesktopPort;
  private readonly session: Session;
  private readonly locators: Pick<LocatorResolver, 'locate'>;

  constructor(desktop: DesktopPort, session: Session, locators: Pick<LocatorResolver, 'locate'>) {
    this.desktop = desktop;
    this.session = session;
    this.locators = locators;
  }

  /**
   * The element of a ref, or the one that a locator matches.
   * @throws DeskterityError ELEMENT_NOT_FOUND, STALE_REF, AMBIGUOUS_TARGET, APP_UNRESPONSIVE, and what looking for a locator fails with
   */
  async resolve(target: string, options: CallOptions & TargetOptions): Promise<ResolvedTarget> {
    if (parseRef(target) !== undefined) return this.resolveRef(target, options);
    const { ref, healed } = await this.locators.locate(target, options);
    return { ...(await this.resolveRef(ref, options)), healed };
  }

  /** {@link resolve} for an act, which waits for its target a part of its own time. */
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
    if (isAlive && (!isReusable(record) || isInItsPlace(details, record)))
      return { ref, record, node: details };
    return this.findAgain(ref, record, isAlive ? details : undefined, options);
  }

  /** A screen of text is its own element: the one that all typed text goes to. */
  private async wholeScreen(text: string, options: CallOptions): Promise<ResolvedTarget> {
    const ref = requireRef(text, 't');
    const [window] = await this.desktop.listWindows(options);
    if (window?.root === undefined || (await this.session.read()).windowKey(ref) !== windowKey(window))
      throw new DeskterityError('TERMINAL_NOT_FOUND', `${ref} is no terminal of this session.`, {
        suggestion: `Run ${mentionCommand('terminal list')} to see the terminals there are.`,
      });
    return windowTarget({ desktop: this.desktop, session: this.session }, window, options);
  }

  private async recordOf(ref: string, options: CallOptions): Promise<ElementRecord> {
    const table = await this.session.read();
    const record = table.element(ref);
    if (record) return record;
    // Nothing is known of a desktop that cannot be reached, and that is what is wrong then.
    await this.desktop.desktopId(options);
    if (table.wasGiven(ref)) {
      throw new DeskterityError(
        'STALE_REF',
        `${ref} belongs to another desktop or was given out too long ago.`,
        {
          suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} again and use the new reference.`,
        },
      );
    }
    throw new DeskterityError('ELEMENT_NOT_FOUND', `${ref} was never given out in this session.`, {
      suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} to get references; check ${mentionParameter('session')} if you use several.`,
    });
  }

  /**
   * The native object is gone, or may show another item by now. `alive` is what it says when it is there: good enough when it stands where it
   * stood. Otherwise only one element that is alike in every respect will do; where the toolkit makes another object for each reading and the old
   * one still says the same, its neighbours may be others.
   */
  private async findAgain(
    ref: string,
    record: ElementRecord,
    alive: NodeDetails | undefined,
    options: CallOptions,
  ): Promise<ResolvedTarget> {
    const window = (await this.desktop.listWindows(options)).find((candidate) =>
      goesBy(candidate, record.window),
    );
    if (!window?.root)
      throw window?.responsive === false
        ? silent(ref, record)
        : stale(ref, record, 'Its window is closed.', []);
    if (alive?.remade === true && !record.has_twin && clip(alive.name) === record.name) {
      const read = await this.readIndex(window.root, true, options);
      const [same, ...others] = read.index.candidates(record, false);
      if (same && others.length === 0 && read.complete) return this.follow(ref, record, same, options);
    }
    // What is hidden counts among the neighbours only where it was read: the ref may come from either kind of reading.
    const onScreen = await this.readIndex(window.root, false, options);
    if (alive && isRecognised(onScreen.index, record)) return { ref, record, node: alive };
    const whole = await this.readIndex(window.root, true, options);
    if (alive && isRecognised(whole.index, record)) return { ref, record, node: alive };

    const alike = whole.index.candidates(record, false);
    if (record.has_twin) throw await this.ambiguous(ref, record, alike, whole.index);
    const strict = unique([
      ...onScreen.index.candidates(record, true),
      ...whole.index.candidates(record, true),
    ]);
    const [found] = alike;
    // Trees of Qt make their rows anew for each reading, so that two readings show one row as two.
    const isOne = found !== undefined && alike.length === 1;
    const isBeside =
      isOne && isReusable(record) && [onScreen, whole].some(({ index }) => index.standsBeside(record));
    const stands = isOne && (strict.length > 0 || isBeside);
    const only = stands ? found : strict.length === 1 ? strict[0] : undefined;
    if (only && whole.complete && (await this.hasNoRef(only.handle)))
      return this.follow(ref, record, only, options);
    if (alike.length > 1) throw await this.ambiguous(ref, record, alike, whole.index);
    const candidates = await this.candidates(record, alike, whole.index);
    // Rows may be where nobody can read them; anything else that is not on screen and has no object any more is gone.
    if (whole.complete || (onScreen.complete && !isReusable(record)))
      throw stale(ref, record, 'The element is gone.', candidates);
    const why = 'The element was not found, and its window could be read in part only.';
    throw stale(ref, record, why, candidates, true);
  }

  /** From now on the ref names this native object. */
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
    });
    return { index: new TreeIndex(read.root), complete: read.complete };
  }

  /** An element that has a ref of its own was seen beside the lost one, or since: it must be asked for by that. */
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
        ref: table.giveElement(index.describe(node, record.window)),
        role: node.role,
        name: node.name,
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
      `${named(ref, record)} is gone, and more than one element looked like it.`,
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

/** The handle of a cell of a sheet is its address there, by which the sheet also calls it: no other can come to stand behind that. */
function isInItsPlace({ isNamedByPlace, name }: NodeDetails, record: ElementRecord): boolean {
  return isNamedByPlace === true && name === record.name;
}

/** Whether the native object of a record stands in the tree as it did. */
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

/** Its window stands, but no tree of it can be had: that is not known to be gone. */
function silent(ref: string, record: ElementRecord): DeskterityError {
  return new DeskterityError(
    'APP_UNRESPONSIVE',
    `${named(ref, record)} cannot be looked at: its application does not answer.`,
    { suggestion: 'Wait until it answers again and repeat the command.', retryable: true, delivered: false },
  );
}
