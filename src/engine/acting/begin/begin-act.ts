import { mentionCommand, mentionParameter } from '../../../model/text/mention.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { handleKey } from '../../../model/tree/node.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import { activityOf } from '../../evidence/activity.ts';
import type { EventLog } from '../../evidence/settle.ts';
import { DesktopJournal } from '../../journal/desktop-journal.ts';
import type { EngineParts } from '../../reading/engine-parts.ts';
import { hasNoTree, type ResolvedTarget } from '../../refs/target.ts';
import type { ActGuard } from '../../requests/acting.ts';
import { requireActionable } from '../actionability.ts';
import type { Act, Attempt, Before } from '../attempt.ts';
import { guardedAct } from '../guard/guarded-act.ts';
import { handleOf, lookBefore, type OptionsNow } from '../look.ts';
import { IdleWatch } from './idle-watch.ts';
import { handUse, takeTurn } from './turn.ts';
import { untilReady } from './until-ready.ts';

/** An act about to be sent. */
export interface BegunAct {
  readonly attempt: Attempt;
  readonly before: Before;
  readonly activationDelayMs: number;
  /** Stops watching, and lets the next act in this application begin. */
  end(): void;
}

interface Watched {
  readonly log: EventLog;
  readonly options: OptionsNow;
  readonly guard: ActGuard | undefined;
}

/**
 * Waits until the target can be acted on, and looks at what is there. Meanwhile other acts in its application may be needed to make it ready, so
 * the turn is given back after each look that finds it not ready.
 */
export async function beginAct(
  parts: EngineParts,
  resolve: (options: CallOptions) => Promise<ResolvedTarget>,
  act: Act,
  { isImpatient, ...watched }: Watched & { readonly isImpatient: boolean },
): Promise<BegunAct> {
  const { desktop, clock } = parts;
  const idle = new IdleWatch(desktop, clock);
  try {
    return await untilReady(
      clock,
      watched.options,
      async () => {
        const found = await resolve(watched.options());
        const isDisabled = found.node.states.includes('disabled');
        if (isImpatient && isDisabled) await idle.begin(found.record.app, watched.options());
        else idle.end();
        requireActionable(found, act.kind);
        return beginReady(parts, found, resolve, act, watched);
      },
      () => idle.isOver || parts.isDryRun === true,
    );
  } finally {
    idle.end();
  }
}

/** Takes the turn, looks a last time and begins to watch. */
async function beginReady(
  parts: EngineParts,
  found: ResolvedTarget,
  resolve: (options: CallOptions) => Promise<ResolvedTarget>,
  act: Act,
  { log, options, guard }: Watched,
): Promise<BegunAct> {
  const { desktop, readings } = parts;
  const turn = await takeTurn(desktop, { ...found.record, byHand: handUse(act, found.node) }, options());
  let stop: (() => void) | undefined;
  const end = (): void => {
    stop?.();
    turn.end();
  };
  try {
    const target = turn.waited ? await resolve(options()) : found;
    if (turn.waited) requireActionable(target, act.kind);
    const makeReady = async (): Promise<void> => {
      await act.check?.(target, options());
      const heed = async (): Promise<void> => {
        if (guard !== undefined) await guard(await guardedAct(desktop, act, target, options));
      };
      // What has the focus in a window is only known when it is in front.
      const isKnownLater = act.presses !== undefined || act.reaches !== undefined;
      if (!isKnownLater) await heed();
      await act.prepare?.(target, options);
      if (isKnownLater) await heed();
    };
    const seemsAlready = act.already?.(target.node) !== undefined;
    // Where only the element is asked, and nobody about it, the window can be looked at meanwhile.
    const isAskedMeanwhile = guard === undefined && act.prepare === undefined && act.isWithheld !== true;
    if (!seemsAlready && !isAskedMeanwhile) await makeReady();
    log.forget();
    if (!hasNoTree(target)) activityOf(parts, target.record.app);
    stop = await desktop.watch((event) => log.add(event), { ...options(), appId: target.record.app });
    const withheld = await readings.withheld();
    // Mark before writing: later steps may fail, and other calls of this session may read the field meanwhile.
    if (act.isWithheld === true && parts.isDryRun !== true) {
      DesktopJournal.of(desktop)?.withhold(handleKey(target.record));
      await readings.mark(handleOf(target), true);
    }
    const look = (): Promise<Before> => lookBefore(desktop, { act, target, log, options });
    const meanwhile = !seemsAlready && isAskedMeanwhile ? makeReady : undefined;
    let before = await (meanwhile === undefined ? look() : looksAfter(meanwhile(), look()));
    if (seemsAlready && act.already?.(before.node, before.tree) === undefined) {
      await makeReady();
      before = await look();
    }
    const unlike = act.unlikeByHand?.(target, before.tree);
    if (unlike !== undefined) throw notByHand(target, unlike);
    await act.requireFree?.(target, before.tree, options());
    // Bringing a window to the front causes many events; they do not make its elements restless.
    if (act.prepare) log.forget();
    const attempt: Attempt = {
      act,
      target: { ...target, node: before.node },
      screen: desktop.screen,
      log,
      withheld,
      options,
    };
    const activationDelayMs = Math.max(
      act.reactionMs ?? 0,
      await activationDelayOf(desktop, target, options()),
    );
    return { attempt, before, activationDelayMs, end };
  } catch (error) {
    end();
    throw error;
  }
}

/** Windows without an accessible tree have no toolkit, so no delay. */
async function activationDelayOf(
  desktop: EngineParts['desktop'],
  target: ResolvedTarget,
  options: CallOptions,
): Promise<number> {
  return hasNoTree(target) ? 0 : desktop.activationDelayMs(handleOf(target), options);
}

/** What was found, unless the check fails: why it failed comes first. */
async function looksAfter(check: Promise<void>, look: Promise<Before>): Promise<Before> {
  look.catch(() => undefined);
  await check;
  return look;
}

function notByHand({ ref, node }: ResolvedTarget, why: string): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', `${ref} (${node.role}) was not acted on: ${why}.`, {
    suggestion: `Use the pointer (${mentionParameter('mode', 'pointer')}), or close the list with ${mentionCommand('press', { keys: 'Escape' })}.`,
    delivered: false,
  });
}
