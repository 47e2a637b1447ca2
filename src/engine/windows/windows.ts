import { subjectKeys } from '../../model/journal/attribute.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import type { Change, WindowReceipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopWindow, WindowRequest } from '../../ports/desktop/windows.ts';
import { delivering } from '../acting/delivery.ts';
import { takeTurnOf } from '../acting/begin/turn.ts';
import { confirmed, type Judgement } from '../evidence/evidence.ts';
import { describeWindowState, isAsRequested, judgeWindow } from '../judging/judge-window.ts';
import { diffWindows, type WindowChange } from '../evidence/window-diff.ts';
import { DesktopJournal } from '../journal/desktop-journal.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { toWindowSummary } from '../reading/observe.ts';
import { listOpened, readOpened } from '../reading/opened.ts';
import { hasWindowKey, windowKey } from '../refs/window-identity.ts';
import type { ControlWindowRequest, OnReversal, SettleLimits } from '../requests/acting.ts';
import { windowReversal } from '../acting/reversal-of.ts';
import { applicationOf } from './application-of.ts';

const DEFAULT_SETTLE: SettleLimits = { quietMs: 80, limitMs: 1000 };
/** Programs may take a while to close: they save their state and wait for other processes. */
const CLOSING_LIMIT_MS = 3000;
const LOOK_EVERY_MS = 25;
const MAX_AIMS = 3;
/** An application that does not answer must not use up the whole time of one look. */
const LONGEST_LOOK_MS = 1500;
/** The most window changes that a receipt lists. */
const MAX_CHANGES = 20;

/** The window and all others, at one moment. */
interface WindowObservation {
  readonly windows: readonly DesktopWindow[];
  /** Absent if it has closed. */
  readonly window: DesktopWindow | undefined;
}

/** One request in progress. */
interface Attempt {
  readonly request: WindowRequest;
  readonly onReversal: OnReversal | undefined;
  readonly settle: SettleLimits;
  readonly before: WindowObservation & { readonly window: DesktopWindow };
  /** Call options with the remaining time. */
  readonly options: () => CallOptions;
}

/** Sends a request to a window and reports the effect, while no act is under way in its application: that act would see the change as its own. */
export async function controlWindow(parts: EngineParts, call: ControlWindowRequest): Promise<WindowReceipt> {
  const { desktop, scope, clock } = parts;
  const started = clock.now();
  const options = (): CallOptions => ({
    deadlineMs: Math.max(1, call.deadlineMs - (clock.now() - started)),
    signal: call.signal,
  });
  const turn = await delivering(false, async () => {
    const { pid } = await scope.window(call, options());
    // By its process: windows of a frozen application can be moved, too.
    return takeTurnOf(desktop, { app: '', pid }, options());
  });
  try {
    return await controlInTurn(parts, call, { started, options });
  } finally {
    turn.end();
  }
}

/** Resolve, observe, request, settle, observe, compare. */
async function controlInTurn(
  parts: EngineParts,
  { request, settle = DEFAULT_SETTLE, onReversal, onApplication, ...call }: ControlWindowRequest,
  { started, options }: { readonly started: number; readonly options: () => CallOptions },
): Promise<WindowReceipt> {
  const { desktop, scope } = parts;
  const before = await delivering(false, async () => {
    const window = await scope.window(call, options());
    return { window, windows: await desktop.listWindows(options()) };
  });
  onApplication?.(applicationOf(before.window));
  const attempt: Attempt = { request, onReversal, settle, before, options };
  // For a window that only accessibility knows, the display has not confirmed anything.
  const isAlready = before.window.isTreeOnly !== true && isAsRequested(before.window, request);
  if (isAlready && (await staysAsRequested(parts, attempt))) {
    const words = `already ${request.kind === 'focus' ? 'active' : describeWindowState(request, before.window)}`;
    return report(parts, attempt, {
      after: before,
      judgement: confirmed([words], true),
      via: 'none',
      started,
    });
  }
  return delivering(true, async () => {
    const { via, after } = await carryOut(parts, attempt);
    if (after.window === undefined && request.kind !== 'close') throw closedMeanwhile(before.window, true);
    const changes = ownChanges(before, after);
    DesktopJournal.of(desktop)?.acts.explain({
      fromMs: started,
      toMs: parts.clock.now(),
      keys: new Set(subjectKeys(changes.map(({ window }) => window))),
    });
    const opened = changes
      .filter(({ change }) => change.kind === 'window_opened')
      .map(({ window }) => quoteClipped(window.title));
    const judgement = judgeWindow({ request, before: before.window, after: after.window, opened });
    return report(parts, attempt, { after, judgement, via, started });
  });
}

