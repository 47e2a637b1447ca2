import { randomUUID } from 'node:crypto';
import type { AuditFacts } from '../model/audit/entry.ts';
import { CONSENT_LIMIT_MS } from '../model/effects/consent-answer.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { isRecord } from '../model/is-record.ts';
import { requestOf } from '../model/policy/request-of.ts';
import type { Policy } from '../model/policy/verdict.ts';
import { secretsOf } from '../model/redaction/withhold.ts';
import type { Caller } from '../model/sessions/caller.ts';
import { toolOfCommand } from '../model/tools/tool-command-name.ts';
import { knowingCommand, underPolicy } from '../policy/current-policy.ts';
import type { ExplainedPrograms } from '../policy/guard/related-processes.ts';
import { notedPolicy } from '../policy/noted-policy.ts';
import { policyDenied } from '../policy/policy-error.ts';
import { closedPolicy } from '../policy/reading/read-policy.ts';
import { commandLineSpeller } from '../registry/command-line-speller.ts';
import type { CommandGroup, Picture } from '../registry/define.ts';
import { invoke } from '../registry/invoke.ts';
import type { RegisteredCommand } from '../registry/registry.ts';
import { auditedOutside } from '../registry/wrappers/audit-calls.ts';
import { asDeskterityError } from '../registry/wrappers/classify-errors.ts';
import { SecretsBySession } from '../sessions/secrets-by-session.ts';
import { sessionOver } from '../sessions/live-session.ts';
import type { SessionHomes } from '../sessions/session-homes.ts';
import type { Answer, AnswerOptions, App, AppParts, ExecuteOptions } from './app.ts';
import { callContext, type CallServices, type PerformSettings } from './call-context.ts';
import { CallGuards } from './call-guards.ts';
import { CallLog } from './call-log.ts';
import type { CommandLineTools } from './command-line-tools.ts';
import { atTerminal, withPictureFile } from './consent/consent-pictures.ts';
import { ConsentQuestions, type AskConsent } from './consent/consent-questions.ts';
import { hiddenCommand } from './hidden-command.ts';
import { finishedLines, outlineAnswer, quotedOf, renderAnswer, renderFailure } from './render.ts';
import type { OutputFormat, Rendered } from './render.ts';
import { unknownCommand } from './unknown-command.ts';

interface CallResult {
  readonly command: RegisteredCommand;
  readonly output: Record<string, unknown>;
  readonly isFromDesktop: boolean;
}

/** Groups whose commands record or look for the session without reaching its desktop. */
const NAMES_SESSION: ReadonlySet<CommandGroup> = new Set(['operations', 'terminals']);

/** Runs the commands of all sessions. */
export class Calls {
  private readonly parts: AppParts;
  private readonly homes: SessionHomes;
  private readonly services: CallServices;
  private readonly guards: CallGuards;
  private readonly log: CallLog;
  private readonly secrets = new SecretsBySession();

  constructor(
    parts: AppParts,
    homes: SessionHomes,
    commandLine: CommandLineTools,
    programs: ExplainedPrograms,
  ) {
    this.parts = parts;
    this.homes = homes;
    this.guards = new CallGuards(parts);
    this.log = new CallLog(parts);
    const { daemonFacts } = parts;
    const daemon = daemonFacts && {
      facts: () => ({ ...daemonFacts(), activeCalls: this.activeCalls, desktops: homes.desktops() }),
    };
    this.services = { parts, commandLine, programs, daemon, asking: new ConsentQuestions(parts.clock) };
  }

  get activeCalls(): number {
    return this.log.activeCalls;
  }

  /** See {@link App.execute}. */
  async execute(session: string, name: string, input: unknown, options: ExecuteOptions): Promise<Rendered> {
    const rendered = await this.rendered(session, name, input, options);
    const notes = this.homes.takeNotes(session, options.caller ?? this.parts.caller);
    return { ...rendered, stderr: notes.map((note) => `note: ${note}\n`).join('') + rendered.stderr };
  }

  /** See {@link App.call}. */
  async call(
    session: string,
    name: string,
    input: unknown,
    options: Parameters<App['call']>[3] = {},
  ): Promise<Record<string, unknown>> {
    const { output } = await this.log.during({ session, name, settings: options }, () =>
      this.performAsking(session, name, input, { form: 'json', isData: true, ...options, secrets: [] }),
    );
    return output;
  }

