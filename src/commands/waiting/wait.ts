import { mentionParameter, onCommandLine } from '../../model/text/mention.ts';
import { z } from 'zod';
import { OutputNode } from '../../model/tree/node.ts';
import { outlineLine } from '../../model/tree/outline.ts';
import { outlineSurface, Surface } from '../../model/refs/surface.ts';
import { WindowSummary } from '../../model/refs/target.ts';
import { quote } from '../../model/text/untrusted-text.ts';
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

const CONDITIONS = [
  'ms',
  'element',
  'gone',
  'focused',
  'value',
  'text',
  'window',
  'acting',
  'actionable',
  'count',
  'idle',
  'menu',
  'notification',
] as const;
/** Conditions that are about an application, if one is given. */
const OF_APP = ['window', 'text', 'idle', 'menu'] as const;

const Input = z.object({
  ms: z.int().min(0).max(MAX_TIMEOUT_MS).optional().describe('Milliseconds to wait.'),
  element: Target.describe('Until this element is visible.').optional(),
  gone: AnyTarget.describe(
    'Until this element (what a locator matches now) or window (@w3) is gone.',
  ).optional(),
  focused: Target.describe('Until this element has the focus.').optional(),
  value: Target.describe('Until this element has the text or number given with "is".').optional(),
  is: z
    .string()
    .optional()
    .describe(`What ${mentionParameter('value')} is to have; may be empty.`),
  text: optionalText('Until this text is on screen, ignoring case. Default: in the active application.'),
  window: optionalText(
    `Until a window has this in its title. With ${mentionParameter('text')}: the window to search (also @w3).`,
  ),
  app: App.describe(`Of this application; needed by ${mentionParameter('idle')}.`).optional(),
  actionable: Target.describe('Until a click would reach this element.').optional(),
  count: Target.describe(
    `Until exactly ${mentionParameter('matches')} elements on screen match this locator.`,
  ).optional(),
  matches: z.int().min(0).optional().describe('How many.'),
  idle: flag('Until nothing changes in the application.'),
  quiet_ms: z.int().min(50).max(60_000).default(500).describe('How long, until it is idle.'),
  menu: flag('Until a menu is open.'),
  notification: flag('Until a desktop notification is sent.'),
  containing: optionalText('A text in the notification.'),
  acting: flag('Until acts are allowed again, after a person has stopped them.'),
  terminal: TerminalChoice.optional(),
  timeout_ms: timeout(5000).describe('Longest time to wait for a condition, in milliseconds.'),
});
type Input = z.output<typeof Input>;

const Output = z.object({
  waited_ms: z.int().nonnegative(),
  element: OutputNode.optional(),
  window: WindowSummary.optional(),
  gone: z.string().optional(),
  because: z
    .string()
    .optional()
    .describe(
      'Why it counts as gone although nothing was looked at: its application or window is not there.',
    ),
  count: z.int().nonnegative().optional().describe('How many elements match.'),
  elements: z.array(OutputNode).optional().describe('The first of them.'),
  idle: z
    .object({
      app: z.string(),
      pid: z.int(),
      quiet_ms: z.int().describe('How long nothing had changed.'),
      evidence: z.array(z.string()).describe('What was seen.'),
    })
    .optional(),
  menu: Surface.optional().describe('The open menu; the innermost if several are.'),
  notification: z
    .object({
      app: z.string(),
      summary: z.string(),
      body: z.string(),
      is_shown: z.boolean().describe('False if nothing runs on this desktop that shows notifications.'),
    })
    .optional(),
});

