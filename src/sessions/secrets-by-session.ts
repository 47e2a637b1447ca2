import { SessionSecrets } from '../model/redaction/session-secrets.ts';

/** Sessions whose secrets are remembered. */
const MOST_SESSIONS = 1000;

/** The secrets of each session, by its name: those that were used last. */
export class SecretsBySession {
  private readonly known = new Map<string, SessionSecrets>();

  of(session: string): SessionSecrets {
    const secrets = this.known.get(session) ?? new SessionSecrets();
    this.known.delete(session);
    this.known.set(session, secrets);
    for (const [oldest] of this.known) {
      if (this.known.size <= MOST_SESSIONS) break;
      this.known.delete(oldest);
    }
    return secrets;
  }
}
