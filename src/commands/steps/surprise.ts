import { z } from 'zod';
import { Change } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { parseLocator, printLocator } from '../../model/refs/locator.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { WindowSummary } from '../../model/refs/target.ts';
import { isRecord } from '../../model/is-record.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { clip, quoteClipped, reveal } from '../../model/text/untrusted-text.ts';
import { parseRole, roleSet, type Role } from '../../model/tree/role.ts';
import type { CommandContext } from '../../registry/define.ts';
import type { DoneStep, Stop } from './run-steps.ts';
import { targetsOf, type Step } from './step-list.ts';

type Ctx = Pick<CommandContext, 'commands' | 'signal'>;

/** A window that a step opened, or a dialog or alert. */
interface Opened {
  readonly role: Role;
  readonly name: string;
  /** Of its window; absent for a dialog inside a window. */
  readonly window: string | undefined;
}

const DIALOGS = roleSet('dialog', 'alertdialog', 'alert');
/** Time for one look at what opened. */
const LOOK_MS = 1500;
/** Commands that only observe, and so do not answer a dialog. */
const isLooking = ({ command }: Step): boolean => command.kind === 'read';

/** What a step's answer shows that the caller must know before the next step runs. */
export async function surpriseAfter(
  ctx: Ctx,
  { step, output }: DoneStep,
  next: readonly Step[],
  { strict }: { readonly strict: boolean },
): Promise<Omit<Stop, 'at'> | undefined> {
  const { command } = step;
  if (command.exitCode(output) !== 0)
    return {
      reason: 'expectation',
      error: new DeskterityError('EXPECTATION_FAILED', `The answer was no: ${command.outline(output)}.`, {
        suggestion: 'Look at what is there now, and decide.',
      }),
    };
  if (strict && output['effect'] === 'unverified')
    return {
      reason: 'unverified',
      error: new DeskterityError('ACTION_FAILED', 'Its effect is unverified.', {
        suggestion: `Look at what is there now; without ${mentionParameter('strict')} the steps would go on.`,
        delivered: output['delivered'] === true,
      }),
    };
  if (next.length === 0) return undefined;
  const opened = await openedIn(ctx, output);
  for (const dialog of opened.filter(({ role }) => DIALOGS.has(role))) {
    if (await isExpected(ctx, dialog, next)) continue;
    return {
      reason: 'dialog',
      window: dialog.window,
      error: new DeskterityError(
        'ACTION_FAILED',
        `It opened the ${dialog.role} ${quoteClipped(dialog.name)}, in which the next step does not act.`,
        {
          suggestion: 'Answer the dialog, then give the steps that were not run again.',
          delivered: true,
        },
      ),
    };
  }
  for (const { role, window, name } of opened) {
    if (DIALOGS.has(role) || window === undefined) continue;
    const twins = await sharedTarget(ctx, window, next);
    if (twins === undefined) continue;
    const where = `matches in it and in ${quoteClipped(twins.title)}`;
    return {
      reason: 'window',
      window,
      error: new DeskterityError(
        'AMBIGUOUS_TARGET',
        `It opened the window ${quoteClipped(name)}, and ${reveal(clip(twins.target, 80))} of the next step ${where}.`,
        {
          suggestion: `Give the steps that were not run again, with ${mentionParameter('window')}.`,
          delivered: true,
        },
      ),
    };
  }
  return undefined;
}

/** A locator of the next step that acts which matches both in the window that opened and in another one of its application. */
async function sharedTarget(
  ctx: Ctx,
  opened: string,
  next: readonly Step[],
): Promise<{ readonly target: string; readonly title: string } | undefined> {
  const step = next.find((one) => !isLooking(one));
  if (step === undefined || step.input['window'] !== undefined) return undefined;
  const targets = targetsOf(step).filter(
    (target) => parseRef(target) === undefined && parseLocator(target).window === undefined,
  );
  if (targets.length === 0) return undefined;
  const list = await quietly(ctx.commands.run('list-windows', { timeout_ms: LOOK_MS }, ctx));
  const { windows } = Windows.parse(list ?? { windows: [] });
  const pid = windows.find(({ ref }) => ref === opened)?.pid;
  for (const { ref, title } of windows.filter((one) => one.pid === pid && one.ref !== opened))
    for (const target of targets)
      if ((await matchesIn(ctx, opened, target)) && (await matchesIn(ctx, ref, target)))
        return { target, title };
  return undefined;
}

