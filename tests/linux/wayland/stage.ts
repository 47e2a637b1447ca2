import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFixture, type Fixture, type FixtureKind } from '../../../fixtures/driver.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { BusConnection } from '../../../src/platform/linux/dbus/index.ts';
import { EXTENSION_ID } from '../../../src/platform/linux/display/wayland/mutter/extension/extension-place.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import type { TreeNode } from '../../../src/model/tree/node.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';

export const CALL = { deadlineMs: 20_000 } as const;

/** Qt needs a plug-in for Wayland, which distributions package apart. */
const QT_PLUGINS: Readonly<Partial<Record<FixtureKind, string>>> = {
  qt5: '/usr/lib/x86_64-linux-gnu/qt5/plugins/platforms/libqwayland-generic.so',
  qt6: '/usr/lib/x86_64-linux-gnu/qt6/plugins/platforms/libqwayland-generic.so',
};

/** Extra variables for a machine that has Qt's plug-ins elsewhere. */
const QT_ELSEWHERE = process.env['DESKTERITY_TEST_QT_WAYLAND'];

/** Variables that lead fixtures to those plug-ins. */
export const QT_VARIABLES: Readonly<Record<string, string>> =
  QT_ELSEWHERE === undefined
    ? {}
    : {
        QT_PLUGIN_PATH: `${QT_ELSEWHERE}/qt5/plugins:${QT_ELSEWHERE}/qt6/plugins`,
        LD_LIBRARY_PATH: QT_ELSEWHERE,
      };

/** Whether a toolkit works on Wayland here; if not, its tests are skipped and say why. */
export function worksOnWayland(kind: FixtureKind): boolean {
  const plugin = QT_PLUGINS[kind];
  return plugin === undefined || QT_ELSEWHERE !== undefined || existsSync(plugin);
}

/** Displays of private desktops that are Wayland compositors. */
export type StageDisplay = 'wayland' | 'kwin' | 'gnome';

/** GNOME Shell loads its scripts for seconds. */
const START_MS: Readonly<Record<StageDisplay, number>> = { wayland: 20_000, kwin: 20_000, gnome: 90_000 };

/** Whether KWin can be started here. */
export const HAS_KWIN = existsSync('/usr/bin/kwin_wayland');

/** Why nothing is tried on KWin; absent if it is to be. It takes longer than a run for every change may take. */
export const NO_KWIN: string | undefined =
  process.env['DESKTERITY_TEST_KWIN'] !== '1'
    ? 'tried by hand: set DESKTERITY_TEST_KWIN=1'
    : HAS_KWIN
      ? undefined
      : 'kwin_wayland is not installed';

/** Whether GNOME Shell can be started here. */
export const HAS_GNOME = existsSync('/usr/bin/gnome-shell');

/** Why nothing is tried on Mutter; absent if it is to be, as with {@link NO_KWIN}. */
export const NO_MUTTER: string | undefined =
  process.env['DESKTERITY_TEST_MUTTER'] !== '1'
    ? 'tried by hand: set DESKTERITY_TEST_MUTTER=1'
    : HAS_GNOME
      ? undefined
      : 'gnome-shell is not installed';

/** A private Wayland desktop with fixtures, and what sway itself says. */
export class WaylandStage {
  readonly place: PrivateDesktop;
  readonly desktop: LinuxDesktop;
  readonly #fixtures: Fixture[] = [];

  private constructor(place: PrivateDesktop) {
    this.place = place;
    this.desktop = new LinuxDesktop(place.environment, place);
  }

  static async start(display: StageDisplay = 'wayland', hasXwayland = false): Promise<WaylandStage> {
    const size = { width: 1280, height: 800 };
    return new WaylandStage(
      await PrivateDesktop.start({ deadlineMs: START_MS[display], display, hasXwayland, ...size }),
    );
  }

  /** GNOME Shell without our extension, as it is where nobody set it up. */
  static async startBareGnome(): Promise<WaylandStage> {
    const stage = await WaylandStage.start('gnome');
    await turnExtension(stage.environment, 'DisableExtension');
    return stage;
  }

  get environment(): Readonly<Record<string, string>> {
    return { ...this.place.environment, ...QT_VARIABLES };
  }

  /** @param variables added to those of the desktop */
  async fixture(
    kind: FixtureKind,
    title?: string,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Fixture> {
    const fixture = await startFixture(kind, {
      environment: { ...this.environment, ...variables },
      deadlineMs: 20_000,
      ...(title === undefined ? {} : { title }),
    });
    this.#fixtures.push(fixture);
    await this.window(fixture);
    return fixture;
  }

  /** The window of a fixture, once it has a tree. */
  async window({ pid }: Pick<Fixture, 'pid'>): Promise<DesktopWindow> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const windows = await this.desktop.listWindows({ ...CALL, pid });
      const found = windows.find(({ accessible, isTreeOnly }) => accessible && isTreeOnly !== true);
      if (found !== undefined) return found;
      await sleep(100);
    }
    throw new Error(`process ${pid} never became readable`);
  }

  /** The middle of an element of a fixture, in the layout of the screens. */
  async middleOf(fixture: Pick<Fixture, 'pid'>, wanted: { readonly role: string; readonly name: string }) {
    const { root } = await this.window(fixture);
    if (root === undefined) throw new Error('the window has no tree');
    const request = { ...CALL, root, wholeTree: false, maxNodes: 5000, includeActions: false };
    const found = find((await this.desktop.readTree(request)).root, wanted)?.bounds;
    if (found === undefined) throw new Error(`${wanted.name} has no place`);
    return { x: found.x + Math.floor(found.width / 2), y: found.y + Math.floor(found.height / 2) };
  }

  /** Adds a screen of scale 2 at a negative place, and one of scale 1.5 on the other side, with a gap above it. */
  addScreens(): void {
    for (const words of [
      'create_output',
      'create_output',
      'output HEADLESS-2 resolution 1920x1600 scale 2 position -960 -100',
      'output HEADLESS-3 resolution 1500x1200 scale 1.5 position 1280 300',
    ])
      this.sway(words);
  }

  /** Sway's own words, by its own program. */
  sway(...args: readonly string[]): string {
    return execFileSync('swaymsg', args, { env: { ...this.place.environment }, encoding: 'utf8' });
  }

  async stop(): Promise<void> {
    await this.desktop.close();
    for (const fixture of this.#fixtures) await fixture.stop();
    await this.place.stop();
  }
}

/** As the Extensions application does. */
export async function turnExtension(
  environment: Readonly<Record<string, string>>,
  member: 'EnableExtension' | 'DisableExtension',
): Promise<void> {
  const bus = await BusConnection.connect(environment['DBUS_SESSION_BUS_ADDRESS'] ?? '', CALL);
  const shell = { destination: 'org.gnome.Shell', path: '/org/gnome/Shell' };
  const call = { ...shell, interface: 'org.gnome.Shell.Extensions', member };
  await bus.call({ ...call, signature: 's', args: [EXTENSION_ID] }, CALL).finally(() => bus.close());
}

function find(
  node: TreeNode,
  wanted: { readonly role: string; readonly name: string },
): TreeNode | undefined {
  if (node.role === wanted.role && node.name === wanted.name) return node;
  for (const child of node.children) {
    const found = find(child, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}
