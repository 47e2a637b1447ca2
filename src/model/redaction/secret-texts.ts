import { encodedSecrets } from './encoded-secrets.ts';
import { isRecord } from '../is-record.ts';
import { WITHHELD } from './withheld.ts';

/** Shorter values occur in ordinary words. */
const SHORTEST = 4;

/** Settings rather than secrets; to replace them would damage ordinary answers. */
const PLAIN_WORD =
  /^(?:true|false|none|null|auto|default|enabled?|disabled?|trace|debug|info|warn|warning|error|silent|verbose|production|development|staging|test|local|localhost|stdio|http|https|json|text|utf-?8|undefined)$/i;
const PLAIN_PATH = /^(?:~|\.{1,2})?\/[\w.@ ,:/-]*$/;
/** Names whose values are secret even if they look like a path. */
const SECRET_NAME = /key|token|secret|password|passwd|auth|credential/i;

/**
 * The secrets among declared `env` or `headers`: every value, whatever its name, except of paths of files and words such as `true` or `debug`. Of
 * `Bearer abc` and the like, `abc` alone is one, too.
 */
export function secretsAmong(declared: readonly (readonly [name: string, value: string])[]): string[] {
  return declared.flatMap(([name, value]) => {
    if (PLAIN_PATH.test(value) && !SECRET_NAME.test(name)) return [];
    const credentials = /^(?:bearer|basic|token|api-?key)\s+(\S+)$/i.exec(value)?.[1];
    return credentials === undefined ? [value] : [value, credentials];
  });
}

/** Whether a secret is replaced wherever it occurs; others would leave gaps in ordinary words, which would reveal them. */
export function isReplaceable(secret: string): boolean {
  return secret.length >= SHORTEST && !PLAIN_WORD.test(secret);
}

/** Computed once for each list, which is used for every text of an answer. */
const known = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Secrets and their encoded forms. */
function formsOf(secrets: readonly string[]): ReadonlySet<string> {
  const before = known.get(secrets);
  if (before !== undefined) return before;
  const used = secrets.filter((secret) => isReplaceable(secret));
  const forms = new Set(used.flatMap((secret) => [secret, ...encodedSecrets(secret)]));
  known.set(secrets, forms);
  return forms;
}

/** Replaces secrets, such as those of a server's configuration, as they are or in a usual encoding. Overlapping ones are replaced together. */
export function redact(text: string, secrets: readonly string[]): string {
  const found: [start: number, end: number][] = [];
  for (const secret of formsOf(secrets)) {
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
      const last = found.at(-1);
      // The same secret again, as in `aaaaa`.
      if (last !== undefined && last[0] <= at && at < last[1])
        last[1] = Math.max(last[1], at + secret.length);
      else found.push([at, at + secret.length]);
    }
  }
  let shown = '';
  let end = 0;
  for (const [from, to] of found.toSorted(([a], [b]) => a - b)) {
    if (from >= end) shown += text.slice(end, from) + WITHHELD;
    end = Math.max(end, to);
  }
  return shown + text.slice(end);
}

/** {@link redact} in all texts of data. */
export function redactIn(data: unknown, secrets: readonly string[]): unknown {
  if (typeof data === 'string') return redact(data, secrets);
  if (Array.isArray(data)) return data.map((item: unknown) => redactIn(item, secrets));
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [redact(key, secrets), redactIn(value, secrets)]),
  );
}
