import { onCommandLine } from '../../model/text/mention.ts';
import { isAbsolute } from 'node:path';
import { byDisplay } from '../../model/effects/guarantees.ts';
import { z } from 'zod';
import { callersFolder } from '../../model/configuration/callers-folder.ts';
import { Opened } from '../../model/effects/effect.ts';
import { WindowSummary } from '../../model/refs/target.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import {
  defineCommand,
  flag,
  outlineOpened,
  outlineWindow,
  timeout,
  callLimits,
} from '../../registry/define.ts';

export default defineCommand({
  name: 'launch',
  group: 'apps',
  kind: 'act',
  guarantee: byDisplay('windows', 'the application’s process and windows'),
  title: 'Start an application',
  toolsets: ['core'],
  needs: ['windows'],
  mcpName: 'desktop_launch_app',
  summary: 'Start an application.',
  description:
    'If it was running already, it may open a tab or come to the front instead: then "already_running" says what was seen.',
  input: z.object({
    app: z
      .string()
      .min(1)
      .describe('Program (kcalc), name in menus (KCalc), desktop-file id (org.kde.kcalc) or path.'),
    wait: flag('Return when it shows its first window.'),
    args: z
      .array(z.string())
      .default([])
      .describe(`Arguments for the application${onCommandLine('; everything after "--"')}.`),
    timeout_ms: timeout(15_000),
  }),
  positionals: ['app'],
  rest: 'args',
  output: z.object({
    app: z.string(),
    pid: z.int(),
    command_line: z.array(z.string()).describe('The program and arguments that were run.'),
    adjustments: z.array(z.string()).describe('What was added so that the application can be read.'),
    home: z
      .string()
      .optional()
      .describe('On a private desktop: the folder that the application has as HOME, and saves files in.'),
    window: WindowSummary.optional(),
    opened: Opened.optional(),
    incomplete_reasons: z.array(z.string()).optional(),
    cursor: z.string().optional(),
    already_running: z
      .array(z.string())
      .optional()
      .describe(
        'The program handed over to an instance that was running already, which "window" belongs to: what was seen of it.',
      ),
  }),
  examples: [
    { about: 'Start a calculator and wait for its window', input: { app: 'kcalc', wait: true } },
    { about: 'With arguments', input: { app: 'kate', wait: true, args: ['--new', 'notes.txt'] } },
  ],
  outline: (output) => {
    const lines = [`started ${quote(output.app)} pid=${output.pid}: ${output.command_line.join(' ')}`];
    if (output.adjustments.length > 0) lines.push(`  adjusted: ${output.adjustments.join(', ')}`);
    if (output.already_running !== undefined)
      lines.push(`  was running already: ${output.already_running.join('; ')}`);
    if (output.home !== undefined) lines.push(`  HOME ${output.home}`);
    if (output.window !== undefined) lines.push(`  ${outlineWindow(output.window)}`);
    lines.push(...outlineOpened(output.opened));
    if (output.incomplete_reasons !== undefined)
      lines.push(`incomplete: ${output.incomplete_reasons.join('; ')}`);
    if (output.cursor !== undefined) lines.push(`cursor ${output.cursor}`);
    return lines.join('\n');
  },
  text: ({ pid }) => String(pid),
  run: async (ctx, input) => {
    // A call that cannot be resolved is refused whatever desktops there are.
    const cwd = needsFolder(input) ? callersFolder(ctx.cwd) : ctx.cwd || '/';
    const engine = await ctx.engine();
    ctx.progress?.({ message: input.wait ? 'starting it and waiting for its window' : 'starting it' });
    const result = await engine.launch({
      app: input.app,
      args: input.args,
      cwd,
      environment: ctx.environment,
      wait: input.wait,
      ...callLimits(ctx, input),
    });
    const isPrivate = ctx.privateDisplay() !== undefined;
    const home = isPrivate ? await ctx.sessions.homeOf(ctx.session) : undefined;
    const { incompleteReasons: reasons = [] } = result;
    return {
      app: result.app,
      pid: result.pid,
      command_line: [...result.command],
      adjustments: [...result.adjustments],
      ...(home === undefined ? {} : { home }),
      ...(result.window === undefined ? {} : { window: result.window }),
      ...(result.opened === undefined || result.opened.length === 0 ? {} : { opened: [...result.opened] }),
      ...(reasons.length === 0 ? {} : { incomplete_reasons: [...reasons] }),
      ...(result.cursor === undefined ? {} : { cursor: result.cursor }),
      ...(result.alreadyRunning === undefined ? {} : { already_running: [...result.alreadyRunning] }),
    };
  },
});

/** Whether the program or an argument could be a path relative to the caller's folder. */
function needsFolder({ app, args }: { readonly app: string; readonly args: readonly string[] }): boolean {
  return (app.includes('/') && !isAbsolute(app)) || args.some((argument) => !isAbsolute(argument));
}
