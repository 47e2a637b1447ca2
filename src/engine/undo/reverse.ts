import type { Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { Reversal, WindowState } from '../../model/undo/reversal.ts';
import { isSameBounds } from '../../model/tree/bounds.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { WindowRequest } from '../../ports/desktop/windows.ts';
import type { ElementActs } from '../element-acts.ts';
import type { InputParts } from '../input/input-lease.ts';
import type { EffectRequest, ReverseRequest, Reversed } from '../requests/acting.ts';
import { named } from '../refs/target.ts';
import { heldValue, valueEquality } from '../tree/element-value.ts';
import { controlWindow } from '../windows/windows.ts';
import { reverseClipboard } from './reverse-clipboard.ts';
import { entryOf, opennessOf, switchedOf, windowStateOf } from '../acting/reversal-of.ts';
import { formatWouldBeLost, textEditingOf } from './text-return.ts';
import { changedSince, notAsBefore } from './undo-errors.ts';

interface Parts extends InputParts {
  readonly elements: ElementActs;
}

type Of<K extends Reversal['kind']> = Extract<Reversal, { readonly kind: K }>;

/**
 * Brings back the state before an act, if what the act left is still there, and reads it afresh.
 * @throws DeskterityError CONFLICT if someone has changed it since; nothing was sent then
 */
export function reverse(
  parts: Parts,
  { reversal, outlivesCall, ...request }: ReverseRequest,
): Promise<Reversed> {
  const call: EffectRequest = liveDeadline(request, parts.clock);
  switch (reversal.kind) {
    case 'value':
      return reverseValue(parts, reversal, call);
    case 'choice':
      return reverseChoice(parts, reversal, call);
    case 'switch':
      return reverseSwitch(parts, reversal, call);
    case 'openness':
      return reverseOpenness(parts, reversal, call);
    case 'option':
      return reverseOption(parts, reversal, call);
    case 'window':
      return reverseWindow(parts, reversal, call);
    default:
      return reverseClipboard(parts.desktop.clipboard, reversal, { ...call, outlivesCall });
  }
}

async function reverseValue(
  parts: Parts,
  { ref, before, after }: Of<'value'>,
  call: EffectRequest,
): Promise<Reversed> {
  const node = await read(parts, ref, call);
  const now = entryOf(node) ?? '';
  const isSame = valueEquality(node);
  if (now === before) return already(`fresh read: ${quoteClipped(before)}`);
  if (now !== after && !isSame(now, after))
    throw changedSince(`${ref} has ${quoteClipped(now)}`, quoteClipped(after));
  const receipt = await writeBack(parts, node, { ref, now, before }, call);
  const later = await read(parts, ref, call);
  const is = entryOf(later) ?? '';
  if (is !== before && !valueEquality(later)(is, before)) throw notAsBefore(ref, is, before);
  return as(receipt, `fresh read: ${quoteClipped(is)}`);
}

/** Where a text may have formatting, only what differs is written. */
async function writeBack(
  { desktop, elements }: Parts,
  node: NodeDetails,
  { ref, now, before }: { readonly ref: string; readonly now: string; readonly before: string },
  call: EffectRequest,
): Promise<Receipt> {
  const editing = await textEditingOf(desktop, node, call);
  if (editing?.changesParts === true) return elements.changeText({ ...call, ref }, now, before);
  if (editing?.isFormatted === true) throw formatWouldBeLost(named(ref, node));
  return before === ''
    ? elements.act({ ...call, ref, act: 'clear' })
    : elements.setValue({ ...call, ref, value: before });
}

async function reverseChoice(
  parts: Parts,
  { ref, before, after }: Of<'choice'>,
  call: EffectRequest,
): Promise<Reversed> {
  const now = await choiceNow(parts, ref, call);
  if (now === before) return already(`fresh read: ${quoteClipped(before)}`);
  if (now !== after) throw changedSince(`${ref} shows ${quoteClipped(now)}`, quoteClipped(after));
  const receipt = await parts.elements.select({ ...call, ref, option: before });
  const is = await choiceNow(parts, ref, call);
  if (is !== before) throw notAsBefore(ref, is, before);
  return as(receipt, `fresh read: ${quoteClipped(is)}`);
}

/** What a combo box shows: some toolkits tell it only with what is in it. */
async function choiceNow(parts: Parts, ref: string, call: EffectRequest): Promise<string> {
  const node = await read(parts, ref, call);
  const held = heldValue(node);
  if (held !== undefined) return held;
  const { deadlineMs, signal } = call;
  const limits = { maxNodes: MOST_OPTIONS, includeActions: false, deadlineMs, signal };
  const { root } = await parts.desktop.readTree({ root: node.handle, wholeTree: true, ...limits });
  return root.value ?? '';
}

const MOST_OPTIONS = 2000;

async function reverseSwitch(
  parts: Parts,
  { ref, before, other, partner }: Of<'switch'>,
  call: EffectRequest,
): Promise<Reversed> {
  const node = await read(parts, ref, call);
  const now = switchedOf(node);
  // Of radio buttons, it is another one than the one that was acted on.
  const evidence = `fresh read: ${named(ref, node)} is ${before}`;
  if (now === before) {
    if (partner !== undefined) await requireOn(parts, partner, call);
    return already(evidence);
  }
  if (now === undefined) throw changedSince(`${ref} is partly checked`);
  if (other !== undefined) await requireOn(parts, other, call);
  const receipt = await switchBack(parts, { ref, before, partner }, call);
  const is = switchedOf(await read(parts, ref, call));
  if (is !== before) throw notAsBefore(ref, is ?? 'partly checked', before);
  const { effect, evidence: own } = as(receipt, evidence);
  return {
    effect,
    evidence: [...own, ...(partner === undefined ? [] : [await partnerNow(parts, partner, call)])],
  };
}

/** The box that was on before the act: of a group, it is again; one that went off by itself is left so. */
async function partnerNow(parts: Parts, ref: string, call: EffectRequest): Promise<string> {
  const node = await read(parts, ref, call);
  return switchedOf(node) === 'on'
    ? `${named(ref, node)} is on`
    : `${named(ref, node)}, which was on before the act, is off`;
}

/** A box of a group does not go off by itself: then the one goes on again that was on before it. */
async function switchBack(
  parts: Parts,
  { ref, before, partner }: Omit<Of<'switch'>, 'kind' | 'other'>,
  call: EffectRequest,
): Promise<Receipt> {
  try {
    return await parts.elements.act({ ...call, ref, act: 'toggle', to: before });
  } catch (error) {
    const staysOn = async (): Promise<boolean> => switchedOf(await read(parts, ref, call)) !== before;
    if (partner === undefined || !(error instanceof DeskterityError) || !(await staysOn())) throw error;
    return parts.elements.act({ ...call, ref: partner, act: 'toggle', to: 'on' });
  }
}

/** Of a group of radio buttons, somebody may have chosen a third one. */
async function requireOn(parts: Parts, ref: string, call: EffectRequest): Promise<void> {
  const node = await read(parts, ref, call);
  if (switchedOf(node) !== 'on') throw changedSince(`${named(ref, node)} is not on any more`);
}

async function reverseOpenness(
  parts: Parts,
  { ref, before }: Of<'openness'>,
  call: EffectRequest,
): Promise<Reversed> {
  const now = opennessOf(await read(parts, ref, call));
  if (now === before) return already(`fresh read: ${before}`);
  if (now === undefined) throw changedSince(`${ref} does not tell any more whether it is open`);
  const act = before === 'expanded' ? 'expand' : 'collapse';
  const receipt = await parts.elements.act({ ...call, ref, act });
  const is = opennessOf(await read(parts, ref, call));
  if (is !== before) throw notAsBefore(ref, is ?? 'unknown', before);
  return as(receipt, `fresh read: ${before}`);
}

async function reverseOption(
  parts: Parts,
  { ref, other, bar }: Of<'option'>,
  call: EffectRequest,
): Promise<Reversed> {
  const state = bar === undefined ? 'selected' : 'the current tab';
  const isChosen = async ({ states, name }: NodeDetails): Promise<boolean> =>
    bar === undefined ? states.includes('selected') : (await read(parts, bar, call)).name === name;
  const node = await read(parts, ref, call);
  const evidence = `fresh read: ${named(ref, node)} is ${state}`;
  const left = await read(parts, other, call);
  if (await isChosen(node)) {
    if (await isChosen(left)) throw changedSince(`${named(ref, node)} is ${state}, too`);
    return already(evidence);
  }
  if (!(await isChosen(left))) throw changedSince(`${named(other, left)} is not ${state} any more`);
  const receipt = await parts.elements.select({ ...call, ref });
  if (!(await isChosen(await read(parts, ref, call)))) throw notAsBefore(ref, `not ${state}`, state);
  if (await isChosen(await read(parts, other, call))) throw notAsBefore(other, state, `not ${state}`);
  return as(receipt, evidence);
}

async function reverseWindow(
  parts: Parts,
  { ref, before, after }: Of<'window'>,
  call: EffectRequest,
): Promise<Reversed> {
  const look = async (): Promise<WindowState> =>
    windowStateOf(await parts.scope.window({ window: ref }, call));
  const now = await look();
  if (isSameState(now, before)) return already(inWords(now));
  if (!isSameState(now, after)) throw changedSince(`the window ${ref} is ${inWords(now)}`, inWords(after));
  const effects: Receipt['effect'][] = [];
  for (let tries = 0; tries < MOST_REQUESTS; tries += 1) {
    const request = nextRequest(await look(), before);
    if (request === undefined) break;
    const { effect } = await controlWindow(parts, { ...call, window: ref, request });
    effects.push(effect);
  }
  const is = await look();
  if (!isSameState(is, before)) throw notAsBefore(`the window ${ref}`, inWords(is), inWords(before));
  return {
    effect: effects.every((effect) => effect === 'confirmed') ? 'confirmed' : 'unverified',
    evidence: [inWords(is)],
  };
}

const MOST_REQUESTS = 5;

/** The next step from one state of a window towards another. */
export function nextRequest(now: WindowState, wanted: WindowState): WindowRequest | undefined {
  if (isSameState(now, wanted)) return undefined;
  if (now.minimized) return { kind: 'restore' };
  if (now.maximized && !wanted.maximized) return { kind: 'restore' };
  const [is, to] = [now.bounds, wanted.bounds];
  if (!wanted.maximized && !now.maximized && is !== undefined && to !== undefined) {
    if (is.width !== to.width || is.height !== to.height)
      return { kind: 'resize', width: to.width, height: to.height };
    if (is.x !== to.x || is.y !== to.y) return { kind: 'move', x: to.x, y: to.y };
  }
  if (wanted.maximized && !now.maximized) return { kind: 'maximize' };
  return wanted.minimized ? { kind: 'minimize' } : undefined;
}

/** Where a window is that does not show is not compared. */
function isSameState(a: WindowState, b: WindowState): boolean {
  if (a.minimized !== b.minimized || a.maximized !== b.maximized) return false;
  return a.minimized || a.bounds === undefined || b.bounds === undefined || isSameBounds(a.bounds, b.bounds);
}

function inWords({ bounds, minimized, maximized }: WindowState): string {
  if (minimized) return 'minimized';
  const place = bounds === undefined ? '' : ` at ${bounds.x},${bounds.y}, ${bounds.width}x${bounds.height}`;
  return `${maximized ? 'maximized' : 'shown'}${place}`;
}

async function read({ resolver }: Parts, ref: string, call: EffectRequest): Promise<NodeDetails> {
  return (await resolver.resolve(ref, call)).node;
}

function already(evidence: string): Reversed {
  return { effect: 'confirmed', evidence: [evidence], isAlready: true };
}

function as({ effect }: Receipt, evidence: string): Reversed {
  return { effect: effect === 'confirmed' ? 'confirmed' : 'unverified', evidence: [evidence] };
}
