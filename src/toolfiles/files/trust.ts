import { mentionCommand } from '../../model/text/mention.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import type { FilesPort } from '../../ports/files.ts';

/** Name of the trust store in the user's configuration folder. */
export const TRUST_FILE = 'trusted-tools.json';

const Hash = z.string().regex(/^[0-9a-f]{64}$/);

const TrustedFile = z.strictObject({
  /** With links resolved. */
  path: z.string().min(1),
  sha256: Hash,
  /** ISO 8601. */
  trusted_at: z.string(),
});

const TrustStore = z.strictObject({ format: z.literal(1), files: z.array(TrustedFile) });

/** A tool file that the user trusts. */
export type TrustedFile = z.output<typeof TrustedFile>;

/** SHA-256 of the content of a tool file, in hexadecimal. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The tool files that the user trusts. Trust applies to a content at a path: a copy elsewhere may access other files. */
export interface TrustPort {
  /** All trusted files. @throws DeskterityError CONFIG_INVALID if the store cannot be read */
  trusted(): Promise<readonly TrustedFile[]>;
  /** Trusts a file with this content, replacing any earlier content at its path. @throws DeskterityError CONFIG_INVALID */
  trust(path: string, sha256: string, at: Date): Promise<void>;
}

export interface TrustParts {
  readonly files: Pick<FilesPort, 'read' | 'writeAtomic'>;
  /** Runs `body` while holding a lock on this path. */
  readonly locked: <T>(path: string, body: () => Promise<T>) => Promise<T>;
}

/**
 * Opens the trust store.
 * @param file path of {@link TRUST_FILE} in the user's configuration folder
 */
export function createTrust(file: string, { files, locked }: TrustParts): TrustPort {
  const trusted = async () => {
    const bytes = await files.read(file).catch((error: unknown) => {
      throw unreadable(file, 'it could not be opened', error);
    });
    if (bytes === undefined) return [];
    try {
      return TrustStore.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).files;
    } catch (error) {
      throw unreadable(file, 'its content was not written by Deskterity', error);
    }
  };
  return {
    trusted,
    trust: (path, sha256, at) =>
      locked(`${file}.lock`, async () => {
        const others = (await trusted()).filter((entry) => entry.path !== path);
        const store = { format: 1, files: [...others, { path, sha256, trusted_at: at.toISOString() }] };
        await files.writeAtomic(file, `${JSON.stringify(store, undefined, 2)}\n`, { mode: 0o600 });
      }),
  };
}

export function isTrusted(entries: readonly TrustedFile[], path: string, sha256: string): boolean {
  return entries.some((entry) => entry.path === path && entry.sha256 === sha256);
}

/** `TOOL_UNTRUSTED`, with how to trust the file. */
export function untrusted(
  name: string,
  { path, hasChanged }: { readonly path: string; readonly hasChanged: boolean },
): DeskterityError {
  return new DeskterityError(
    'TOOL_UNTRUSTED',
    hasChanged
      ? `${name} was not run: its file ${reveal(path)} has changed since it was trusted.`
      : `${name} was not run: its file ${reveal(path)} is not trusted yet.`,
    {
      suggestion: `A person who has read the file can allow it with ${mentionCommand('tools trust', { files: [reveal(path)] })}.`,
    },
  );
}

function unreadable(file: string, reason: string, cause: unknown): DeskterityError {
  return new DeskterityError('CONFIG_INVALID', `${reveal(file)} cannot be used: ${reason}.`, {
    suggestion: `Move it away, then trust your tool files again with ${mentionCommand('tools trust', { files: ['FILE'] })}.`,
    cause,
  });
}
