import { mentionCommand } from '../../../model/text/mention.ts';
import { z } from 'zod';
import { nearest } from '../../../model/text/nearest.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { ClientCalls } from '../tools/client-calls.ts';

const SessionNames = z.object({ sessions: z.array(z.object({ name: z.string() })) });

/** Sessions that one client may create by naming them; each costs memory and a file. */
const MOST_CREATED = 64;

/** The sessions that one client names in its calls. The first call in a new session creates it. */
export class NamedSessions {
  private readonly calls: Pick<ClientCalls, 'answer' | 'session'>;
  private readonly mayCreate: boolean;
  /** Names of existing sessions. */
  private readonly found = new Set<string>();
  private readonly created = new Set<string>();

  constructor(
    calls: Pick<ClientCalls, 'answer' | 'session'>,
    { mayCreate }: { readonly mayCreate: boolean },
  ) {
    this.calls = calls;
    this.mayCreate = mayCreate;
  }

  /** @throws DeskterityError SESSION_NOT_FOUND if the client may not create it, RATE_LIMITED if it has created too many */
  async require(name: string, signal: AbortSignal): Promise<void> {
    const key = name.toLowerCase();
    if (key === this.calls.session.toLowerCase() || this.created.has(key)) return;
    if (this.mayCreate && this.found.has(key)) return;
    try {
      await this.calls.answer('session info', { name }, { signal });
      this.found.add(key);
    } catch (error) {
      const isMissing = error instanceof DeskterityError && error.code === 'SESSION_NOT_FOUND';
      if (!isMissing || !this.mayCreate) throw error;
      if (await this.isMistyped(key, signal)) throw error;
      this.create(key);
    }
  }

  /** Whether a session has nearly this name: creating another one would hide the mistake. */
  private async isMistyped(key: string, signal: AbortSignal): Promise<boolean> {
    const { output } = await this.calls.answer('session list', {}, { signal });
    const { data } = SessionNames.safeParse(output);
    const names = data?.sessions.map(({ name }) => name).filter((name) => !this.created.has(name)) ?? [];
    return nearest(key, names) !== undefined;
  }

  private create(key: string): void {
    if (this.created.size >= MOST_CREATED && !this.created.has(key)) {
      throw new DeskterityError(
        'RATE_LIMITED',
        `You have created the maximum of ${MOST_CREATED} sessions by naming them.`,
        { suggestion: `Use one of those, or create one with ${mentionCommand('session new')}.` },
      );
    }
    this.created.add(key);
  }
}
