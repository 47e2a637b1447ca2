import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Place } from '../harness.ts';
import { Found } from './answers.ts';
import type { Reply } from './reply.ts';

export const ACTS_KINDS = ['gtk3', 'gtk4', 'qt5', 'qt6'] as const;
export type ActsKind = (typeof ACTS_KINDS)[number];

/** See `fixtures/driver.ts`: GTK 4 without a graphics card, and Qt 6, which asks the session bus for the accessibility bus. */
const READABLE = {
  GSK_RENDERER: 'cairo',
  QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
  AT_SPI_BUS_ADDRESS: undefined,
};

/** Windows with nothing but buttons that open dialogs. */
export const DIALOGS_KINDS = ['dialogs of gtk3', 'dialogs of qt6'] as const;
type StartedKind = ActsKind | (typeof DIALOGS_KINDS)[number];

const SCRIPT: Readonly<Record<StartedKind, readonly [string, string]>> = {
  gtk3: ['gtk.py', '3'],
  gtk4: ['gtk.py', '4'],
  qt5: ['qt.py', '5'],
  qt6: ['qt.py', '6'],
  'dialogs of gtk3': ['dialogs_gtk.py', '3'],
  'dialogs of qt6': ['dialogs_qt.py', '6'],
};

const Line = z.object({ widget: z.string(), event: z.string(), value: z.unknown() });
export type ActsEvent = z.output<typeof Line>;

let started = 0;

/** One of the small applications in `fixtures/acts`, whose acts are easily misjudged. */
export class ActsApp {
  readonly #place: Place;
  readonly #process: ChildProcess;
  readonly #log: string;

  private constructor(place: Place, child: ChildProcess, log: string) {
    this.#place = place;
    this.#process = child;
    this.#log = log;
  }

  static async start(place: Place, kind: StartedKind): Promise<ActsApp> {
    const [script, version] = SCRIPT[kind];
    const log = join(place.folder, `acts-${++started}.log`);
    const path = resolve(import.meta.dirname, '../../../fixtures/acts', script);
    const child = spawn('/usr/bin/python3', [path, version, log], {
      env: { ...place.desktop.environment, ...READABLE },
      stdio: 'ignore',
    });
    const app = new ActsApp(place, child, log);
    await place.untilReadable(app.pid);
    return app;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  desk(...args: string[]): Promise<Reply> {
    return this.#place.desk(args);
  }

  async ref(name: string, role: string, ...more: string[]): Promise<string> {
    const reply = await this.desk(
      'find',
      name,
      '--app',
      String(this.pid),
      '--role',
      role,
      '--exact',
      ...more,
    );
    const [match] = reply.ok(Found).matches;
    if (match?.ref === undefined) throw new Error(`no ${role} ${name}: ${reply.toString()}`);
    return match.ref;
  }

  /** What its toolkit told it. */
  async events(): Promise<readonly ActsEvent[]> {
    const text = await readFile(this.#log, 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Line.parse(JSON.parse(line)));
  }

  async count(widget: string, event: string): Promise<number> {
    return (await this.events()).filter((each) => each.widget === widget && each.event === event).length;
  }

  stop(): void {
    this.#process.kill('SIGKILL');
  }
}
