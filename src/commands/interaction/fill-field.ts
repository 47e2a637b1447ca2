import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { Receipt } from '../../model/effects/effect.ts';
import { scopedTarget, type LocatorScope } from '../../model/refs/scoped-locator.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { mentionCommand, mentionName } from '../../model/text/mention.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { OutputNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import { Target, type CommandContext } from '../../registry/define.ts';

/** One field and what it should hold. */
export const Field = z.strictObject({
  target: Target.describe('Reference or locator.'),
  // Advertised as a text only: one type for each parameter is what all clients understand.
  value: z.preprocess((value) => (isPlain(value) ? String(value) : value), z.string()),
});
export type Field = z.output<typeof Field>;

function isPlain(value: unknown): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

type Engine = Awaited<ReturnType<CommandContext['engine']>>;

/** How a person would fill a field of a role. */
type Way =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'switch'; readonly on: boolean }
  /** `orText`: the field also takes a text that is no option. */
  | { readonly kind: 'choice'; readonly value: string; readonly orText: boolean };

/** A field that was found. */
export interface FoundField {
  readonly ref: string;
  readonly target: Receipt['target'];
  readonly way: Way;
}

const TEXT = roleSet('textbox', 'searchbox', 'spinbutton', 'slider', 'cell', 'gridcell');
const SWITCHES = roleSet('checkbox', 'switch', 'togglebutton', 'menuitemcheckbox');
const RADIOS = roleSet('radio', 'menuitemradio');
const CHOICES = roleSet('combobox', 'grid', 'list', 'listbox', 'table', 'tablist', 'tree', 'treegrid');

const WORDS: Readonly<Record<string, boolean>> = { on: true, true: true, off: false, false: false };

/** How often a locator is tried again while its window is being drawn. */
const RETRY_MS = 150;
const LONGEST_RETRY_MS = 3000;
const NOT_YET: ReadonlySet<string> = new Set(['ELEMENT_NOT_FOUND', 'WINDOW_NOT_FOUND', 'APP_NOT_FOUND']);

interface Search {
  readonly scope: LocatorScope;
  /** What is left of the whole call, in milliseconds. */
  readonly left: () => number;
  readonly signal: AbortSignal;
}

/** Finds the one element of a field and how it is filled. Touches nothing. @throws DeskterityError */
export async function findField(
  ctx: Pick<CommandContext, 'clock'>,
  engine: Engine,
  { target, value: text }: Field,
  search: Search,
): Promise<FoundField> {
  const { node, allStates } = await found(ctx, engine, scopedTarget(target, search.scope), search);
  const ref = node.ref ?? target;
  const name = node.name === undefined ? {} : { name: node.name };
  const about = { ref, target: { ref, role: node.role, ...name } };
  if (TEXT.has(node.role)) return { ...about, way: { kind: 'text', value: text } };
  if (SWITCHES.has(node.role)) return { ...about, way: { kind: 'switch', on: asSwitch(text, about.target) } };
  if (RADIOS.has(node.role)) {
    if (asSwitch(text, about.target)) return { ...about, way: { kind: 'switch', on: true } };
    throw new DeskterityError('INVALID_ARGUMENT', `${called(about.target)} cannot be switched off.`, {
      suggestion: 'Switch on another choice of its group.',
      delivered: false,
    });
  }
  if (CHOICES.has(node.role))
    return { ...about, way: { kind: 'choice', value: text, orText: allStates.includes('editable') } };
  if (node.role === 'radiogroup') {
    const radio = await radioCalled(engine, about.target, text, search);
    return { ref: radio.ref, target: radio, way: { kind: 'switch', on: true } };
  }
  throw new DeskterityError('ACTION_NOT_SUPPORTED', `${called(about.target)} is not a field to fill.`, {
    suggestion: `Find the field with ${mentionCommand('snapshot')}; other elements take ${mentionName('click')}.`,
    delivered: false,
  });
}

/** A dialog that has just opened may not have its fields yet, so locators are tried again. */
async function found(
  { clock }: Pick<CommandContext, 'clock'>,
  engine: Engine,
  ref: string,
  { left, signal }: Search,
): ReturnType<Engine['describe']> {
  const end = clock.now() + Math.min(LONGEST_RETRY_MS, left() / 3);
  for (;;) {
    try {
      return await engine.describe({ ref, deadlineMs: Math.max(1, left()), signal });
    } catch (error) {
      const mayAppear =
        error instanceof DeskterityError && NOT_YET.has(error.code) && parseRef(ref) === undefined;
      if (!mayAppear || clock.now() >= end) throw error;
      await clock.sleep(RETRY_MS, signal);
    }
  }
}

