import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { LONGEST_TITLE } from '../../model/refs/target.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { withName } from '../refs/target.ts';
import type { IdleRequest, IdleResult } from '../requests/desktop.ts';
import { busyElement, readTrees } from './busy.ts';
import { MovingPictures } from './moving-pictures.ts';

/** When, of the quiet time, pictures are taken: unevenly, so that what moves in step with them is noticed, too. */
const PICTURES_AT = [0.37, 0.63, 1] as const;
/** An application that takes longer to answer was working. */
const PROMPT_MS = 150;
const LONGEST_LOOK_MS = 200;

/** The state of an application during one wait. */
interface Seen {
  lastAt: number;
  last: DesktopEvent | undefined;
}

/**
 * Waits until nothing changes in an application: for the given time it sends no event, then it answers at once, nothing in its windows says that it is
 * busy, and they look the same all that time.
 * @throws DeskterityError APP_NOT_FOUND, also if it ends meanwhile; ACTION_NOT_SUPPORTED if it can neither be asked nor seen; TIMEOUT
 */
export async function waitUntilIdle(parts: EngineParts, request: IdleRequest): Promise<IdleResult> {
  const { desktop, clock, scope } = parts;
  const { quietMs, signal } = request;
  const options = liveDeadline({ deadlineMs: request.deadlineMs, signal }, clock);
  const apps = await desktop.listApps(options);
  const { pid, name } = await scope.appAmong(apps, request.app);
  const app = clip(name, LONGEST_TITLE);
  const ids = new Set(apps.filter((one) => one.pid === pid && one.id !== '').map(({ id }) => id));
  const seen: Seen = { lastAt: clock.now(), last: undefined };
  const onEvent = (event: DesktopEvent): void => {
    if (event.kind === 'caret-moved') return;
    seen.lastAt = clock.now();
    seen.last = event;
  };
  const stops: (() => void)[] = [];
  let why = '';
  try {
    for (const appId of ids) stops.push(await desktop.watch(onEvent, { ...options, appId }));
    while (hasTime(options, seen, { quietMs, now: clock.now() })) {
      if (!desktop.isProcessAlive(pid)) throw hasEnded(app, pid);
      const quiet = await quietTime(parts, { pid, quietMs, seen }, options);
      if (typeof quiet === 'object') {
        if (quiet.pictures === 0 && ids.size === 0) throw cannotBeSeen(app);
        return { app, pid, quietMs, evidence: evidenceOf(quiet, { quietMs, hasEvents: ids.size > 0 }) };
      }
      why = quiet;
    }
    throw await timedOut(parts, { app, request, seen, why });
  } finally {
    for (const stop of stops) stop();
  }
}

function hasTime(
  { deadlineMs, signal }: CallOptions,
  { lastAt }: Seen,
  { quietMs, now }: { readonly quietMs: number; readonly now: number },
): boolean {
  return signal?.aborted !== true && deadlineMs > 1 && lastAt + quietMs <= now + deadlineMs;
}

interface Quiet {
  readonly answeredMs: number | undefined;
  readonly pictures: number;
}

/** Lets the rest of the quiet time pass; why it was not quiet, if it was not. */
async function quietTime(
  { desktop, clock }: EngineParts,
  { pid, quietMs, seen }: { readonly pid: number; readonly quietMs: number; readonly seen: Seen },
  options: CallOptions,
): Promise<Quiet | string> {
  const { signal } = options;
  const windows = await desktop.listWindows({ ...options, pid });
  const pictures = new MovingPictures(desktop, windows);
  await pictures.take(options);
  const began = seen.lastAt;
  for (const share of PICTURES_AT) {
    await clock.sleep(Math.max(1, began + quietMs * share - clock.now()), signal);
    if (seen.lastAt !== began) return 'it changed';
    await pictures.take(options);
  }
  const askedAt = clock.now();
  const isAnswered = await answers(desktop, windows, options);
  const answeredMs = clock.now() - askedAt;
  if (!isAnswered || answeredMs > PROMPT_MS) {
    seen.lastAt = clock.now();
    return isAnswered ? `it took ${Math.round(answeredMs)} ms to answer` : 'it did not answer';
  }
  if (seen.lastAt !== began) return 'it changed';
  const trees = await readTrees(desktop, windows, options);
  const busy = busyElement(trees);
  const moving = busy === undefined ? pictures.moving(trees) : undefined;
  if (busy === undefined && moving === undefined)
    return {
      answeredMs: windows.some(({ root }) => root) ? answeredMs : undefined,
      pictures: pictures.taken,
    };
  seen.lastAt = clock.now();
  return busy === undefined ? (moving ?? '') : `${withName(busy)} is marked as busy`;
}

