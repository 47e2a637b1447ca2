import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { spelledError } from '../../spelled.ts';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { createNodePlatform } from '../../../src/platform/node/node-platform.ts';
import type { LogEntry } from '../../../src/ports/log.ts';
import type { ServersPort } from '../../../src/ports/upstream/servers.ts';
import { createTrust } from '../../../src/toolfiles/files/trust.ts';
import { CredentialStore } from '../../../src/upstream/sign-in/credential-store.ts';
import type { ServersCaller } from '../../../src/upstream/upstream-parts.ts';
import { UpstreamServers } from '../../../src/upstream/upstream-servers.ts';

/** The server of `fixtures/mcp-server`. */
export const FIXTURE = join(import.meta.dirname, '../../../fixtures/mcp-server/server.mjs');

export interface Stage {
  readonly folder: string;
  readonly of: ServersCaller;
  readonly port: ServersPort;
  readonly servers: UpstreamServers;
  readonly logged: LogEntry[];
  /** Addresses that were to be opened. */
  readonly opened: string[];
  /** Writes `mcp.json` of the project and trusts it. */
  configure(servers: Readonly<Record<string, unknown>>): Promise<void>;
  /** A server of the fixture with these options. */
  fixture(...options: readonly string[]): Record<string, unknown>;
  /** What the fixture recorded. */
  happened(): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

export const never = new AbortController().signal;

/** What is called with a call, for tests. */
export const plainCall = { signal: never, mostCharacters: 60_000, guard: () => undefined };

export async function openStage(environment: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'ups-'));
  const { files, folders, clock, withFileLock: locked } = createNodePlatform();
  const logged: LogEntry[] = [];
  const opened: string[] = [];
  const trustFile = join(folder, 'config/trusted-tools.json');
  const project = join(folder, 'project');
  await mkdir(join(project, '.deskterity'), { recursive: true });
  await mkdir(join(folder, 'config'), { recursive: true });
  const all = { PATH: process.env['PATH'] ?? '', HOME: folder, ...environment };
  const of: ServersCaller = {
    files: [
      { path: join(folder, 'config/mcp.json'), origin: 'user' },
      { path: join(project, '.deskterity/mcp.json'), origin: 'project' },
    ],
    trust: createTrust(trustFile, { files, locked }),
    trustFile,
    credentials: new CredentialStore({ file: join(folder, 'state/mcp-credentials.json'), files, locked }),
    callerEnvironment: all,
    environment: async () => all,
    project,
    home: folder,
    cwd: project,
    owner: 'test',
  };
  const servers = new UpstreamServers({
    folders,
    files,
    clock,
    log: { write: (entry) => void logged.push(entry) },
    version: '0',
    locked,
    outlivesCalls: true,
    startMs: 4000,
    openAddress: async (_, address) => {
      opened.push(address);
      return true;
    },
  });
  const logFile = join(folder, 'happened.log');
  const port = servers.portFor(of);
  return {
    folder,
    of,
    port,
    servers,
    logged,
    opened,
    configure: async (entries) => {
      const file = join(project, '.deskterity/mcp.json');
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify({ servers: entries }));
      await port.trust(file);
    },
    fixture: (...options) => ({ command: process.execPath, args: [FIXTURE, '--log', logFile, ...options] }),
    happened: async () =>
      (await readFile(logFile, 'utf8').catch(() => ''))
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Record<string, unknown> => JSON.parse(line)),
    close: async () => {
      await servers.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a condition holds. */
export function soon<T>(body: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(body, { timeout: 15_000, interval: 20 });
}

/** The failure of a call, as the command line shows it. */
export async function failureOf(call: Promise<unknown>): Promise<DeskterityError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof DeskterityError) return spelledError(error);
    throw error;
  }
  throw new Error('It did not fail.');
}
