import { mentionParameter, onCommandLine } from '../../model/text/mention.ts';
import { z } from 'zod';
import { OutputNode } from '../../model/tree/node.ts';
import { outlineLine } from '../../model/tree/outline.ts';
import { WindowSummary } from '../../model/refs/target.ts';
import {
  AnyTarget,
  App,
  defineCommand,
  flag,
  Target,
  MAX_TIMEOUT_MS,
  outlineWindow,
  TerminalChoice,
  timeout,
  optionalText,
  callLimits,
} from '../../registry/define.ts';
import type { CommandContext } from '../../registry/define.ts';

const CONDITIONS = ['ms', 'element', 'gone', 'focused', 'value', 'text', 'window', 'acting'] as const;

const Input = z.object({
  ms: z.int().min(0).max(MAX_TIMEOUT_MS).optional().describe('Milliseconds to wait.'),
  element: Target.describe('Until this element (@e7, or a locator) is visible.').optional(),
  gone: AnyTarget.describe(
    'Until this element (@e7, or what a locator matches now) or window (@w3) is gone.',
  ).optional(),
  focused: Target.describe('Until this element has the keyboard focus.').optional(),
  value: Target.describe('Until this element has the text or number given with "is".').optional(),
  is: z
    .string()
    .optional()
    .describe(`What ${mentionParameter('value')} is to have; may be empty.`),
  text: optionalText('Until this text is on screen, ignoring case. Default: in the active application.'),
  window: optionalText(
    `Until a window has this in its title. With ${mentionParameter('text')}: the window to search (also @w3).`,
  ),
  app: App.describe(
    `With ${mentionParameter('window')} or ${mentionParameter('text')}: of this application.`,
  ).optional(),
  acting: flag('Until acts are allowed again, after a person has stopped them.'),
  terminal: TerminalChoice.optional(),
  timeout_ms: timeout(5000).describe('Longest time to wait for a condition, in milliseconds.'),
});
type Input = z.output<typeof Input>;

export default defineCommand({
  name: 'wait',
  group: 'waiting',
  kind: 'read',
  toolsets: ['core'],
  summary: 'Wait for a time, a text, a window or a state of an element.',
  description:
    'Give milliseconds or exactly one condition. Returns at once if it already holds. ' +
    onCommandLine('The awaited value may also follow directly: --value @e4 Ada. ') +
    `If time runs out, it fails with TIMEOUT${onCommandLine(' (exit code 7)')} and reports the last state.`,
  input: Input.refine((input) => conditionsIn(input).length === 1, {
    path: ['ms'],
    error: `or exactly one of ${mentionParameter('element')}, ${mentionParameter('gone')}, ${mentionParameter('focused')}, ${mentionParameter('value')}, ${mentionParameter('text')}, ${mentionParameter('window')} and ${mentionParameter('acting')} is needed`,
  })
    .refine(({ app, window, text }) => app === undefined || window !== undefined || text !== undefined, {
      path: ['app'],
      error: `is only accepted together with ${mentionParameter('window')} or ${mentionParameter('text')}`,
    })
    .refine(({ value, is }) => (value === undefined) === (is === undefined), {
      path: ['is'],
      error: `must be given together with ${mentionParameter('value')}`,
    }),
  positionals: ['ms'],
  cli: { is: { follows: 'value' } },
  output: z.object({
    waited_ms: z.int().nonnegative(),
    element: OutputNode.optional(),
    window: WindowSummary.optional(),
    gone: z.string().optional(),
  }),
  examples: [
    { about: 'Half a second', input: { ms: 500 } },
    { about: 'Until a button is visible', input: { element: '@e7' } },
    {
      about: 'Until a dialog has an enabled button',
      input: { element: 'role:dialog >> role:button[name="OK"][enabled]' },
    },
    { about: 'Until a progress bar is gone', input: { gone: '@e9' } },
    { about: 'Until a field has a value', input: { value: '@e4', is: 'Ada' } },
    {
      about: 'Until a terminal shows a text',
      input: { text: 'BUILD SUCCESSFUL', terminal: 'build', timeout_ms: 60_000 },
    },
    { about: 'Until an application reports success', input: { text: 'Saved', app: 'Kate' } },
    { about: 'Until a person hands the desktop back', input: { acting: true, timeout_ms: 600_000 } },
    {
      about: 'Until a dialog opens, for at most ten seconds',
      input: { window: 'Save As', app: 'Kate', timeout_ms: 10_000 },
    },
  ],
  deadlineMs: ({ ms, timeout_ms }) => ms ?? timeout_ms,
  outline: ({ waited_ms, element, window, gone }) => {
    const lines = [`waited ${waited_ms} ms`];
    if (element !== undefined) lines.push(outlineLine(element, 0).trimEnd());
    if (window !== undefined) lines.push(outlineWindow(window));
    if (gone !== undefined) lines.push(`${gone} is gone`);
    return lines.join('\n');
  },
  run: async (ctx, input) => {
    const began = ctx.clock.now();
    const waited = () => Math.max(0, Math.round(ctx.clock.now() - began));
    if (input.ms !== undefined) {
      ctx.progress?.({ message: 'waiting' });
      await ctx.clock.sleep(input.ms, ctx.signal);
      return { waited_ms: waited() };
    }
    const found = await waitFor(ctx, input);
    return { waited_ms: waited(), ...found };
  },
});

async function waitFor(
  ctx: CommandContext,
  input: Input,
): Promise<{ element?: OutputNode; window?: WindowSummary; gone?: string }> {
  const { element, gone, focused, value, is, text, window, app } = input;
  const engine = await ctx.engine({
    terminal: input.terminal,
    targets: [element, gone, focused, value, windowRef(input)],
  });
  const call = callLimits(ctx, input);
  if (input.acting) {
    ctx.progress?.({ message: 'waiting until acts are allowed' });
    await engine.waitUntilActing(call);
    return {};
  }
  ctx.progress?.({ message: `waiting for ${subjectOf(input)}` });
  if (element !== undefined) return { element: await engine.waitForElement({ element, ...call }) };
  if (focused !== undefined)
    return { element: await engine.waitForElement({ element: focused, until: 'focused', ...call }) };
  if (value !== undefined) {
    const until = { value: is ?? '' };
    return { element: await engine.waitForElement({ element: value, until, ...call }) };
  }
  if (gone !== undefined) {
    await engine.waitUntilGone({ ref: gone, ...call });
    return { gone };
  }
  if (text !== undefined) return { ...(await engine.waitForText({ text, app, window, ...call })) };
  return { window: await engine.waitForWindow({ title: window ?? '', app, ...call }) };
}

/** Without `text`, `window` is part of a title, not a reference. */
function windowRef({ text, window }: Input): string | undefined {
  return text === undefined ? undefined : window;
}

/** With `text`, `window` says where to look and is not a condition. */
function conditionsIn(input: Input): readonly string[] {
  return CONDITIONS.filter(
    (key) =>
      input[key] !== undefined && input[key] !== false && (key !== 'window' || input.text === undefined),
  );
}

function subjectOf({ element, gone, focused, value, text }: Input): string {
  return element ?? gone ?? focused ?? value ?? (text === undefined ? 'a window' : 'a text');
}
