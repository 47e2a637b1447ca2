import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { Batch } from '../../../dbus/index.ts';
import type { Application, Channel } from '../../bus/application.ts';
import { applicationFailure } from '../../bus/call-failures.ts';
import { mayBeSheet, readNamedCells } from './named-cells.ts';
import { shownCells } from './shown-cells.ts';
import { readVisibleCells } from './visible-cells.ts';
import { DetailReader } from '../enrich.ts';
import { forEachNode, type RawNode } from '../raw-node.ts';
import type { ReadPlan } from '../read-plan.ts';
import { MAX_DEPTH, StructureReader } from '../read-structure.ts';

/** What the reading of one tree has for its tables. */
interface Reading {
  readonly application: Application;
  readonly channel: Channel;
  readonly plan: ReadPlan;
  /** With the time that remains. */
  readonly limits: () => CallOptions;
  /** Is told what could not be read, and why. */
  readonly onGap: (reason: string) => void;
}

interface HugeTables {
  /** Cells without details. */
  readonly bareCells: readonly RawNode[];
  readonly isNone: boolean;
  /** Calls that were sent. */
  readonly calls: number;
}

/** Reads the cells on screen of tables that have too many, and the cells that the caller has named. */
export async function readHugeTables(root: RawNode, reading: Reading): Promise<HugeTables> {
  const { cells } = reading.plan;
  const tables: RawNode[] = [];
  forEachNode(root, (node) => {
    if (node.elided === 'too_many' || (cells !== undefined && mayBeSheet(node))) tables.push(node);
  });
  const bare: RawNode[] = [];
  let calls = 0;
  for (const table of tables) {
    const batches: Batch[] = [];
    const batchOf = (): Batch => {
      const batch = reading.channel.connection.batch(reading.limits());
      batches.push(batch);
      return batch;
    };
    const hasDetails = await readCells(table, reading, batchOf).catch((error: unknown) => {
      reading.onGap(
        `the visible part of a container with ${table.childCount} elements could not be read: ${applicationFailure(error, 'reading cells').message}`,
      );
      return false;
    });
    if (!hasDetails) bare.push(...table.children.filter((cell) => !cell.dropped));
    for (const batch of batches) calls += batch.sent;
  }
  return { bareCells: bare, isNone: tables.length === 0, calls };
}

/** Resolves to whether the cells have their details. */
async function readCells(table: RawNode, reading: Reading, batchOf: () => Batch): Promise<boolean> {
  const { application, channel, plan, limits, onGap } = reading;
  const areTransient = application.traits.cellsAreTransient;
  const named = plan.cells && { range: plan.cells, areTransient };
  if (named && (await readNamedCells(channel, table, batchOf, limits(), named))) return false;
  if (table.elided !== 'too_many') return false;
  if (!areTransient && (await readShownCells(table, reading, batchOf))) {
    if (plan.wholeTree)
      onGap(`of a list or table of ${table.childCount} cells, only those on screen were read`);
    return true;
  }
  await readVisibleCells(channel, table, batchOf, limits(), { keepEmpty: plan.wholeTree, areTransient });
  return false;
}

/** Resolves to whether there are any. */
async function readShownCells(
  table: RawNode,
  { application, channel, plan, limits, onGap }: Reading,
  batchOf: () => Batch,
): Promise<boolean> {
  const { wholeTree, maxNodes } = plan;
  const { windowCoordinates } = plan.frame;
  const shown = await shownCells(channel, table, batchOf, limits(), { windowCoordinates });
  if (shown.length === 0) return false;
  const batch = batchOf();
  const details = new DetailReader(application, channel, batch, plan);
  const request = {
    wholeTree,
    maxNodes,
    maxDepth: MAX_DEPTH,
    windowCoordinates,
    shownPlacesOnly: false,
    startsAtTopLevel: false,
    startsAtMenu: false,
  };
  const onRead = (node: RawNode): void => details.request(node);
  const reader = new StructureReader(application, channel, batch, request, onRead, undefined);
  table.elided = 'lazy';
  reader.enterSome(table, shown);
  if ((await batch.settled).timedOut)
    onGap(`the cells on screen of a container with ${table.childCount} elements did not all answer in time`);
  return true;
}
