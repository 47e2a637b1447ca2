import { mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { TreeNode } from '../../../../model/tree/node.ts';
import { quote } from '../../../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { TreeResult } from '../../../../ports/desktop/elements.ts';
import type { Batch } from '../../dbus/index.ts';
import { cancelled } from '../../failures.ts';
import type { Application, Channel } from '../bus/application.ts';
import { applicationFailure } from '../bus/call-failures.ts';
import { requestsThrough, type Knowledge } from '../mirror/requests.ts';
import { liveNode } from './cells/cell-address.ts';
import { DetailReader } from './enrich.ts';
import { hideClosedLists } from './closed-lists.ts';
import { readHugeTables } from './cells/huge-tables.ts';
import { slotOf, toTreeNode } from './nodes/tree-node.ts';
import { hideBeyondWindow } from './unseen/beyond-window.ts';
import { hideCoveredDocks } from './unseen/covered-docks.ts';
import { hideInFlatPanels } from './unseen/flat-panels.ts';
import { showLentItems } from './lent-items.ts';
import { placeSwingParts } from './swing-places.ts';
import type { ReadPlan, ToBounds } from './read-plan.ts';
import { placesOfLabels, sparesPlaces, textsBefore } from './places-off-screen.ts';
import { RepeatedReading } from '../mirror/last-readings.ts';
import type { RawNode } from './raw-node.ts';
import { MAX_DEPTH, StructureReader } from './read-structure.ts';
import { hideSpannedCells } from './cells/spanned-cells.ts';
import { hideUnmapped } from './unseen/unmapped.ts';

/** Plugs inside plugs; more is a loop. */
const MAX_PLUG_DEPTH = 4;

/** Reads one tree through the accessibility bus: structure, then details, then embedded processes. */
export async function readTree(application: Application, plan: ReadPlan): Promise<TreeResult> {
  return new Reading(application, plan).read();
}

class Reading {
  private readonly application: Application;
  private readonly plan: ReadPlan;
  private readonly deadline: number;
  private readonly reasons = new Set<string>();
  private calls = 0;
  private plugDepth = 0;
  /** Whether it asked anything that is not noted in the log of a repeated reading. */
  private isWhole = true;

  constructor(application: Application, plan: ReadPlan) {
    this.application = application;
    this.plan = plan;
    this.deadline = performance.now() + plan.deadlineMs;
  }

  async read(): Promise<TreeResult> {
    const { application, plan } = this;
    const channel = await application.readingChannel(plan);
    const depth = Math.min(plan.maxDepth ?? MAX_DEPTH, MAX_DEPTH);
    const live = await liveNode(application, plan.root, plan);
    const knowledge = await plan.knowledgeOf?.(application);
    // What a cache of visited objects has depends on what was asked before.
    const mayRepeat = plan.cells === undefined && application.traits.cache !== 'walked';
    const repeated =
      knowledge?.used && mayRepeat
        ? new RepeatedReading(
            { ...knowledge, used: knowledge.used },
            application.traits.kind,
            plan,
            live.path,
          )
        : undefined;
    if (repeated) {
      await this.askAgain(channel, repeated);
      const known = repeated.again(await plan.frame.toBounds);
      if (known) return { ...known, callCount: this.calls };
    }
    const noted = knowledge && { ...knowledge, log: repeated?.log };
    const root = await this.readPart(application, channel, live.path, { maxDepth: depth, knowledge: noted });
    root.address = plan.root.path;
    const toBounds = await plan.frame.toBounds;
    const result = this.result(root, toBounds);
    repeated?.keep(result, toBounds, this.isWhole && plan.frame.partRule === undefined);
    return result;
  }

  /** Leaves time for the reading itself: of an application that stops answering, it has a part. */
  private async askAgain(channel: Channel, repeated: RepeatedReading): Promise<void> {
    const { deadlineMs, signal } = this.options;
    const batch = channel.connection.batch({ deadlineMs: Math.max(1, deadlineMs / 2), signal });
    repeated.askAgain(batch, channel.destination !== undefined);
    await batch.settled;
    this.calls += batch.sent;
  }

  private result(root: RawNode, toBounds: ToBounds): TreeResult {
    let nodeCount = 0;
    const { partRule } = this.plan.frame;
    const toNode = (raw: RawNode, around: RawNode | undefined, outer: ToBounds): TreeNode => {
      nodeCount++;
      const own = around && partRule ? partRule(raw, around, outer) : outer;
      const node = toTreeNode(raw, this.application, own, (child) => toNode(child, raw, own));
      const slot = around && slotOf(raw, around, this.application);
      if (slot !== undefined) node.slot = slot;
      return node;
    };
    const tree = toNode(root, undefined, toBounds);
    return {
      root: tree,
      complete: this.reasons.size === 0,
      incompleteReasons: [...this.reasons],
      nodeCount,
      callCount: this.calls,
    };
  }

  /** With the time that remains. */
  private get options(): CallOptions {
    return { deadlineMs: Math.max(1, this.deadline - performance.now()), signal: this.plan.signal };
  }

  private batch(channel: Channel): Batch {
    return channel.connection.batch(this.options);
  }

  private async readPart(
    application: Application,
    channel: Channel,
    path: string,
    { maxDepth, knowledge }: { readonly maxDepth: number; readonly knowledge: Knowledge | undefined },
  ): Promise<RawNode> {
    const { wholeTree, maxNodes } = this.plan;
    const { mirror, used } = knowledge ?? {};
    const isKnown = application.traits.cache === 'complete' && used && mirror?.hasTree(path) === true;
    const useCache = this.prefersCache(application, maxDepth) && !isKnown;
    const batch = this.batch(channel);
    const requests = requestsThrough(knowledge, batch);
    const details = new DetailReader(application, channel, requests, this.plan);
    const request = {
      wholeTree,
      maxDepth,
      maxNodes,
      windowCoordinates: this.plan.frame.windowCoordinates,
      shownPlacesOnly:
        this.plan.shownPlacesOnly === true && wholeTree && sparesPlaces(application.traits.kind),
      startsAtTopLevel: path === this.plan.frame.rootPath,
      startsAtMenu: this.plan.startsAtMenu === true,
    };
    const onRead = (node: RawNode): void => details.request(node);
    const structure = new StructureReader(application, channel, requests, request, onRead, mirror);
    const root = structure.start(path, useCache);
    await this.settle(batch, root);
    if (structure.rootError && root.children.length === 0)
      throw applicationFailure(structure.rootError, 'Reading the tree');
    if (structure.unreadable > 0) this.reasons.add(`${structure.unreadable} elements could not be read`);
    if (structure.nodeLimitReached) this.reasons.add(`only the first ${maxNodes} elements were read`);
    if (request.startsAtMenu) this.isWhole = false;
    if (request.startsAtMenu) await showLentItems(channel, root, this.options);
    placeSwingParts(application, root);
    const rest = { details, knowledge, structure };
    await this.readRest(application, channel, root, rest);
    hideClosedLists(application, root, wholeTree);
    hideSpannedCells(application, root, wholeTree);
    hideCoveredDocks(application, root, wholeTree);
    hideBeyondWindow(application, root, wholeTree);
    hideInFlatPanels(application, root, wholeTree);
    if (structure.asksMapped) hideUnmapped(root, wholeTree);
    await this.readPlugs(structure, maxDepth);
    return root;
  }

  /** Reads what requires the tree first: cells of huge tables and the chosen options of combo boxes. */
  private async readRest(
    application: Application,
    channel: Channel,
    root: RawNode,
    {
      details,
      knowledge,
      structure,
    }: {
      readonly details: DetailReader;
      readonly knowledge: Knowledge | undefined;
      readonly structure: StructureReader;
    },
  ): Promise<void> {
    const tables = await readHugeTables(root, {
      application,
      channel,
      plan: this.plan,
      limits: () => this.options,
      onGap: (reason) => this.reasons.add(reason),
    });
    this.calls += tables.calls;
    if (!tables.isNone) this.isWhole = false;
    const batch = this.batch(channel);
    const requests = requestsThrough(knowledge, batch);
    details.requestChoices(requests);
    if (!application.traits.namesAreComputed) details.requestOwners(requests, textsBefore(root));
    if (structure.sparesPlaces) structure.readPlaces(requests, placesOfLabels(root));
    const ofCells = new DetailReader(application, channel, batch, this.plan);
    for (const cell of tables.bareCells) ofCells.request(cell);
    await this.settle(batch, root);
  }

  /** A bulk read returns the whole application, so it always pays for a whole tree. */
  private prefersCache(application: Application, maxDepth: number): boolean {
    const { cache, cachePaysOnScreen } = application.traits;
    if (cache === 'none' || maxDepth < 3) return false;
    return cachePaysOnScreen || this.plan.wholeTree;
  }

  private async settle(batch: Batch, root: RawNode): Promise<void> {
    const outcome = await batch.settled;
    this.calls += batch.sent;
    if (outcome.cancelled) throw cancelled('Reading the tree was cancelled.');
    if (!outcome.timedOut) return;
    if (root.children.length === 0) {
      throw new DeskterityError(
        'APP_UNRESPONSIVE',
        `${this.application.name === '' ? 'The application' : quote(this.application.name)} did not respond within ${Math.round(this.plan.deadlineMs)} ms.`,
        {
          suggestion: `Wait until it is idle and retry, raise ${mentionParameter('timeout_ms')}, or look at the screen with ${mentionCommand('screenshot')}.`,
          retryable: true,
        },
      );
    }
    this.reasons.add(`the application stopped responding within ${Math.round(this.plan.deadlineMs)} ms`);
  }

  private async readPlugs(structure: StructureReader, maxDepth: number): Promise<void> {
    if (structure.foreign.length > 0) this.isWhole = false;
    if (structure.foreign.length === 0 || this.plugDepth >= MAX_PLUG_DEPTH) return;
    this.plugDepth++;
    for (const { parent, reference } of structure.foreign) {
      const embedded = await this.plan.applicationOf(reference.bus).catch(() => undefined);
      if (!embedded) continue;
      try {
        const channel = await embedded.readingChannel(this.options);
        const knowledge = await this.plan.knowledgeOf?.(embedded);
        const part = { maxDepth: maxDepth - parent.depth - 1, knowledge };
        parent.children.push(await this.readPart(embedded, channel, reference.path, part));
      } catch (error) {
        this.reasons.add(
          `an embedded part in another process could not be read: ${applicationFailure(error, 'reading it').message}`,
        );
      }
    }
    this.plugDepth--;
  }
}
