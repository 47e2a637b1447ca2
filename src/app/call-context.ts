import { randomUUID } from 'node:crypto';
import type { Confirmation, ResolvedConfiguration } from '../model/configuration/config.ts';
import type { DecidedInCall } from '../model/policy/decided.ts';
import type { Policy } from '../model/policy/verdict.ts';
import type { SessionSecrets } from '../model/redaction/session-secrets.ts';
import { withholdIn } from '../model/redaction/withhold.ts';
import { nearestReal } from '../operations/confinement/sandbox-scope.ts';
import type { ExplainedPrograms } from '../policy/guard/related-processes.ts';
import type { DaemonPort } from '../ports/daemon.ts';
import type { CommandContext } from '../registry/define.ts';
import { invoke } from '../registry/invoke.ts';
import type { RegisteredCommand } from '../registry/registry.ts';
import { engineOf } from '../sessions/call-target.ts';
import type { SessionPlace } from '../sessions/session-registry.ts';
import { nearestTerminal } from '../terminal/use-cases/find-terminal.ts';
import type { AnswerOptions, AppParts, CallSettings } from './app.ts';
import type { CallGuarded } from './call-guards.ts';
import type { CommandLineTools } from './command-line-tools.ts';
import type { ConsentQuestions } from './consent/consent-questions.ts';
import { stepCommands } from './step-commands.ts';
import type { CallScope } from './terminals.ts';

/** What one call asks of its context. */
export type PerformSettings = CallSettings &
  Pick<CommandContext, 'form' | 'secrets' | 'attach' | 'progress' | 'isData' | 'isForModel'> &
  Pick<AnswerOptions, 'offered' | 'isHidden'>;

/** What all calls share. */
export interface CallServices {
  readonly parts: AppParts;
  readonly commandLine: CommandLineTools;
  readonly programs: ExplainedPrograms;
  readonly daemon: DaemonPort | undefined;
  readonly asking: ConsentQuestions;
}

/** What one call found out before its command runs. */
interface PreparedCall {
  readonly scope: CallScope;
  readonly place: SessionPlace;
  readonly sessions: CommandContext['sessions'];
  readonly configuration: ResolvedConfiguration;
  readonly policy: Policy;
  readonly decided: DecidedInCall;
  readonly settings: PerformSettings;
  readonly findTool: (name: string) => Promise<RegisteredCommand>;
  readonly onDesktop: () => void;
  readonly secrets: SessionSecrets;
  readonly guards: CallGuarded;
}

/** The context in which the command of a call runs: what it may reach, whom it asks, and where its progress goes. */
export function callContext(
  { parts, commandLine, programs, daemon, asking }: CallServices,
  call: PreparedCall,
): CommandContext {
  const { scope, place, configuration, settings, secrets, guards } = call;
  const { caller } = scope;
  const refs = async (ids: readonly string[]) => (await place.terminals()).refs(ids);
  const { keptTerminals, ...ports } = commandLine.of(scope, configuration, refs);
  const ctx: CommandContext = {
    engine: (target = {}) => {
      call.onDesktop();
      const folder = () => nearestReal(caller.cwd);
      return engineOf({ place, terminals: keptTerminals, folder, nearest: nearestTerminal }, target);
    },
    privateDisplay: () => place.privateDisplay,
    files: parts.files,
    documents: parts.documents,
    desktopSetup: (name) => parts.platform.desktopSetup(name),
    clock: parts.clock,
    system: caller.program === undefined ? parts.system : { ...parts.system, program: caller.program },
    secrets: settings.secrets,
    session: place.name,
    cwd: caller.cwd,
    environment: caller.environment,
    isDesktopFound: caller.isDesktopFound,
    configuration,
    policy: call.policy,
    decided: call.decided,
    applicationFacts: (app) => programs.ofApplication(app),
    relatedProcesses: (program) => programs.related(program),
    sessions: call.sessions,
    ...ports,
    callTool: async (toolName, given, context = ctx) =>
      invoke(await call.findTool(toolName), { ...context, isStep: true }, given),
    commands: stepCommands(parts.registry, () => ctx, settings.offered),
    audit: guards.audit,
    limits: guards.limits,
    daemon,
    outlivesCall: parts.outlivesCalls,
    confirmation: confirmationOf(guards.destructive, settings, asking),
    calledAt: new Date(),
    form: settings.form,
    attach: settings.attach,
    progress: settings.progress && maskingProgress(settings.progress, secrets),
    isData: settings.isData,
    isForModel: settings.isForModel,
    undo: () => place.undo(),
    callId: randomUUID(),
    onAct: (act) => {
      const { name } = act;
      const masked = { ...act, name: name === undefined ? undefined : secrets.maskText(name) };
      place.noteAct(withholdIn(masked, settings.secrets ?? []));
    },
    signal: settings.signal ?? new AbortController().signal,
  };
  return ctx;
}

function maskingProgress(
  progress: NonNullable<PerformSettings['progress']>,
  secrets: SessionSecrets,
): NonNullable<PerformSettings['progress']> {
  return (step) => progress({ ...step, message: secrets.maskText(step.message) });
}

function confirmationOf(
  destructive: Confirmation,
  { canConfirm, consent }: CallSettings,
  asking: ConsentQuestions,
): CommandContext['confirmation'] {
  return {
    setting: destructive,
    isNeeded: destructive === 'require' || (destructive === 'ask' && canConfirm === true),
    given: consent,
    isAsking: () => asking.isOpen,
  };
}