/** Sends the request and observes the result. A window that was moved although only its size was requested is moved back. */
async function carryOut(
  parts: EngineParts,
  attempt: Attempt,
): Promise<{ readonly via: string; readonly after: WindowObservation }> {
  const done = await aimAt(parts, attempt);
  const back = wayBack(attempt, done.after.window);
  if (back === undefined) return done;
  const moved = await aimAt(parts, { ...attempt, request: back }, true).catch((error: unknown) => {
    if (error instanceof DeskterityError && error.code === 'ACTION_NOT_SUPPORTED') return undefined;
    throw error;
  });
  if (moved === undefined) return done;
  return { via: moved.via === done.via ? done.via : `${done.via}, ${moved.via}`, after: moved.after };
}

function wayBack({ request, before }: Attempt, now: DesktopWindow | undefined): MoveRequest | undefined {
  const [was, is] = [before.window.bounds, now?.bounds];
  if (request.kind !== 'resize' || was === undefined || is === undefined || fillsScreen(now))
    return undefined;
  return was.x === is.x && was.y === is.y ? undefined : { kind: 'move', x: was.x, y: was.y };
}

function fillsScreen(window: DesktopWindow | undefined): boolean {
  return window?.maximized === true || window?.fullscreen === true;
}

type MoveRequest = Extract<WindowRequest, { readonly kind: 'move' }>;

/** Sends the request and observes the result. A window that lands beside its position is moved again: managers miscalculate their frames after maximizing. */
async function aimAt(
  parts: EngineParts,
  attempt: Attempt,
  wasRequested = false,
): Promise<{ readonly via: string; readonly after: WindowObservation }> {
  const { request } = attempt;
  let aim = request;
  let last = attempt.before.window.bounds;
  for (let tries = 1; ; tries += 1) {
    const { via } = await sendRequest(parts, { ...attempt, request: aim }, wasRequested || tries > 1);
    const after = await settled(parts, attempt);
    const { bounds } = after.window ?? {};
    if (aim.kind !== 'move' || request.kind !== 'move' || bounds === undefined) return { via, after };
    // A window that did not move may be where its manager wants it; if it does not move again, it will not go there.
    const isStuck = bounds.x === last?.x && bounds.y === last.y && tries > 1;
    if (tries === MAX_AIMS || isStuck || fillsScreen(after.window) || isAsRequested(after.window, request))
      return { via, after };
    last = bounds;
    aim = { ...request, x: aim.x + request.x - bounds.x, y: aim.y + request.y - bounds.y };
  }
}

async function sendRequest(
  { desktop }: EngineParts,
  { request, before, options }: Attempt,
  wasRequested: boolean,
): Promise<{ readonly via: string }> {
  const requesting = desktop.controlWindow(before.window.id, request, options());
  return requesting.catch((error: unknown) => {
    if (error instanceof DeskterityError && error.code === 'WINDOW_NOT_FOUND')
      throw closedMeanwhile(before.window, wasRequested);
    throw error;
  });
}

/** Window managers hide a window before they report it minimized: the state must still hold a moment later. */
async function staysAsRequested(parts: EngineParts, attempt: Attempt): Promise<boolean> {
  await parts.clock.sleep(attempt.settle.quietMs, attempt.options().signal);
  return isAsRequested((await look(parts, attempt)).window, attempt.request);
}

/** Looks until the window has been as requested for the quiet time, or until time runs out. */
async function settled(parts: EngineParts, attempt: Attempt): Promise<WindowObservation> {
  const { clock } = parts;
  const { request, settle, options, before } = attempt;
  const isClosing = request.kind === 'close';
  const limitMs = isClosing ? Math.max(settle.limitMs, CLOSING_LIMIT_MS) : settle.limitMs;
  // Part of the time is for the last look.
  const end = clock.now() + Math.min(limitMs, options().deadlineMs * 0.7);
  let since: number | undefined;
  for (;;) {
    const observed = await look(parts, attempt);
    const hasAnswered =
      isAsRequested(observed.window, request) || (isClosing && ownChanges(before, observed).length > 0);
    if (!hasAnswered && observed.window === undefined) return observed;
    since = hasAnswered ? (since ?? clock.now()) : undefined;
    if (since !== undefined && clock.now() - since >= settle.quietMs) return observed;
    if (clock.now() >= end) return observed;
    await clock.sleep(LOOK_EVERY_MS, options().signal);
  }
}

