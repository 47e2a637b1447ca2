import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import type { App } from '../../src/app/app.ts';
import { openApp } from '../../src/app/open-app.ts';
import { isRecord } from '../../src/model/is-record.ts';
import { createPlatform } from '../../src/platform/select.ts';
import { serveClient } from '../../src/surfaces/mcp/index.ts';
import { LineClientTransport, streamPair } from '../../tests/surfaces/mcp/support/line-client.ts';
import type { Tried } from './way.ts';
import { repositoryFile, type World } from './world.ts';

const STAND_IN = repositoryFile('tests/e2e/support/dialog-stand-in.py');
const TITLE = 'Deskterity asks for your consent';
const ANOTHER_TITLE = 'Somebody asks for something';
const SHOWN_MS = 15_000;
const LOOK_EVERY_MS = 50;

/** A window that asks for a number. */
export interface Asked {
  readonly title: string;
  readonly pid: number;
  /** What agrees. */
  readonly code: string;
  /** Its entry and its button OK, on the screen. */
  readonly entry: Point;
  readonly ok: Point;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Deskterity as on a user's own desktop, where it asks in windows, in this process; on a private desktop, nobody is asked. */
export class AskingDesk {
  private readonly world: World;
  private readonly app: App;
  private readonly folder: string;
  private readonly clients = new Map<string, Promise<Client>>();

  private constructor(world: World, app: App, folder: string) {
    this.world = world;
    this.app = app;
    this.folder = folder;
  }

  static async open(world: World): Promise<AskingDesk> {
    const folder = await mkdtemp(join(tmpdir(), 'asking-'));
    const program = join(folder, 'zenity');
    const log = join(folder, 'log');
    await writeFile(program, `#!/bin/sh\nexec /usr/bin/python3 '${STAND_IN}' --menu '--log=${log}' "$@"\n`);
    await chmod(program, 0o755);
    const platform = createPlatform();
    const ask = platform.askOnDesktop;
    const app = openApp({
      environment: {
        ...world.environment,
        DESKTERITY_PRIVATE_DESKTOP: undefined,
        DESKTERITY_CONFIRM_DESTRUCTIVE: 'require',
      },
      cwd: world.project,
      version: '0',
      isPersistent: true,
      sessionsIn: 'memory',
      platform: {
        ...platform,
        askOnDesktop: async (of, question, options) =>
          ask?.(of, question, { ...options, picture: undefined, folders: folder }) ?? 'absent',
      },
    });
    const desk = new AskingDesk(world, app, folder);
    world.atEnd(() => desk.close());
    return desk;
  }

  /** Runs a command in the process that asks. */
  async run(command: string, input: Readonly<Record<string, unknown>>): Promise<Tried> {
    const { stdout } = await this.app.execute('default', command, input, { format: 'json' });
    return { shown: stdout, code: /"code":"([A-Z_]+)"/.exec(stdout)?.[1] ?? 'ok' };
  }

  /** Calls a tool of the MCP server of that process. */
  async tool(toolsets: string, name: string, input: Record<string, unknown>): Promise<Tried> {
    const client = this.clients.get(toolsets) ?? this.connect(toolsets);
    this.clients.set(toolsets, client);
    const shown = JSON.stringify(await (await client).callTool({ name, arguments: input }));
    return { shown, code: /CONFLICT|POLICY_DENIED/.exec(shown)?.[0] ?? 'other' };
  }

  /** While a person is asked about an act. The question is taken back at the end. */
  async whileAsked<T>(ref: string, run: (asked: Asked) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const acting = this.app.execute('default', 'click', { ref, timeout_ms: 20_000 }, { signal: over.signal });
    try {
      return await run(await this.untilShown(TITLE));
    } finally {
      over.abort();
      await acting;
    }
  }

  /** While another program shows the same window. */
  async whileShown<T>(run: (asked: Asked) => Promise<T>): Promise<T> {
    const words = ['--menu', `--log=${this.log}`, '--entry', `--title=${ANOTHER_TITLE}`];
    const text = '--text=To agree, type 4711 and press OK.';
    const child = spawn('/usr/bin/python3', [STAND_IN, ...words, text], {
      env: { ...this.world.environment },
      stdio: 'ignore',
    });
    try {
      return await run(await this.untilShown(ANOTHER_TITLE));
    } finally {
      child.kill('SIGKILL');
    }
  }

  /** What reached a window. */
  async reached({ pid }: Asked): Promise<readonly string[]> {
    const text = await readFile(this.log, 'utf8').catch(() => '');
    const lines = text.split('\n').filter((line) => line !== '');
    return lines
      .map((line): unknown => JSON.parse(line))
      .flatMap((one) => (isRecord(one) && one['pid'] === pid ? [String(one['event'])] : []));
  }

  private get log(): string {
    return join(this.folder, 'log');
  }

  private async untilShown(title: string): Promise<Asked> {
    const end = performance.now() + SHOWN_MS;
    const xdotool = async (...args: readonly string[]) =>
      (await this.world.run('/usr/bin/xdotool', args)).stdout.trim();
    let id = '';
    while (id === '') {
      if (performance.now() > end) throw new Error(`"${title}" is not shown`);
      await sleep(LOOK_EVERY_MS);
      [id = ''] = (await xdotool('search', '--onlyvisible', '--name', `^${title}$`)).split('\n');
    }
    const pid = Number(await xdotool('getwindowpid', id));
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const [, x = 0, y = 0, width = 0, height = 0] = (
      (await xdotool('getwindowgeometry', '--shell', id)).match(/\d+/g) ?? []
    ).map(Number);
    return {
      title,
      pid,
      code: /type (\d{4}) and press OK/.exec(words)?.[1] ?? '',
      entry: { x: Math.round(x + width / 2), y: y + height - 55 },
      ok: { x: x + width - 30, y: y + height - 20 },
    };
  }

  private async connect(toolsets: string): Promise<Client> {
    const [near, far] = streamPair();
    void serveClient(far, {
      app: this.app,
      caller: {
        environment: { ...this.world.environment, DESKTERITY_PRIVATE_DESKTOP: undefined },
        cwd: this.world.project,
      },
      version: '0',
      options: { toolsets: [toolsets], isReadOnly: false, structured: undefined, session: undefined },
      log: { write: () => undefined },
    });
    const client = new Client({ name: 'redteam', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new LineClientTransport(near));
    return client;
  }

  private async close(): Promise<void> {
    for (const client of this.clients.values()) await (await client).close();
    await this.app.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
