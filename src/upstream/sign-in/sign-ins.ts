import { DeskterityError, type PageToOpen } from '../../model/effects/errors.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import { TIMERS, within } from '../../model/within.ts';
import type { WebTarget } from '../configuration/server-target.ts';
import { beginSignIn, type PendingSignIn } from './sign-in.ts';
import type { CredentialStore } from './credential-store.ts';
import { NobodySignedIn } from './callback-listener.ts';
import type { Challenge } from './signed-in.ts';
import { includesScopes } from './scopes.ts';
import { wordsOf } from './words-of.ts';

/** Time for a person to sign in. */
const FOR_PERSON_MS = 10 * 60_000;
const MOST_PENDING = 20;
/** For one that is ended to put away what it knows. */
const END_MS = 3000;

export interface WhoSignsIn {
  readonly name: string;
  readonly target: WebTarget;
  readonly store: CredentialStore;
}

interface Pending {
  readonly begun: Promise<PendingSignIn>;
  readonly scope: string | undefined;
}

/** The sign-ins that wait for a browser. */
export class SignIns {
  private readonly pending = new Map<string, Pending>();
  /** Why the last attempt failed. */
  private readonly failed = new Map<string, string>();

  /** The failure of a call that needs somebody to sign in. Where this process continues, the address to open is part of it. */
  async failure(
    who: WhoSignsIn,
    challenge: Challenge | undefined,
    outlivesCall: boolean,
  ): Promise<DeskterityError> {
    const { name } = who;
    const byCommand = `run ${mentionCommand('tools login', { server: name })}`;
    let suggestion = `A person has to ${byCommand}.`;
    const before = this.failed.get(keyOf(who));
    let why = before === undefined ? '' : ` The last attempt failed: ${before}.`;
    let page: PageToOpen | undefined;
    if (outlivesCall) {
      try {
        const { address, finished } = await this.begin(who, challenge);
        const over = finished.then(
          () => true,
          () => false,
        );
        page = { address, over };
        suggestion = `A person has to ${byCommand}, or to open this address in a browser on this machine within ten minutes: ${address} Then repeat the call.`;
      } catch (error) {
        why += ` It could not be prepared: ${wordsOf(error)}.`;
      }
    }
    return new DeskterityError(
      'UNAUTHORIZED',
      `The MCP server ${name} demands ${demandOf(challenge)}.${why}`,
      { suggestion, page, delivered: false },
    );
  }

  /** One sign-in for each server: the one that waits already, if there is one. Rejects with an Error. */
  begin(who: WhoSignsIn, challenge?: Challenge): Promise<PendingSignIn> {
    const key = keyOf(who);
    const known = this.pending.get(key);
    const isEnough = challenge?.isForMore !== true || includesScopes(known?.scope, challenge.scope);
    if (known !== undefined && isEnough) return known.begun;
    if (known === undefined && this.pending.size >= MOST_PENDING)
      return Promise.reject(new Error('too many wait already'));
    const begin = async (): Promise<PendingSignIn> => {
      // It would give less than is needed now.
      if (known !== undefined) await ended(known);
      return beginSignIn({ store: who.store, target: who.target, challenge, timeoutMs: FOR_PERSON_MS });
    };
    const begun = begin();
    this.pending.set(key, { begun, scope: challenge?.scope });
    const forget = (): void => {
      if (this.pending.get(key)?.begun === begun) this.pending.delete(key);
    };
    const succeeded = (): void => {
      this.failed.delete(key);
      forget();
    };
    const failed = (error: unknown): void => {
      forget();
      if (error instanceof NobodySignedIn) return;
      this.failed.set(key, wordsOf(error));
      for (const old of [...this.failed.keys()].slice(0, -MOST_PENDING)) this.failed.delete(old);
    };
    begun.then(({ finished }) => finished.then(succeeded, failed), forget);
    return begun;
  }

  /** Ends one that waits. */
  async cancel(who: WhoSignsIn): Promise<void> {
    const key = keyOf(who);
    const known = this.pending.get(key);
    this.pending.delete(key);
    if (known !== undefined) await ended(known);
  }

  async close(): Promise<void> {
    const all = [...this.pending.values()];
    this.pending.clear();
    await Promise.all(all.map((one) => ended(one)));
  }
}

/** Ends one that waits. Resolves when it writes nothing more; never rejects. */
async function ended({ begun }: Pending): Promise<void> {
  const pending = await begun.catch(() => undefined);
  pending?.cancel();
  const over = Promise.resolve(pending?.finished).then(
    () => undefined,
    () => undefined,
  );
  await within(TIMERS, over, END_MS);
}

function demandOf(challenge: Challenge | undefined): string {
  if (challenge?.isForMore !== true) return 'that somebody signs in';
  const scope = challenge.scope === undefined ? '' : `: the scopes ${quoteClipped(challenge.scope, 300)}`;
  return `more rights than were given when somebody signed in${scope}`;
}

function keyOf({ store, target }: WhoSignsIn): string {
  return JSON.stringify([store.file, target.url]);
}