export default defineCommand({
  name: 'wait',
  group: 'waiting',
  kind: 'read',
  longRunning: 'call',
  toolsets: ['core'],
  summary: 'Wait for a time, or until a condition holds.',
  description:
    'Give exactly one condition, or milliseconds. ' +
    onCommandLine(
      'What is awaited may also follow directly: --value @e4 Ada, --count role:listitem 3, --notification Done. ',
    ) +
    `Fails with TIMEOUT${onCommandLine(' (exit code 7)')} and the last state.`,
  input: Input.refine((input) => conditionsIn(input).length === 1, {
    path: ['ms'],
    error: `or exactly one of ${mentionParameter('element')}, ${mentionParameter('gone')}, ${mentionParameter('focused')}, ${mentionParameter('value')}, ${mentionParameter('text')}, ${mentionParameter('window')}, ${mentionParameter('acting')}, ${mentionParameter('actionable')}, ${mentionParameter('count')}, ${mentionParameter('idle')}, ${mentionParameter('menu')} and ${mentionParameter('notification')} is needed`,
  })
    .refine(
      (input) =>
        input.app === undefined || OF_APP.some((key) => input[key] !== undefined && input[key] !== false),
      {
        path: ['app'],
        error: `is only accepted together with ${mentionParameter('window')}, ${mentionParameter('text')}, ${mentionParameter('menu')} or ${mentionParameter('idle')}`,
      },
    )
    .refine(({ idle, app }) => !idle || app !== undefined, {
      path: ['app'],
      error: `is needed by ${mentionParameter('idle')}`,
    })
    .refine(({ count, matches }) => (count === undefined) === (matches === undefined), {
      path: ['matches'],
      error: `must be given together with ${mentionParameter('count')}`,
    })
    .refine(({ containing, notification }) => containing === undefined || notification, {
      path: ['containing'],
      error: `is only accepted together with ${mentionParameter('notification')}`,
    })
    .refine(({ value, is }) => (value === undefined) === (is === undefined), {
      path: ['is'],
      error: `must be given together with ${mentionParameter('value')}`,
    }),
  positionals: ['ms'],
  cli: {
    is: { follows: 'value' },
    matches: { follows: 'count' },
    containing: { follows: 'notification' },
  },
  output: Output,
  examples: [
    { about: 'Half a second', input: { ms: 500 } },
    { about: 'Until a button is visible', input: { element: '@e7' } },
    {
      about: 'Until a dialog has an enabled button',
      input: { element: 'role:dialog >> role:button[name="OK"][enabled]' },
    },
    { about: 'Until a progress bar is gone', input: { gone: '@e9' } },
    { about: 'Until a field has a value', input: { value: '@e4', is: 'Ada' } },
    { about: 'Until a click would reach a button', input: { actionable: 'role:button[name="OK"]' } },
    { about: 'Until a list has three items', input: { count: 'role:listitem', matches: 3 } },
    { about: 'Until an application is idle', input: { idle: true, app: 'Gimp', timeout_ms: 30_000 } },
    { about: 'Until a menu is open', input: { menu: true, app: 'KCalc' } },
    {
      about: 'Until an application sends a notification',
      input: { notification: true, containing: 'Download complete', timeout_ms: 60_000 },
    },
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
  outline: ({ waited_ms, element, window, gone, because, ...found }) => {
    const lines = [`waited ${waited_ms} ms`, ...outlineFound(found)];
    if (element !== undefined) lines.push(outlineLine(element, 0).trimEnd());
    if (window !== undefined) lines.push(outlineWindow(window));
    if (gone !== undefined) lines.push(`${gone} is gone${because === undefined ? '' : `: ${because}`}`);
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

type Found = Omit<z.output<typeof Output>, 'waited_ms'>;

function outlineFound({ count, elements = [], idle, menu, notification }: Found): string[] {
  const lines = count === undefined ? [] : [`${count} ${count === 1 ? 'match' : 'matches'}`];
  for (const node of elements) lines.push(`  ${outlineLine(node, 0).trimEnd()}`);
  if (idle !== undefined) lines.push(`${quote(idle.app)} is idle: ${idle.evidence.join('; ')}`);
  if (menu !== undefined) lines.push(outlineSurface(menu));
  if (notification === undefined) return lines;
  const { app, summary, body, is_shown: isShown } = notification;
  lines.push(`notification ${quote(summary)}${body === '' ? '' : ` ${quote(body)}`} from ${quote(app)}`);
  return isShown ? lines : [...lines, '  nothing runs on this desktop that shows notifications'];
}

async function waitFor(ctx: CommandContext, input: Input): Promise<Found> {
  const { element, gone, focused, value, is, text, window, app } = input;
  const engine = await ctx.engine({
    terminal: input.terminal,
    targets: [element, gone, focused, value, input.actionable, input.count, windowRef(input)],
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
    return { gone, ...(await engine.waitUntilGone({ ref: gone, ...call })) };
  }
  if (input.actionable !== undefined)
    return { element: await engine.waitUntilActionable({ ref: input.actionable, ...call }) };
  if (input.count !== undefined) {
    const count = input.matches ?? 0;
    return { count, elements: [...(await engine.waitForCount({ locator: input.count, count, ...call }))] };
  }
  if (input.idle) {
    const quiet = await engine.waitUntilIdle({ app: app ?? '', quietMs: input.quiet_ms, ...call });
    const { quietMs, evidence, ...idle } = quiet;
    return { idle: { ...idle, quiet_ms: quietMs, evidence: [...evidence] } };
  }
  if (input.menu) return { menu: await engine.waitForMenu({ app, ...call }) };
  if (input.notification) {
    const { hasService, ...told } = await engine.waitForNotification({ text: input.containing, ...call });
    return { notification: { ...told, is_shown: hasService } };
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

function subjectOf(input: Input): string {
  const { element, gone, focused, value, actionable, count, text } = input;
  if (input.idle) return 'the application to be idle';
  if (input.menu) return 'a menu';
  if (input.notification) return 'a notification';
  const target = element ?? gone ?? focused ?? value ?? actionable ?? count;
  return target ?? (text === undefined ? 'a window' : 'a text');
}
