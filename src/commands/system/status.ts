import { mentionCommand } from '../../model/text/mention.ts';
import { z } from 'zod';
import { SECURITY_MODES, type SecurityMode } from '../../model/policy/verdict.ts';
import { Bounds } from '../../model/tree/bounds.ts';
import { ErrorBody } from '../../model/effects/error-body.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { outlineSession, SessionSummary } from '../../model/sessions/session-summary.ts';
import { facts, line, nextStep, span, type Page, type Words } from '../../model/text/page.ts';
import { ApplicationStatus, applicationStatus, outlineApplication } from './application-status.ts';
import { App, StopReport, defineCommand, outlineStop, timeout } from '../../registry/define.ts';
import type { CommandContext } from '../../registry/define.ts';

const Desktop = z.object({
  id: z
    .string()
    .describe('Changes when the display or its bus restarts; references from another id are stale.'),
  display: z.string(),
  session_type: z.string().describe('Display system of the desktop, in the platform’s terms.'),
  private: z.boolean().describe('Whether Deskterity started this desktop.'),
  found: z
    .boolean()
    .optional()
    .describe('True if the caller named no desktop, so the user’s only one is used.'),
  window_manager: z.string().optional(),
  screen: z.object({
    width: z.int(),
    height: z.int(),
    monitors: z
      .array(Bounds.extend({ scale: z.number().positive().describe('Pixels of its picture for each.') }))
      .optional()
      .describe('In screen pixels, numbered from 0; absent if there is only one, at 0,0.'),
  }),
  capabilities: z
    .object({
      tree: z.boolean(),
      events: z.boolean(),
      capture: z.boolean(),
      windows: z.boolean(),
      clipboard: z.boolean(),
      input: z.boolean(),
    })
    .describe('What this desktop supports; tools that need a missing capability are not offered.'),
  acting: StopReport.optional().describe('Absent if the display cannot report it.'),
});

/** What a missing capability means, for people. */
const WITHOUT = {
  tree: 'window elements cannot be read or controlled',
  events: 'changes are detected by polling',
  capture: 'no pictures can be taken',
  windows: 'windows and applications cannot be listed',
  clipboard: 'the clipboard cannot be read or set',
  input: 'there is no synthetic keyboard and pointer',
} as const;

const CAPABILITIES = ['tree', 'events', 'capture', 'windows', 'clipboard', 'input'] as const;

const Daemon = z.object({
  pid: z.int(),
  version: z.string().describe('Includes the build.'),
  uptime_ms: z.int().nonnegative(),
  socket: z.string(),
  log_file: z.string().optional(),
  memory_bytes: z.int().nonnegative().describe('Resident memory.'),
  active_calls: z.int().nonnegative().describe('Calls in progress, including this one.'),
});

const UsedDesktop = z.object({
  display: z.string(),
  private: z.boolean(),
  sessions: z.array(z.string()).describe('Names of the sessions that use it.'),
});

const Status = z.object({
  program_version: z.string(),
  platform: z.string(),
  session: z.string(),
  desktop: z.union([Desktop, z.null()]),
  permissions_granted: z.boolean().optional(),
  problem: ErrorBody.optional(),
  security_mode: z
    .enum(SECURITY_MODES)
    .describe(
      'How much calls may do: normal; safe, in which shells are refused and a person agrees to tools and destructive acts; or sandboxed, in which nothing is changed.',
    ),
  policy_problem: ErrorBody.optional().describe(
    'Why policy.toml cannot be used. Until it can, nothing with an effect is allowed.',
  ),
  daemon: z.union([Daemon, z.null()]),
  sessions: z.array(SessionSummary),
  desktops: z.array(UsedDesktop).describe('Desktops used by sessions of the answering process.'),
  application: ApplicationStatus.optional().describe('The application that was asked about.'),
});

