/** Whole seconds up to a minute, then minutes and seconds. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Prints lines with the time since the start; at least one every `quietMs` while something runs. */
export function createProgress({ stream = process.stderr, quietMs = 10_000, now = Date.now } = {}) {
  const startedAt = now();
  let spokeAt = startedAt;

  function say(text) {
    spokeAt = now();
    const elapsed = `${Math.floor((spokeAt - startedAt) / 1000)}s`.padStart(6);
    for (const line of text.split('\n')) stream.write(`${elapsed}  ${line}\n`);
  }

  /** Prints that `label` is still running whenever nothing else was printed for a while; returns the function that stops this. */
  function heartbeat(label) {
    const begunAt = now();
    const timer = setInterval(() => {
      if (now() - spokeAt >= quietMs) say(`… still ${label} (${duration(now() - begunAt)})`);
    }, 1000);
    timer.unref();
    return () => clearInterval(timer);
  }

  return { say, heartbeat, elapsedMs: () => now() - startedAt };
}

/** A failure caused by the machine or the caller, not a bug: only its message is printed. */
export class SetupError extends Error {
  constructor(message, exitCode = 11) {
    super(message);
    this.name = 'SetupError';
    this.exitCode = exitCode;
  }
}

/** Runs a script's main function and turns a failure into a readable message and an exit code. */
export async function main(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    const usage = String(error?.code).startsWith('ERR_PARSE_ARGS');
    const known = usage || error instanceof SetupError;
    process.stderr.write(`\n${known ? error.message : (error?.stack ?? String(error))}\n`);
    process.exitCode = usage ? 5 : known ? error.exitCode : 70;
  }
}
