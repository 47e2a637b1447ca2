import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURE_KINDS, startFixture, type Fixture, type FixtureKind } from '../../../fixtures/driver.ts';
import { expectedWidgets } from '../../../fixtures/widgets.ts';
import type { NodeHandle, TreeNode } from '../../../src/model/tree/node.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';

const CALL = { deadlineMs: 10_000 };

let place: PrivateDesktop;
let desktop: LinuxDesktop;
const fixtures = new Map<FixtureKind, Fixture>();

beforeAll(async () => {
  place = await PrivateDesktop.start({ deadlineMs: 20_000 });
  desktop = new LinuxDesktop(place.environment);
  const start = (kind: FixtureKind): Promise<Fixture> =>
    startFixture(kind, { environment: place.environment, deadlineMs: 20_000 });
  for (const fixture of await Promise.all(FIXTURE_KINDS.map(start))) fixtures.set(fixture.kind, fixture);
});
afterAll(async () => {
  await Promise.all([...fixtures.values()].map((fixture) => fixture.stop()));
  await desktop.close();
  await place.stop();
});

function fixtureOf(kind: FixtureKind): Fixture {
  const fixture = fixtures.get(kind);
  if (!fixture) throw new Error(`${kind} did not start`);
  return fixture;
}

/** The element of a widget, read once it is there. */
async function handleOf(kind: FixtureKind, id: string): Promise<NodeHandle> {
  const widget = expectedWidgets(kind).find((candidate) => candidate.id === id);
  for (const end = performance.now() + 10_000; performance.now() < end;) {
    for (const { root } of await desktop.listWindows({ ...CALL, pid: fixtureOf(kind).pid })) {
      if (!root) continue;
      const request = { ...CALL, root, wholeTree: false, maxNodes: 5000, includeActions: false };
      const found = descend((await desktop.readTree(request)).root).find(
        ({ role, name }) => role === widget?.role && name === widget.name,
      );
      if (found) return found.handle;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no ${id} in ${kind}`);
}

function descend(node: TreeNode): TreeNode[] {
  return [node, ...node.children.flatMap(descend)];
}

async function xdotool(...args: string[]): Promise<void> {
  await promisify(execFile)('xdotool', args, { env: place.environment });
}

async function textOf(kind: FixtureKind, widget: string): Promise<unknown> {
  const state: unknown = await fixtureOf(kind).control('get', { widget });
  return state !== null && typeof state === 'object' && 'text' in state ? state.text : undefined;
}

describe.each(FIXTURE_KINDS)('%s', (kind) => {
  it.for(['name', 'notes', 'password'])(
    'inserts text into %s at the caret, which goes on behind it',
    async (id) => {
      await fixtureOf(kind).control('set', { widget: id, property: 'text', value: '' });
      const field = await handleOf(kind, id);
      // Bytes, characters and UTF-16 units are not the same in any of them.
      for (const text of ['zażółć ', '日本 😀', '!'])
        expect(await desktop.insertText(field, text, CALL)).toMatchObject({
          accepted: true,
          delivered: true,
        });
      expect(await textOf(kind, id)).toBe('zażółć 日本 😀!');
    },
  );

  it('changes a part of a text, and nothing else of it', async () => {
    const text = 'zażółć 😀\nsecond 😁 line\n';
    await fixtureOf(kind).control('set', { widget: 'notes', property: 'text', value: text });
    const field = await handleOf(kind, 'notes');
    expect(await desktop.textEditing(field, CALL)).toEqual({ changesParts: true, isFormatted: false });
    const change = { text, at: 9, removed: 'second', inserted: '2 日本 😀' };
    expect(await desktop.changeText(field, change, CALL)).toMatchObject({ accepted: true });
    expect(await textOf(kind, 'notes')).toBe('zażółć 😀\n2 日本 😀 😁 line\n');
    await expect(desktop.changeText(field, change, CALL)).rejects.toMatchObject({
      code: 'CONFLICT',
      delivered: false,
    });
  });

  it('replaces the selection with the text', async () => {
    const fixture = fixtureOf(kind);
    await fixture.control('set', { widget: 'name', property: 'text', value: 'before' });
    const field = await handleOf(kind, 'name');
    await xdotool(
      'search',
      '--name',
      fixture.title.replaceAll(/[()]/g, String.raw`\$&`),
      'windowactivate',
      '--sync',
    );
    await fixture.control('set', { widget: 'name', property: 'focused', value: true });
    await xdotool('key', 'ctrl+a');
    // A key is taken some time after it was sent.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await desktop.insertText(field, 'after', CALL)).toMatchObject({ accepted: true });
    expect(await textOf(kind, 'name')).toBe('after');
  });

  it('refuses text for a number, and does not scroll into view', async () => {
    const refused = { code: 'ACTION_NOT_SUPPORTED', delivered: false };
    await expect(desktop.insertText(await handleOf(kind, 'count'), '4', CALL)).rejects.toMatchObject(refused);
    const press = await handleOf(kind, 'press');
    await expect(desktop.insertText(press, 'x', CALL)).rejects.toMatchObject(refused);
    await expect(desktop.scrollIntoView(press, CALL)).rejects.toMatchObject(refused);
  });
});
