import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../tests/daemon/terminal-support.ts';
import { inPlace, type Place } from './place.ts';
import { repeat, seededRandom, type ProofOptions, type ProofRow } from './row.ts';

const SEED = 20_261_124;
const BOTH_KILLED = 20;
const ALONE = 20;
const NAMES = 80;
const PATIENCE_MS = 20_000;

/** What sessions promise when the processes behind their desktops are killed, and when their names are mistyped. */
export function sessions(repeats: number | undefined, say: ProofOptions['say']): Promise<ProofRow[]> {
  return inPlace(async (place) => [
    await bothKilled(place, repeats ?? BOTH_KILLED, say),
    await supervisorKilled(place, repeats ?? ALONE, say),
    await unknownNames(place, repeats ?? NAMES, say),
  ]);
}

function bothKilled(place: Place, count: number, say: ProofOptions['say']): Promise<ProofRow> {
  return repeat(
    'supervisor and daemon killed: the next daemon ends the desktop, and its name can be used again',
    count,
    say,
    async (index) => {
      const name = `orphan-${index}`;
      const id = await desktopOf(place, name);
      const daemon = await place.daemon();
      // Stopped first, as it would start another supervisor.
      process.kill(daemon, 'SIGSTOP');
      for (const pid of supervisors(id)) process.kill(pid, 'SIGKILL');
      process.kill(daemon, 'SIGKILL');
      // A call that reaches it while it exits is told that its answer is unknown, which is another promise.
      await until(() => !isRunning(daemon), 'the daemon has exited');
      const again = await place.desk('session', 'new', name, '--private');
      if (again.exitCode !== 0) throw new Error(again.stdout.slice(0, 300));
      await until(() => members(id).length === 0, `nothing of the desktop ${id} is left`);
      const killed = await place.desk('session', 'kill', name);
      if (killed.exitCode !== 0) throw new Error(killed.stdout.slice(0, 300));
    },
  );
}

function supervisorKilled(place: Place, count: number, say: ProofOptions['say']): Promise<ProofRow> {
  return repeat(
    'a supervisor killed alone is replaced, and the session ends as usual',
    count,
    say,
    async (index) => {
      const name = `alone-${index}`;
      const id = await desktopOf(place, name);
      const first = supervisors(id);
      for (const pid of first) process.kill(pid, 'SIGKILL');
      await until(() => supervisors(id).some((pid) => !first.includes(pid)), 'another supervisor runs');
      const killed = await place.desk('session', 'kill', name);
      if (killed.exitCode !== 0) throw new Error(killed.stdout.slice(0, 300));
      await until(() => members(id).length === 0, `nothing of the desktop ${id} is left`);
    },
  );
}

async function unknownNames(place: Place, count: number, say: ProofOptions['say']): Promise<ProofRow> {
  const random = seededRandom(SEED);
  await place.desk('session', 'new', 'ada-lovelace');
  return repeat(
    'a mistyped session is an error with the nearest name, and is not made',
    count,
    say,
    async () => {
      const at = Math.floor(random() * 'ada-lovelace'.length);
      const name = `ada-lovelace`.slice(0, at) + 'z' + 'ada-lovelace'.slice(at);
      const reply = await place.desk('snapshot', '--session', name);
      if (reply.exitCode !== 6 || !reply.stdout.includes('Did you mean ada-lovelace?'))
        throw new Error(reply.stdout.slice(0, 300));
      const { stdout } = await place.desk('session', 'list');
      if (stdout.includes(`"${name}"`)) throw new Error('it was made');
    },
  );
}

/** Starts a private session. @returns the id of its desktop */
async function desktopOf(place: Place, name: string): Promise<string> {
  const { stdout } = await place.desk('session', 'new', name, '--private');
  const id = /deskterity-desktop-([0-9a-f]{10})/.exec(stdout)?.[1];
  if (id === undefined) throw new Error(stdout.slice(0, 300));
  return id;
}

function supervisors(id: string): number[] {
  return processes('cmdline', `deskterity-desktop-supervisor\0${id}`);
}

/** Everything that carries the mark of a desktop. */
function members(id: string): number[] {
  return processes('environ', `DESKTERITY_PRIVATE_DESKTOP=${id}`);
}

function processes(file: string, text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(text);
      } catch {
        return false;
      }
    });
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not so within ${PATIENCE_MS} ms: ${what}`);
    await sleep(50);
  }
}
