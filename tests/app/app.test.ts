import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { createMemoryStore } from '../../src/sessions/memory-store.ts';
import type { AppParts } from '../../src/app/app.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { SimulatedDesktop } from '../simulated/simulated-desktop.ts';
import { SimulatedWorld } from '../simulated/simulated-world.ts';
import { fixtureWorld } from '../simulated/fixture-world.ts';
import { SimulatedClipboard } from '../simulated/simulated-clipboard.ts';
import { SimulatedInput } from '../simulated/simulated-input.ts';
import type { DesktopPort } from '../../src/ports/desktop/desktop.ts';
import { fakeEngine } from '../commands/fake-engine.ts';
import { fakeDesktops, fakeApp } from './fake-app.ts';
import { CHECKBOX, RECEIPT, TREE, WINDOW } from '../commands/samples.ts';

const SNAPSHOT: Partial<Engine> = {
  snapshot: async (request) => ({
    app: request.form,
    window: WINDOW,
    refCount: 1,
    tree: TREE,
    complete: true,
    incompleteReasons: [],
    elided: 0,
    cursor: 'c1',
    nodeCount: 3,
    callCount: 2,
  }),
};

function hostWith(answers: Partial<Engine>, changes: Partial<AppParts> = {}) {
  const opened = { desktops: 0, engines: 0, closed: 0 };
  const desktop: Partial<DesktopPort> = {
    desktopId: async () => 'here',
    input: new SimulatedInput(fixtureWorld().world),
    clipboard: new SimulatedClipboard(),
    close: async () => {
      opened.closed += 1;
    },
  };
  const app = fakeApp(
    async () => {
      opened.desktops += 1;
      // Only what the app itself uses of a desktop.
      return desktop as DesktopPort;
    },
    async () => {
      opened.engines += 1;
      return fakeEngine(answers);
    },
    changes,
  );
  return { app, opened };
}

describe('a session that is killed during a call', () => {
  const broken = (delivered?: boolean) =>
    new DeskterityError('DISPLAY_UNAVAILABLE', 'The X server is gone.', {
      suggestion: 'Start one.',
      ...(delivered === undefined ? {} : { delivered }),
    });

  async function killedBeneath(error: DeskterityError, settings: { readonly isKilled: boolean }) {
    const { app } = hostWith({
      snapshot: async () => {
        if (settings.isKilled) await app.call('default', 'session kill', { name: 'ada' });
        throw error;
      },
    });
    return app.call('ada', 'snapshot', {}, { mayCreateSession: true }).catch((failure: unknown) => failure);
  }

  it('is the reported reason for the failure', async () => {
    expect(await killedBeneath(broken(), { isKilled: true })).toMatchObject({
      code: 'SESSION_NOT_FOUND',
      message: 'The session "ada" has ended.',
      cause: { code: 'DISPLAY_UNAVAILABLE' },
    });
    expect(await killedBeneath(broken(), { isKilled: false })).toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
  });

  it('does not hide earlier effects or that the caller cancelled', async () => {
    expect(await killedBeneath(broken(true), { isKilled: true })).toMatchObject({ delivered: true });
    const cancelled = new DeskterityError('CANCELLED', 'Cancelled.', { suggestion: 'Repeat it.' });
    expect(await killedBeneath(cancelled, { isKilled: true })).toMatchObject({ code: 'CANCELLED' });
  });
});

