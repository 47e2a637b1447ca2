import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

interface Signer {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export interface TokenChanges {
  readonly claims?: JWTPayload;
  /** Claims to leave out. */
  readonly without?: readonly string[];
  readonly header?: Readonly<Record<string, string | undefined>>;
  readonly signer?: Signer;
}

/** An authorization server of the test's own: its metadata, its keys, and tokens with any flaw. */
export class TestIssuer {
  url = '';
  /** The audience of its tokens. */
  audience = 'http://127.0.0.1/mcp';
  published: JWK[] = [];
  /** What its metadata says instead. */
  metadata: Record<string, unknown> = {};
  /** How its keys are answered instead. */
  keysAnswer: string | undefined;
  isDown = false;
  /** Where it sends who asks for its keys. */
  movedTo: string | undefined;
  readonly asked: string[] = [];
  private readonly server: Server;
  private current: Signer | undefined;

  constructor() {
    this.server = createServer((request, response) => {
      const path = request.url ?? '';
      this.asked.push(path);
      if (this.movedTo !== undefined && path === '/keys') {
        response.writeHead(302, { location: this.movedTo }).end();
        return;
      }
      const body = this.isDown ? undefined : this.documentAt(path);
      response.writeHead(this.isDown ? 500 : body === undefined ? 404 : 200, {
        'content-type': 'application/json',
      });
      response.end(body ?? '');
    });
  }

  get signer(): Signer {
    if (this.current === undefined) throw new Error('not started');
    return this.current;
  }

  /** How often its keys were read. */
  get reads(): number {
    return this.asked.filter((path) => path === '/keys').length;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const { port } = this.server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    await this.rotate('first');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Signs with a new key, and publishes only that. */
  async rotate(kid: string): Promise<void> {
    this.current = await newSigner(kid);
    this.published = [this.current.publicJwk];
  }

  async token(scope: string, { claims, without = [], header, signer = this.signer }: TokenChanges = {}) {
    const now = Math.floor(Date.now() / 1000);
    const all = {
      iss: this.url,
      aud: this.audience,
      sub: 'ada',
      client_id: 'agent',
      iat: now,
      exp: now + 300,
      jti: 'one',
      scope,
      ...claims,
    };
    const payload = Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)));
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: signer.kid, ...header })
      .sign(signer.privateKey);
  }

  private documentAt(path: string): string | undefined {
    if (path === '/keys') return this.keysAnswer ?? JSON.stringify({ keys: this.published });
    if (path !== '/.well-known/oauth-authorization-server') return undefined;
    return JSON.stringify({ issuer: this.url, jwks_uri: `${this.url}/keys`, ...this.metadata });
  }
}

export async function newSigner(kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}
