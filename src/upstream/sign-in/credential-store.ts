import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import type { FilesPort } from '../../ports/files.ts';

/** Name of the file in the user's state folder. */
export const CREDENTIALS_FILE = 'mcp-credentials.json';

const MOST_ENTRIES = 200;

const Client = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  issuer: z.string().optional(),
});
const Tokens = z.looseObject({
  access_token: z.string(),
  token_type: z.string(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  issuer: z.string().optional(),
});

const Entry = z.strictObject({
  /** The authorization server. */
  issuer: z.string(),
  /** Address of the MCP server. */
  resource: z.string(),
  client: Client.optional(),
  tokens: Tokens.optional(),
  /** What the tokens do not permit, and somebody who signs in again is to be asked for. */
  needed_scope: z.string().optional(),
  /** The address that `client` was registered with. */
  redirect: z.string().optional(),
  /** What was found out about the authorization server. */
  discovery: z.looseObject({ authorizationServerUrl: z.string() }).optional(),
  /** ISO 8601. */
  saved_at: z.string(),
});
const Credentials = z.strictObject({ format: z.literal(1), entries: z.array(Entry).max(MOST_ENTRIES) });

/** What signing in to one MCP server at one authorization server gave. */
export type CredentialEntry = z.output<typeof Entry>;

export interface CredentialParts {
  readonly file: string;
  readonly files: Pick<FilesPort, 'read' | 'writeAtomic'>;
  readonly locked: <T>(path: string, body: () => Promise<T>) => Promise<T>;
}

/** Tokens of MCP servers, in a file that only the user can read; several processes may use it. */
export class CredentialStore {
  private readonly parts: CredentialParts;

  constructor(parts: CredentialParts) {
    this.parts = parts;
  }

  get file(): string {
    return this.parts.file;
  }

  /** The newest of a server, or that of an authorization server. @throws DeskterityError CONFIG_INVALID */
  async entry(resource: string, issuer?: string): Promise<CredentialEntry | undefined> {
    const entries = (await this.read()).filter(
      (entry) => entry.resource === resource && (issuer === undefined || entry.issuer === issuer),
    );
    return entries.toSorted((a, b) => b.saved_at.localeCompare(a.saved_at))[0];
  }

  /** Changes an entry; without `saved_at` it is not the newest afterwards. @throws DeskterityError CONFIG_INVALID */
  async change(
    resource: string,
    issuer: string,
    change: (entry: CredentialEntry) => CredentialEntry | undefined,
  ): Promise<void> {
    await this.write((entries) => {
      const isMeant = (entry: CredentialEntry): boolean =>
        entry.resource === resource && entry.issuer === issuer;
      const known = entries.find((entry) => isMeant(entry));
      const saved = new Date().toISOString();
      const changed = change(known ?? { issuer, resource, saved_at: saved });
      const others = entries.filter((entry) => !isMeant(entry));
      return changed === undefined
        ? others
        : [...others, { ...changed, saved_at: saved }].slice(-MOST_ENTRIES);
    });
  }

  /** Forgets everything about a server. @returns what was known */
  async remove(resource: string): Promise<readonly CredentialEntry[]> {
    let removed: readonly CredentialEntry[] = [];
    await this.write((entries) => {
      removed = entries.filter((entry) => entry.resource === resource);
      return entries.filter((entry) => entry.resource !== resource);
    });
    return removed;
  }

  private async write(
    change: (entries: readonly CredentialEntry[]) => readonly CredentialEntry[],
  ): Promise<void> {
    const { file, files, locked } = this.parts;
    await locked(`${file}.lock`, async () => {
      const before = await this.read();
      const entries = change(before);
      if (before.length === 0 && entries.length === 0) return;
      await files.writeAtomic(file, `${JSON.stringify({ format: 1, entries }, undefined, 2)}\n`, {
        mode: 0o600,
      });
    });
  }

  private async read(): Promise<readonly CredentialEntry[]> {
    const { file, files } = this.parts;
    try {
      const bytes = await files.read(file);
      if (bytes === undefined) return [];
      return Credentials.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).entries;
    } catch (error) {
      throw new DeskterityError(
        'CONFIG_INVALID',
        `${reveal(file)} cannot be used: it is not readable, or was not written by Deskterity.`,
        { suggestion: 'Move it away, then sign in to your MCP servers again.', cause: error },
      );
    }
  }
}
