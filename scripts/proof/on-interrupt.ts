import type { EventEmitter } from 'node:events';

/** Exit codes, as shells report them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

type Ending = Pick<EventEmitter, 'on' | 'off'> & { exit(code: number): unknown };
type CleanUp = () => Promise<unknown>;

const open = new WeakMap<Ending, { readonly all: Set<CleanUp>; forget(): void }>();

/** Calls `cleanUp` if the program is interrupted, which then ends; until the returned function is called. */
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
  let isEnding = false;
  const listeners = Object.entries(SIGNALS).map(([signal, code]) => {
    const listener = (): void => {
      if (isEnding) return;
      isEnding = true;
      void Promise.allSettled([...all].map((each) => each())).then(() => program.exit(code));
    };
    program.on(signal, listener);
    return { signal, listener };
  });
  const entry = {
    all,
    forget: () => {
      if (isEnding) return;
      for (const { signal, listener } of listeners) program.off(signal, listener);
      open.delete(program);
    },
  };
  open.set(program, entry);
  return entry;
}
