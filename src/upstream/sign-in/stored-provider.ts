import { randomBytes } from 'node:crypto';
import { isRecord } from '../../model/is-record.ts';
import type { WebTarget } from '../configuration/server-target.ts';
import { addressProblem } from '../configuration/server-target.ts';
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '../sdk.ts';
import { isBearerToken } from './bearer-token.ts';
import type { CredentialStore } from './credential-store.ts';

/** Without a person nothing is opened here; the address only makes the protocol library use the flow of persons. */
const NO_REDIRECT = 'http://127.0.0.1/callback';

export interface ProviderParts {
  readonly store: CredentialStore;
  readonly target: Pick<WebTarget, 'url' | 'client' | 'scope'>;
  /** Where the browser returns to; absent if nobody is asked. */
  readonly redirect: string | undefined;
}

/** What the protocol library stores and asks for while somebody signs in, or while a token is refreshed. */
export class StoredProvider implements OAuthClientProvider {
  /** The address that a person opens, once it is known. */
  address: URL | undefined;
  readonly expectedState = randomBytes(32).toString('base64url');
  /** It signs in as a client that was registered before, which the authorization server may have forgotten. */
  reusesClient = false;
  private readonly parts: ProviderParts;
  /** Registered for this attempt; another process may store one of its own meanwhile. */
  private own: { readonly issuer: string; readonly client: StoredOAuthClientInformation } | undefined;
  private verifier = '';
  private discovery: OAuthDiscoveryState | undefined;

  constructor(parts: ProviderParts) {
    this.parts = parts;
  }

  get redirectUrl(): string {
    return this.parts.redirect ?? NO_REDIRECT;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { target } = this.parts;
    return {
      client_name: 'Deskterity',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: target.client?.secret === undefined ? 'none' : 'client_secret_basic',
      ...(target.scope === undefined ? {} : { scope: target.scope }),
    };
  }

  state(): string {
    return this.expectedState;
  }

  async clientInformation(
    context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { client } = this.parts.target;
    if (client !== undefined)
      return {
        client_id: client.id,
        ...(client.secret === undefined ? {} : { client_secret: client.secret }),
        ...(context === undefined ? {} : { issuer: context.issuer }),
      };
    if (this.own !== undefined && this.own.issuer === context?.issuer) return this.own.client;
    const entry = await this.entry(context);
    // Many authorization servers compare the whole address, with its port.
    const isUsable = this.parts.redirect === undefined || entry?.redirect === this.parts.redirect;
    if (!isUsable || entry?.client === undefined) return undefined;
    if (this.parts.redirect !== undefined) {
      this.own = { issuer: entry.issuer, client: entry.client };
      this.reusesClient = true;
    }
    return entry.client;
  }

  async saveClientInformation(
    client: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    if (this.parts.target.client !== undefined) return;
    if (this.parts.redirect === undefined) throw new Error('Nobody is there to sign in.');
    const { redirect } = this.parts;
    if (context !== undefined) this.own = { issuer: context.issuer, client };
    await this.change(context, (entry) => ({ ...entry, client: { ...client }, redirect }));
  }

  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    return (await this.entry(context))?.tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): Promise<void> {
    if (!isBearerToken(tokens.access_token))
      throw new Error(
        'the authorization server sent an access token with characters that no token may contain (RFC 6750)',
      );
    const { discovery, own } = this;
    const { redirect } = this.parts;
    await this.change(context, (entry) => ({
      ...entry,
      // A refresh token belongs to its client.
      ...(own === undefined || redirect === undefined ? {} : { client: { ...own.client }, redirect }),
      tokens: { ...tokens },
      // Somebody was asked for it just now, whatever was given.
      ...(redirect === undefined ? {} : { needed_scope: undefined }),
      ...(discovery === undefined ? {} : { discovery: { ...discovery } }),
    }));
  }

  redirectToAuthorization(address: URL): void {
    const problem = addressProblem(address.href);
    if (problem !== undefined) throw new Error(`the page to sign in cannot be opened: ${problem}`);
    this.address = address;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovery = state;
  }

  /** While somebody signs in, everything is found out afresh; to refresh, it is as it was then. */
  async discoveryState(): Promise<OAuthDiscoveryState | undefined> {
    if (this.discovery !== undefined || this.parts.redirect !== undefined) return this.discovery;
    const known = (await this.entry())?.discovery;
    return isDiscovery(known) ? known : undefined;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'verifier' || scope === 'discovery') return;
    if (scope !== 'tokens') this.own = undefined;
    const known = await this.entry();
    if (known === undefined) return;
    await this.change({ issuer: known.issuer }, ({ tokens, client, ...entry }) => ({
      ...entry,
      ...(scope === 'client' && tokens !== undefined ? { tokens } : {}),
      ...(scope === 'tokens' && client !== undefined ? { client } : {}),
    }));
  }

  private entry(context?: OAuthClientInformationContext): ReturnType<CredentialStore['entry']> {
    return this.parts.store.entry(this.parts.target.url, context?.issuer);
  }

  private change(
    context: OAuthClientInformationContext | undefined,
    change: Parameters<CredentialStore['change']>[2],
  ): Promise<void> {
    if (context === undefined) throw new TypeError('The authorization server is not known.');
    return this.parts.store.change(this.parts.target.url, context.issuer, change);
  }
}

/** What was stored is what the protocol library found out before. */
function isDiscovery(value: unknown): value is OAuthDiscoveryState {
  return isRecord(value) && typeof value['authorizationServerUrl'] === 'string';
}
