import type { EventEmitter } from 'node:events';

/** Exit codes, as shells report them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

type Ending = Pick<EventEmitter, 'on' | 'off'> & { exit(code: number): unknown };
type CleanUp = () => Promise<unknown>;

const open = new WeakMap<Ending, { readonly all: Set<CleanUp>; forget(): void }>();
const ending = new WeakSet<Ending>();

/** Whether the program cleans up before it ends: nothing new may begin. */
export function isInterrupted(program: Ending = process): boolean {
  return ending.has(program);
}

/** Calls `cleanUp` if the program is interrupted, which then ends; until the returned function is called. What was registered last is first. */
export function onInterrupt(cleanUp: CleanUp, program: Ending = process): () => void {
  const entry = open.get(program) ?? listening(program);
  entry.all.add(cleanUp);
  return () => {
    entry.all.delete(cleanUp);
    if (entry.all.size === 0) entry.forget();
  };
}

function listening(program: Ending): { readonly all: Set<CleanUp>; forget(): void } {
  const all = new Set<CleanUp>();
  const listeners = Object.entries(SIGNALS).map(([signal, code]) => {
    const listener = (): void => {
      if (ending.has(program)) return;
      ending.add(program);
      void cleanAll(all).then(() => program.exit(code));
    };
    program.on(signal, listener);
    return { signal, listener };
  });
  const entry = {
    all,
    forget: () => {
      if (ending.has(program)) return;
      for (const { signal, listener } of listeners) program.off(signal, listener);
      open.delete(program);
    },
  };
  open.set(program, entry);
  return entry;
}

async function cleanAll(all: ReadonlySet<CleanUp>): Promise<void> {
  for (const cleanUp of [...all].toReversed()) await cleanUp().catch(() => undefined);
}
