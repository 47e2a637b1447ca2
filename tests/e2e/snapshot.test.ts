import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { isInteractive } from '../../src/model/tree/role.ts';
import { usePlace } from './harness.ts';
import { flatten, Snapshot } from './support/answers.ts';
import { useFixtures } from './support/fixtures.ts';

const place = usePlace();
const bench = useFixtures(place);

/** Control characters except the line break, and those that change the direction of text. */
const DECEPTIVE = /(?!\n)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u;

describe.each(FIXTURE_KINDS)('snapshot of %s', (kind) => {
  it('with -i and -c shows little more than usable elements', async () => {
    const app = bench(kind);
    const [full, short] = await Promise.all([
      app.desk('snapshot', '--app', app.app),
      app.desk('snapshot', '--app', app.app, '-i', '-c'),
    ]);
    const [all, few] = [full, short].map((reply) => flatten(reply.ok(Snapshot).tree));
    const usable = few?.filter((node) => isInteractive(node.role)).map((node) => node.name);
    for (const name of ['Press', 'Agree', 'Volume', 'Name']) expect(usable).toContain(name);
    expect(few?.length).toBeLessThan(all?.length ?? 0);
    expect(few?.some((node) => node.bounds !== undefined)).toBe(false);
  });

  it.each([40, 120, 400, 1500])('never exceeds a limit of %d tokens', async (limit) => {
    const app = bench(kind);
    const budget = ['snapshot', '--app', app.app, '--max-tokens', String(limit)];
    const [outline, json] = await Promise.all([
      app.desk(...budget, '--format', 'outline'),
      app.desk(...budget),
    ]);
    const tight = [outline, json].filter((reply) => reply.exitCode !== 0);
    // A limit that is too small is refused; the answer is never cut in the middle.
    for (const reply of tight) expect([5, 0]).toContain(reply.exitCode);
    const printed = [outline, json].filter((reply) => reply.exitCode === 0);
    expect(printed.length).toBeGreaterThanOrEqual(limit >= 400 ? 2 : 0);
    for (const reply of printed) expect(encode(reply.stdout.trimEnd()).length).toBeLessThanOrEqual(limit);
  });

  it('marks what a depth leaves out, and can read on from there', async () => {
    const app = bench(kind);
    const shallow = (await app.desk('snapshot', '--app', app.app, '--max-depth', '2')).ok(Snapshot);
    const cut = flatten(shallow.tree).filter((node) => (node.elided ?? 0) > 0);
    expect(shallow.elided).toBeGreaterThan(0);
    expect(cut.length).toBeGreaterThan(0);
    const handles = cut.flatMap((node) => (node.ref === undefined ? [] : [node.ref]));
    const below = await Promise.all(handles.map((ref) => app.desk('snapshot', '--root', `${ref}+`)));
    const names = below.flatMap((reply) => flatten(reply.ok(Snapshot).tree).map((node) => node.name));
    expect(names).toContain('Press');
  });

  it('contains bounds and actions only on request', async () => {
    const app = bench(kind);
    const [bare, rich] = await Promise.all([
      app.desk('snapshot', '--app', app.app),
      app.desk('snapshot', '--app', app.app, '--include-bounds', '--include-actions', '--max-tokens', '8000'),
    ]);
    const press = (reply: typeof bare) =>
      flatten(reply.ok(Snapshot).tree).find((node) => node.name === 'Press' && node.role === 'button');
    expect(press(bare)).not.toHaveProperty('bounds');
    expect(press(rich)?.bounds?.width).toBeGreaterThan(10);
    expect(press(rich)?.actions?.length).toBeGreaterThan(0);
  });

  it('shows values and states but no secret', async () => {
    const app = bench(kind);
    await Promise.all([
      app.set('password', 'text', 'open-sesame'),
      app.set('notes', 'text', 'two\nlines'),
      app.set('volume', 'value', 42),
      app.set('agree', 'checked', true),
    ]);
    const reply = await app.desk('snapshot', '--app', app.app, '--whole-tree');
    const nodes = flatten(reply.ok(Snapshot).tree);
    const named = (name: string, role: string) =>
      nodes.find((node) => node.name === name && node.role === role);
    expect(named('Notes', 'textbox')?.value).toBe('two\nlines');
    expect(named('Volume', 'slider')?.value).toBe('42');
    expect(named('Agree', 'checkbox')?.states).toContain('checked');
    expect(named('Select all', 'checkbox')?.states).toContain('indeterminate');
    expect(named('Disabled', 'button')?.states).toContain('disabled');
    expect(named('Password', 'textbox')?.states).toContain('protected');
    expect(reply.stdout).not.toContain('open-sesame');
  });

  it('escapes characters that could deceive a reader of the outline', async () => {
    const app = bench(kind);
    const [outline, json] = await Promise.all([
      app.desk('snapshot', '--app', app.app, '--format', 'outline'),
      app.desk('snapshot', '--app', app.app),
    ]);
    const line = outline.stdout.split('\n').find((text) => text.includes('Odd'));
    expect(line).toContain(String.raw`"Odd \u{202E}name\u{7}\nnext`);
    expect(DECEPTIVE.exec(outline.stdout)).toBeNull();
    expect(flatten(json.ok(Snapshot).tree).some((node) => node.name?.startsWith('Odd \u202Ename'))).toBe(
      true,
    );
    expect(json.stdout).not.toContain('\u202E');
  });
});
