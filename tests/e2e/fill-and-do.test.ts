import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Desktop, DeskterityError } from '../../src/surfaces/library/index.ts';
import { usePlace } from './harness.ts';
import { Bench } from './support/fixtures.ts';
import { useClients } from './support/mcp-client.ts';

const place = usePlace();
const connect = useClients(place);

const Filled = z.object({
  fields: z.array(z.object({ target: z.object({ name: z.string().optional() }), effect: z.string() })),
});
const Stopped = z.object({
  steps: z.array(z.object({ command: z.string() })),
  stopped: z.object({ step: z.number(), reason: z.string() }),
  not_run: z.array(z.string()),
  now: z.object({ outline: z.string() }),
});

describe('a form of nine fields in one call', () => {
  const forms = new Map<string, Bench>();
  beforeAll(async () => {
    for (const kind of ['gtk3', 'qt5'] as const)
      forms.set(kind, new Bench(place(), await place().fixture(kind)));
  });

  it.each(['gtk3', 'qt5'])('is filled in %s, as the application records it', async (kind) => {
    const form = forms.get(kind);
    if (form === undefined) throw new Error(`${kind} did not start`);
    const { result: reply, events } = await form.recording(() =>
      place().desk(
        [
          'fill',
          'role:textbox[name="Name"]',
          'Ada',
          'role:textbox[name="Notes"]',
          'two\nlines',
          'role:combobox[name="Colour"]',
          'green',
          'role:slider[name="Volume"]',
          '70',
          'role:spinbutton[name="Count"]',
          '9',
          'role:checkbox[name="Agree"]',
          'on',
          'role:radio[name="Large"]',
          'true',
          listOf(kind),
          'Cherry',
          'role:textbox[name="Password"]',
          '--from-env',
          'FORM_PASSWORD',
          '--app',
          form.app,
        ],
        { FORM_PASSWORD: 'correct-horse-7' },
      ),
    );
    expect(reply.ok(Filled).fields.map(({ effect }) => effect)).not.toContain('no_op');
    expect(reply.ok(Filled).fields).toHaveLength(9);
    expect(reply.stdout + reply.stderr).not.toContain('correct-horse-7');
    const last = (widget: string, event: string): unknown =>
      events.findLast((one) => one.widget === widget && one.event === event)?.value;
    expect({
      name: last('name', 'text-changed'),
      notes: last('notes', 'text-changed'),
      colour: last('colour', 'selected'),
      volume: last('volume', 'value-changed'),
      count: last('count', 'value-changed'),
      agree: last('agree', 'toggled'),
      large: last('size_large', 'toggled'),
      fruits: last('fruits', 'selected'),
      password: last('password', 'text-changed'),
    }).toEqual({
      name: 'Ada',
      notes: 'two\nlines',
      colour: 'green',
      volume: 70,
      count: 9,
      agree: true,
      large: true,
      fruits: 'Cherry',
      password: 'correct-horse-7',
    });
  });
});

/** The list of fruits has a name in GTK only. */
function listOf(kind: string): string {
  return kind === 'qt5' ? 'role:list' : 'role:listbox[name="Fruits"]';
}

describe('Save As in Mousepad', () => {
  const open: Desktop[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((desktop) => desktop.close()));
    await place().desk(['close-app', 'mousepad', '--force']);
  });

  const steps = (file: string, text: string) => [
    { command: 'set-value', ref: 'role:textbox', value: text },
    { command: 'menu', path: 'File > Save As...' },
    { command: 'fill', fields: [{ target: 'role:textbox[name*="Name"]', value: file }] },
    { command: 'click', ref: 'role:button[name="Save"]' },
  ];

  it('is one call over MCP, and the file is there', async () => {
    const file = join(place().folder, 'by-mcp.txt');
    const desk = await connect({
      era: 'modern',
      way: 'stdio',
      flags: ['--toolsets', 'core', '--structured', 'always'],
    });
    const Answer = z.object({ steps: z.array(z.object({ effect: z.string().optional() })) });
    const answer = await desk.data(Answer, 'desktop_do', {
      app: 'mousepad',
      steps: [
        { command: 'desktop_launch_app', app: 'mousepad', wait: true },
        ...steps(file, 'saved over MCP'),
      ],
    });
    expect(answer.steps).toHaveLength(5);
    expect(await readFile(file, 'utf8')).toBe('saved over MCP');
  });

  it('stops at the question whether to replace a file, on the library and the command line, and leaves the file alone', async () => {
    const file = join(place().folder, 'precious.txt');
    await writeFile(file, 'precious');
    await place().desk(['launch', 'mousepad', '--wait']);
    const { environment } = place().desktop;
    const desktop = await Desktop.open({ environment, cwd: place().folder });
    open.push(desktop);
    const error: unknown = await desktop
      .do([...steps(file, 'other'), { command: 'press', keys: 'Return', timeoutMs: 4000 }], {
        app: 'mousepad',
      })
      .catch((reason: unknown) => reason);
    if (!(error instanceof DeskterityError)) throw new Error('It did not stop.');
    expect(error.code).toBe('ACTION_FAILED');
    expect(error.result).toMatchObject({ stopped: { step: 4, reason: 'dialog' }, notRun: ['press'] });
    // On the command line, the next call answers the question and meets the same again.
    const again = await place().desk([
      'do',
      'click "role:button[name=Cancel]"',
      'click "role:button[name=Save]"',
      'press Return',
      '--app',
      'mousepad',
    ]);
    again.error('ACTION_FAILED');
    const stop = Stopped.parse(again.json);
    expect(stop).toMatchObject({ stopped: { step: 2, reason: 'dialog' }, not_run: ['press'] });
    expect(stop.now.outline).toMatch(/^alert "Question".*"Replace" @e\d+/s);
    expect(await readFile(file, 'utf8')).toBe('precious');
  });
});
