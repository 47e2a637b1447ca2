import type { AuditFacts, AuditKind } from '../../model/audit/entry.ts';
import { DeskterityError, type ErrorCode } from '../../model/effects/errors.ts';
import { AuditFailure } from '../../ports/audit/audit.ts';
import type { CallAudit } from '../../ports/audit/call-audit.ts';
import type { ActApplication } from '../../engine/requests/acting.ts';
import { isRecord } from '../../model/is-record.ts';
import { denialBehind } from '../../policy/policy-error.ts';
import { factsOfAnswer, factsOfApplication, factsOfInput, isEffectful } from '../audited-facts.ts';
import type { CommandContext, CommandGroup } from '../definition.ts';
import type { Wrapper } from './wrapper.ts';

/** Time for an entry to be written and synced: a disk that hangs must not hang the call. */
const WRITE_LIMIT_MS = 4000;

/** Commands whose answer says which process they started or ended. */
const NAMES_APPLICATION: ReadonlySet<string> = new Set(['launch', 'close-app']);

/** Of an application, which chooses it. */
const LONGEST_NAME = 200;

/** Codes of calls that something forbade. */
const DENIALS: ReadonlySet<ErrorCode> = new Set([
  'POLICY_DENIED',
  'CONFIRMATION_REQUIRED',
  'RATE_LIMITED',
  'UNAUTHORIZED',
  'TOOL_UNTRUSTED',
]);

/** Their acts reach applications only through the engine, so that what they record may reach the disk while the engine is opened. */
const ON_DESKTOP: ReadonlySet<CommandGroup> = new Set(['apps', 'windows', 'interaction', 'input']);

/**
 * Records each call that does something: what it is about to do, on the disk before it is done, and how it ended, before it is answered. Of calls that
 * only read, refusals are recorded, and the others if the settings ask for it.
 */
export const auditCalls: Wrapper = (command, next) => async (ctx, input) => {
  const { audit } = ctx;
  if (audit === undefined) return next(ctx, input);
  const given = { mode: ctx.policy.mode, ...factsOfInput(command, input, ctx.secrets) };
  const call = new AuditedCall(ctx, audit, given);
  const { definition } = command;
  if (!isEffectful(definition, input)) return call.read(() => next(ctx, input));
  const recorded = call.begin();
  const isUrgent = definition.isUrgent === true;
  const isOnDesktop =
    (definition.kind === 'act' || definition.kind === 'input') && ON_DESKTOP.has(definition.group);
  // Stopping must not wait for a disk, or fail because of it.
  if (isUrgent) recorded.catch(() => undefined);
  else if (!isOnDesktop) await recorded;
  // It may fail before anybody waits for it.
  recorded.catch(() => undefined);
  const inner: CommandContext = {
    ...ctx,
    onApplication: (application) => call.isFor(application),
    engine: async (target) => {
      const engine = await ctx.engine(target);
      if (!isUrgent) await recorded;
      return engine;
    },
  };
  return call.end(() => next(isOnDesktop ? inner : ctx, input));
};

type AuditedContext = Pick<CommandContext, 'clock' | 'callId' | 'secrets' | 'decided'>;

/** Records something that happens outside of commands, in the same way. @throws DeskterityError POLICY_DENIED if it cannot be recorded */
export async function auditedOutside<T>(
  ctx: AuditedContext & { readonly audit: CallAudit },
  facts: AuditFacts,
  run: () => Promise<T>,
): Promise<T> {
  const call = new AuditedCall(ctx, ctx.audit, facts);
  await call.begin();
  return call.end(run);
}

/** The entries of one call. */
class AuditedCall {
  private readonly ctx: AuditedContext;
  private readonly audit: CallAudit;
  private readonly facts: AuditFacts;
  private readonly startedAt: number;
  private sequence: number | undefined;
  private application: ActApplication | undefined;

  constructor(ctx: AuditedContext, audit: CallAudit, facts: AuditFacts) {
    this.ctx = ctx;
    this.audit = audit;
    this.facts = { ...audit.who, call: ctx.callId, ...facts };
    this.startedAt = ctx.clock.now();
  }

  /** Called with the application that is acted on, once it is known. */
  isFor(application: ActApplication): void {
    this.application = application;
  }

  /** Resolves when it is on the disk. @throws DeskterityError POLICY_DENIED if it cannot be, and the settings refuse that */
  async begin(): Promise<void> {
    try {
      await inTime(this.write('intent', this.facts, true));
    } catch (error) {
      const failure = asFailure(error);
      this.audit.onProblem(failure);
      if (this.audit.onFailure === 'refuse') throw refusal(String(this.facts['command']), failure);
    }
  }

