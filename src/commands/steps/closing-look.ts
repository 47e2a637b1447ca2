import { z } from 'zod';
import { Change } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import { LAST_LOOK } from '../../model/refs/reading.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import { parseLocator } from '../../model/refs/locator.ts';
import { parseRef } from '../../model/refs/ref.ts';
import type { CommandContext } from '../../registry/define.ts';
import type { DoneStep, Stop } from './run-steps.ts';
import { targetsOf, type Step } from './step-list.ts';

/** What is on the screen after the last step. */
export const Look = z
  .object({
    window: z.string().optional(),
    outline: z
      .string()
      .describe(
        'The window as an outline, with references ready to use; only what changed, if it was shown before.',
      ),
    cursor: z.string().optional(),
  })
  .meta({ id: 'Look' });
export type Look = z.output<typeof Look>;

const LOOK_MS = 3000;
const USUAL_TOKENS = 600;
/** For a window that was there before and was never shown, if all went well: enough to see where the steps have led to. */
const PASSING_TOKENS = 250;

type Output = Readonly<Record<string, unknown>>;

/** Reads the window that the steps have led to: what they opened last, else their application's. Never fails. */
export async function closingLook(
  { commands, signal }: Pick<CommandContext, 'commands' | 'signal'>,
  {
    steps,
    done,
    stop,
    app,
    maxTokens: given,
  }: {
    readonly steps: readonly Step[];
    readonly done: readonly DoneStep[];
    readonly stop: Stop | undefined;
    readonly app: string | undefined;
    readonly maxTokens: number | undefined;
  },
): Promise<Look | undefined> {
  const snapshot = commands.find('snapshot');
  if (snapshot === undefined) return undefined;
  const opened = [stop?.window, ...openedWindows(done)].filter((ref) => ref !== undefined);
  const lastApp =
    app ??
    steps
      .slice(0, done.length + 1)
      .map(appOf)
      .findLast((name) => name !== undefined);
  const lastWindow = steps
    .slice(0, done.length + 1)
    .map(({ input }) => input['window'])
    .findLast((window) => typeof window === 'string');
  const passingTokens = given ?? (stop === undefined ? PASSING_TOKENS : USUAL_TOKENS);
  const passing = { since: LAST_LOOK, max_tokens: passingTokens };
  const places = [
    ...opened.map((window) => ({ window })),
    // What opened in these steps has not been shown; other windows may have been.
    ...(lastWindow === undefined ? [] : [{ window: lastWindow, ...passing }]),
    ...(lastApp === undefined ? [] : [{ app: lastApp, ...passing }]),
    passing,
    { max_tokens: passing.max_tokens },
  ];
  const read = async (place: Readonly<Record<string, unknown>>): Promise<Output> =>
    commands.run(
      'snapshot',
      { max_tokens: given ?? USUAL_TOKENS, ...place, timeout_ms: LOOK_MS },
      { signal, form: 'outline' },
    );
  for (const place of places) {
    try {
      let output = await read(place);
      const { elided, changes, window } = output;
      const ref = isRecord(window) ? window['ref'] : undefined;
      // A window that has changed more than fits is shown anew.
      if (changes !== undefined && elided !== 0 && typeof ref === 'string')
        output = await read({ window: ref });
      const { cursor } = output;
      return {
        ...(typeof ref === 'string' ? { window: ref } : {}),
        outline: `${heading(output)}${snapshot.outline(output).replace(/(?:^|\n)cursor c\d+$/, '')}`,
        ...(typeof cursor === 'string' ? { cursor } : {}),
      };
    } catch (error) {
      // The window may have closed, and the application ended.
      if (!(error instanceof DeskterityError)) throw error;
    }
  }
  return undefined;
}

/** Names the window whose changes follow. */
function heading({ changes, window, since }: Output): string {
  if (changes === undefined || !isRecord(window) || typeof since !== 'string') return '';
  const { title, ref } = window;
  return `window ${quoteClipped(typeof title === 'string' ? title : '')} ${String(ref)}, since ${since}:\n`;
}

/** Windows that steps opened and that were not seen to close, the newest first. */
function openedWindows(done: readonly DoneStep[]): string[] {
  const open: { readonly ref: string; readonly name: string | undefined }[] = [];
  for (const { output } of done) {
    const { data: changes = [] } = z.array(Change).safeParse(output['changes']);
    for (const { kind, ref, name } of changes) {
      if (kind === 'window_opened' && ref !== undefined) open.push({ ref, name });
      if (kind !== 'window_closed') continue;
      const at = open.findLastIndex((window) => window.name === name);
      if (at !== -1) open.splice(at, 1);
    }
    // An application that was launched.
    const { window } = output;
    if (isRecord(window) && 'pid' in output && typeof window['ref'] === 'string')
      open.push({ ref: window['ref'], name: undefined });
  }
  return open.map(({ ref }) => ref).toReversed();
}

/** The application that a step or its locators name. */
function appOf(step: Step): string | undefined {
  const { app } = step.input;
  if (typeof app === 'string') return app;
  return targetsOf(step)
    .filter((target) => parseRef(target) === undefined)
    .map((target) => parseLocator(target).app)
    .find((name) => name !== undefined);
}
