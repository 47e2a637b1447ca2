import { copyFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '../../src/model/is-record.ts';
import { repositoryFile, type World } from './world.ts';

export const LEDGER_TITLE = 'Ledger of QX7';
export const LEDGER_SECRET = 'ledger-balance-4711';
/** The colour of its largest part, which nothing else on the desktop has. */
export const LEDGER_COLOUR = '12ab34';

const BARRIER_MS = 10_000;

interface Given {
  /** The file name of its program, which is a copy of python3; a path is run as it is. */
  readonly file?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** A script that is run instead of the program, with the same arguments. */
  readonly starter?: readonly string[];
  /** Whether it can be read, so that it is waited for. Default: it can. */
  readonly isShown?: boolean;
  /** The log that is read, if it is not the one of the options. */
  readonly log?: string;
}

export interface Happened {
  readonly event: string;
  readonly value: unknown;
}

let lastLog = 0;

/** An application that tells what reached it. */
export class Ledger {
  readonly world: World;
  readonly process: ChildProcess;
  private readonly log: string;

  private constructor(world: World, process: ChildProcess, log: string) {
    this.world = world;
    this.process = process;
    this.log = log;
  }

  static async open(
    world: World,
    { file = 'ledger', options = {}, starter, isShown = true, log: read }: Given = {},
  ): Promise<Ledger> {
    const log = join(world.home, `ledger-${(lastLog += 1)}.log`);
    const [program, ...first] = starter ?? [await copyOnce(world, file)];
    const process = await world.open(program ?? '', [
      ...first,
      repositoryFile('fixtures/redteam/ledger.py'),
      JSON.stringify({ log, title: LEDGER_TITLE, secret: LEDGER_SECRET, ...options }),
    ]);
    const ledger = new Ledger(world, process, read ?? log);
    if (!isShown) return ledger;
    const signing = `app:${ledger.app} >> role:button[name="Sign the page"]`;
    const shown = await world.prepare(['wait', '--element', signing, '--timeout', '8000']);
    if (!shown.includes('"ok":true')) throw new Error(`The ledger is not shown: ${shown.slice(0, 300)}`);
    return ledger;
  }

  get app(): string {
    return String(this.process.pid);
  }

  /** All that has happened in it, after everything that was sent to it was handled. */
  async events(): Promise<readonly Happened[]> {
    const before = (await this.read()).filter(({ event }) => event === 'barrier').length;
    this.process.kill('SIGUSR1');
    const end = performance.now() + BARRIER_MS;
    for (;;) {
      const events = await this.read();
      if (events.filter(({ event }) => event === 'barrier').length > before) return events;
      if (performance.now() > end) throw new Error('the ledger does not answer');
      await sleep(10);
    }
  }

  /** Changes its title to one with the secret, and puts the secret on the clipboard. */
  async tell(): Promise<void> {
    this.process.kill('SIGUSR2');
    await this.events();
  }

  end(): void {
    this.process.kill('SIGKILL');
  }

  private async read(): Promise<Happened[]> {
    const text = await readFile(this.log, 'utf8').catch(() => '');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line): unknown => JSON.parse(line))
      .flatMap((one) => (isRecord(one) ? [{ event: String(one['event']), value: one['value'] }] : []));
  }
}

/** A program of its own, as the system reports it. */
export async function programCopy(world: World, file: string, folder = 'apps'): Promise<string> {
  const path = join(world.home, folder, file);
  await mkdir(join(world.home, folder), { recursive: true });
  // At once: what another program, started meanwhile, has open for writing cannot be run (ETXTBSY).
  copyFileSync('/usr/bin/python3', path);
  return path;
}

const copies = new Map<string, Promise<string>>();

function copyOnce(world: World, file: string): Promise<string> {
  if (file.startsWith('/')) return Promise.resolve(file);
  const path = join(world.home, 'apps', file);
  const made = copies.get(path) ?? programCopy(world, file);
  copies.set(path, made);
  return made;
}

const shared = new Map<World, Promise<Ledger>>();

/** The one that most attacks are about. */
export function theLedger(world: World): Promise<Ledger> {
  const ledger = shared.get(world) ?? Ledger.open(world);
  shared.set(world, ledger);
  return ledger;
}
