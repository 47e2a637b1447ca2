import type { DistillOptions } from '../model/distill/distill.ts';
import { distill } from '../model/distill/distill.ts';
import { estimateTokens } from '../model/budget.ts';
import { DeskterityError } from '../model/errors.ts';
import type { ElementRecord } from '../model/ref-document.ts';
import type { WindowSummary } from '../model/target.ts';
import type { CallOptions, DesktopPort, DesktopWindow, TreeResult } from '../ports/desktop.ts';
import type { SnapshotRequest, SnapshotResult } from './engine.ts';
import type { RefTable } from './ref-table.ts';
import type { ScopeResolver } from './scope.ts';
import type { Session } from './session.ts';
import type { TargetResolver } from './resolve.ts';
import { TreeIndex } from './tree-index.ts';
import { goesBy } from './window-identity.ts';

/** No tree worth reading takes less. */
const SMALLEST_TREE_TOKENS = 60;
/** More elements than this are not read in one call; the answer says so. */
export const MAX_NODES = 20_000;

/** What is read must also be understood and told within the deadline; a part in time is better than the whole too late. */
const READING_SHARE = 0.8;

export class Observer {
  private readonly desktop: DesktopPort;
  private readonly session: Session;
  private readonly scope: ScopeResolver;
  private readonly resolver: TargetResolver;

  constructor(parts: {
    desktop: DesktopPort;
    session: Session;
    scope: ScopeResolver;
    resolver: TargetResolver;
  }) {
    this.desktop = parts.desktop;
    this.session = parts.session;
    this.scope = parts.scope;
    this.resolver = parts.resolver;
  }

  async snapshot(request: SnapshotRequest): Promise<SnapshotResult> {
    const { window, read, above } =
      request.root === undefined
        ? { ...(await this.readWindow(request)), above: undefined }
        : await this.readBelow(request.root, request);
    const options: DistillOptions = {
      interactiveOnly: request.interactiveOnly,
      compact: request.compact,
      wholeTree: request.wholeTree,
      includeBounds: request.includeBounds,
      includeActions: request.includeActions,
      maxDepth: request.maxDepth,
    };
    const index = new TreeIndex(read.root, above);
    return this.session.edit((table) => {
      const summary = window && toWindowSummary(window, table);
      const windowId = window?.id ?? above?.window ?? '';
      const rootRef = above?.ref ?? summary?.ref;
      const rest = {
        app: window?.appName ?? '',
        window: summary,
        complete: read.complete,
        incompleteReasons: read.incompleteReasons,
        cursor: table.advance(),
        nodeCount: read.nodeCount,
        callCount: read.callCount,
      };
      const budget = treeBudget(request, { ...rest, refCount: read.nodeCount, elided: read.nodeCount });
      const tree = distill(read.root, { ...options, rootRef, budget }, (node) =>
        table.giveElement(index.describe(node, windowId), above !== undefined),
      );
      return { ...rest, refCount: tree.refCount, elided: tree.elided, tree: tree.root };
    });
  }

  /** Reads the window meant by a scope. @throws DeskterityError ACTION_NOT_SUPPORTED when it shows no tree */
  async readWindow(
    request: CallOptions & {
      app?: string | undefined;
      window?: string | undefined;
      wholeTree: boolean;
      includeActions?: boolean;
    },
  ): Promise<{ window: DesktopWindow; read: TreeResult }> {
    const window = await this.scope.window(request, request);
    return { window, read: await this.readTreeOf(window, request) };
  }

  async readTreeOf(
    window: DesktopWindow,
    request: CallOptions & { wholeTree: boolean; includeActions?: boolean },
  ): Promise<TreeResult> {
    if (!window.root && window.responsive === false) {
      throw new DeskterityError(
        'APP_UNRESPONSIVE',
        `${window.appName} does not answer, so its window ${JSON.stringify(window.title.slice(0, 80))} cannot be read.`,
        {
          suggestion: 'Wait until it is idle and retry, or look at it with "desk screenshot".',
          retryable: true,
        },
      );
    }
    if (!window.root) {
      throw new DeskterityError(
        'ACTION_NOT_SUPPORTED',
        `The window ${JSON.stringify(window.title.slice(0, 80))} of ${window.appName} cannot be read.`,
        {
          suggestion: window.reason ?? 'Look at it with "desk screenshot".',
        },
      );
    }
    const read = await this.desktop.readTree({
      root: window.root,
      wholeTree: request.wholeTree,
      maxNodes: MAX_NODES,
      includeActions: request.includeActions ?? false,
      deadlineMs: Math.max(1, request.deadlineMs * READING_SHARE),
      signal: request.signal,
    });
    // Qt leaves the accessible name of a window empty; its title bar has one.
    if (read.root.name === '') read.root.name = window.title;
    return read;
  }

  private async readBelow(
    ref: string,
    request: SnapshotRequest,
  ): Promise<{ window: DesktopWindow | undefined; read: TreeResult; above: ElementRecord }> {
    const { record, node } = await this.resolver.resolve(ref, request);
    const windows = await this.desktop.listWindows(request);
    const read = await this.desktop.readTree({
      root: node.handle,
      wholeTree: request.wholeTree,
      maxNodes: MAX_NODES,
      includeActions: request.includeActions,
      deadlineMs: request.deadlineMs,
      signal: request.signal,
    });
    return { window: windows.find((window) => goesBy(window, record.window)), read, above: record };
  }
}

/** What is left for the tree once the rest of the answer is paid for. */
function treeBudget(request: SnapshotRequest, rest: Omit<SnapshotResult, 'tree'>): DistillOptions['budget'] {
  if (request.maxTokens === undefined) return undefined;
  const around = estimateTokens(request.frame?.(rest) ?? '');
  if (around > 0 && around + SMALLEST_TREE_TOKENS > request.maxTokens) {
    throw new DeskterityError(
      'BUDGET_TOO_SMALL',
      `${request.maxTokens} tokens are not enough: what stands around the tree needs ${around}.`,
      {
        suggestion: `Repeat with --max-tokens ${around + 100} or more, or with --format outline.`,
      },
    );
  }
  return { maxTokens: request.maxTokens - around, form: request.form };
}

export function toWindowSummary(window: DesktopWindow, table: RefTable): WindowSummary {
  return {
    ref: table.giveWindow(window),
    id: window.id,
    title: window.title,
    app: window.appName,
    pid: window.pid,
    ...(window.bounds ? { bounds: window.bounds } : {}),
    focused: window.focused,
    minimized: window.minimized,
    ...(window.stacking === undefined ? {} : { stacking: window.stacking }),
    accessible: window.accessible,
    ...(window.reason === undefined ? {} : { reason: window.reason }),
  };
}
