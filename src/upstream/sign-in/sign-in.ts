import type { WebTarget } from '../configuration/server-target.ts';
import { auth } from '../sdk.ts';
import { listenForCallback, NobodySignedIn, type CallbackListener } from './callback-listener.ts';
import type { CredentialStore } from './credential-store.ts';
import { allScopes } from './scopes.ts';
import type { Challenge } from './signed-in.ts';
import { StoredProvider } from './stored-provider.ts';
import { TokenRequests } from './token-requests.ts';
import { wordsOf } from './words-of.ts';

/** Somebody is to sign in. */
export interface PendingSignIn {
  /** To open in a browser of this machine. */
  readonly address: string;
  /** The authorization server. Rejects with an Error whose message is a phrase. */
  readonly finished: Promise<{ readonly issuer: string }>;
  cancel(): void;
}

export interface SignInRequest {
  readonly store: CredentialStore;
  readonly target: WebTarget;
  readonly challenge: Challenge | undefined;
  /** Time for the person. */
  readonly timeoutMs: number;
}

/** Begins to sign in: finds the authorization server, registers there if needed, and waits for the browser to return. Rejects with an Error. */
export async function beginSignIn({
  store,
  target,
  challenge,
  timeoutMs,
}: SignInRequest): Promise<PendingSignIn> {
  const listener = await listen(store, target);
  const over = new AbortController();
  const cancel = (): void => {
    over.abort();
    listener.close();
  };
  try {
    const provider = new StoredProvider({ store, target, redirect: listener.redirect });
    const requests = new TokenRequests(target);
    const { needed_scope: needed } = (await store.entry(target.url)) ?? {};
    // What the user has configured is not widened, unless a call needs it.
    const scope = allScopes(target.scope ?? challenge?.scope, needed);
    const common = { serverUrl: target.url, fetchFn: requests.fetch };
    await auth(provider, {
      ...common,
      forceReauthorization: true,
      ...(scope === undefined ? {} : { scope }),
      ...(challenge?.metadata === undefined ? {} : { resourceMetadataUrl: challenge.metadata }),
    });
    const { address } = provider;
    if (address === undefined) throw new Error('the authorization server has no page to sign in');
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(timeoutMs)]);
    const finish = async (): Promise<{ readonly issuer: string }> => {
      try {
        const { code, issuer, answer } = await listener.wait(provider.expectedState, signal);
        try {
          const result = await auth(provider, {
            ...common,
            authorizationCode: code,
            ...(issuer === undefined ? {} : { iss: issuer }),
          });
          if (result !== 'AUTHORIZED') throw new Error('the authorization server gave no token');
        } catch (error) {
          const words = requests.problem?.words ?? wordsOf(error);
          await answer(words);
          throw new Error(words, { cause: error });
        }
        await answer(undefined);
        return { issuer: (await store.entry(target.url))?.issuer ?? '' };
      } catch (error) {
        const isUnanswered = error instanceof NobodySignedIn;
        await forgetDoubtful(store, target.url, {
          // The authorization server may know no such scopes; the next attempt is to be as any other.
          scope: needed !== undefined && !isUnanswered,
          // Its page tells only the person that it does not know the client any more.
          client: provider.reusesClient,
        });
        throw error;
      } finally {
        listener.close();
      }
    };
    return { address: address.href, finished: finish(), cancel };
  } catch (error) {
    cancel();
    throw error;
  }
}

/** After an attempt that failed, or that nobody finished. A client that has tokens is needed to refresh them. */
async function forgetDoubtful(
  store: CredentialStore,
  resource: string,
  what: { readonly scope: boolean; readonly client: boolean },
): Promise<void> {
  const entry = await store.entry(resource);
  if (entry === undefined || (!what.scope && !what.client)) return;
  await store.change(resource, entry.issuer, (known) => ({
    ...known,
    ...(what.scope ? { needed_scope: undefined } : {}),
    ...(what.client && known.tokens === undefined ? { client: undefined, redirect: undefined } : {}),
  }));
}

/** At the port of the last time, if it is free: some authorization servers know only that one. */
async function listen(store: CredentialStore, target: WebTarget): Promise<CallbackListener> {
  if (target.redirectPort !== undefined) return listenForCallback(target.redirectPort);
  const before = (await store.entry(target.url))?.redirect;
  const port = before === undefined ? undefined : Number(new URL(before).port);
  return listenForCallback(port).catch(() => listenForCallback(undefined));
}
