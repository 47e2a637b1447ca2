import type { AuditFacts } from '../model/audit/entry.ts';
import { changedError } from '../model/effects/changed-error.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { Caller } from '../model/sessions/caller.ts';
import { CallerHosts } from '../policy/guard/caller-hosts.ts';
import { relatedProcesses, type ExplainedPrograms } from '../policy/guard/related-processes.ts';
import { currentPictureConsent, currentPolicy, underPolicy } from '../policy/current-policy.ts';
import { oncePerTurn } from '../policy/guard/once-per-turn.ts';
import { guardedDesktop } from '../policy/guard/guarded-desktop.ts';
import { requireLaunchable } from '../policy/guard/require-launchable.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
import type { ProgramFactsPort } from '../ports/policy/program-facts.ts';
import type { AttachmentRequest, TerminalAttachment } from '../ports/terminals/attachments.ts';
import type { App, AppParts } from './app.ts';
import type { Calls } from './calls.ts';

/** One guarded port for each desktop, so that its sessions share what belongs to the port. Terminals show no applications. */
export function guarding({ platform, caller }: GuardingParts): Guarding {
  const made = new WeakMap<DesktopPort, DesktopPort>();
  const programs = oncePerTurn(laterPrograms(() => platform.programFacts(caller.environment)));
  const hosts = new CallerHosts(programs);
  return {
    programs: {
      ofApplication: (app) => programs.ofApplication(app),
      related: (program) => relatedProcesses(program, hosts, programs),
    },
    requireLaunchable: (command) =>
      requireLaunchable({ programs, policyNow: currentPolicy }, command[0] ?? '', command),
    forTerminals: (desktop) => ({
      whole: desktop,
      allowed: guardedDesktop({ desktop, programs, hosts: NO_HOSTS, policyNow: currentPolicy }),
    }),
    notePeer: async (connection) => {
      const found = (await platform.tcpPeers?.(connection)) ?? [];
      await Promise.all(found.map((pid) => hosts.note(pid)));
    },
    noteCaller: (given = caller) => hosts.note(given.pid ?? process.pid),
    guarded: (desktop) => {
      if (desktop.screen !== undefined) return desktop;
      const port =
        made.get(desktop) ??
        guardedDesktop({
          desktop,
          programs,
          hosts,
          policyNow: currentPolicy,
          pictureConsentNow: currentPictureConsent,
        });
      made.set(desktop, port);
      return port;
    },
  };
}

type GuardingParts = Pick<AppParts, 'caller'> & {
  readonly platform: Pick<AppParts['platform'], 'programFacts' | 'tcpPeers'>;
};

/** Where terminals are shown is where their callers run. */
const NO_HOSTS: Pick<CallerHosts, 'isHost'> = { isHost: async () => false };

interface Guarding {
  readonly programs: ExplainedPrograms;
  /** Of a program that a call starts. @throws DeskterityError POLICY_DENIED, CONFIRMATION_REQUIRED */
  readonly requireLaunchable: (command: readonly string[]) => Promise<void>;
  /** A desktop for showing terminals to the user. */
  readonly forTerminals: (desktop: DesktopPort) => {
    readonly allowed: DesktopPort;
    readonly whole: DesktopPort;
  };
  /** Remembers where a caller runs. Never rejects. */
  readonly noteCaller: (caller: Caller | undefined) => Promise<void>;
  readonly guarded: (desktop: DesktopPort) => DesktopPort;
  /** See {@link App.notePeer}. */
  readonly notePeer: App['notePeer'];
}

function laterPrograms(open: () => Promise<ProgramFactsPort>): ProgramFactsPort {
  let opened: Promise<ProgramFactsPort> | undefined;
  const port = () => (opened ??= open());
  return {
    ofProcess: async (...given) => (await port()).ofProcess(...given),
    ofCommand: async (...given) => (await port()).ofCommand(...given),
    ofApplication: async (...given) => (await port()).ofApplication(...given),
    lineageOf: async (...given) => (await port()).lineageOf(...given),
    keyOf: async (...given) => (await port()).keyOf(...given),
  };
}

type AttachOptions = Parameters<TerminalAttachment['attach']>[0];

interface NotedParts {
  readonly calls: Calls;
  readonly noteCaller: Guarding['noteCaller'];
  readonly speller: Parameters<typeof changedError>[1];
  readonly attachments: () => {
    open(caller: Caller, request: AttachmentRequest): ReturnType<App['openAttachment']>;
  };
}

/** Calls before which it is remembered where they come from. */
export function notedCalls({
  calls,
  noteCaller,
  speller,
  attachments,
}: NotedParts): Pick<App, 'execute' | 'call' | 'answer' | 'openAttachment'> {
  return {
    execute: async (session, command, input, options = {}) => {
      await noteCaller(options.caller);
      return calls.execute(session, command, input, options);
    },
    call: async (session, command, input, options) => {
      await noteCaller(options?.caller);
      return calls.call(session, command, input, options);
    },
    answer: async (session, command, input, options) => {
      await noteCaller(options.caller);
      return calls.answer(session, command, input, options);
    },
    // Only the command line attaches; the window that shows a terminal of ours is as good as the terminal.
    openAttachment: async (caller, request) => {
      await noteCaller({ ...caller, pid: request.pid });
      return calls
        .recorded(caller, attachmentFacts(request), async (policy) => {
          const opened = await attachments().open(caller, request);
          // Whoever attaches later, attaches under the policy of the call.
          return {
            ...opened,
            attach: (options: AttachOptions) => underPolicy(policy, () => opened.attach(options)),
          };
        })
        .catch((error: unknown) => {
          throw error instanceof DeskterityError ? changedError(error, speller) : error;
        });
    },
  };
}

/** What is recorded of somebody who attaches to a terminal: from then on, what is typed there is theirs. */
function attachmentFacts({
  projectPath,
  tag,
  pid,
}: AttachmentRequest): AuditFacts & { readonly command: string } {
  return { command: 'terminal attach', does: 'admin', project: projectPath, tag, attached_pid: pid };
}