function asSwitch(text: string, target: Receipt['target']): boolean {
  const on = WORDS[text.toLowerCase()];
  if (on !== undefined) return on;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${called(target)} is switched on or off, and ${quoteClipped(text)} is neither.`,
    { suggestion: 'Give on, off, true or false.', delivered: false },
  );
}

/** The choice of a group by its name: equal, else ignoring case, else the only one containing it. */
async function radioCalled(
  engine: Engine,
  group: Receipt['target'],
  text: string,
  { left, signal }: Search,
): Promise<Receipt['target'] & { readonly ref: string }> {
  const { tree } = await engine.snapshot({
    root: group.ref ?? '',
    includeBounds: false,
    includeActions: false,
    interactiveOnly: true,
    compact: true,
    wholeTree: true,
    form: 'json',
    deadlineMs: Math.max(1, left()),
    signal,
  });
  const radios = inside(tree, (node) => RADIOS.has(node.role));
  const folded = text.trim().toLowerCase();
  const matching = [
    radios.filter(({ name }) => name === text),
    radios.filter(({ name }) => name?.toLowerCase() === folded),
    radios.filter(({ name }) => folded !== '' && name?.toLowerCase().includes(folded) === true),
  ].find((some) => some.length > 0);
  const [only] = matching ?? [];
  if (only?.ref !== undefined && matching?.length === 1)
    return { ref: only.ref, role: only.role, ...(only.name === undefined ? {} : { name: only.name }) };
  const isNone = only === undefined;
  throw new DeskterityError(
    isNone ? 'ELEMENT_NOT_FOUND' : 'AMBIGUOUS_TARGET',
    `${called(group)} has ${isNone ? 'no choice' : 'more than one choice'} called ${quoteClipped(text)}.`,
    {
      suggestion: 'Give the name of one of its choices.',
      candidates: (matching ?? radios).slice(0, 10).map(({ ref, role, name }) => ({ ref, role, name })),
      delivered: false,
    },
  );
}

function inside(node: OutputNode, isWanted: (node: OutputNode) => boolean): OutputNode[] {
  return [
    ...(isWanted(node) ? [node] : []),
    ...(node.children ?? []).flatMap((child) => inside(child, isWanted)),
  ];
}

/** `textbox "Name" @e7` */
export function called({ role, name, ref }: Receipt['target']): string {
  return [role, name === undefined ? undefined : quoteClipped(name), ref]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** The part of a receipt that a field needs. */
export type Filled = Pick<Receipt, 'target' | 'effect' | 'evidence' | 'via' | 'delivered'> &
  Partial<Pick<Receipt, 'changes' | 'cursor'>>;

interface Options {
  readonly mode: string | undefined;
  readonly left: () => number;
  readonly signal: AbortSignal;
}

/** An act waits at most this long for its field. */
const LONGEST_ACT_MS = 10_000;

/** Fills one field by the command that a person would use. @throws DeskterityError with the receipt if it had no effect */
export async function fillField(
  { commands }: Pick<CommandContext, 'commands'>,
  { ref, target, way }: FoundField,
  { mode, left, signal }: Options,
): Promise<Filled> {
  const run = async (command: string, input: Readonly<Record<string, unknown>>): Promise<Filled> => {
    const timeout_ms = Math.max(1, Math.min(LONGEST_ACT_MS, Math.floor(left())));
    const given = { ref, timeout_ms, ...(mode === undefined ? {} : { mode }), ...input };
    // The receipt of a choice is about its option.
    return { ...Receipt.parse(await commands.run(command, given, { signal })), target };
  };
  if (way.kind === 'text') return run('set-value', { value: way.value });
  if (way.kind === 'choice') {
    try {
      return await run('select', { value: way.value });
    } catch (error) {
      const isNoOption =
        error instanceof DeskterityError && error.code === 'ELEMENT_NOT_FOUND' && error.delivered !== true;
      if (!way.orText || !isNoOption) throw error;
      return run('set-value', { value: way.value });
    }
  }
  return run('toggle', { to: way.on ? 'on' : 'off' });
}