export default defineCommand({
  name: 'status',
  group: 'system',
  kind: 'admin',
  title: 'Desktop status',
  toolsets: ['verify'],
  isReadOnly: true,
  summary: 'Show the program, the daemon, the sessions and the desktop that commands work on.',
  description:
    'Works without a desktop: then "desktop" is null and "problem" says why and what to do. "daemon" is null if the call runs without the daemon.',
  input: z.object({
    app: App.describe('Tell instead what this application is up to: name or process id.').optional(),
    timeout_ms: timeout(5000),
  }),
  output: Status,
  examples: [
    { about: 'See which desktop is used', input: {} },
    { about: 'With a short deadline', input: { timeout_ms: 1000 } },
    { about: 'What an application is up to, and what could be done next', input: { app: 'KCalc' } },
  ],
  outline: (output) => {
    if (output.application !== undefined) return outlineApplication(output.application);
    const lines = [`deskterity ${output.program_version} on ${output.platform}, session ${output.session}`];
    const { desktop, problem } = output;
    if (output.security_mode !== 'normal' || output.policy_problem !== undefined)
      lines.push(outlineMode(output));
    if (desktop !== null) {
      const owner = desktop.private ? 'private ' : '';
      lines.push(
        `${owner}desktop ${desktop.display} (${desktop.session_type}, ${desktop.screen.width}x${desktop.screen.height}) ${desktop.id}`,
      );
      for (const [index, { x, y, width, height, scale }] of (desktop.screen.monitors ?? []).entries())
        lines.push(`monitor ${index}: ${width}x${height} at ${x},${y}, scale ${scale}`);
      if (desktop.found === true)
        lines.push('found automatically: the environment names no display, and this is your only one');
      lines.push(`window manager: ${desktop.window_manager ?? 'none'}`);
      for (const name of CAPABILITIES)
        if (!desktop.capabilities[name]) lines.push(`${name} is missing here: ${WITHOUT[name]}`);
      if (desktop.acting?.stopped === true)
        lines.push(
          desktop.acting.takeover === true
            ? `${outlineStop(desktop.acting)}; ${mentionCommand('wait', { acting: true })} waits until it is handed back`
            : `${outlineStop(desktop.acting)}; a person allows it again with ${mentionCommand('resume')}`,
        );
    }
    if (output.permissions_granted === false)
      lines.push(`permissions are missing: run ${mentionCommand('permissions')}`);
    if (problem !== undefined)
      lines.push(`no desktop: ${problem.code}: ${problem.message} ${problem.suggestion}`);
    lines.push(...outlineDaemon(output.daemon));
    for (const { display, private: isPrivate, sessions } of output.desktops)
      lines.push(`${isPrivate ? 'private ' : ''}desktop ${display} is used by ${sessions.join(', ')}`);
    for (const session of output.sessions) lines.push(`session ${outlineSession(session)}`);
    return lines.join('\n');
  },
  page: pageOfStatus,
  run: async (ctx, input) => {
    const facts = {
      program_version: ctx.system.version,
      platform: ctx.system.platform,
      session: ctx.session,
      security_mode: ctx.policy.mode,
      ...(ctx.policy.problem === undefined ? {} : { policy_problem: ctx.policy.problem.toBody() }),
    };
    const found = await lookAtDesktop(ctx, input.timeout_ms);
    const application =
      input.app === undefined ? undefined : await applicationStatus(ctx, input.app, input.timeout_ms);
    // Last, so that the list includes what this call has opened.
    const sessions = await ctx.sessions.list();
    return {
      ...facts,
      ...found,
      daemon: daemonOf(ctx),
      sessions: [...sessions],
      desktops: desktopsOf(ctx, found.desktop),
      ...(application === undefined ? {} : { application }),
    };
  },
});

/** What each mode means, for people. */
const MEANING: Readonly<Partial<Record<SecurityMode, string>>> = {
  safe: ': no shells, and a person agrees to tools and destructive acts',
  sandboxed: ': nothing is changed',
};

function outlineMode({ security_mode: mode, policy_problem: problem }: z.output<typeof Status>): string {
  const why = problem === undefined ? '' : `, because of a problem: ${problem.message} ${problem.suggestion}`;
  return `security mode ${mode}${MEANING[mode] ?? ''}${why}`;
}

async function lookAtDesktop(ctx: CommandContext, deadlineMs: number) {
  const call = { deadlineMs, signal: ctx.signal };
  try {
    const engine = await ctx.engine();
    const [desktop, permissions, acting] = await Promise.all([
      engine.status(call),
      engine.permissions({ request: false, ...call }).catch(() => undefined),
      engine.stopState(call).catch(() => undefined),
    ]);
    const { monitors } = desktop.screen;
    return {
      desktop: {
        id: desktop.desktopId,
        display: desktop.display,
        session_type: desktop.session,
        private: desktop.isPrivate,
        ...(ctx.isDesktopFound === true && !desktop.isPrivate ? { found: true } : {}),
        ...(desktop.windowManager === undefined ? {} : { window_manager: desktop.windowManager }),
        screen: {
          width: desktop.screen.width,
          height: desktop.screen.height,
          ...(monitors === undefined ? {} : { monitors: monitors.map((each) => ({ ...each })) }),
        },
        capabilities: { ...desktop.capabilities },
        ...(acting === undefined ? {} : { acting: { ...acting } }),
      },
      ...(permissions === undefined ? {} : { permissions_granted: permissions.granted }),
    };
  } catch (error) {
    if (!(error instanceof DeskterityError) || ctx.signal.aborted) throw error;
    return { desktop: null, problem: error.toBody() };
  }
}

