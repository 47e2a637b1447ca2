import { mentionCommand } from '../../../model/text/mention.ts';
import { z } from 'zod';
import { nearest } from '../../../model/text/nearest.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { OwnSessions } from '../access/session-owners.ts';
import type { ClientCalls } from '../tools/client-calls.ts';

const SessionNames = z.object({ sessions: z.array(z.object({ name: z.string() })) });

/** Sessions that one client may create by naming them; each costs memory and a file. */
const MOST_CREATED = 64;

export interface NamedSessionsParts {
  readonly mayCreate: () => boolean;
  /** The sessions of the owner of the connection, if owners are told apart: each may use only its own. */
  readonly own?: OwnSessions | undefined;
}

/** What the caller of one request may do. */
export interface NamingRights {
  readonly mayCreate: boolean;
  /** Also sessions of others. */
  readonly mayUseAll: boolean;
}

const ALL_RIGHTS: NamingRights = { mayCreate: true, mayUseAll: true };

/** The sessions that one client names in its calls. The first call in a new session creates it. */
export class NamedSessions {
  private readonly calls: Pick<ClientCalls, 'answer' | 'session'>;
  private readonly parts: NamedSessionsParts;
  /** Names of existing sessions. */
  private readonly found = new Set<string>();
  private readonly created = new Set<string>();

  constructor(calls: Pick<ClientCalls, 'answer' | 'session'>, parts: NamedSessionsParts) {
    this.calls = calls;
    this.parts = parts;
  }

  /**
   * @throws DeskterityError SESSION_NOT_FOUND if the client may not create it, RATE_LIMITED if it has created too many, UNAUTHORIZED if it is
   * that of another owner
   */
  async require(name: string, signal: AbortSignal, rights: NamingRights = ALL_RIGHTS): Promise<void> {
    const key = name.toLowerCase();
    const { own } = this.parts;
    const mayCreate = this.parts.mayCreate() && rights.mayCreate;
    const isOwn = own === undefined ? this.created.has(key) : own.has(key);
    if (key === this.calls.session.toLowerCase() || isOwn) return;
    const mayUse = own === undefined || rights.mayUseAll;
    if (mayCreate && mayUse && this.found.has(key)) return;
    try {
      await this.calls.answer('session info', { name }, { signal });
      if (!mayUse) throw notOwn(name);
      this.found.add(key);
    } catch (error) {
      const isMissing = error instanceof DeskterityError && error.code === 'SESSION_NOT_FOUND';
      if (isMissing && !mayCreate && !mayUse) throw notOwn(name);
      if (!isMissing || !mayCreate) throw error;
      // Names of sessions that the caller may not use are not suggested.
      if (mayUse && (await this.isMistyped(key, signal))) throw error;
      this.create(key, name);
    }
  }

  /** Whether a session has nearly this name: creating another one would hide the mistake. */
  private async isMistyped(key: string, signal: AbortSignal): Promise<boolean> {
    const { output } = await this.calls.answer('session list', {}, { signal });
    const { data } = SessionNames.safeParse(output);
    const names = data?.sessions.map(({ name }) => name).filter((name) => !this.created.has(name)) ?? [];
    return nearest(key, names) !== undefined;
  }

  private create(key: string, name: string): void {
    const { own } = this.parts;
    const count = own?.count ?? this.created.size;
    if (count >= MOST_CREATED && !this.created.has(key)) {
      throw new DeskterityError(
        'RATE_LIMITED',
        `You have created the maximum of ${MOST_CREATED} sessions by naming them.`,
        { suggestion: `Use one of those, or create one with ${mentionCommand('session new')}.` },
      );
    }
    if (own?.claim(key) === false) throw notOwn(name);
    this.created.add(key);
  }
}

function notOwn(name: string): DeskterityError {
  return new DeskterityError(
    'UNAUTHORIZED',
    `You may not use the session ${JSON.stringify(name)}, because you have not created it.`,
    {
      suggestion:
        'Use another name, leave it out to use your own session, or get an access token with the scope admin.',
    },
  );
}
