import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import type { Fixture } from '../../../fixtures/driver.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { FakeInput } from '../../../src/platform/linux/display/x11/input/fake-input.ts';
import { Keyboard } from '../../../src/platform/linux/display/x11/input/keyboard/keyboard.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import { until } from '../../until.ts';

const Text = z.object({ text: z.string(), focused: z.boolean() });
const DEADLINE_MS = 10_000;

/** A private desktop with a keyboard on it. */
export class KeyboardStage {
  readonly desktop: PrivateDesktop;
  readonly wire: X11Wire;
  readonly keyboard: Keyboard;

  private constructor(desktop: PrivateDesktop, wire: X11Wire, keyboard: Keyboard) {
    this.desktop = desktop;
    this.wire = wire;
    this.keyboard = keyboard;
  }

  static async start(): Promise<KeyboardStage> {
    const desktop = await PrivateDesktop.start({ deadlineMs: 30_000 });
    const { display, xauthority } = placeOf(desktop);
    const wire = await X11Wire.connect(display, { deadlineMs: DEADLINE_MS, xauthority });
    const fake = await FakeInput.open(wire, () => undefined);
    return new KeyboardStage(desktop, wire, await Keyboard.open(wire, fake));
  }

  /** Another client of the same display. */
  async connect(): Promise<X11Wire> {
    const { display, xauthority } = placeOf(this.desktop);
    return X11Wire.connect(display, { deadlineMs: DEADLINE_MS, xauthority });
  }

  run(command: string, ...args: string[]): string {
    return execFileSync(command, args, {
      env: { PATH: process.env['PATH'], ...this.desktop.environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();
  }

  /** Sets layouts and the active group, counted from 0. */
  async layout(layouts: string, group = 0): Promise<void> {
    this.run('setxkbmap', layouts);
    const xkb = await this.wire.extension('xkb');
    if (!xkb) throw new Error('no XKEYBOARD');
    this.wire.send(() => {
      xkb.LatchLockState(0x100, 0xff, 0, true, group, 0xff, 0, true, 0);
    });
  }

  /** Locks modifiers: 2 is Caps Lock. */
  async lock(modifiers: number): Promise<void> {
    const xkb = await this.wire.extension('xkb');
    this.wire.send(() => {
      xkb?.LatchLockState(0x100, 0xff, modifiers, false, 0, 0, 0, false, 0);
    });
  }

  async state(): Promise<{ group: number; lockedMods: number; baseMods: number }> {
    const xkb = await this.wire.extension('xkb');
    const state = await this.wire.request<{ group: number; lockedMods: number; baseMods: number }>(
      (_client, done) => {
        xkb?.GetState(0x100, done);
      },
    );
    return { group: state.group, lockedMods: state.lockedMods, baseMods: state.baseMods };
  }

  /** The server's whole keyboard description, as printed by another program. */
  mapping(): string {
    return this.run('xkbcomp', '-xkb', this.wire.display, '-') + this.run('xmodmap', '-pke');
  }

  /** Clears and focuses the text area of a fixture. */
  async focus(fixture: Fixture, widget = 'notes'): Promise<void> {
    await fixture.control('set', { widget, property: 'text', value: '' });
    const ids = this.run('xdotool', 'search', '--onlyvisible', '--pid', String(fixture.pid))
      .trim()
      .split('\n');
    await until(async () => {
      this.run('xdotool', 'windowactivate', '--sync', ids.at(-1) ?? '');
      await fixture.control('set', { widget, property: 'focused', value: true });
      return Text.parse(await fixture.control('get', { widget })).focused;
    }, `focus of ${fixture.kind}`);
  }

  /** The text of a fixture's text area, once it is `expected` or stops changing. */
  async text(fixture: Fixture, expected: string, widget = 'notes'): Promise<string> {
    let last = '';
    await until(
      async () => {
        last = Text.parse(await fixture.control('get', { widget })).text;
        return last === expected;
      },
      '',
      1_500,
    ).catch(() => undefined);
    return last;
  }

  async stop(): Promise<void> {
    this.wire.close();
    await this.desktop.stop();
  }
}

function placeOf(desktop: PrivateDesktop): { display: string; xauthority: string | undefined } {
  const { DISPLAY: display, XAUTHORITY: xauthority } = desktop.environment;
  if (display === undefined) throw new Error('no DISPLAY');
  return { display, xauthority };
}
