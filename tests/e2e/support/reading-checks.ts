import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import type { READING_COMMANDS } from '../../../scripts/compatibility/rows.ts';
import { decodePng } from '../../image/decode-png.ts';
import type { OutputNode } from '../../../src/model/tree/node.ts';
import {
  flatten,
  Focused,
  Found,
  Got,
  GotBounds,
  GotText,
  Is,
  ListedApps,
  ListedWindows,
  Picture,
  Snapshot,
} from './answers.ts';
import type { Reader } from './reader.ts';
import { witnessOf } from './witness/witness.ts';

type ReadingCommand = Exclude<(typeof READING_COMMANDS)[number], 'snapshot --since'>;

/** What each reading command must report about an application of any toolkit. */
export const READING_CHECKS: Readonly<Record<ReadingCommand, (reader: Reader) => Promise<void>>> = {
  'list-apps': checkListApps,
  'list-windows': checkListWindows,
  snapshot: checkSnapshot,
  find: checkFind,
  get: checkGet,
  is: checkIs,
  focused: checkFocused,
  screenshot: checkScreenshot,
  status: checkStatus,
  permissions: checkPermissions,
  version: checkVersion,
};

async function checkListApps(reader: Reader): Promise<void> {
  const { apps } = (await reader.desk('list-apps', '--with-windows')).ok(ListedApps);
  expect(apps.find(({ pid }) => pid === reader.subject.pid)).toMatchObject({
    toolkit: reader.subject.toolkitName,
    accessible: true,
    responsive: true,
    windows: [{ pid: reader.subject.pid }],
  });
}

async function checkListWindows(reader: Reader): Promise<void> {
  const { windows } = (await reader.desk('list-windows', '--app', reader.app)).ok(ListedWindows);
  const window = windows.find(({ title }) => title.includes(reader.subject.windowTitle));
  expect(window).toMatchObject({ pid: reader.subject.pid, accessible: true, minimized: false });
  const shown = await witnessOf(reader.place).facts(window?.id ?? '');
  expect(Math.abs((window?.bounds?.width ?? 0) - shown.width)).toBeLessThanOrEqual(1);
  expect(Math.abs((window?.bounds?.height ?? 0) - shown.height)).toBeLessThanOrEqual(1);
}

async function checkSnapshot(reader: Reader): Promise<void> {
  const reply = await reader.desk('snapshot', '--app', reader.app, '--max-tokens', '8000');
  const snapshot = reply.ok(Snapshot);
  expect(snapshot).toMatchObject({ complete: true });
  const nodes = flatten(snapshot.tree);
  const seen = nodes.map((node) => `${node.role} ${namesOf(node).join('|')}`);
  for (const wanted of reader.subject.expected) {
    const found = nodes.some((node) => node.role === wanted.role && namesOf(node).includes(wanted.name));
    expect(found, `${wanted.role} "${wanted.name}" among ${seen.join(', ')}`).toBe(true);
  }
  for (const text of reader.subject.texts ?? [])
    expect(
      seen.filter((words) => words.includes(text)).length,
      `${text} among ${seen.join(', ')}`,
    ).toBeGreaterThan(0);
  const refs = nodes.flatMap((node) => (node.ref === undefined ? [] : [node.ref]));
  expect(new Set(refs).size).toBe(refs.length);
  if (reader.subject.secret !== undefined) expect(reply.stdout).not.toContain(reader.subject.secret);
  const short = await reader.desk(
    'snapshot',
    '--app',
    reader.app,
    '-i',
    '-c',
    '--max-tokens',
    '8000',
    '--format',
    'outline',
  );
  expect(short.exitCode).toBe(0);
  expect(short.stdout).toContain(JSON.stringify(reader.subject.target.name).slice(1, -1));
  expect(short.stdout.length).toBeLessThan(reply.stdout.length);
}

async function checkFind(reader: Reader): Promise<void> {
  const { name, role } = reader.subject.target;
  const found = (await reader.desk('find', name, '--app', reader.app, '--by', 'exact', '--role', role)).ok(
    Found,
  );
  expect(found).toMatchObject({ matched_by: 'exact', complete: true });
  expect(found.matches.map((match) => [match.role, match.name])).toContainEqual([role, name]);
  const missing = (await reader.desk('find', `${name}zz`, '--app', reader.app, '--by', 'exact')).ok(Found);
  expect(missing).toMatchObject({ count: 0, total: 0 });
  if (name.length > 3) expect(missing.near_misses?.map((miss) => miss.name)).toContain(name);
}

