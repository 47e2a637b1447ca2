import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLastPlaces } from '../../../../src/platform/linux/atspi/mirror/last-places.ts';
import { Mirror } from '../../../../src/platform/linux/atspi/mirror/mirror.ts';
import { requestsThrough } from '../../../../src/platform/linux/atspi/mirror/requests.ts';
import { RepeatedReading } from '../../../../src/platform/linux/atspi/mirror/last-readings.ts';
import { readingTemplates } from '../../../../src/platform/linux/atspi/tree/templates.ts';
import type { ToolkitKind } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';
import type { ReadPlan } from '../../../../src/platform/linux/atspi/tree/read-plan.ts';
import { Variant, type BusConnection, type BusValue } from '../../../../src/platform/linux/dbus/index.ts';
import type { TreeResult } from '../../../../src/ports/desktop/elements.ts';
import { PATIENT } from '../dbus/support/echo.ts';
import { Fixture } from '../dbus/support/fixture.ts';
import { buildReply } from '../dbus/support/message.ts';

const fixture = new Fixture();
const templates = readingTemplates(undefined);
const toBounds = () => undefined;
const PLAN: ReadPlan = {
  root: { app: ':1.7', path: '/window' },
  wholeTree: false,
  maxNodes: 100,
  includeActions: false,
  deadlineMs: 1000,
  frame: { windowCoordinates: false, rootPath: '/window', toBounds: Promise.resolve(toBounds) },
  applicationOf: async () => undefined,
};

let mirror: Mirror;
let connection: BusConnection;
/** What the application reports. */
let rows: number;
let x: number;
let asked: string[];

beforeEach(async () => {
  mirror = new Mirror(() => 'qt');
  mirror.begin();
  [rows, x, asked] = [3, 10, []];
  ({ connection } = await fixture.pair(({ serial, fields: { member = '', path = '' } }, socket) => {
    asked.push(`${member} ${path}`);
    const answers: Record<string, { signature: string; values: BusValue[] }> = {
      GetExtents: { signature: '(iiii)', values: [[x, 0, 100, 20]] },
      Get: { signature: 'v', values: [new Variant('i', rows)] },
      GetChildren: { signature: 'a(so)', values: [[[':1.7', '/list/row']]] },
    };
    socket.write(buildReply(serial, answers[member] ?? { signature: '', values: [] }));
  }));
});
afterEach(async () => fixture.end());

/** Reads a list as readings do: how many rows it has, then these, and where one is. */
async function read(
  plan: ReadPlan = PLAN,
  kind: ToolkitKind = 'qt',
): Promise<{ result: TreeResult; isNew: boolean }> {
  const used = plan.knownPlaces === true ? withLastPlaces(mirror) : mirror;
  const repeated = new RepeatedReading({ mirror, used }, kind, plan, '/window');
  const ahead = connection.batch(PATIENT);
  repeated.askAgain(ahead);
  await ahead.settled;
  const known = repeated.again(toBounds);
  if (known) return { result: known, isNew: false };
  const batch = connection.batch(PATIENT);
  const requests = requestsThrough({ mirror, used, log: repeated.log }, batch);
  let place = 0;
  requests.request(templates.childCount, '/list', (_error, count = 0) => {
    if (count > 100) return;
    requests.request(templates.children, '/list', (_failure, listed) => {
      const row = listed?.[0];
      if (!row) return;
      requests.request(templates.screenExtents, row.path, (_problem, extents) => {
        place = extents?.x ?? 0;
      });
    });
  });
  await batch.settled;
  const root = { ...PLAIN, name: `${place}` };
  const result = { root, complete: true, incompleteReasons: [], nodeCount: 1, callCount: 0 };
  repeated.keep(result, toBounds, true);
  return { result, isNew: true };
}

const PLAIN: TreeResult['root'] = {
  handle: { app: ':1.7', path: '/list' },
  role: 'list',
  nativeRole: 'list',
  name: '',
  states: [],
  children: [],
};

const ALL = ['Get /list', 'GetChildren /list', 'GetExtents /list/row'];

describe('a reading like the last one', () => {
  it('asks anew what is not reported, and is the same tree if all answers are the same', async () => {
    const first = await read();
    expect(asked).toEqual(ALL);
    asked = [];
    const second = await read();
    expect(second).toEqual({ result: first.result, isNew: false });
    expect(second.result).toBe(first.result);
    expect(asked.toSorted()).toEqual(ALL);
  });

  it('sees what changed without an event, and asks nothing twice', async () => {
    await read();
    [x, asked] = [20, []];
    const { result, isNew } = await read();
    expect({ isNew, place: result.root.name }).toEqual({ isNew: true, place: '20' });
    expect(asked.toSorted()).toEqual(ALL);
    expect((await read()).isNew).toBe(false);
  });

  it('is made anew after an event, even one about what it does not show', async () => {
    await read();
    mirror.changed('/elsewhere');
    expect((await read()).isNew).toBe(true);
    expect((await read()).isNew).toBe(false);
  });

  it('asks for no place that is known, if it may rest on these', async () => {
    const plan = { ...PLAN, knownPlaces: true };
    await read();
    [x, asked] = [20, []];
    const { result } = await read(plan);
    expect(asked).not.toContain('GetExtents /list/row');
    expect(result.root.name).toBe('10');
    // A reading that does not is not taken in by that.
    expect((await read()).result.root.name).toBe('20');
    expect((await read(plan)).result.root.name).toBe('20');
  });

  it('asks for the place of what reported a change since', async () => {
    const plan = { ...PLAN, knownPlaces: true };
    await read();
    x = 20;
    mirror.changed('/list/row');
    expect((await read(plan)).result.root.name).toBe('20');
  });

  it('is made anew after another reading has found another answer', async () => {
    await read();
    const object = mirror.object('/label');
    const { slot } = templates.role;
    if (slot === undefined) throw new Error('roles are kept');
    mirror.keep(object, slot, 7, mirror.now);
    expect((await read()).isNew).toBe(false);
    mirror.keep(object, slot, 8, mirror.now);
    expect((await read()).isNew).toBe(true);
  });

  it('asks nothing that another reading has found since, and compares that, too', async () => {
    await read();
    const { slot } = templates.childCount;
    if (slot === undefined) throw new Error('counts are kept');
    mirror = new Mirror(() => 'gecko');
    mirror.begin();
    await read();
    expect((await read()).isNew).toBe(false);
    asked = [];
    expect((await read()).isNew).toBe(false);
    expect(asked).toEqual(['GetExtents /list/row']);
    mirror.keep(mirror.object('/list'), slot, 5, mirror.now);
    expect((await read()).isNew).toBe(true);
  });

  it('asks for no children of a container that has become too large since', async () => {
    await read();
    [rows, asked] = [1_000_000, []];
    expect((await read()).isNew).toBe(true);
    expect(asked.toSorted()).toEqual(['Get /list', 'GetExtents /list/row']);
  });

  it('is one of the same kind', async () => {
    await read();
    expect((await read({ ...PLAN, wholeTree: true })).isNew).toBe(true);
    expect((await read(PLAN, 'gtk3')).isNew).toBe(true);
    expect((await read()).isNew).toBe(false);
    expect((await read({ ...PLAN, root: { app: ':1.7', path: '/other' } })).isNew).toBe(true);
    expect((await read()).isNew).toBe(false);
  });
});
