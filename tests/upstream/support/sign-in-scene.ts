import { afterEach, beforeEach } from 'vitest';
import { allow, openAuthorizationServer } from './authorization-server.ts';
import type { AuthorizationOptions, AuthorizationServer } from './authorization-server.ts';
import { never, openStage, type Stage } from './stage.ts';

export interface SignInScene {
  readonly stage: Stage;
  /** Once it has begun. */
  readonly authority: AuthorizationServer;
  /** Configures the MCP server `web`, which demands to sign in. */
  begin(options?: AuthorizationOptions, entry?: Record<string, unknown>): Promise<void>;
  /** As a person who allows it. */
  signIn(): Promise<void>;
}

/** A stage for each test of a file, with a server that demands to sign in. */
export function useSignIn(): SignInScene {
  let stage: Stage | undefined;
  let authority: AuthorizationServer | undefined;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(async () => {
    await stage?.close();
    await authority?.close();
    [stage, authority] = [undefined, undefined];
  });
  const scene: SignInScene = {
    get stage() {
      if (stage === undefined) throw new Error('no test runs');
      return stage;
    },
    get authority() {
      if (authority === undefined) throw new Error('it has not begun');
      return authority;
    },
    begin: async (options = {}, entry = {}) => {
      authority = await openAuthorizationServer(options);
      await scene.stage.configure({ web: { type: 'http', url: `${authority.url}/mcp`, ...entry } });
    },
    signIn: async () => {
      await scene.stage.port.signIn('web', {
        signal: never,
        opensBrowser: true,
        onAddress: (address) => void allow(address),
      });
    },
  };
  return scene;
}
