import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { byDisplay } from '../../model/effects/guarantees.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import { App, callLimits, defineCommand, flag, outlineOpened, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'close-app',
  group: 'apps',
  kind: 'act',
  guarantee: byDisplay('windows', 'the application’s process and windows'),
  title: 'Close an application',
  toolsets: ['core'],
  needs: ['windows'],
  destructive: true,
  summary: `Ask an application to quit, or kill it with ${mentionParameter('force')}.`,
  description: `Succeeds when it has exited. One that stays open, for example to ask whether to save, is ACTION_FAILED.`,
  input: z.object({
    app: App,
    force: flag('Kill the process; unsaved work is lost.'),
    timeout_ms: timeout(10_000),
  }),
  positionals: ['app'],
  output: z.object({
    app: z.string(),
    pid: z.int(),
    via: z.string().describe('How it was closed, in the platform’s terms.'),
    closed: z.literal(true),
  }),
  examples: [
    { about: 'Quit as a user would', input: { app: 'KCalc' } },
    { about: 'Kill a process that hangs', input: { app: '4242', force: true } },
  ],
  outline: ({ app, pid, via }) => `closed ${quote(app)} pid=${pid} via ${via}`,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const {
      app,
      pid,
      via,
      closed,
      opened = [],
    } = await engine.closeApp({
      app: input.app,
      force: input.force,
      ...callLimits(ctx, input),
    });
    if (closed) return { app, pid, via, closed };
    throw new DeskterityError(
      'ACTION_FAILED',
      `${quote(app)} (pid ${pid}) was asked to quit via ${via} but is still running.`,
      {
        suggestion:
          opened.length === 0
            ? `It may be showing a dialog: run ${mentionCommand('snapshot', { app: pid })} and answer it, or use ${mentionParameter('force')} to kill the process.`
            : `Answer what it asks, or use ${mentionParameter('force')} to kill the process.`,
        delivered: true,
        retryable: true,
        result: { app, pid, via, closed, ...(opened.length === 0 ? {} : { opened: [...opened] }) },
        ...(opened.length === 0 ? {} : { report: outlineOpened(opened).join('\n') }),
      },
    );
  },
});
