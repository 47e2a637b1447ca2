import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OutputNode } from '../../src/model/tree/node.ts';
import { usePlace } from './harness.ts';
import { ACTS_KINDS, ActsApp, type ActsKind } from './support/acts-app.ts';
import { flatten, Found, GotText, ListedWindows } from './support/answers.ts';
import { until } from '../until.ts';

const Opened = z.object({ opened: z.array(OutputNode) });

const place = usePlace();
const running: ActsApp[] = [];
afterEach(() => {
  for (const app of running.splice(0)) app.stop();
});

async function start(kind: ActsKind): Promise<ActsApp> {
  const app = await ActsApp.start(place(), kind);
  running.push(app);
  return app;
}

describe.each(ACTS_KINDS)('receipts of acts in %s', (kind) => {
  let started: ActsApp | undefined;
  beforeAll(async () => {
    started = await ActsApp.start(place(), kind);
  });
  afterAll(() => started?.stop());
  const application = (): ActsApp => {
    if (started === undefined) throw new Error(`${kind} did not start`);
    return started;
  };

  it('two clicks at once are two presses, or one of them is refused', async () => {
    const app = application();
    const before = await app.count('press', 'clicked');
    // They may be there since the application before.
    for (const name of ['one', 'two']) await app.desk('session', 'new', name);
    const replies = await Promise.all(
      ['one', 'two'].map(async (session, index) => {
        const find = ['find', 'Press', '--app', String(app.pid), '--role', 'button', '--exact'];
        // One of them in a process of its own.
        const own = ['--session', session, ...(index === 1 ? ['--no-daemon'] : [])];
        const ref = (await app.desk(...find, ...own)).ok(Found).matches[0]?.ref ?? '';
        return app.desk('click', ref, ...own);
      }),
    );
    const confirmed = replies.filter(
      ({ exitCode, receipt }) => exitCode === 0 && receipt.effect === 'confirmed',
    );
    expect(confirmed.length).toBe(2);
    expect((await app.count('press', 'clicked')) - before).toBe(2);
  });

  it('a text that answers half a second later confirms the click before it, not the next key', async () => {
    const app = application();
    const { receipt } = await app.desk('click', await app.ref('Answer late', 'button'));
    expect(receipt.effect).toBe('confirmed');
    const pressed = await app.desk('press', 'F2', '--app', String(app.pid));
    expect(pressed.receipt.effect).toBe('unverified');
  });

  it('a number that the field writes with two digits is confirmed', async () => {
    const app = application();
    const { receipt } = await app.desk('set-value', await app.ref('Day', 'textbox'), '3');
    expect(receipt.effect).toBe('confirmed');
    expect(receipt.evidence.join()).toContain('"03"');
  });

  it('Enter that submits the text and clears the field is no failure', async () => {
    const app = application();
    const field = await app.ref('Search', 'textbox');
    for (const more of [[], ['--clear-first']]) {
      const reply = await app.desk('type', field, 'query\n', ...more);
      expect([more, reply.exitCode]).toEqual([more, 0]);
      expect(reply.receipt.effect).not.toBe('no_op');
    }
    expect((await app.events()).filter(({ event }) => event === 'submitted')).toMatchObject([
      { value: 'query' },
      { value: 'query' },
    ]);
  });

  it('lists the fields of a panel that is filled after it was shown', async () => {
    const app = application();
    const { receipt } = await app.desk('click', await app.ref('Show panel', 'button'));
    const opened = Opened.parse(receipt).opened.flatMap(flatten);
    expect(opened).toContainEqual(expect.objectContaining({ role: 'button', name: 'Replace all' }));
    const field = opened.find(({ role }) => role === 'textbox')?.ref ?? '';
    await app.desk('type', field, 'new');
    const told = (await app.events()).filter(({ widget }) => widget === 'replacement');
    expect(told.at(-1)?.value).toBe('new');
  });

  // The last: it ends the application.
  it('a window that closes half a second after the click confirms it', async () => {
    const app = application();
    const { receipt } = await app.desk('click', await app.ref('Finish', 'button'));
    expect(receipt).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(receipt.changes).toContainEqual(expect.objectContaining({ kind: 'window_closed' }));
  });
});

it.each(['gtk3', 'gtk4'] as const)('a document of %s knows that its text was set', async (kind) => {
  const app = await start(kind);
  const notes = await app.ref('Notes', 'textbox');
  for (const [args, value] of [
    [['set-value', notes, 'second'], 'second'],
    [['clear', notes], ''],
    [['set-value', notes, 'dritte Zeile: äöü'], 'dritte Zeile: äöü'],
  ] as const) {
    expect((await app.desk(...args)).receipt.effect).toBe('confirmed');
    expect((await app.desk('get', 'text', notes)).ok(GotText).value).toBe(value);
  }
  const told = (await app.events()).filter(({ widget }) => widget === 'notes');
  expect(told.map(({ value }) => value)).toEqual([true]);
});

