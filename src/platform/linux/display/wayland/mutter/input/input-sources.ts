import type { KeyName } from '../../../../../../model/text/key-combination.ts';
import type { Environment } from '../../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { BusConnection } from '../../../../dbus/index.ts';
import { KeyTable, type LevelKey } from '../../keyboard/key-table.ts';
import { readKeymap } from '../../keyboard/keymap-reading.ts';
import { readLayouts } from '../../keyboard/xkb-layouts.ts';
import { runQuickly } from '../../../../../node/run-quickly.ts';
import { definedVariables } from '../../../../machine/desktop-environment.ts';
import { activeLayout, inputSourcesIn, type InputSource } from './active-layout.ts';

const SCHEMA = 'org.gnome.desktop.input-sources';
const FOLDER = '/org/gnome/desktop/input-sources/';
const SETTINGS = { type: 'signal', interface: 'ca.desrt.dconf.Writer', member: 'Notify' } as const;
const CHANGE_MS = 5000;

/** The keyboard layouts of GNOME, and which of them is active. They are followed when the user changes them. */
export class InputSources {
  readonly #environment: Environment;
  /** What the way of sending tells of the active layout. */
  readonly #told: () => number | undefined;
  #tables: readonly KeyTable[] = [];
  #active: number | undefined;
  #ignore = (): void => undefined;

  private constructor(environment: Environment, told: () => number | undefined) {
    this.#environment = environment;
    this.#told = told;
  }

  /** The seat must have a keyboard. @throws DeskterityError */
  static async open(
    environment: Environment,
    { bus, told }: { readonly bus: BusConnection; readonly told: () => number | undefined },
    options: CallOptions,
  ): Promise<InputSources> {
    const sources = new InputSources(environment, told);
    await bus.addMatch(SETTINGS, options);
    sources.#ignore = bus.onSignal(({ interface: from, member, body }) => {
      const [changed] = body;
      if (from !== SETTINGS.interface || member !== SETTINGS.member) return;
      if (typeof changed !== 'string' || !changed.startsWith(FOLDER)) return;
      void sources.#read({ deadlineMs: CHANGE_MS }).catch(() => undefined);
    });
    await sources.#read(options);
    return sources;
  }

  /** A key of the active layout. If that is unknown, one that is the same in all of them. */
  keyOf(key: KeyName): LevelKey | undefined {
    const active = this.#told() ?? this.#active;
    if (active !== undefined) return this.#tables[active]?.keyOf(key);
    const [first, ...others] = this.#tables.map((table) => table.keyOf(key));
    return others.every((other) => isSame(other, first)) ? first : undefined;
  }

  close(): void {
    this.#ignore();
  }

  async #read(options: CallOptions): Promise<void> {
    const [keymap, sources, latest] = await Promise.all([
      readKeymap(this.#environment, options),
      this.#setting('sources', options),
      this.#setting('mru-sources', options),
    ]);
    this.#tables = (await readLayouts(keymap)).map((keys) => new KeyTable(keys));
    const count = this.#tables.length;
    if (sources === undefined || latest === undefined) this.#active = count <= 1 ? 0 : undefined;
    else this.#active = activeLayout(sources, latest, count);
  }

  /** `undefined` if it cannot be read. */
  async #setting(
    key: string,
    { deadlineMs, signal }: CallOptions,
  ): Promise<readonly InputSource[] | undefined> {
    const environment = definedVariables(this.#environment);
    const limitMs = Math.max(1, Math.round(deadlineMs));
    const run = await runQuickly(['gsettings', 'get', SCHEMA, key], { environment, limitMs, signal });
    return run.exitCode === 0 ? inputSourcesIn(run.stdout) : undefined;
  }
}

function isSame(one: LevelKey | undefined, other: LevelKey | undefined): boolean {
  return (
    one?.code === other?.code && one?.isShifted === other?.isShifted && one?.isLevel3 === other?.isLevel3
  );
}