const Windows = z.object({ windows: z.array(WindowSummary) });

/** Whether a locator matches in a window now. */
async function matchesIn({ commands, signal }: Ctx, window: string, target: string): Promise<boolean> {
  const ref = printLocator({ ...parseLocator(target), window });
  return commands.run('is', { state: 'visible', ref, timeout_ms: LOOK_MS }, { signal }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DeskterityError) return error.code === 'AMBIGUOUS_TARGET';
      throw error;
    },
  );
}

/** What opened and is still there. */
async function openedIn(ctx: Ctx, output: Readonly<Record<string, unknown>>): Promise<Opened[]> {
  const { data: changes = [] } = z.array(Change).safeParse(output['changes']);
  const found: Opened[] = [];
  for (const { kind, role: word = '', name = '', ref } of changes) {
    const role = parseRole(word);
    if (kind === 'appeared' && role !== undefined && DIALOGS.has(role))
      found.push({ role, name, window: undefined });
    if (kind !== 'window_opened' || ref === undefined) continue;
    const opened = await roleOfWindow(ctx, ref);
    if (opened !== undefined) found.push({ role: opened, name, window: ref });
  }
  return found;
}

/** `undefined` if the window has closed again or has no tree. */
async function roleOfWindow({ commands, signal }: Ctx, window: string): Promise<Role | undefined> {
  const input = { window, max_depth: 0, timeout_ms: LOOK_MS };
  const output = await quietly(commands.run('snapshot', input, { signal, form: 'outline' }));
  const tree = output?.['tree'];
  return isRecord(tree) && typeof tree['role'] === 'string' ? parseRole(tree['role']) : undefined;
}

/** Whether the next step that acts does so in the dialog, or one before it looks into it. */
async function isExpected(ctx: Ctx, dialog: Opened, next: readonly Step[]): Promise<boolean> {
  for (const step of next) {
    if (isNamed(dialog, step)) return true;
    for (const target of targetsOf(step)) if (await isInside(ctx, dialog, target)) return true;
    if (!isLooking(step)) return false;
  }
  return true;
}

/** Whether a step names the window of a dialog. */
function isNamed({ window: ref, name }: Opened, { input: { window } }: Step): boolean {
  return typeof window === 'string' && (window === ref || isPartOf(window, name));
}

function isPartOf(title: string, name: string): boolean {
  return title !== '' && name.toLowerCase().includes(title.toLowerCase());
}

/** Whether a locator matches in the dialog. References are older than it. */
async function isInside({ commands, signal }: Ctx, dialog: Opened, target: string): Promise<boolean> {
  if (parseRef(target) !== undefined) return false;
  const locator = parseLocator(target);
  if (dialog.window !== undefined && locator.window !== undefined)
    return isPartOf(locator.window, dialog.name) || locator.window === dialog.window;
  const named = { attribute: 'name', operator: '=', text: dialog.name } as const;
  const within =
    dialog.window === undefined
      ? [{ kind: 'role', role: dialog.role, filters: dialog.name === '' ? [] : [named] } as const]
      : [];
  const element = printLocator({
    ...locator,
    ...(dialog.window === undefined ? {} : { window: dialog.window }),
    steps: [...within, ...locator.steps],
  });
  return (await quietly(commands.run('wait', { element, timeout_ms: LOOK_MS }, { signal }))) !== undefined;
}

async function quietly<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch((error: unknown) => {
    if (error instanceof DeskterityError) return undefined;
    throw error;
  });
}