async function look({ desktop }: EngineParts, { before, options }: Attempt): Promise<WindowObservation> {
  const { deadlineMs, signal } = options();
  const windows = await desktop.listWindows({
    deadlineMs: Math.min(deadlineMs, LONGEST_LOOK_MS),
    signal,
  });
  const key = windowKey(before.window);
  return { windows, window: windows.find((window) => hasWindowKey(window, key)) };
}

async function report(
  parts: EngineParts,
  { request, before, options, onReversal }: Attempt,
  done: {
    readonly after: WindowObservation;
    readonly judgement: Judgement;
    readonly via: string;
    readonly started: number;
  },
): Promise<WindowReceipt> {
  const { clock, session, readings } = parts;
  const { after, judgement, via } = done;
  const openedWindows = ownChanges(before, after).filter(({ change }) => change.kind === 'window_opened');
  const opened = await readOpened(
    parts,
    openedWindows.map(({ window: each }) => each),
    options(),
  );
  const wasSent = via !== 'none';
  const window = after.window ?? before.window;
  const receipt = await session.edit((table): WindowReceipt => {
    const summary = toWindowSummary(window, table);
    const changes: Change[] = [...ownChanges(before, after), ...focusChange(before, after)]
      .slice(0, MAX_CHANGES)
      .map(({ change, window: changed }) =>
        change.kind === 'window_closed' ? change : { ref: table.refForWindow(changed), ...change },
      );
    return {
      target: { ref: summary.ref, role: 'window', name: clip(window.title, 80) },
      window: summary,
      effect: judgement.effect,
      evidence: [...judgement.evidence],
      via,
      ...(wasSent ? {} : { already: true }),
      ...(changes.length === 0 ? {} : { changes }),
      ...(opened.length === 0 ? {} : { opened: listOpened(table, opened) }),
      delivered: wasSent,
      retry_safe: judgement.retrySafe,
      cursor: table.advance(),
      duration_ms: Math.round(clock.now() - done.started),
    };
  });
  if (wasSent) onReversal?.(windowReversal(request, receipt.window.ref, before.window, after.window));
  // No tree was read: later calls can compare only the windows.
  await readings.remember({
    cursor: Number(receipt.cursor.slice(1)),
    window: { id: window.id, otherId: window.otherId },
    pid: window.pid,
    wholeTree: false,
    complete: false,
    windows: after.windows.filter(({ pid }) => pid === window.pid),
  });
  const failure = failureOf(receipt, request);
  if (failure) throw failure;
  return receipt;
}

/** Windows of the application that opened or closed; those of other applications are unrelated. */
function ownChanges(before: Attempt['before'], after: WindowObservation): WindowChange[] {
  const { pid } = before.window;
  return diffWindows(before.windows, after.windows).filter(({ window }) => window.pid === pid);
}

function focusChange(before: WindowObservation, after: WindowObservation): WindowChange[] {
  const was = before.windows.find(({ focused }) => focused);
  const is = after.windows.find(({ focused }) => focused);
  if (!is || (was && hasWindowKey(is, windowKey(was)))) return [];
  return [{ change: { kind: 'focus', role: 'window', name: clip(is.title, 120) }, window: is }];
}

function closedMeanwhile({ title }: DesktopWindow, delivered: boolean): DeskterityError {
  return new DeskterityError('WINDOW_NOT_FOUND', `The window ${quoteClipped(title)} was closed meanwhile.`, {
    suggestion: `Run ${mentionCommand('list-windows')} to see what is open.`,
    delivered,
  });
}

function failureOf(receipt: WindowReceipt, { kind }: WindowRequest): DeskterityError | undefined {
  if (receipt.effect === 'confirmed' || receipt.effect === 'unverified') return undefined;
  const what = receipt.effect === 'no_op' ? 'changed nothing' : 'took effect only in part';
  const opened = receipt.changes?.find((change) => change.kind === 'window_opened');
  return new DeskterityError(
    'ACTION_FAILED',
    `The request to ${kind} ${receipt.window.ref} (window) ${what}: ${receipt.evidence.join('; ')}.`,
    {
      suggestion: suggestionFor(kind, opened?.ref),
      delivered: true,
      result: { ...receipt },
    },
  );
}

function suggestionFor(kind: WindowRequest['kind'], opened: string | undefined): string {
  if (opened !== undefined)
    return `Run ${mentionCommand('snapshot', { window: opened })} and answer its question.`;
  if (kind === 'close')
    return `It may show a question inside: run ${mentionCommand('snapshot')} and answer it.`;
  return `The application or the window manager limits this: use the window as it is, or run ${mentionCommand('restore')} first if it fills the screen.`;
}
