import type { HeldSession } from '../sessions/held/held-session.ts';
import { watchOn } from '../sessions/held/steady-state.ts';
import type { Watched } from '../sessions/held/steady-state.ts';

/** How long a shell stands at a prompt of which it says nothing before it is told where our hooks are. */
const SILENT_MS = { hooked: 1500, unhooked: 60 };
const PAUSE_MS = { first: 15, last: 100 };
/** A shell that takes longer asks for something, and a person has to look. */
const LIMIT_MS = 60_000;
/** The line may get lost in what the start files do. */
const MOST_LINES = 3;
const LINE_AGAIN_MS = 3000;

/** Tells a shell where our hooks are that has not read them by itself: one that is not made for that, or whose user's files came between. */
export async function helpStart({ talk, look, clock, start, type, over }: HeldSession): Promise<void> {
  const begun = clock.now();
  const spanMs = start.isHooked ? SILENT_MS.hooked : SILENT_MS.unhooked;
  let watched: Watched | undefined;
  let lines = 0;
  let nextLineMs = begun;
  const isStarted = ({ kind }: typeof talk.state) => kind !== 'starting';
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 1.3, PAUSE_MS.last)) {
    if (await talk.until(isStarted, pauseMs, over)) return;
    const now = clock.now();
    if (over.aborted || now - begun > LIMIT_MS) return;
    watched = watchOn(watched, await look.once(), now, spanMs);
    if (watched.steady?.state !== 'idle' || now < nextLineMs || lines === MOST_LINES) continue;
    type(start.lateLine);
    lines += 1;
    nextLineMs = now + LINE_AGAIN_MS;
  }
}
