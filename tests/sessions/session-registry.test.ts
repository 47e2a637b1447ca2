import { describe, expect, it } from 'vitest';
import { sessionName } from '../../src/model/sessions/session-name.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { asked, displayOf, newMachine, NOBODY, sessionsOn, USER } from './session-world.ts';
import { spelledFailure } from '../spelled.ts';
import { MemoryStore } from '../engine/support/memory-store.ts';

const NOT_FOUND = { code: 'SESSION_NOT_FOUND' };

/** A promise with its own key. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe('a session name', () => {
  it.each([
    ['Work', 'work'],
    ['a', 'a'],
    ['s-1.2_3', 's-1.2_3'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['console', 'console'],
  ])('%s is %s', (given, name) => {
    expect(sessionName(given)).toBe(name);
  });

  it.each([
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'a\\b',
    '-a',
    '.a',
    'a.',
    'a b',
    'a\n',
    'con',
    'NUL',
    'com1.txt',
    'a~b',
    'ä',
    '\u212A',
    'a'.repeat(65),
  ])('%j is invalid', (given) => {
    expect(() => sessionName(given)).toThrow('cannot be a session name');
  });

  it('means the same session in any case', async () => {
    const sessions = sessionsOn(newMachine());
    await sessions.create(asked('Work'));
    await expect(sessions.create(asked('wORK'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await displayOf(sessions, 'WORK')).toBe(':101');
    expect((await sessions.list()).map(({ name }) => name)).toEqual(['work']);
  });
});

describe('a session on the desktop of its caller', () => {
  it('is created by the first call that needs a desktop, once for concurrent calls', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    sessions.enter('a', USER, { mayBeNew: true });
    expect(await sessions.list()).toEqual([]);
    const engines = await Promise.all(
      ['a', 'a', 'b'].map((name) => sessions.enter(name, USER, { mayBeNew: true }).engine()),
    );
    expect(engines[0]).toBe(engines[1]);
    expect(engines[2]).not.toBe(engines[0]);
    expect(machine.connections).toBe(1);
    expect(await sessions.list()).toMatchObject([
      { name: 'a', desktop: 'user', display: ':1', calls: 2 },
      { name: 'b', calls: 1 },
    ]);
    expect(sessions.desktops()).toEqual([{ display: ':1', private: false, sessions: ['a', 'b'] }]);
  });

  it('shares one connection with nineteen others', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    await Promise.all(Array.from({ length: 20 }, (_, index) => displayOf(sessions, `s${index}`)));
    expect(machine.connections).toBe(1);
  });

  it('follows its caller to another desktop, and gets a new engine after the desktop restarts', async () => {
    const sessions = sessionsOn(newMachine());
    expect(await displayOf(sessions, 'a')).toBe(':1');
    expect(await displayOf(sessions, 'a', { environment: { DISPLAY: ':2' }, cwd: '/' })).toBe(':2');
  });

  it('may share another session’s desktop, private or not, and falls back to none when that ends', async () => {
    const sessions = sessionsOn(newMachine());
    const look = async (beside: string) => {
      const place = sessions.enter('look', USER, { beside, mayBeNew: true });
      const title = await (await place.engine()).title({ deadlineMs: 1000 });
      return [title, place.privateDisplay];
    };
    await sessions.create(asked('work'));
    const display = await displayOf(sessions, 'work');
    expect(await look('work')).toEqual([display, display]);
    expect(await look('plain')).toEqual([':1', undefined]);
    await sessions.kill('work');
    await expect(look('work')).rejects.toMatchObject(NOT_FOUND);
  });

  it('forgets a killed session, whose running call leaves nothing behind', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    const engine = await sessions.enter('a', USER, { mayBeNew: true }).engine();
    await engine.focused({ deadlineMs: 1000 });
    expect(await machine.stores.get('a')?.load('refs')).toEqual({ on: ':1' });
    await sessions.kill('a');
    await engine.focused({ deadlineMs: 1000 });
    expect(await machine.stores.get('a')?.load('refs')).toBeUndefined();
    await expect(sessions.kill('a')).rejects.toMatchObject(NOT_FOUND);
    expect(await displayOf(sessions, 'a')).toBe(':1');
  });

  it('is refused to its running call once killed', async () => {
    const sessions = sessionsOn(newMachine());
    const place = sessions.enter('a', USER, { mayBeNew: true });
    await place.engine();
    await sessions.kill('a');
    expect(place.isOver).toBe(true);
    await expect(place.engine()).rejects.toMatchObject(NOT_FOUND);
  });

  it('is not created by a call with a name that nobody made', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    await sessions.create(asked('ada', false));
    const mistyped = sessions.enter('adaa', USER);
    for (const step of [() => mistyped.engine(), () => mistyped.terminals(), () => mistyped.require()])
      await expect(step()).rejects.toMatchObject({
        ...NOT_FOUND,
        message: 'Session "adaa" does not exist.',
        suggestion: expect.stringContaining('Did you mean ada?'),
      });
    expect((await sessions.list()).map(({ name }) => name)).toEqual(['ada']);
    // Another process finds it by its record, and the default session is always there.
    const other = sessionsOn(machine);
    await expect(other.enter('ADA', USER).engine()).resolves.toBeDefined();
    await expect(other.enter('default', USER).engine()).resolves.toBeDefined();
    await expect(other.enter('elsewhere', USER).engine()).rejects.toMatchObject({
      ...NOT_FOUND,
      suggestion: expect.stringContaining('or start this one with'),
    });
  });

  it('starts again if its record is damaged', async () => {
    const machine = newMachine();
    await displayOf(sessionsOn(machine), 'a');
    machine.stores.get('a')?.put('session', 'rubbish');
    expect(await displayOf(sessionsOn(machine), 'a')).toBe(':1');
  });
});

describe('a private session', () => {
  it('has its own desktop, with the caller’s environment, that ends with it', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    const secret = { DISPLAY: ':1', TOKEN: 'secret' };
    expect(await sessions.create(asked('a', true, { environment: secret }))).toMatchObject({
      desktop: 'private',
      display: ':101',
    });
    expect(machine.inherited).toEqual([secret]);
    expect(JSON.stringify(await machine.stores.get('a')?.load('session'))).not.toContain('secret');
    const place = sessions.enter('a', USER, { mayBeNew: true });
    expect(await (await place.engine()).title({ deadlineMs: 1000 })).toBe(':101');
    expect(place.privateDisplay).toBe(':101');
    expect(sessions.desktops()).toEqual([{ display: ':101', private: true, sessions: ['a'] }]);
    await sessions.kill('a');
    expect([machine.running.size, machine.connections]).toEqual([0, 0]);
    expect(await sessions.list()).toEqual([]);
  });

  it('is started by one of two calls at once', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    const results = await Promise.allSettled([1, 2, 3].map(() => sessions.create(asked('a'))));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(machine.running.size).toBe(1);
  });

  it('is awaited by a call during its start', async () => {
    const machine = newMachine();
    const { opened, open } = gate();
    machine.beforeStart = () => opened;
    const sessions = sessionsOn(machine);
    const created = sessions.create(asked('a'));
    const display = displayOf(sessions, 'a');
    open();
    await created;
    expect(await display).toBe(':101');
  });

  it('that could not be started is an error for its calls, not the desktop of the caller', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    machine.beforeStart = async () => {
      throw new DeskterityError('DISPLAY_UNAVAILABLE', 'Xvfb is missing.', { suggestion: 'Install it.' });
    };
    const created = sessions.create(asked('a'));
    const used = displayOf(sessions, 'a');
    await expect(created).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    await expect(used).rejects.toMatchObject(NOT_FOUND);
    await expect(spelledFailure(displayOf(sessions, 'a'))).rejects.toMatchObject({
      ...NOT_FOUND,
      suggestion: expect.stringContaining('desk session new a'),
    });
    await sessions.create(asked('a', false));
    expect(await displayOf(sessions, 'a')).toBe(':1');
  });

  it('killed while it starts leaves no desktop', async () => {
    const machine = newMachine();
    machine.beforeStart = (signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          reject(new DeskterityError('CANCELLED', 'cancelled', { suggestion: 'Start it again.' }));
        });
      });
    const sessions = sessionsOn(machine);
    const created = sessions.create(asked('a'));
    await Promise.all([
      expect(created).rejects.toMatchObject({ code: 'CANCELLED' }),
      expect(sessions.kill('a')).resolves.toMatchObject({ name: 'a', desktop: 'private' }),
    ]);
    expect([machine.running.size, await sessions.list()]).toEqual([0, []]);
  });

  it('killed when the start can no longer be stopped leaves no desktop either', async () => {
    const machine = newMachine();
    const { opened, open } = gate();
    const begun = gate();
    machine.beforeStart = () => {
      begun.open();
      return opened;
    };
    const sessions = sessionsOn(machine);
    const created = sessions.create(asked('a'));
    await begun.opened;
    const killed = sessions.kill('a');
    open();
    await expect(created).rejects.toMatchObject({ code: 'CANCELLED' });
    await killed;
    expect([machine.started, machine.running.size]).toEqual([1, 0]);
  });

  it('whose desktop crashed is an error with a suggestion, and can be started again', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    await sessions.create(asked('a'));
    await displayOf(sessions, 'a');
    machine.dead.add(':101');
    await expect(spelledFailure(displayOf(sessions, 'a'))).rejects.toMatchObject({
      ...NOT_FOUND,
      suggestion: expect.stringContaining('desk session new a --private'),
    });
    expect(machine.running.size).toBe(0);
    expect(await sessions.list()).toMatchObject([{ name: 'a', desktop: 'private', ended: true }]);
    expect(sessions.desktops()).toEqual([]);
    await sessions.create(asked('a'));
    expect(await displayOf(sessions, 'a')).toBe(':102');
  });

  it('once killed does not become one on the caller’s desktop', async () => {
    const sessions = sessionsOn(newMachine());
    await sessions.create(asked('a'));
    await sessions.kill('a');
    await expect(displayOf(sessions, 'a')).rejects.toMatchObject(NOT_FOUND);
  });

  it.each(['closed', 'crashed'])('of a process that has %s is still an error in the next', async (how) => {
    const machine = newMachine();
    const first = sessionsOn(machine);
    await first.create(asked('a'));
    if (how === 'closed') await first.close();
    else machine.running.clear();
    const next = sessionsOn(machine);
    expect(await next.list()).toMatchObject([{ name: 'a', ended: true }]);
    await expect(displayOf(next, 'a')).rejects.toMatchObject(NOT_FOUND);
    await next.create(asked('a'));
    expect(await displayOf(next, 'a')).toBe(':102');
  });

  it.each([['session'], ['session', 'mark'], ['mark']])(
    'stays private when %s and %s are damaged on disk',
    async (...documents) => {
      const machine = newMachine();
      await sessionsOn(machine).create(asked('a'));
      for (const document of documents) {
        for (const name of ['a', 'a~private']) {
          if ((await machine.stores.get(name)?.load(document)) !== undefined)
            machine.stores.get(name)?.put(document, { rubbish: true });
        }
      }
      machine.running.clear();
      const next = sessionsOn(machine);
      await expect(displayOf(next, 'a')).rejects.toMatchObject(NOT_FOUND);
      await next.kill('a');
      expect(await sessionsOn(machine).list()).toEqual([]);
      await expect(displayOf(sessionsOn(machine), 'a')).rejects.toMatchObject(NOT_FOUND);
    },
  );

  it('of a running process can be used, but not killed, by a process that ends with its call', async () => {
    const machine = newMachine();
    await sessionsOn(machine).create(asked('a'));
    const other = sessionsOn(machine, { outlivesCalls: false });
    expect(await displayOf(other, 'a')).toBe(':101');
    await expect(other.kill('a')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(other.create(asked('b'))).rejects.toMatchObject({ code: 'DAEMON_UNAVAILABLE' });
    for (const refused of [
      other.livePage('a', { ...USER, mayControl: true }),
      other.takeOver('a', USER.environment),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'DAEMON_UNAVAILABLE' });
    expect(machine.running.size).toBe(1);
  });

  it('whose process was killed together with what should have ended it is found and ended', async () => {
    const machine = newMachine();
    await sessionsOn(machine).create(asked('a'));
    machine.abandoned.add(':101');
    const second = sessionsOn(machine);
    expect(await second.create(asked('a'))).toMatchObject({ display: ':102' });
    expect([...machine.running]).toEqual([':102']);
    machine.abandoned.add(':102');
    await sessionsOn(machine).kill('a');
    expect([...machine.running]).toEqual([]);
  });

  it('has screenshots that do not count as use', async () => {
    const sessions = sessionsOn(newMachine());
    await sessions.create(asked('a'));
    const picture = await sessions.picture('a', { environment: USER.environment, deadlineMs: 1000 });
    expect(picture).toMatchObject({ display: ':101', width: 4, height: 3 });
    expect(await sessions.info('a')).toMatchObject({ calls: 0 });
    await expect(sessions.picture('b', { environment: {}, deadlineMs: 1000 })).rejects.toMatchObject(
      NOT_FOUND,
    );
  });
});

describe('a caller without a display', () => {
  it('gets one private desktop, shared, named, and ended with the last session', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    const place = sessions.enter('a', NOBODY, { mayBeNew: true });
    await Promise.all([place.engine(), displayOf(sessions, 'b', NOBODY)]);
    expect([machine.started, place.privateDisplay]).toEqual([1, ':101']);
    expect(sessions.desktops()).toEqual([{ display: ':101', private: true, sessions: ['a', 'b'] }]);
    await sessions.kill('a');
    expect(machine.running.size).toBe(1);
    await sessions.kill('b');
    expect(machine.running.size).toBe(0);
    expect(await displayOf(sessions, 'a', NOBODY)).toBe(':102');
  });

  it('gets none while another desktop of the user is running, nor from a process that ends with its call', async () => {
    const machine = newMachine();
    machine.others = [':0'];
    await expect(displayOf(sessionsOn(machine), 'a', NOBODY)).rejects.toMatchObject({
      code: 'DISPLAY_UNAVAILABLE',
      suggestion: expect.stringContaining('DISPLAY=:0'),
    });
    machine.others = [':0', ':7'];
    await expect(displayOf(sessionsOn(machine), 'a', NOBODY)).rejects.toMatchObject({
      code: 'DISPLAY_UNAVAILABLE',
      message: expect.stringContaining(':0, :7'),
    });
    machine.others = [];
    const ending = sessionsOn(machine, { outlivesCalls: false });
    await expect(displayOf(ending, 'b', NOBODY)).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    expect(machine.started).toBe(0);
  });

  it('gets another one after a crash', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    await displayOf(sessions, 'a', NOBODY);
    machine.dead.add(':101');
    expect(await displayOf(sessions, 'a', NOBODY)).toBe(':102');
    await sessions.close();
    expect(machine.running.size).toBe(0);
  });

  it('starts none when its session is killed before that', async () => {
    const machine = newMachine();
    const { opened, open } = gate();
    const begun = gate();
    machine.beforeOthers = () => {
      begun.open();
      return opened;
    };
    const sessions = sessionsOn(machine);
    const used = displayOf(sessions, 'a', NOBODY);
    await begun.opened;
    await sessions.kill('a');
    open();
    await expect(used).rejects.toMatchObject({ code: 'CANCELLED' });
    expect([machine.started, machine.running.size]).toEqual([0, 0]);
  });

  it('is visible to viewers of its session', async () => {
    const sessions = sessionsOn(newMachine());
    await displayOf(sessions, 'a', NOBODY);
    const picture = await sessions.picture('a', { environment: USER.environment, deadlineMs: 1000 });
    expect(picture.display).toBe(':101');
  });
});

it('suggests a similar name', async () => {
  const sessions = sessionsOn(newMachine());
  await sessions.create(asked('worker', false));
  await expect(sessions.info('wroker')).rejects.toMatchObject({
    ...NOT_FOUND,
    suggestion: expect.stringMatching(/^Did you mean worker\? A new session is started with /),
  });
});

it('generates a name', async () => {
  const sessions = sessionsOn(newMachine());
  const { name } = await sessions.create(asked(undefined, false));
  expect(name).toMatch(/^s-[0-9a-f]{6}$/);
});

it('ends starting desktops when it closes, and refuses later calls', async () => {
  const machine = newMachine();
  const { opened, open } = gate();
  machine.beforeStart = () => opened;
  const sessions = sessionsOn(machine);
  const results = Promise.allSettled([sessions.create(asked('a')), displayOf(sessions, 'b', NOBODY)]);
  const closed = sessions.close();
  open();
  await closed;
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(machine.running.size).toBe(0);
  await expect(displayOf(sessions, 'c')).rejects.toMatchObject({ code: 'CANCELLED' });
});

describe('the HOME of a private desktop', () => {
  it('is named, with what is deleted in it before and after', async () => {
    const sessions = sessionsOn(newMachine());
    expect(await sessions.create(asked('work'))).toMatchObject({ home: '/home:101', home_kept: false });
    const files = { count: 2, is_counted_whole: true, names: ['a.txt', 'b/c.txt'] };
    expect(await sessions.info('work')).toMatchObject({ home: '/home:101', home_files: files });
    expect(await sessions.homeOf('work')).toBe('/home:101');
    expect(await sessions.kill('work')).toMatchObject({ deleted: { home: '/home:101', ...files } });
  });

  it('stays if it was given', async () => {
    const sessions = sessionsOn(newMachine());
    const facts = { home: '/data/agent', home_kept: true };
    expect(await sessions.create({ ...asked('work'), home: '/data/agent' })).toMatchObject(facts);
    expect(await sessions.info('work')).not.toHaveProperty('home_files');
    const killed = await sessions.kill('work');
    expect(killed).toMatchObject(facts);
    expect(killed).not.toHaveProperty('deleted');
  });

  it('that another session has is refused, and the name leads nowhere else', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    machine.beforeStart = () =>
      Promise.reject(new DeskterityError('CONFLICT', 'It is in use.', { suggestion: 'Name another.' }));
    const home = '/data/agent';
    await expect(sessions.create({ ...asked('second'), home })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(displayOf(sessions, 'second')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    machine.beforeStart = async () => undefined;
    expect(await sessions.create({ ...asked('second'), home })).toMatchObject({ home });
  });

  it('is known to other processes', async () => {
    const machine = newMachine();
    await sessionsOn(machine).create(asked('work'));
    expect(await sessionsOn(machine).info('work')).toMatchObject({ home: '/home:101', home_kept: false });
  });

  it('is that of the shared desktop for callers without a display', async () => {
    const sessions = sessionsOn(newMachine());
    expect(await sessions.homeOf('default').catch(() => 'none')).toBe('none');
    await sessions.enter('default', NOBODY).engine();
    expect(await sessions.homeOf('default')).toBe('/home:101');
  });
});

it('a session that cannot be stored is not started', async () => {
  const machine = newMachine();
  const sessions = sessionsOn(machine);
  await sessions.create(asked('first'));
  const full = new MemoryStore();
  full.full = true;
  machine.stores.set('work', full);
  await expect(sessions.create(asked('work'))).rejects.toThrow('the disk is full');
  expect(machine.running.size).toBe(1);
  await expect(sessions.create({ ...asked('work'), isPrivate: false })).rejects.toThrow('the disk is full');
});

describe('the connections of a session', () => {
  const stored = { alias: 'left', app: 'Mail', pid: 42, process: '42:7' };

  it('are shown, and end with it', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    await sessions.create(asked('work'));
    expect(await sessions.info('work')).not.toHaveProperty('connections');
    const store = machine.stores.get('work') ?? new MemoryStore();
    await store.update('connections', () => ({ desktop_id: 'x', connections: [stored] }));
    expect(await sessions.info('work')).toMatchObject({
      connections: [{ alias: 'left', app: 'Mail', pid: 42 }],
    });
    await sessions.kill('work');
    expect(await store.load('connections')).toBeUndefined();
  });
});
