/** Whole seconds up to a minute, then minutes and seconds. */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Lines with the time since the start; nothing runs longer than `quietMs` without one. */
export function createProgress({ stream = process.stderr, quietMs = 10_000, now = Date.now } = {}) {
  const startedAt = now();
  let spokeAt = startedAt;

  function say(text) {
    spokeAt = now();
    const elapsed = `${Math.floor((spokeAt - startedAt) / 1000)}s`.padStart(6);
    for (const line of text.split('\n')) stream.write(`${elapsed}  ${line}\n`);
  }

  /** Says that `label` is still going whenever nothing else was said for a while; returns the function that stops it. */
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

/** For failures that are the machine's or the caller's, not a bug: the message is all there is to print. */
export class SetupError extends Error {
  constructor(message, exitCode = 11) {
    super(message);
    this.name = 'SetupError';
    this.exitCode = exitCode;
  }
}

/** Runs a script's main function; turns its failure into a readable message and an exit code. */
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