/** Whether each of its windows answers a question, which it does once it has done what it was asked before. */
async function answers(
  desktop: EngineParts['desktop'],
  windows: readonly DesktopWindow[],
  options: CallOptions,
): Promise<boolean> {
  if (windows.some(({ responsive }) => responsive === false)) return false;
  const roots = windows.flatMap(({ root }) => root ?? []);
  const answered = await Promise.all(
    roots.map((root) =>
      desktop.describe(root, options).then(
        () => true,
        // A window that has closed has answered as well.
        (error: unknown) => error instanceof DeskterityError && error.code === 'STALE_REF',
      ),
    ),
  );
  return answered.every(Boolean);
}

function evidenceOf(
  { answeredMs, pictures }: Quiet,
  { quietMs, hasEvents }: { readonly quietMs: number; readonly hasEvents: boolean },
): string[] {
  return [
    hasEvents ? `no event for ${quietMs} ms` : 'it sends no events',
    ...(answeredMs === undefined ? [] : [`it answered within ${Math.max(1, Math.round(answeredMs))} ms`]),
    pictures > 1
      ? `its windows looked the same in ${pictures} pictures`
      : 'no picture of its windows could be taken',
  ];
}

async function timedOut(
  { desktop, clock }: EngineParts,
  {
    app,
    request: { deadlineMs, quietMs, signal },
    seen,
    why,
  }: {
    readonly app: string;
    readonly request: IdleRequest;
    readonly seen: Seen;
    readonly why: string;
  },
): Promise<DeskterityError> {
  if (signal?.aborted === true)
    return new DeskterityError('CANCELLED', 'Waiting was cancelled.', {
      suggestion: 'Repeat the command if you still need it.',
    });
  const { last } = seen;
  const node =
    last && (await desktop.describe(last.node, { deadlineMs: LONGEST_LOOK_MS }).catch(() => undefined));
  const place = node === undefined ? '' : ` of ${withName(node)}`;
  const ago = Math.max(0, Math.round(clock.now() - (last?.atMs ?? 0)));
  const event = last === undefined ? '' : `; its last event was ${last.kind}${place}, ${ago} ms ago`;
  const state = `${why === '' ? 'it was not quiet for so long' : why}${event}`;
  return new DeskterityError(
    'TIMEOUT',
    `${quoteClipped(app)} was not idle for ${quietMs} ms within ${Math.round(deadlineMs)} ms. Last seen: ${state}.`,
    {
      suggestion: `Raise ${mentionParameter('timeout_ms')}. If something in it always moves, wait for what you need instead: ${mentionCommand('wait', { text: 'TEXT', app })}.`,
      retryable: true,
    },
  );
}

function hasEnded(app: string, pid: number): DeskterityError {
  return new DeskterityError('APP_NOT_FOUND', `${quoteClipped(app)} (pid ${pid}) ended during the wait.`, {
    suggestion: `Run ${mentionCommand('list-apps')} to see what is running.`,
  });
}

function cannotBeSeen(app: string): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${quoteClipped(app)} sends no events, and no picture of its windows can be taken.`,
    { suggestion: `Wait for a time instead: ${mentionCommand('wait', { ms: 1000 })}.` },
  );
}
