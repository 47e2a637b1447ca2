/** Aborted by its caller, or when time is over. */
export interface LimitedSignal {
  readonly signal: AbortSignal;
  /** Whether time ran out. */
  readonly isOver: () => boolean;
  /** To be called when the work has ended. */
  readonly release: () => void;
}

/**
 * Unlike `AbortSignal.timeout` and `AbortSignal.any`, which Node keeps with all that listens to them until the time is over, also when the work has
 * long ended.
 */
export function limitedSignal({
  deadlineMs,
  signal: outer,
}: {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}): LimitedSignal {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, deadlineMs);
  const end = (): void => controller.abort(outer?.reason);
  if (outer?.aborted === true) end();
  else outer?.addEventListener('abort', end, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    release: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', end);
    },
  };
}
