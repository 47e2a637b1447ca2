import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { masked } from '../daemon/masked.ts';
import { Place, usePlace } from './harness.ts';
import { Snapshot } from './support/answers.ts';
import { useFixtures } from './support/fixtures.ts';

const place = usePlace();
const bench = useFixtures(place);

/** Command lines whose answers do not depend on the toolkit. */
const OF_NO_TOOLKIT = [
  ['list-apps'],
  ['find', 'Press', '--app', 'no such application'],
  ['focused'],
  ['click', '@e999'],
  ['click', 'nonsense'],
  ['set-value', '@e999', 'x'],
  ['permissions'],
  ['version'],
];

/** One that finds elements by window coordinates and one that does not; the answers do not depend on the toolkit otherwise. */
const COMPARED = ['gtk3', 'qt6'] as const;

let tries = 0;

describe.each(COMPARED)('through the daemon, with %s', (kind) => {
  it('gives the same answers as without it', async () => {
    const app = bench(kind);
    const ref = (id: string) => app.widget(id).name;
    const lines = [
      ['list-windows', '--app', app.app],
      ['snapshot', '--app', app.app],
      ['snapshot', '--app', app.app, '-i', '-c', '--format', 'outline'],
      ['snapshot', '--app', app.app, '--max-tokens', '300'],
      ['find', ref('press'), '--app', app.app],
      ['find', 'nothing of this name', '--app', app.app],
      ['get', 'name', '@e1'],
      ['get', 'bounds', '@e1', '--format', 'text'],
      ['is', 'enabled', '@e1'],
      ['screenshot', 'same.png', '--app', app.app],
      ['wait', '--element', '@e1', '--timeout', '10000'],
      ...(kind === COMPARED[0] ? OF_NO_TOOLKIT : []),
    ];
    // A second try after a failure needs sessions of its own.
    tries += 1;
    const [ofDaemon, ofProcess] = [`daemon-${kind}-${tries}`, `process-${kind}-${tries}`];
    for (const name of [ofDaemon, ofProcess])
      expect((await place().desk(['session', 'new', name])).exitCode).toBe(0);
    for (const line of lines) {
      const viaDaemon = await place().desk([...line, '--session', ofDaemon]);
      const inProcess = await place().desk([...line, '--session', ofProcess, '--no-daemon']);
      expect({ line, ...masked(viaDaemon) }).toEqual({ line, ...masked(inProcess) });
    }
    // Some forty programs are started, one after the other.
  }, 120_000);
});

it('answers all calls in one process, which keeps its knowledge between them', async () => {
  const app = bench('gtk3');
  const before = place().daemonPid();
  const first = (await app.desk('snapshot', '--app', app.app)).ok(Snapshot);
  await app.desk('version');
  const second = (await app.desk('snapshot', '--app', app.app)).ok(Snapshot);
  expect(place().daemonPid()).toBe(before);
  expect(Number(second.cursor.slice(1))).toBeGreaterThan(Number(first.cursor.slice(1)));
});

it('reports that an act may have been carried out if the daemon is killed during it', async () => {
  const app = bench('gtk3');
  const press = await app.ref('press');
  // An application that does not answer keeps the call running.
  process.kill(app.fixture.pid, 'SIGSTOP');
  const answer = place().desk(['click', press, '--timeout', '20000']);
  // By then the click has reached the application, which is stopped and cannot report it.
  await sleep(1500);
  const pid = place().daemonPid();
  if (pid === undefined) throw new Error('no daemon');
  process.kill(pid, 'SIGKILL');
  const reply = await answer.finally(() => process.kill(app.fixture.pid, 'SIGCONT'));
  expect(reply.error('DAEMON_UNAVAILABLE')).toMatchObject({ delivered: true });
  // The next daemon knows the references of the one before.
  expect((await app.desk('is', 'enabled', press)).exitCode).toBe(0);
  expect(place().daemonPid()).not.toBe(pid);
});

it('ends with its desktop', async () => {
  const other = await Place.start();
  await other.desk(['version']);
  const pid = other.daemonPid();
  expect(pid).toBeDefined();
  expect(pid).not.toBe(place().daemonPid());
  // Throws if the daemon is still running.
  await other.stop();
});
