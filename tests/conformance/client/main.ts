/** What the conformance suite starts as a client: `main.mjs URL` uses the server at that address as one of `mcp.json`, with all its tools. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { createNodePlatform } from '../../../src/platform/node/node-platform.ts';
import type { ServersPort } from '../../../src/ports/upstream/servers.ts';
import { createTrust } from '../../../src/toolfiles/files/trust.ts';
import { CredentialStore } from '../../../src/upstream/sign-in/credential-store.ts';
import { UpstreamServers } from '../../../src/upstream/upstream-servers.ts';
import { entryFor } from './server-entry.ts';
import { readSuiteRequest, type SuiteRequest } from './suite-request.ts';
import { argumentsFor } from './tool-arguments.ts';

const NAME = 'suite';
/** A person signs in again when a call needs more than before, and gives up at some time. */
const MOST_SIGN_INS = 3;

const { positionals } = parseArgs({ allowPositionals: true });
const folder = await mkdtemp(join(tmpdir(), 'deskterity-client-'));
try {
  const request = readSuiteRequest(process.env);
  await useServer(entryFor(positionals[0] ?? '', request), request);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The suite keeps it beside its results. */
function say(words: string): void {
  process.stderr.write(`${words}\n`);
}

async function useServer(entry: Readonly<Record<string, unknown>>, request: SuiteRequest): Promise<void> {
  const { files, folders, clock, withFileLock: locked } = createNodePlatform();
  const trustFile = join(folder, 'config/trusted-tools.json');
  const file = join(folder, 'config/mcp.json');
  await mkdir(join(folder, 'config'), { recursive: true });
  await writeFile(file, JSON.stringify({ servers: { [NAME]: entry } }));
  const servers = new UpstreamServers({
    folders,
    files,
    clock,
    log: { write: ({ message, fields }) => say(`${message} ${JSON.stringify(fields)}`) },
    version: '0.1.0',
    locked,
    outlivesCalls: true,
    openAddress: async (_, address) => {
      // The suite's authorization server asks no person; it redirects the browser at once.
      await (await fetch(address)).text();
      return true;
    },
  });
  const port = servers.portFor({
    files: [{ path: file, origin: 'user' }],
    trust: createTrust(trustFile, { files, locked }),
    trustFile,
    credentials: new CredentialStore({ file: join(folder, 'state/mcp-credentials.json'), files, locked }),
    callerEnvironment: {},
    environment: async () => ({}),
    project: undefined,
    home: folder,
    cwd: folder,
    owner: 'suite',
  });
  try {
    await port.trust(file);
    await useTools(port, request);
  } finally {
    await servers.close();
  }
}

async function useTools(port: ServersPort, { calls }: SuiteRequest): Promise<void> {
  const { signal } = new AbortController();
  let signIns = 0;
  const signIn = async (): Promise<void> => {
    signIns += 1;
    if (signIns > MOST_SIGN_INS) throw new Error('It demands to sign in again and again.');
    await port.signIn(NAME, { signal, opensBrowser: true, onAddress: say });
  };
  let [server] = (await port.list(NAME, signal)).servers;
  if (server?.state === 'signed_out') {
    await signIn();
    [server] = (await port.list(NAME, signal)).servers;
  }
  if (server?.state !== 'ready') throw new Error(`${server?.state ?? 'missing'}: ${server?.reason ?? ''}`);
  const { tools } = server;
  const all =
    calls.length > 0
      ? calls.map(({ tool, input }) => ({ name: `${NAME}__${tool}`, input }))
      : tools.map((tool) => ({ name: tool.name, input: argumentsFor(tool, tools) }));
  for (const { name, input } of all) {
    for (;;) {
      try {
        await port.call(name, input, { signal, mostCharacters: 10_000, guard: () => undefined });
        break;
      } catch (error) {
        say(error instanceof DeskterityError ? `${error.code}: ${error.message}` : String(error));
        if (!(error instanceof DeskterityError) || error.code !== 'UNAUTHORIZED') break;
        await signIn();
      }
    }
  }
}
