import { isRecord } from '../../model/is-record.ts';
import type { WebTarget } from '../configuration/server-target.ts';
import type { CredentialEntry, CredentialStore } from './credential-store.ts';
import { authorizationFetch } from './authorization-fetch.ts';

/** Forgets the tokens of a server, and revokes them where the authorization server offers that (RFC 7009). @returns whether there were any */
export async function signOut(store: CredentialStore, target: WebTarget): Promise<boolean> {
  const removed = await store.remove(target.url);
  // They are forgotten in any case; a server that cannot be reached lets them expire.
  await Promise.all(removed.map((entry) => revoke(entry, target).catch(() => undefined)));
  return removed.some(({ tokens }) => tokens !== undefined);
}

async function revoke({ tokens, client, discovery }: CredentialEntry, target: WebTarget): Promise<void> {
  const metadata = discovery?.['authorizationServerMetadata'];
  const endpoint = isRecord(metadata) ? metadata['revocation_endpoint'] : undefined;
  const id = target.client?.id ?? client?.client_id;
  if (tokens === undefined || id === undefined || typeof endpoint !== 'string' || !URL.canParse(endpoint))
    return;
  const secret = target.client?.secret ?? client?.client_secret;
  const isRefresh = tokens.refresh_token !== undefined;
  const body = new URLSearchParams({
    token: tokens.refresh_token ?? tokens.access_token,
    token_type_hint: isRefresh ? 'refresh_token' : 'access_token',
    client_id: id,
    ...(secret === undefined ? {} : { client_secret: secret }),
  });
  const response = await authorizationFetch(target)(endpoint, { method: 'POST', body, redirect: 'error' });
  await response.body?.cancel();
}
