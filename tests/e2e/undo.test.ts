import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixturesFolder } from '../../fixtures/folder.ts';
import { usePlace } from './harness.ts';
import { Found } from './support/answers.ts';
import { Bench } from './support/fixtures.ts';
import { readSheet } from './support/sheet.ts';
import { SUBJECTS, type Subject } from './support/subjects.ts';
import { until } from '../until.ts';

const place = usePlace();
const LONG_MS = 120_000;

const Undone = z.object({
  undone: z.number(),
  skipped: z.number(),
  failed: z.number(),
  undo_depth: z.number(),
  actions: z.array(
    z.object({
      tool: z.string(),
      status: z.string(),
      effect: z.string().optional(),
      detail: z.string(),
    }),
  ),
});
const Ran = z.object({
  success: z.boolean(),
  rolled_back: z.boolean(),
  results: z.array(z.object({ status: z.string(), effect: z.string().optional(), detail: z.string() })),
});
const Info = z.object({ actions: z.number(), undo_depth: z.number() });

const WIDGETS = ['name', 'volume', 'count', 'agree', 'size_small', 'size_medium', 'size_large', 'colour'];

/** What the application itself says of its widgets. */
async function stateOf(form: Bench): Promise<unknown> {
  const state: [string, unknown][] = [];
  for (const widget of WIDGETS) {
    // Where the focus is says nothing of what was entered.
    const { focused: _, ...own } = z.looseObject({}).parse(await form.fixture.control('get', { widget }));
    state.push([widget, own]);
  }
  return Object.fromEntries(state);
}

