import type { Unwatch } from '../connections/connection.ts';

interface ListedParts {
  /** What is listed now, as comparable text. */
  readonly listed: (signal: AbortSignal) => Promise<string>;
  /** Calls its argument when the policy has changed. */
  readonly watchPolicy: ((onRead: () => void) => Unwatch) | undefined;
  readonly onChange: () => void;
}

/** Tells of changes of a list that follow from the policy alone: it decides what is listed of applications that run on. */
export async function watchListed({ listed, watchPolicy, onChange }: ListedParts): Promise<Unwatch> {
  if (watchPolicy === undefined) return () => undefined;
  const ending = new AbortController();
  const { signal } = ending;
  // What cannot be listed at the moment counts as what was listed last.
  let told = await listed(signal).catch(() => '');
  const compare = async (): Promise<void> => {
    const now = await listed(signal).catch(() => told);
    if (now === told || signal.aborted) return;
    told = now;
    onChange();
  };
  const end = watchPolicy(() => void compare());
  return () => {
    ending.abort();
    end();
  };
}
