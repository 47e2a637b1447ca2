import type { KeyName } from '../../../../../../model/text/key-combination.ts';
import type { Environment } from '../../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { BusConnection } from '../../../../dbus/index.ts';
import { KeyTable, type LevelKey } from '../../keyboard/key-table.ts';
import { readKeymap } from '../../keyboard/keymap-reading.ts';
import { readLayouts } from '../../keyboard/xkb-layouts.ts';

const KEYBOARD_NAME = 'org.kde.keyboard';
const LAYOUTS = {
  destination: KEYBOARD_NAME,
  path: '/Layouts',
  interface: 'org.kde.KeyboardLayouts',
} as const;
const CHANGE_MS = 5000;

/** The keyboard layouts of KWin, and which of them is active. They are followed when the user changes them. */
export class KeyboardLayouts {
  readonly #bus: BusConnection;
  readonly #environment: Environment;
  #tables: readonly KeyTable[] = [];
  #active = 0;
  #ignore = (): void => undefined;

  private constructor(bus: BusConnection, environment: Environment) {
    this.#bus = bus;
    this.#environment = environment;
  }

  /** @throws DeskterityError */
  static async open(
    bus: BusConnection,
    environment: Environment,
    options: CallOptions,
  ): Promise<KeyboardLayouts> {
    const layouts = new KeyboardLayouts(bus, environment);
    await bus.addMatch({ type: 'signal', interface: LAYOUTS.interface, path: LAYOUTS.path }, options);
    layouts.#ignore = bus.onSignal(({ interface: from, member, body }) => {
      if (from !== LAYOUTS.interface) return;
      const [index] = body;
      if (member === 'layoutChanged' && typeof index === 'number') layouts.#active = index;
      if (member === 'layoutListChanged')
        void layouts.#read({ deadlineMs: CHANGE_MS }).catch(() => undefined);
    });
    await layouts.#read(options);
    return layouts;
  }

  keyOf(key: KeyName): LevelKey | undefined {
    return (this.#tables[this.#active] ?? this.#tables[0])?.keyOf(key);
  }

  close(): void {
    this.#ignore();
  }

  async #read(options: CallOptions): Promise<void> {
    const [keymap, [active]] = await Promise.all([
      readKeymap(this.#environment, options),
      // With one layout nothing has this name.
      this.#bus.call({ ...LAYOUTS, member: 'getLayout', noAutoStart: true }, options).catch(() => [0]),
    ]);
    this.#tables = (await readLayouts(keymap)).map((keys) => new KeyTable(keys));
    this.#active = typeof active === 'number' ? active : 0;
  }
}