function daemonOf(ctx: CommandContext): z.output<typeof Daemon> | null {
  const facts = ctx.daemon?.facts();
  if (facts === undefined) return null;
  return {
    pid: facts.pid,
    version: facts.version,
    uptime_ms: Math.round(facts.uptimeMs),
    socket: facts.socket,
    ...(facts.logFile === undefined ? {} : { log_file: facts.logFile }),
    memory_bytes: facts.memoryBytes,
    active_calls: facts.activeCalls,
  };
}

function desktopsOf(
  ctx: CommandContext,
  desktop: z.output<typeof Desktop> | null,
): z.output<typeof UsedDesktop>[] {
  const facts = ctx.daemon?.facts();
  if (facts !== undefined) return facts.desktops.map((used) => ({ ...used, sessions: [...used.sessions] }));
  if (desktop === null) return [];
  return [{ display: desktop.display, private: desktop.private, sessions: [ctx.session] }];
}

function outlineDaemon(daemon: z.output<typeof Daemon> | null): string[] {
  if (daemon === null) return ['no daemon: this call was answered without one'];
  const { pid, version, uptime_ms: uptimeMs, socket, log_file: logFile, memory_bytes: memory } = daemon;
  const calls = `${daemon.active_calls} ${daemon.active_calls === 1 ? 'call' : 'calls'} active`;
  const lines = [
    `daemon ${version} pid ${pid}, up ${duration(uptimeMs)}, ${(memory / 1_048_576).toFixed(1)} MiB, ${calls}`,
    `  socket ${socket}`,
  ];
  if (logFile !== undefined) lines.push(`  log ${logFile}`);
  return lines;
}

/** `3 h 12 min`, `4 min 5 s`, `6 s`. */
function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

function pageOfStatus(output: z.output<typeof Status>): Page {
  const { desktop, problem, daemon, sessions, session } = output;
  if (output.application !== undefined)
    return outlineApplication(output.application)
      .split('\n')
      .map((text) => line(text));
  return [
    line(span(`deskterity ${output.program_version} on ${output.platform}`, 'strong')),
    facts([
      ...(desktop === null ? [] : factsOfDesktop(desktop)),
      [
        'daemon',
        daemon === null
          ? 'none: this call was answered without one'
          : `${daemon.version}, pid ${daemon.pid}, up ${duration(daemon.uptime_ms)}, ${(daemon.memory_bytes / 1_048_576).toFixed(0)} MiB`,
      ],
      ...(daemon?.log_file === undefined ? [] : [['log', daemon.log_file] as const]),
      ['security mode', `${output.security_mode}${MEANING[output.security_mode] ?? ''}`],
      ['session', [span(session, 'name'), sessions.length > 1 ? `  (of ${sessions.length})` : '']],
    ]),
    ...(desktop === null ? [] : troublesOf(desktop)),
    ...(output.policy_problem === undefined
      ? []
      : [
          line([span('✗ ', 'bad'), output.policy_problem.message]),
          nextStep(output.policy_problem.suggestion, 2),
        ]),
    ...(output.permissions_granted === false
      ? [nextStep(`permissions are missing: run ${mentionCommand('permissions')}`)]
      : []),
    ...(problem === undefined
      ? []
      : [line([span('✗ no desktop: ', 'bad'), problem.message]), nextStep(problem.suggestion, 2)]),
  ];
}

function factsOfDesktop(desktop: z.output<typeof Desktop>): readonly (readonly [string, Words])[] {
  const { display, session_type: type, screen, window_manager: manager = 'none' } = desktop;
  const kind = desktop.private ? 'private' : desktop.found === true ? 'yours, found by Deskterity' : 'yours';
  return [
    ['desktop', [span(display, 'name'), `  ${kind}, ${type}, ${screen.width}×${screen.height}`]],
    ['window manager', manager],
  ];
}

function troublesOf({ capabilities, acting }: z.output<typeof Desktop>): Page {
  const missing = CAPABILITIES.filter((name) => !capabilities[name]);
  return [
    ...missing.map((name) => line([span('✗ ', 'bad'), `${name} is missing here: ${WITHOUT[name]}`])),
    ...(acting?.stopped === true
      ? [
          line([span('✗ ', 'bad'), outlineStop(acting)]),
          nextStep(`to allow it again: ${mentionCommand('resume')}`, 2),
        ]
      : []),
  ];
}
