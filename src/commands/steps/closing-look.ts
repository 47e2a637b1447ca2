import { z } from 'zod';
import { Change } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import { parseLocator } from '../../model/refs/locator.ts';
import { parseRef } from '../../model/refs/ref.ts';
import type { CommandContext } from '../../registry/define.ts';
import type { DoneStep } from './run-steps.ts';
import { targetsOf, type Step } from './step-list.ts';

/** What is on the screen after the last step. */
export const Look = z
  .object({
    window: z.string().optional(),
    outline: z.string().describe('The window as an outline, with references ready to use.'),
    cursor: z.string().optional(),
  })
  .meta({ id: 'Look' });
export type Look = z.output<typeof Look>;

const LOOK_MS = 3000;

/** Reads the window that the steps have led to: what they opened last, else their application's. Never fails. */
export async function closingLook(
  { commands, signal }: Pick<CommandContext, 'commands' | 'signal'>,
  {
    steps,
    done,
    surprise,
    app,
    maxTokens,
  }: {
    readonly steps: readonly Step[];
    readonly done: readonly DoneStep[];
    readonly surprise: string | undefined;
    readonly app: string | undefined;
    readonly maxTokens: number;
  },
): Promise<Look | undefined> {
  const snapshot = commands.find('snapshot');
  if (snapshot === undefined) return undefined;
  const opened = [surprise, ...openedWindows(done)].filter((ref) => ref !== undefined);
  const lastApp =
    app ??
    steps
      .slice(0, done.length + 1)
      .map(appOf)
      .findLast((name) => name !== undefined);
  const places = [
    ...opened.map((window) => ({ window })),
    ...(lastApp === undefined ? [] : [{ app: lastApp }]),
    {},
  ];
  for (const place of places) {
    try {
      const input = { ...place, max_tokens: maxTokens, timeout_ms: LOOK_MS };
      const output = await commands.run('snapshot', input, { signal, form: 'outline' });
      const { window, cursor } = output;
      const ref = isRecord(window) ? window['ref'] : undefined;
      return {
        ...(typeof ref === 'string' ? { window: ref } : {}),
        outline: snapshot.outline(output),
        ...(typeof cursor === 'string' ? { cursor } : {}),
      };
    } catch (error) {
      // The window may have closed, and the application ended.
      if (!(error instanceof DeskterityError)) throw error;
    }
  }
  return undefined;
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