describe.each(['qt5', 'qt6'] as const)('a menu item of %s that runs a modal dialog', (kind) => {
  it('is confirmed by the dialog, at once, and the dialog can be answered', async () => {
    const app = await start(kind);
    const reply = await app.desk('menu', 'File > Ask', '--app', String(app.pid));
    expect(reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(reply.durationMs).toBeLessThan(3000);
    const { windows } = (await app.desk('list-windows')).ok(ListedWindows);
    expect(windows.map(({ title }) => title)).toContain('Question');
    expect(await app.count('ask', 'activated')).toBe(1);
    const ok = await app.desk('find', 'OK', '--window', 'Question', '--role', 'button');
    expect((await app.desk('click', ok.ok(Found).matches[0]?.ref ?? '')).receipt.effect).toBe('confirmed');
    await until(async () => (await app.count('ask', 'answered')) === 1, 'the dialog to be answered');
    expect((await app.desk('menu', 'File > Note', '--app', String(app.pid))).receipt.effect).toBe(
      'confirmed',
    );
  });
});

it.each(['gtk3', 'qt5'] as const)(
  'a dialog of %s that opens during the typing ends it, after one batch at most',
  async (kind) => {
    const app = await start(kind);
    const reply = await app.desk(
      'type',
      await app.ref('Code', 'textbox'),
      'x'.repeat(1000),
      '--mode',
      'focus',
    );
    const { message, delivered, retryable } = reply.error('NOT_ACTIONABLE');
    expect([delivered, retryable]).toEqual([true, false]);
    const told = / (\d+) of 1000 characters had been typed\. The last (\d+) of them may have gone/.exec(
      message,
    );
    const [typed, astray] = (told ?? []).slice(1).map(Number);
    expect(typed).toBe(100);
    expect(astray).toBe(100);
    expect(await app.count('other', 'text-changed')).toBeLessThan(100);
  },
);

describe.each(['qt5', 'qt6'] as const)('an item of an open menu of %s', (kind) => {
  it('is run once by a click, and its menu is closed', async () => {
    const app = await start(kind);
    await app.desk('expand', await app.ref('File', 'menuitem'));
    const reply = await app.desk('click', await app.ref('Note', 'menuitem'));
    expect(reply.receipt).toMatchObject({
      effect: 'confirmed',
      via: expect.stringContaining('pointer:left button'),
    });
    expect(await app.count('note', 'activated')).toBe(1);
    const { stdout } = await app.desk('snapshot', '--app', String(app.pid));
    expect(stdout).toContain('Noted');
    expect(stdout).not.toContain('"Note"');
  });

  it('is run through accessibility in the background, and its menu is closed', async () => {
    const app = await start(kind);
    await app.desk('expand', await app.ref('File', 'menuitem'));
    const reply = await app.desk('click', await app.ref('Note', 'menuitem'), '--mode', 'background');
    expect(reply.receipt).toMatchObject({
      effect: 'confirmed',
      via: expect.stringContaining('closing its menu'),
    });
    expect(await app.count('note', 'activated')).toBe(1);
  });

  it('that runs a modal dialog is run once, and its menu is closed', async () => {
    const app = await start(kind);
    await app.desk('expand', await app.ref('File', 'menuitem'));
    const reply = await app.desk('click', await app.ref('Ask', 'menuitem'));
    expect(reply.receipt.effect).toBe('confirmed');
    expect(await app.count('ask', 'activated')).toBe(1);
    const { stdout } = await app.desk('snapshot', '--window', 'Acts');
    expect(stdout).toContain('"Ready"');
    expect(stdout).not.toContain('"Note"');
  });
});

describe.each(['gtk3', 'gtk4'] as const)('a check box in a popover of %s', (kind) => {
  it('that was switched on is not reported as unchanged', async () => {
    const app = await start(kind);
    const options = await app.desk('find', 'Options', '--app', String(app.pid), '--limit', '5');
    const opener = options.ok(Found).matches.find(({ role }) => role === 'button' || role === 'togglebutton');
    await app.desk('click', opener?.ref ?? '');
    const found = (await app.desk('find', 'Wide', '--app', String(app.pid), '--limit', '5')).ok(Found);
    const box = found.matches.find(({ role }) => role !== 'text')?.ref ?? '';
    const reply = await app.desk('click', box);
    await until(async () => (await app.count('wide', 'toggled')) === 1, 'the box to be switched on');
    expect([reply.exitCode, reply.toString()]).toEqual([0, expect.not.stringContaining('changed nothing')]);
  });
});