  /** See {@link App.answer}. */
  async answer(
    session: string,
    name: string,
    input: unknown,
    { onProgress: progress, change = (whole) => whole, ...options }: AnswerOptions,
  ): Promise<Answer> {
    const { clock } = this.parts;
    const pictures: Picture[] = [];
    const attach = (picture: Picture) => void pictures.push(picture);
    const started = clock.now();
    const {
      command,
      output: whole,
      isFromDesktop,
    } = await this.log.during({ session, name, settings: options }, () =>
      this.performAsking(session, name, input, {
        ...options,
        secrets: [],
        attach,
        progress,
        isForModel: true,
      }),
    );
    const output = change(whole);
    return {
      output,
      outline: outlineAnswer(command, output),
      quoted: quotedOf(command, output),
      finished: finishedLines(output),
      pictures,
      isFromDesktop,
      durationMs: Math.round(clock.now() - started),
    };
  }

  /** Records something that a person does outside of commands. @throws DeskterityError POLICY_DENIED if it cannot be recorded */
  async recorded<T>(
    caller: Caller,
    facts: AuditFacts & { readonly command: string },
    run: (policy: Policy) => Promise<T>,
  ): Promise<T> {
    const { values } = await this.parts.configuration(caller.environment);
    const { audit } = await this.guards.forCall({ caller, session: '', settings: values });
    const judged = async (): Promise<T> => {
      const policy = await this.parts.policy(caller);
      const { command: name } = facts;
      const verdict = policy.decide(
        requestOf({ name, kind: 'admin', group: 'terminals', isReadOnly: false }),
      );
      // Whoever is at the terminal does it: there is nobody else to ask.
      if (verdict.decision === 'deny') throw policyDenied(`the command ${name}`, verdict);
      const during = knowingCommand(policy, { command: name, isReadOnly: false });
      return underPolicy(during, () => run(during));
    };
    return audit === undefined
      ? judged()
      : auditedOutside({ audit, clock: this.parts.clock, callId: randomUUID() }, facts, judged);
  }

  private async rendered(
    session: string,
    name: string,
    input: unknown,
    options: ExecuteOptions,
  ): Promise<Rendered> {
    const { configuration, caller, registry } = this.parts;
    const secrets = secretsOf(input, options.secrets ?? []);
    const { pretty = false, screen, onProgress: progress } = options;
    const usual: OutputFormat = screen === undefined ? 'json' : 'human';
    let format = options.format ?? usual;
    try {
      if (options.format === undefined) {
        const { values } = await configuration((options.caller ?? caller).environment);
        format = values.output.format === 'auto' ? usual : values.output.format;
      }
      const form = format === 'json' ? 'json' : 'outline';
      const { command, output } = await this.log.during({ session, name, settings: options }, () =>
        this.performAsking(session, name, input, { ...options, form, secrets, progress }),
      );
      const speller = commandLineSpeller(registry, command);
      return renderAnswer(command, output, { format, pretty, secrets, speller, screen });
    } catch (error) {
      const known = registry.get(name);
      const speller = commandLineSpeller(registry, known);
      const options = { format, pretty, secrets, speller, screen };
      return renderFailure(known?.name ?? name, asDeskterityError(error, name), options);
    }
  }

  /** Asks whoever is there if the call needs consent, unless the surface asks. A call with steps may have acted, and is not repeated. */
  private async performAsking(
    session: string,
    name: string,
    input: unknown,
    settings: PerformSettings,
  ): Promise<CallResult> {
    const { registry, platform, caller } = this.parts;
    const { environment } = settings.caller ?? caller;
    const { askPerson, canConfirm, signal } = settings;
    const onDesktop: AskConsent = async (question, until, picture) =>
      platform.askOnDesktop?.(environment, question, { limitMs: CONSENT_LIMIT_MS, signal: until, picture }) ??
      'absent';
    const isDryRun = isRecord(input) && input['dry_run'] === true;
    const isAsked = canConfirm !== true && !isDryRun && !hasSteps(registry.get(name));
    const askInTurn = isAsked
      ? [...(askPerson === undefined ? [] : [atTerminal(askPerson, platform.keepPicture)]), onDesktop]
      : [];
    const isAskedHere = canConfirm === true && (settings.caller ?? caller).principal === undefined;
    return this.services.asking.run(
      async (consent = settings.consent) => {
        const running = this.perform(session, name, input, { ...settings, consent });
        return isAskedHere
          ? running.catch(async (error: unknown) => withPictureFile(error, platform.keepPicture))
          : running;
      },
      askInTurn,
      signal,
    );
  }