  /** Runs the rest of the call, and records how it ended. */
  async end<T>(run: () => Promise<T>): Promise<T> {
    try {
      const output = await run();
      await this.outcome('outcome', {
        result: 'ok',
        ...factsOfAnswer(output, this.ctx.secrets),
        ...this.applicationIn(output),
      });
      return output;
    } catch (error) {
      await this.failed(error);
      throw error;
    }
  }

  /** Of a call that only reads. */
  async read<T>(run: () => Promise<T>): Promise<T> {
    try {
      const output = await run();
      if (this.audit.recordsReads) await this.outcome('outcome', { result: 'ok' });
      return output;
    } catch (error) {
      if (this.audit.recordsReads || isDenial(error)) await this.failed(error);
      throw error;
    }
  }

  private async failed(error: unknown): Promise<void> {
    const known = error instanceof DeskterityError ? error : undefined;
    if (known?.cause instanceof AuditFailure) return;
    await this.outcome(isDenial(error) ? 'denied' : 'outcome', {
      result: known?.code ?? 'INTERNAL',
      delivered: known?.delivered,
      // Our own words on what is forbidden; messages of other errors may repeat what applications show.
      ...(isDenial(error) ? { reason: known?.message } : {}),
      ...factsOfAnswer(known?.result, this.ctx.secrets),
      ...this.applicationIn(known?.result),
      ...this.denialIn(error),
    });
  }

  /** The application that was acted on, by its process, or by the one that the answer names. */
  private applicationIn(output: unknown): AuditFacts {
    const { decided, secrets } = this.ctx;
    const application = this.application ?? this.startedIn(output);
    if (application === undefined) return {};
    const { name, pid } = application;
    const known = decided?.ofProcess(pid);
    if (known !== undefined) return factsOfApplication(known, secrets);
    return { app_name: name.slice(0, LONGEST_NAME), app_pid: pid };
  }

  /** What was started or ended, by the answer. */
  private startedIn(output: unknown): ActApplication | undefined {
    if (!isRecord(output) || !NAMES_APPLICATION.has(String(this.facts['command']))) return undefined;
    const { app: name, pid } = output;
    return typeof name === 'string' && typeof pid === 'number' ? { name, pid } : undefined;
  }

  private denialIn(error: unknown): AuditFacts {
    const denial = denialBehind(error);
    if (denial === undefined) return {};
    const { verdict, application: facts } = denial;
    return facts === undefined
      ? { rule: verdict.rule.slice(0, LONGEST_NAME) }
      : { level: 'alert', ...factsOfApplication({ facts, verdict }, this.ctx.secrets) };
  }

  /** An act that has been done is answered truly, whether or not its end can be recorded. */
  private async outcome(kind: AuditKind, facts: AuditFacts): Promise<void> {
    const durationMs = Math.round(this.ctx.clock.now() - this.startedAt);
    const all = { ...this.facts, intent: this.sequence, ...facts, duration_ms: durationMs };
    try {
      await inTime(this.write(kind, all, false));
    } catch (error) {
      this.audit.onProblem(asFailure(error));
    }
  }

  private async write(kind: AuditKind, facts: AuditFacts, isSynced: boolean): Promise<void> {
    const log = await this.audit.log();
    const { sequence, synced } = await log.record({ kind, facts });
    if (kind === 'intent') this.sequence = sequence;
    this.audit.onEntry?.(kind, facts);
    if (isSynced) await synced;
  }
}

function isDenial(error: unknown): boolean {
  return error instanceof DeskterityError && DENIALS.has(error.code);
}

function asFailure(error: unknown): AuditFailure {
  return error instanceof AuditFailure ? error : new AuditFailure('the state folder', 'unknown', error);
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const failure = new AuditFailure('the state folder', 'ETIMEDOUT', undefined);
    timer = setTimeout(() => reject(failure), WRITE_LIMIT_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function refusal(command: string, failure: AuditFailure): DeskterityError {
  return new DeskterityError('POLICY_DENIED', `${command} was not carried out. ${failure.message}`, {
    suggestion:
      'Free space there or make it writable. With audit.on_failure set to warn in config.toml, acts are carried out although they cannot be recorded.',
    platformDetail: failure.code,
    delivered: false,
    cause: failure,
  });
}
