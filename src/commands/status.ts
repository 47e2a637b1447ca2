import { z } from 'zod';
import { DeskterityError, ErrorBody } from '../model/errors.ts';
import { defineCommand, timeout } from '../registry/define.ts';

const Desktop = z.object({
  id: z
    .string()
    .describe('Changes when the display or its bus is restarted; references of another id are stale.'),
  display: z.string(),
  session_type: z.enum(['x11', 'wayland', 'simulated']),
  private: z.boolean().describe('True when Deskterity started this desktop itself.'),
  window_manager: z.string().optional(),
  screen: z.object({ width: z.int(), height: z.int() }),
});

export default defineCommand({
  name: 'status',
  group: 'system',
  kind: 'admin',
  summary: 'Show the program, the session and the desktop that commands work on.',
  description:
    'Answers also where there is no desktop: "desktop" is then null and "problem" says why and what to do.',
  input: z.object({ timeout_ms: timeout(5000) }),
  output: z.object({
    program_version: z.string(),
    platform: z.string(),
    session: z.string(),
    desktop: z.union([Desktop, z.null()]),
    permissions_granted: z.boolean().optional(),
    problem: ErrorBody.optional(),
  }),
  examples: [
    { about: 'See which desktop is used', input: {} },
    { about: 'With a short deadline', input: { timeout_ms: 1000 } },
  ],
  outline: (output) => {
    const lines = [`deskterity ${output.program_version} on ${output.platform}, session ${output.session}`];
    const { desktop, problem } = output;
    if (desktop !== null) {
      const owner = desktop.private ? 'private ' : '';
      lines.push(
        `${owner}desktop ${desktop.display} (${desktop.session_type}, ${desktop.screen.width}x${desktop.screen.height}) ${desktop.id}`,
      );
      lines.push(`window manager: ${desktop.window_manager ?? 'none'}`);
    }
    if (output.permissions_granted === false) lines.push('permissions are missing: run "desk permissions"');
    if (problem !== undefined)
      lines.push(`no desktop: ${problem.code}: ${problem.message} ${problem.suggestion}`);
    return lines.join('\n');
  },
  run: async (ctx, input) => {
    const facts = {
      program_version: ctx.system.version,
      platform: ctx.system.platform,
      session: ctx.session,
    };
    const call = { deadlineMs: input.timeout_ms, signal: ctx.signal };
    try {
      const engine = await ctx.engine();
      const [desktop, permissions] = await Promise.all([
        engine.status(call),
        engine.permissions({ request: false, ...call }).catch(() => undefined),
      ]);
      return {
        ...facts,
        desktop: {
          id: desktop.desktopId,
          display: desktop.display,
          session_type: desktop.session,
          private: desktop.isPrivate,
          ...(desktop.windowManager === undefined ? {} : { window_manager: desktop.windowManager }),
          screen: { ...desktop.screen },
        },
        ...(permissions === undefined ? {} : { permissions_granted: permissions.granted }),
      };
    } catch (error) {
      if (!(error instanceof DeskterityError) || ctx.signal.aborted) throw error;
      return { ...facts, desktop: null, problem: error.toBody() };
    }
  },
});
