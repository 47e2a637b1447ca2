import { userInfo } from 'node:os';
import {
  strictestConfirmation,
  strictestConsent,
  type Configuration,
  type Confirmation,
  type ResolvedConfiguration,
} from '../model/configuration/config.ts';
import { strictestGuards, type Guards } from '../model/configuration/guard-configuration.ts';
import type { AuditFacts, AuditKind } from '../model/audit/entry.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import type { AuditPort } from '../ports/audit/audit.ts';
import type { CallAudit } from '../ports/audit/call-audit.ts';
import { CallLimits } from '../model/limits/call-limits.ts';
import type { CommandContext } from '../registry/define.ts';
import type { AppParts } from './app.ts';

const MIB = 1024 * 1024;

interface GuardedCall {
  readonly caller: Caller;
  readonly session: string;
  /** The caller's settings. */
  readonly settings: Guards & Pick<Configuration, 'confirmation' | 'screenshot'>;
  readonly onEntry?: ((kind: AuditKind, facts: AuditFacts) => void) | undefined;
}

/** How a call is guarded. */
export interface CallGuarded extends Pick<CommandContext, 'audit' | 'limits' | 'pictureConsent'> {
  /** When consent is required. */
  readonly destructive: Confirmation;
}

/**
 * What is recorded and limited, for all calls of this process. Where the log is and how long it is kept follows from the environment and the file of
 * the process, not from a caller: a client can only make the rest stricter.
 */
export class CallGuards {
  private readonly parts: AppParts;
  private readonly counts = new CallLimits();
  private opened: Promise<AuditPort> | undefined;

  constructor(parts: AppParts) {
    this.parts = parts;
  }

  /** @throws DeskterityError CONFIG_INVALID */
  async forCall(call: GuardedCall): Promise<CallGuarded> {
    const own = await this.ownSettings();
    const settings = strictestGuards(own.values, call.settings);
    const { rps, rpm, concurrency, all_rps, all_rpm, all_concurrency } = settings.rate_limit;
    return {
      destructive: strictestConfirmation(own, call.settings.confirmation.destructive),
      pictureConsent: strictestConsent(own, call.settings.screenshot.consent),
      audit: this.auditFor(call, settings),
      limits: {
        counts: this.counts,
        session: { perSecond: rps, perMinute: rpm, atOnce: concurrency },
        all: { perSecond: all_rps, perMinute: all_rpm, atOnce: all_concurrency },
      },
    };
  }

  /** Absent if this program keeps no log. */
  private auditFor({ caller, session, onEntry }: GuardedCall, settings: Guards): CallAudit | undefined {
    const { parts } = this;
    if (parts.openAudit === undefined) return undefined;
    return {
      log: () => this.log(),
      onFailure: settings.audit.on_failure,
      recordsReads: settings.audit.reads,
      who: {
        session,
        client: caller.client ?? 'command line',
        principal: caller.principal ?? localUser(),
        pid: caller.pid ?? process.pid,
      },
      onEntry,
      onProblem: ({ code }) =>
        parts.log.write({ level: 'error', message: 'the audit log cannot be written', fields: { code } }),
    };
  }

  private log(): Promise<AuditPort> {
    const { openAudit } = this.parts;
    if (openAudit === undefined) return Promise.reject(new TypeError('This program keeps no audit log.'));
    if (this.opened === undefined) {
      const opening = openAudit(async () => {
        const { audit } = (await this.ownSettings()).values;
        const { file_mb: fileMb, keep_days: keepDays, keep_mb: keepMb } = audit;
        return { fileBytes: fileMb * MIB, keepDays, keepBytes: keepMb * MIB };
      });
      this.opened = opening;
      // The next call tries again.
      opening.catch(() => {
        this.opened = undefined;
      });
    }
    return this.opened;
  }

  /** As they are now, without variables, which a client may have set. The file is read again only if it has changed. */
  private ownSettings(): Promise<ResolvedConfiguration> {
    const { caller, configuration } = this.parts;
    return configuration(withoutSettings(caller.environment));
  }
}

function withoutSettings(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('DESKTERITY_')));
}

let user: string | undefined;

/** Name and number of the user of this process. */
function localUser(): string {
  user ??= nameOfUser();
  return user;
}

function nameOfUser(): string {
  const id = process.getuid?.();
  try {
    return `${userInfo().username}${id === undefined ? '' : ` (${id})`}`;
  } catch {
    // A user id without an entry in the user database.
    return String(id);
  }
}
