import { allProcesses, readProcess, type ProcessEntry } from './facts.ts';

/** Enough for processes to stop that do nothing but start others. */
const MOST_LOOKS = 25;

type Named = Pick<ProcessEntry, 'pid' | 'startTime'>;

/**
 * Programs without a mark, and what they have started: found by parent and session, links that are lost when a parent exits. So it remembers what it has seen.
 */
export class ProcessFamily {
  private readonly known = new Map<number, string>();

  constructor(roots: readonly Named[]) {
    for (const root of roots) this.add(root);
  }

  /** Its running processes, as far as they can be found. */
  look(): readonly ProcessEntry[] {
    const spared = ownTree();
    const running = allProcesses().filter(({ pid, state }) => !/[ZX]/.test(state) && !spared.has(pid));
    const members = new Set(running.filter((entry) => this.isKnown(entry)).map(({ pid }) => pid));
    for (let before = -1; before < members.size;) {
      before = members.size;
      for (const { pid, parent, session } of running)
        if (members.has(parent) || members.has(session)) members.add(pid);
    }
    const found = running.filter(({ pid }) => members.has(pid));
    for (const entry of found) this.add(entry);
    return found;
  }

  /** @returns those that were killed */
  kill(): readonly ProcessEntry[] {
    return killAll(() => this.look());
  }

  private isKnown({ pid, startTime }: ProcessEntry): boolean {
    return this.known.get(pid) === startTime;
  }

  private add({ pid, startTime }: Named): void {
    this.known.set(pid, startTime);
  }
}

/** This process and all above it. */
export function ownTree(): ReadonlySet<number> {
  const tree = new Set<number>();
  let next: number | undefined = process.pid;
  while (next !== undefined && next > 0 && !tree.has(next)) {
    tree.add(next);
    next = readProcess(next)?.parent;
  }
  return tree;
}

/** Kills every process of a session, whose leader may have exited. */
export function killSession(session: number): readonly ProcessEntry[] {
  return killAll(() =>
    allProcesses().filter((entry) => entry.session === session && !/[ZX]/.test(entry.state)),
  );
}

/**
 * Stops processes until a look finds no other and all stand still, then kills them: a process that was killed first could have started one that is found no
 * more. Does not wait until they have exited.
 */
function killAll(find: () => readonly ProcessEntry[]): readonly ProcessEntry[] {
  const seen = new Map<string, ProcessEntry>();
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const found = find();
    const added = found.filter((entry) => !seen.has(nameOf(entry)));
    for (const entry of added) {
      seen.set(nameOf(entry), entry);
      send(entry, 'SIGSTOP');
    }
    if (added.length === 0 && found.every(({ state }) => /[Tt]/.test(state))) break;
  }
  for (const entry of seen.values()) send(entry, 'SIGKILL');
  return [...seen.values()];
}

function nameOf({ pid, startTime }: Named): string {
  return `${pid} ${startTime}`;
}

function send({ pid, startTime }: Named, signal: 'SIGSTOP' | 'SIGKILL'): void {
  if (readProcess(pid)?.startTime !== startTime) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited, or belongs to another user.
  }
}