async function checkGet(reader: Reader): Promise<void> {
  const [target, field] = await Promise.all([
    reader.refOf(reader.subject.target),
    reader.refOf(reader.subject.field),
  ]);
  expect((await reader.desk('get', 'role', target)).ok(Got).value).toBe(reader.subject.target.role);
  expect((await reader.desk('get', 'text', field)).ok(GotText).value).toBe(reader.subject.field.text);
  expect((await reader.desk('get', 'value', field)).ok(GotText).value).toBe(reader.subject.field.text);
  expect((await reader.desk('get', 'title', '--app', reader.app)).ok(GotText).value).toContain(
    reader.subject.windowTitle,
  );
  const states = z.looseObject({ value: z.array(z.string()) });
  expect(
    (await reader.desk('get', 'states', await reader.refOf(reader.subject.disabled))).ok(states).value,
  ).toContain('disabled');
  const attributes = z.looseObject({ value: z.looseObject({ native_role: z.string() }) });
  (await reader.desk('get', 'attributes', target)).ok(attributes);
  const stats = z.looseObject({ value: z.looseObject({ nodes: z.number(), interactive: z.number() }) });
  const { value } = (await reader.desk('get', 'tree-stats', '--app', reader.app)).ok(stats);
  expect(value.nodes).toBeGreaterThan(reader.subject.expected.length);

  const { value: bounds } = (await reader.desk('get', 'bounds', target)).ok(GotBounds);
  await reader.subject.focusField();
  await witnessOf(reader.place).clickAt(
    Math.round(bounds.x + bounds.width / 2),
    Math.round(bounds.y + bounds.height / 2),
  );
  await expect.poll(() => reader.subject.wasHit(), { timeout: 5000, interval: 100 }).toBe(true);
}

async function checkIs(reader: Reader): Promise<void> {
  const [target, disabled] = await Promise.all([
    reader.refOf(reader.subject.target),
    reader.refOf(reader.subject.disabled),
  ]);
  expect((await reader.desk('is', 'visible', target)).ok(Is).answer).toBe(true);
  expect((await reader.desk('is', 'enabled', target)).ok(Is).answer).toBe(true);
  expect((await reader.desk('is', 'enabled', disabled)).ok(Is, 1).answer).toBe(false);
  const { checked } = reader.subject.box;
  const box = await reader.desk('is', 'checked', await reader.refOf(reader.subject.box));
  expect(box.ok(Is, checked ? 0 : 1).answer).toBe(checked);
  expect((await reader.desk('is', 'expanded', target)).ok(Is, 1).answer).toBe(false);
}

async function checkFocused(reader: Reader): Promise<void> {
  await reader.subject.focusField();
  const { element } = (await reader.desk('focused')).ok(Focused);
  expect(element).toMatchObject({ role: reader.subject.field.role, name: reader.subject.field.name });
  const ref = element?.ref ?? '';
  expect((await reader.desk('is', 'focused', ref)).ok(Is).answer).toBe(true);
  expect(
    (await reader.desk('is', 'focused', await reader.refOf(reader.subject.target))).ok(Is, 1).answer,
  ).toBe(false);
}

async function checkScreenshot(reader: Reader): Promise<void> {
  const whole = (await reader.desk('screenshot', 'window.png', '--app', reader.app)).ok(Picture);
  const window = decodePng(await readFile(join(reader.place.folder, 'window.png')));
  expect([window.width, window.height]).toEqual([whole.width, whole.height]);
  expect(whole).not.toHaveProperty('clipped');
  expect(coloursOf(window.bgrx)).toBeGreaterThan(8);
  const target = await reader.refOf(reader.subject.target);
  const { value: bounds } = (await reader.desk('get', 'bounds', target)).ok(GotBounds);
  const crop = (await reader.desk('screenshot', 'element.png', '--element', target)).ok(Picture);
  const element = decodePng(await readFile(join(reader.place.folder, 'element.png')));
  expect([element.width, element.height]).toEqual([bounds.width, bounds.height]);
  expect(crop.origin).toEqual({ x: bounds.x, y: bounds.y });
  expect(coloursOf(element.bgrx)).toBeGreaterThan(1);
  const annotated = (await reader.desk('screenshot', 'refs.jpg', '--app', reader.app, '--annotate')).ok(
    Picture,
  );
  expect(annotated.labels?.map(({ role, name }) => ({ role, name }))).toContainEqual(reader.subject.target);
  expect([...(await readFile(join(reader.place.folder, 'refs.jpg'))).subarray(0, 2)]).toEqual([0xff, 0xd8]);
}

async function checkStatus(reader: Reader): Promise<void> {
  const status = z.looseObject({ desktop: z.looseObject({ display: z.string(), private: z.boolean() }) });
  const { desktop } = (await reader.desk('status')).ok(status);
  expect(desktop).toMatchObject({ display: reader.place.desktop.display, private: true });
}

async function checkPermissions(reader: Reader): Promise<void> {
  const granted = z.looseObject({ granted: z.boolean() });
  expect((await reader.desk('permissions')).ok(granted).granted).toBe(true);
}

async function checkVersion(reader: Reader): Promise<void> {
  const version = z.looseObject({ program: z.literal('deskterity'), node: z.string() });
  expect((await reader.desk('version')).ok(version).node).toContain(process.versions.node);
}

/** The properties in which toolkits put the visible name. */
export function namesOf(node: OutputNode): string[] {
  return [node.name ?? '', node.description ?? '', node.role === 'text' ? (node.value ?? '') : ''];
}

function coloursOf(bgrx: Uint8Array): number {
  const colours = new Set<number>();
  for (let at = 0; at + 2 < bgrx.length && colours.size < 100; at += 4)
    colours.add(((bgrx[at] ?? 0) << 16) | ((bgrx[at + 1] ?? 0) << 8) | (bgrx[at + 2] ?? 0));
  return colours.size;
}