describe('undo, in the records of the application', () => {
  const forms = new Map<string, Bench>();
  beforeAll(async () => {
    for (const kind of ['gtk3', 'qt5'] as const)
      forms.set(kind, new Bench(place(), await place().fixture(kind)));
  });

  const formOf = (kind: string): Bench => {
    const form = forms.get(kind);
    if (form === undefined) throw new Error(`${kind} did not start`);
    return form;
  };

  it.each(['gtk3', 'qt5'])('brings back text, numbers, switches and choices in %s', async (kind) => {
    const form = formOf(kind);
    const on = async (...args: string[]) => place().desk([...args, '--session', kind]);
    await place().desk(['session', 'new', kind]);
    const at = (locator: string): string => `app:${form.app} >> ${locator}`;
    const before = await stateOf(form);
    const acts: readonly string[][] = [
      ['set-value', at('role:textbox[name="Name"]'), 'Ada'],
      ['type', at('role:textbox[name="Name"]'), ' Lovelace'],
      ['set-value', at('role:slider[name="Volume"]'), '70'],
      ['set-value', at('role:spinbutton[name="Count"]'), '9'],
      ['toggle', at('role:checkbox[name="Agree"]')],
      ['toggle', at('role:radio[name="Large"]'), '--to', 'on'],
      ['select', at('role:combobox[name="Colour"]'), 'green'],
    ];
    for (const act of acts) (await on(...act)).ok(z.looseObject({ effect: z.literal('confirmed') }));
    expect(await stateOf(form)).not.toEqual(before);
    expect((await on('session', 'info', kind)).ok(Info)).toEqual(
      expect.objectContaining({ actions: 7, undo_depth: 7 }),
    );
    // Another process continues the session, and knows its acts.
    const undone = (await on('undo', '--count', '7', '--no-daemon')).ok(Undone);
    expect(undone.actions.map(({ tool, status, effect }) => [tool, status, effect])).toEqual(
      acts.toReversed().map(([tool]) => [tool, 'undone', 'confirmed']),
    );
    expect(await stateOf(form)).toEqual(before);
    expect((await on('session', 'info', kind)).ok(Info)).toMatchObject({ actions: 7, undo_depth: 0 });
  });

  it.each(['gtk3', 'qt5'])(
    'leaves alone what was changed since, and keeps no password, in %s',
    async (kind) => {
      const form = formOf(kind);
      const name = `since-${kind}`;
      await place().desk(['session', 'new', name]);
      const on = async (...args: string[]) =>
        place().desk([...args, '--session', name], { FORM_PASSWORD: 'correct-horse-7' });
      const at = (locator: string): string => `app:${form.app} >> ${locator}`;
      await on('set-value', at('role:textbox[name="Name"]'), 'ours');
      await on('set-value', at('role:textbox[name="Password"]'), '--from-env', 'FORM_PASSWORD');
      await form.set('name', 'text', 'theirs');
      const { result: reply, events } = await form.recording(() => on('undo', '--count', '2'));
      expect(reply.exitCode).toBe(11);
      const answer = z
        .looseObject({ error: z.looseObject({ code: z.literal('CONFLICT') }) })
        .and(Undone)
        .parse(JSON.parse(reply.stdout));
      expect(answer.actions).toMatchObject([
        { tool: 'set-value', status: 'skipped_irreversible' },
        { tool: 'set-value', status: 'changed_since' },
      ]);
      expect(answer.actions[0]?.detail).toContain('secret');
      expect(events.filter(({ widget }) => widget === 'name')).toEqual([]);
      const stored = await on('undo', '--list');
      expect(stored.stdout).not.toContain('correct-horse-7');
    },
  );

  it('takes typed text out of a formatted one, and leaves its heading and its picture', async () => {
    const file = join(place().folder, 'page.json');
    const on = async (...args: string[]) => place().desk(args, { DESKTERITY_SESSION: 'formatted' });
    await place().desk(['session', 'new', 'formatted']);
    const script = join(fixturesFolder(), 'acts/page.py');
    await on('launch', '/usr/bin/python3', '--wait', '--', script, file);
    const page = 'window:"Page" >> role:textbox[name="Page"]';
    const before = await readFile(file, 'utf8');
    expect(before).toContain(String.raw`\ufffc`);
    (await on('type', page, ' see 😁 it')).ok(z.looseObject({ effect: z.literal('confirmed') }));
    expect(await readFile(file, 'utf8')).not.toBe(before);
    const undone = (await on('undo')).ok(Undone);
    expect(undone).toMatchObject({ undone: 1, actions: [{ tool: 'type', effect: 'confirmed' }] });
    expect(await readFile(file, 'utf8')).toBe(before);
    await on('set-value', page, 'anew');
    const kept = (await on('undo')).stdout;
    expect(kept).toContain('skipped_irreversible');
    expect(kept).toContain('formatting');
    await on('close-window', 'window:"Page"');
  });

  it('scrolls an editor back to where its scroll bar was', async () => {
    const file = join(place().folder, 'lines.txt');
    await writeFile(file, Array.from({ length: 300 }, (_, line) => `line ${line}`).join('\n'));
    const on = async (...args: string[]) => place().desk(args, { DESKTERITY_SESSION: 'scrolled' });
    await place().desk(['session', 'new', 'scrolled']);
    await on('launch', 'mousepad', '--wait', '--', file);
    const Ranged = z.object({ value: z.object({ range: z.object({ current: z.number() }) }) });
    const bar = async (): Promise<number> => {
      const { matches } = (await on('find', '--role', 'scrollbar', '--app', 'mousepad')).ok(Found);
      const ranges = await Promise.all(matches.map(({ ref }) => on('get', 'attributes', ref ?? '')));
      return Math.max(...ranges.map((range) => range.ok(Ranged).value.range.current));
    };
    await on('scroll', 'down', '--app', 'mousepad');
    const before = await bar();
    await on('scroll', 'down', '--app', 'mousepad');
    expect(await bar()).toBeGreaterThan(before);
    expect((await on('undo')).ok(Undone)).toMatchObject({ undone: 1, failed: 0 });
    expect(await bar()).toBeCloseTo(before, 3);
    await on('close-app', 'mousepad', '--force');
  });

  it('brings back the place and state of a window, and the clipboard', async () => {
    const form = formOf('gtk3');
    const on = async (...args: string[]) => place().desk([...args, '--session', 'windows']);
    await place().desk(['session', 'new', 'windows']);
    const Windows = z.object({
      windows: z.array(
        z.looseObject({ pid: z.number(), bounds: z.unknown(), maximized: z.boolean().optional() }),
      ),
    });
    const shown = async () => {
      const { windows } = (await on('list-windows')).ok(Windows);
      const { bounds, maximized = false } = windows.find(({ pid }) => String(pid) === form.app) ?? {};
      return { bounds, maximized };
    };
    const before = await shown();
    await on('clipboard', 'set', 'first');
    await on('move-window', '--app', form.app, '80', '90');
    await on('maximize', '--app', form.app);
    await on('clipboard', 'set', 'second');
    await on('restore', '--app', form.app);
    expect((await on('undo', '--count', '4')).ok(Undone)).toMatchObject({ undone: 4, failed: 0 });
    expect(await shown()).toEqual(before);
    expect((await on('clipboard', 'get')).stdout).toContain('first');
  });

  it.each(['gtk3', 'qt5'])('a workflow that fails takes back what it did in %s', async (kind) => {
    const form = formOf(kind);
    const before = await stateOf(form);
    const file = join(place().folder, `rollback-${kind}.json`);
    await writeFile(
      file,
      JSON.stringify({
        name: 'rollback',
        steps: [
          { command: 'set-value', input: { target: 'role:textbox[name="Name"]', value: '{{param.name}}' } },
          { command: 'get', id: 'name', input: { property: 'value', ref: 'role:textbox[name="Name"]' } },
          { command: 'toggle', input: { ref: 'role:checkbox[name="Agree"]' } },
          { command: 'fill', input: { fields: [{ target: 'role:spinbutton[name="Count"]', value: '7' }] } },
          {
            command: 'expect',
            input: { ref: 'role:textbox[name="Name"]', value: 'not {{name.value}}', timeout_ms: 4000 },
            on_fail: 'rollback',
          },
        ],
      }),
    );
    const reply = await place().desk([
      'workflow',
      file,
      '--param',
      'name=Grace',
      '--app',
      form.app,
      '--session',
      'default',
    ]);
    expect(reply.exitCode).toBe(1);
    const answer = Ran.parse(JSON.parse(reply.stdout));
    expect(answer).toMatchObject({ success: false, rolled_back: true });
    expect(answer.results.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done', 'failed']);
    expect(answer.results[1]?.detail).toContain('Grace');
    expect(await stateOf(form)).toEqual(before);
  });
});

describe('across applications', () => {
  let calc: Subject | undefined;
  beforeAll(async () => {
    calc = await SUBJECTS.find(({ toolkit }) => toolkit === 'LibreOffice Calc')?.start(place());
  }, LONG_MS);
  afterAll(async () => calc?.stop());

  it(
    'copies a result of Calc into a GTK editor and its file, and undoes cells with their formulas',
    async () => {
      const app = `app:${calc?.pid ?? ''}`;
      const saved = join(place().folder, 'total.txt');
      const workflow = {
        name: 'calc-to-editor',
        timeout_ms: 20_000,
        steps: [
          { command: 'set-value', input: { ref: `${app} >> cell:F50`, value: '20' } },
          { command: 'set-value', input: { ref: `${app} >> cell:F51`, value: '=F50*2+2' } },
          { command: 'get', id: 'total', input: { property: 'value', ref: `${app} >> cell:F51` } },
          { command: 'launch', input: { app: 'mousepad', wait: true } },
          {
            command: 'set-value',
            input: { ref: 'app:Mousepad >> role:textbox', value: 'total: {{total.value}}' },
          },
          { command: 'menu', input: { path: 'File > Save As...', app: 'Mousepad' } },
          {
            command: 'fill',
            input: {
              fields: [{ target: 'role:textbox[name*="Name"]', value: saved }],
              app: 'Mousepad',
            },
          },
          {
            command: 'click',
            input: { ref: 'app:Mousepad >> role:button[name="Save"]' },
            wait_after_ms: 100,
          },
          { command: 'wait', input: { window: 'total.txt', app: 'Mousepad' } },
        ],
      };
      const file = join(place().folder, 'calc-to-editor.json');
      await writeFile(file, JSON.stringify(workflow));
      const reply = await place().desk(['workflow', file]);
      expect(reply.ok(Ran).success).toBe(true);
      expect(await readFile(saved, 'utf8')).toBe('total: 42');
      await place().desk(['close-app', 'mousepad', '--force']);
      const on = async (...args: string[]) => place().desk([...args, '--session', 'cells']);
      await place().desk(['session', 'new', 'cells']);
      await on('set-value', `${app} >> cell:F51`, '7', '--timeout', '20000');
      await on('set-value', `${app} >> cell:F52`, 'new', '--timeout', '20000');
      expect((await on('undo', '--count', '2')).ok(Undone)).toMatchObject({ undone: 2, failed: 0 });
      await calc?.saveAll?.();
      const path = calc?.document ?? '';
      await until(async () => (await readSheet(path)).cell('F51').text === '42', 'the document');
      const sheet = await readSheet(path);
      expect([sheet.cell('F50').text, sheet.cell('F52').text]).toEqual(['20', '']);
    },
    LONG_MS,
  );
});
