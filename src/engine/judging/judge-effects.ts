import { handleKey } from '../../model/tree/node.ts';
import { mayTick } from '../evidence/attribution.ts';
import {
  confirmed,
  describeChange,
  describeWindow,
  eventEvidence,
  type Judgement,
  type Observation,
} from '../evidence/evidence.ts';
import { inTree, isOfTitle, isTitleTold } from '../evidence/unrelated-windows.ts';
import type { ObservedChange, WindowChange } from '../evidence/window-diff.ts';
import { eventsFor, significantEvents, unnamedWitnesses, witnesses } from '../evidence/witnesses.ts';

/** The effect visible around the target, if any. */
export function judgeByEffects(seen: Observation): Judgement | undefined {
  return judgeByWindow(seen) ?? judgeByChange(seen) ?? judgeByTitle(seen) ?? judgeByOwnTitle(seen);
}

/**
 * A window change counts if display and application both know the window, or if an application event reports it. The display sets whether a
 * window is maximized; that its application then reports another size shows that it took notice. Of a program that the application started the
 * operating system knows that.
 */
export function judgeByWindow(seen: Observation): Judgement | undefined {
  const isReported = (changed: WindowChange): boolean => {
    if (changed.change.kind === 'changed') return !isOfTitle(changed) && isOfNewSize(seen);
    return (
      changed.isStarted === true ||
      changed.window.accessible ||
      seen.events.some((event) => event.kind === 'window-opened' || event.kind === 'window-closed')
    );
  };
  const change = seen.windowChanges.find(isReported);
  return change && confirmed([describeWindow(change), ...eventEvidence(significantEvents(seen))], false);
}

/** The title of another window, which its application also reports. It may tick, as that of a page that blinks for attention. */
function judgeByTitle(seen: Observation): Judgement | undefined {
  const changed = seen.windowChanges.find((one) => isOfTitle(one) && isTitleTold(one, seen.events));
  const reliesOn = changed && inTree(changed);
  return (
    reliesOn && {
      ...confirmed([describeWindow(changed), ...eventEvidence(significantEvents(seen))], false),
      reliesOn,
    }
  );
}

/**
 * The title of the target's own window, in its tree and on the display. Qt sends no event about the mark in it that says that a document was changed.
 * A title that changed while the target vanished may be why the act never reached it.
 */
function judgeByOwnTitle(seen: Observation): Judgement | undefined {
  if (seen.isRetitled !== true || seen.after === undefined) return undefined;
  const root = seen.trees && handleKey(seen.trees.after.root.handle);
  const reliesOn = seen.changes.find(
    ({ change, key }) =>
      key === root &&
      change.kind === 'changed' &&
      change.before?.startsWith('name ') === true &&
      wordsOf(change.before) === wordsOf(change.after ?? ''),
  );
  if (reliesOn === undefined) return undefined;
  const evidence = [describeChange(reliesOn.change), 'the display shows that title, too'];
  return { ...confirmed([...evidence, ...eventEvidence(significantEvents(seen))], false), reliesOn };
}

/** All but marks: a title that says something else may be that of the next track. */
function wordsOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function isOfNewSize({ trees }: Observation): boolean {
  const [was, is] = [trees?.before.root.bounds, trees?.after.root.bounds];
  return was !== undefined && is !== undefined && (was.width !== is.width || was.height !== is.height);
}

function judgeByChange(seen: Observation): Judgement | undefined {
  const named = witnesses(seen);
  const all = named.length > 0 ? named : unnamedWitnesses(seen);
  const ofTarget = (observed: ObservedChange): boolean => observed.key === seen.targetKey;
  const [best] = [
    all.find((observed) => ofTarget(observed) && !mayTick(observed)),
    all.find((observed) => !mayTick(observed)),
    all[0],
  ].filter((observed) => observed !== undefined);
  if (!best) return undefined;
  return {
    ...confirmed([describeChange(best.change), ...eventEvidence(eventsFor(best, seen))], false),
    reliesOn: best,
  };
}