  private async perform(
    session: string,
    name: string,
    input: unknown,
    settings: PerformSettings,
  ): Promise<CallResult> {
    const { parts, commandLine } = this.services;
    const caller = settings.caller ?? parts.caller;
    const known = parts.registry.get(name);
    const tool = toolOfCommand(name);
    if (known === undefined && tool === undefined) throw unknownCommand(parts.registry, name);
    const configuration = await parts.configuration(caller.environment);
    const { policy, decided } = notedPolicy(await this.policyFor(known, caller), settings.onReached);
    // Stopping must not fail because of a name.
    const mayBeNew = settings.mayCreateSession === true || known?.definition.isUrgent === true;
    const place = this.homes.enter(session, caller, configuration.values.private_desktop, mayBeNew);
    // Commands that need no desktop would not notice.
    if (NAMES_SESSION.has(known?.definition.group ?? 'operations')) await place.require();
    const { onOperation } = settings;
    const secrets = this.secrets.of(place.name);
    secrets.add(settings.secrets ?? []);
    const scope = {
      caller,
      session: place.name,
      configuration: configuration.values,
      policy,
      onOperation,
      onSecrets: (values: readonly string[]) => secrets.add(values),
    };
    const findTool = (toolName: string) => commandLine.findTool(scope, toolName);
    // Looking a tool up may start its server: one that is denied is only refused.
    const isRefused = settings.isHidden === true || (known === undefined && isDeniedTool(policy, name));
    const command = isRefused
      ? hiddenCommand(name, known)
      : (known ?? (await commandLine.findAnyTool(scope, tool ?? name)));
    let isFromDesktop = false;
    const onDesktop = () => {
      isFromDesktop = true;
    };
    const guards = await this.guards.forCall({
      caller,
      session: place.name,
      settings: configuration.values,
      onEntry: settings.onAudit,
    });
    const sessions = this.homes.of(caller);
    const ctx = callContext(this.services, {
      scope,
      place,
      sessions,
      configuration,
      policy,
      decided,
      settings,
      findTool,
      onDesktop,
      secrets,
      guards,
    });
    try {
      const run = () => invoke(command, ctx, isRefused ? {} : input);
      const output = await underPolicy(policy, run, guards.pictureConsent);
      const { privateDisplay } = place;
      const answered = privateDisplay === undefined ? output : { private_desktop: privateDisplay, ...output };
      return {
        command,
        isFromDesktop,
        output: secrets.mask(commandLine.withFinished(caller.environment, place.name, answered)),
      };
    } catch (error) {
      const failure = asDeskterityError(error, name);
      // A killed session looks like a broken desktop; what was delivered before is still reported.
      const isKilled = place.isOver && failure.code !== 'CANCELLED' && failure.delivered !== true;
      throw secrets.maskError(isKilled ? sessionOver(place.name, failure) : failure);
    } finally {
      commandLine.terminals.afterCall(caller.environment);
    }
  }

  /** While the policy is unreadable, only what reports on Deskterity itself still works, and stopping. */
  private async policyFor(command: RegisteredCommand | undefined, caller: Caller): Promise<Policy> {
    try {
      return await this.parts.policy(caller);
    } catch (error) {
      const { isUrgent, kind, isReadOnly } = command?.definition ?? {};
      const isPossible = isUrgent === true || (kind === 'admin' && isReadOnly === true);
      if (!isPossible || !(error instanceof DeskterityError)) throw error;
      return closedPolicy(error);
    }
  }
}

function isDeniedTool(policy: Policy, name: string): boolean {
  const request = requestOf({ name, kind: 'admin', group: 'operations', isReadOnly: false });
  return policy.decide(request).decision === 'deny';
}

function hasSteps(command: RegisteredCommand | undefined): boolean {
  return (
    command !== undefined && ('steps' in command.input.shape || command.definition.alsoRuns !== undefined)
  );
}
