import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DesktopPort } from '../../../src/ports/desktop/desktop.ts';
import { windowOf } from '../../../src/platform/linux/display/x11/windows/window-id.ts';
import { ScriptedUser } from '../../../tests/linux/x11/scripted-user.ts';
import { textWindowArguments } from '../../../tests/linux/x11/text-window.ts';

const CALL = { deadlineMs: 5000 };
/** To the right of and below what fixtures show. */
const AT = { x: 1450, y: 780 };
const TITLE = 'of-the-user';
/** For the last keys to reach the window. */
const LAST_KEYS_MS = 1000;

type Where = Awaited<ReturnType<ScriptedUser['place']>>;

/** A user who types without pause into a window of their own, beside whoever else works on the display. */
export class UserAtWork {
  readonly #user: ScriptedUser;
  readonly #end: () => Promise<void>;
  readonly #file: string;
  readonly #window: number;
  #place: Where | undefined;
  #isOver = false;
  #typing: Promise<string> = Promise.resolve('');

  private constructor(user: ScriptedUser, file: string, window: number, end: () => Promise<void>) {
    this.#user = user;
    this.#file = file;
    this.#window = window;
    this.#end = end;
  }

  static async begin(
    desktop: DesktopPort,
    environment: Readonly<Record<string, string>>,
  ): Promise<UserAtWork> {
    const folder = await mkdtemp(join(tmpdir(), 'seat-user-'));
    const file = join(folder, 'text');
    const child = spawn('/usr/bin/python3', textWindowArguments(TITLE, file, AT), {
      env: environment,
      stdio: 'ignore',
    });
    const user = await ScriptedUser.open(environment['DISPLAY'] ?? '', environment['XAUTHORITY']);
    for (;;) {
      const windows = await desktop.listWindows(CALL);
      const own = windows.find(({ title, id }) => title === TITLE && id.startsWith('x11:'));
      if (own !== undefined) {
        const end = async (): Promise<void> => {
          child.kill('SIGKILL');
          user.close();
          await rm(folder, { recursive: true, force: true });
        };
        return new UserAtWork(user, file, windowOf(own.id), end);
      }
      await sleep(50);
    }
  }

  /** Goes to the window, and types until {@link stop}. */
  async work(): Promise<void> {
    await this.#user.moveTo(AT.x + 100, AT.y + 100);
    await this.#user.activate(this.#window);
    for (;;) {
      this.#place = await this.#user.place();
      const { active, focus } = this.#place;
      // GTK passes the focus on to a window inside its own.
      if (active === this.#window && focus > this.#window && focus - this.#window < 100) break;
      await sleep(20);
    }
    this.#typing = this.#user.typeUntil(() => this.#isOver);
  }

  /** What of the user is elsewhere than when they began to work. */
  async disturbed(): Promise<readonly string[]> {
    const now = await this.#user.place();
    const before = this.#place;
    return (['active', 'focus', 'pointer', 'keyMask'] as const).filter(
      (part) => JSON.stringify(now[part]) !== JSON.stringify(before?.[part]),
    );
  }

  /** What the user typed, and what their window has. */
  async stop(): Promise<{ readonly typed: string; readonly text: string }> {
    this.#isOver = true;
    const typed = await this.#typing;
    await sleep(LAST_KEYS_MS);
    return { typed, text: readFileSync(this.#file, 'utf8') };
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#typing;
    await this.#end();
  }
}
