import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { Explanation, outlineExplanation } from '../../model/patterns/explanation.ts';
import { FocusedElement, frontFacts } from '../../model/patterns/front-facts.ts';
import { WindowSummary } from '../../model/refs/target.ts';
import { outlineWindow } from '../../registry/define.ts';
import type { CommandContext } from '../../registry/define.ts';

/** What an application is up to. */
export const ApplicationStatus = z
  .object({
    app: z.string(),
    pid: z.int(),
    ...Explanation.partial({ state: true }).shape,
    windows: z.array(WindowSummary),
    focused_element: FocusedElement.optional(),
    menu_bar: z.array(z.string()).optional(),
  })
  .meta({ id: 'ApplicationStatus', description: 'state is absent if its front window shows no elements.' });
export type ApplicationStatus = z.output<typeof ApplicationStatus>;

/** It has windows, but shows no elements. */
const UNREADABLE: ReadonlySet<string> = new Set(['ACTION_NOT_SUPPORTED', 'WINDOW_NOT_FOUND']);
const UNANSWERED: ReadonlySet<string> = new Set(['APP_UNRESPONSIVE', 'TIMEOUT']);
/** Time for the windows, which are known without an answer of the application. */
const WINDOWS_SHARE = 0.3;

export async function applicationStatus(
  ctx: CommandContext,
  app: string,
  deadlineMs: number,
): Promise<ApplicationStatus> {
  const engine = await ctx.engine();
  const call = { deadlineMs: deadlineMs * WINDOWS_SHARE, signal: ctx.signal };
  const windows = await engine.listWindows({ app, focusedOnly: false, includeMinimized: true, ...call });
  const [first] = windows;
  const facts = { app: first?.app ?? app, pid: first?.pid ?? 0, windows: [...windows] };
  try {
    const { tree, explanation } = await engine.snapshot({
      app,
      explain: true,
      includeBounds: false,
      includeActions: false,
      interactiveOnly: false,
      compact: false,
      wholeTree: false,
      form: 'json',
      deadlineMs: deadlineMs * (1 - WINDOWS_SHARE),
      signal: ctx.signal,
    });
    return { ...facts, ...(explanation ?? NOTHING), ...frontFacts(tree) };
  } catch (error) {
    if (!(error instanceof DeskterityError) || ctx.signal.aborted) throw error;
    if (UNANSWERED.has(error.code)) return { ...facts, ...NOTHING, state: 'busy' };
    if (UNREADABLE.has(error.code) && first !== undefined) return { ...facts, ...NOTHING };
    throw error;
  }
}

const NOTHING = { patterns: [], suggestions: [] };

export function outlineApplication({
  app,
  pid,
  state,
  patterns,
  suggestions,
  windows,
  focused_element: focused,
  menu_bar: menus,
}: ApplicationStatus): string {
  const explained =
    state === undefined ? ['state unknown'] : outlineExplanation({ state, patterns, suggestions });
  const at = focused && [focused.role, focused.name && JSON.stringify(focused.name), focused.ref];
  return [
    `${app} ${pid}`,
    ...explained,
    ...windows.map((window) => outlineWindow(window)),
    ...(at === undefined ? [] : [`focus: ${at.filter((word) => word !== undefined).join(' ')}`]),
    ...(menus === undefined ? [] : [`menus: ${menus.join(', ')}`]),
  ].join('\n');
}