describe('an answer', () => {
  it('is a one-line envelope in JSON, several lines when pretty', async () => {
    const { app } = hostWith(SNAPSHOT);
    const plain = await app.execute('default', 'tree', {}, { format: 'json' });
    expect(plain).toMatchObject({ exitCode: 0, stderr: '' });
    expect(plain.stdout).toMatch(/^\{"version":"1.0","ok":true,"command":"snapshot",.*\}\n$/);
    const pretty = await app.execute('default', 'tree', {}, { format: 'json', pretty: true });
    expect(JSON.parse(pretty.stdout)).toEqual(JSON.parse(plain.stdout));
    expect(pretty.stdout).toMatch(/^\{\n {2}"version": "1.0",\n/);
  });

  it('is an outline, bare text, or nothing', async () => {
    const { app } = hostWith({ ...SNAPSHOT, describe: async () => CHECKBOX });
    expect((await app.execute('default', 'snapshot', {}, { format: 'outline' })).stdout).toMatch(
      /^window "Calculator"\n {2}textbox "Display" @e1/,
    );
    const is = (format: 'text' | 'outline' | 'quiet') =>
      app.execute('default', 'is', { state: 'expanded', ref: '@e5' }, { format });
    expect(await is('text')).toEqual({ exitCode: 1, stdout: 'false\n', stderr: '' });
    expect(await is('outline')).toEqual({
      exitCode: 1,
      stdout: '@e5 is not expanded (checked, focusable)\n',
      stderr: '',
    });
    expect(await is('quiet')).toEqual({ exitCode: 1, stdout: '', stderr: '' });
  });

  it('budgets tokens on the form that is printed', async () => {
    const { app } = hostWith(SNAPSHOT);
    expect(
      (await app.execute('default', 'snapshot', { max_tokens: 500 }, { format: 'json' })).stdout,
    ).toContain('"app":"json"');
    expect((await app.execute('default', 'snapshot', {}, { format: 'text' })).stdout).not.toContain('json');
    // The usual size is that of the outline: both forms show the same elements.
    expect((await app.execute('default', 'snapshot', {}, { format: 'json' })).stdout).toContain(
      '"app":"outline"',
    );
  });

  it('cannot act on a terminal or hide text', async () => {
    const title = 'a\u001B[2J\u202Eb';
    const { app } = hostWith({ title: async () => title });
    const json = await app.execute('default', 'get', { property: 'title' }, { format: 'json' });
    expect(json.stdout).toContain(String.raw`a\u001b[2J\u202eb`);
    expect(JSON.parse(json.stdout).value).toBe(title);
    expect(
      (await app.execute('default', 'get', { property: 'title' }, { format: 'text' })).stdout,
    ).not.toContain('\u001B');
  });
});

describe('a failure', () => {
  const failing = () =>
    hostWith({
      click: async () => {
        throw new DeskterityError('ACTION_FAILED', 'Nothing changed.', {
          suggestion: 'Look again.',
          platformDetail: 'org.example.Failed',
          candidates: [
            { ref: '@e3', role: 'button', name: 'OK' },
            { pid: 7, detail: 'x11:0x1' },
          ],
          delivered: true,
          result: { receipt: RECEIPT },
        });
      },
    }).app;

  it('is an envelope with the known facts on standard output in JSON', async () => {
    const { exitCode, stdout, stderr } = await failing().execute(
      'default',
      'click',
      { ref: '@e2' },
      { format: 'json' },
    );
    expect([exitCode, stderr]).toEqual([4, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      command: 'click',
      receipt: RECEIPT,
      error: { code: 'ACTION_FAILED', delivered: true },
    });
  });

  it('is on standard error in the other forms', async () => {
    const rendered = await failing().execute('default', 'click', { ref: '@e2' }, { format: 'text' });
    expect(rendered).toEqual({
      exitCode: 4,
      stdout: '',
      stderr:
        'error ACTION_FAILED: Nothing changed.\n  org.example.Failed\n  candidate: button "OK" @e3\n  candidate: pid=7 x11:0x1\n  Look again.\n',
    });
    expect(await failing().execute('default', 'click', { ref: '@e2' }, { format: 'quiet' })).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: '',
    });
  });

  it.each([
    ['clik', {}, 'default', 'Did you mean click?'],
    ['version', {}, '../x', 'cannot be a session name'],
    ['version', { a: 1 }, 'default', 'it accepts no parameters'],
  ])('of %s %j in session %s is a usage error that opens nothing', async (command, input, session, text) => {
    const { app, opened } = hostWith({});
    const rendered = await app.execute(session, command, input, { format: 'text' });
    expect(rendered.exitCode).toBe(5);
    expect(rendered.stderr).toContain(text);
    expect(opened).toEqual({ desktops: 0, engines: 0, closed: 0 });
  });
});

describe('the desktop', () => {
  it('keeps the process while it owns the clipboard', async () => {
    const desktop = new SimulatedDesktop(new SimulatedWorld([]));
    const app = fakeApp(
      async () => desktop,
      async () => fakeEngine({ focused: async () => undefined }),
    );
    await app.execute('default', 'focused', {}, { format: 'json' });
    expect(app.keptBy()).toEqual([]);
    desktop.clipboard.isOwned = true;
    expect(app.keptBy()).toEqual(['the clipboard']);
    await app.close();
    expect(app.keptBy()).toEqual([]);
  });

  it('is opened once, when a command first needs it, and closed with the app', async () => {
    const { app, opened } = hostWith(SNAPSHOT);
    await app.execute('default', 'version', {}, { format: 'json' });
    expect(opened).toEqual({ desktops: 0, engines: 0, closed: 0 });
    for (const name of ['a', 'b']) await app.execute('default', 'session new', { name }, { format: 'json' });
    await Promise.all(
      ['a', 'a', 'b'].map((session) => app.execute(session, 'snapshot', {}, { format: 'json' })),
    );
    expect(opened).toEqual({ desktops: 1, engines: 2, closed: 0 });
    await app.close();
    expect(opened.closed).toBe(1);
  });

  it('is not closed when it was never opened', async () => {
    const { app, opened } = hostWith({});
    await app.close();
    expect(opened).toEqual({ desktops: 0, engines: 0, closed: 0 });
  });

  it('is retried after it could not be opened', async () => {
    let tries = 0;
    const openDesktop = async () => {
      tries += 1;
      throw new DeskterityError('DISPLAY_UNAVAILABLE', 'There is no display.', {
        suggestion: 'Set DISPLAY.',
      });
    };
    const { app } = hostWith(SNAPSHOT, { desktops: fakeDesktops(openDesktop) });
    expect((await app.execute('default', 'snapshot', {}, { format: 'json' })).exitCode).toBe(11);
    expect((await app.execute('default', 'snapshot', {}, { format: 'json' })).exitCode).toBe(11);
    expect(tries).toBe(2);
  });
});

it('prints messages of the session store once', async () => {
  const { app } = hostWith(
    {},
    {
      openSession: (_folder, _name, note) => {
        note('The file is damaged.');
        return createMemoryStore();
      },
    },
  );
  expect((await app.execute('default', 'focused', {}, { format: 'json' })).stderr).toBe(
    'note: The file is damaged.\n',
  );
  expect((await app.execute('default', 'focused', {}, { format: 'json' })).stderr).toBe('');
});
