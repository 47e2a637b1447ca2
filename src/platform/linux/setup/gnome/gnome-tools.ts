import type { DeskterityError } from '../../../../model/effects/errors.ts';
import type { Environment } from '../../../../model/sessions/caller.ts';
import { byPerson } from '../../../../model/text/mention.ts';
import { runQuickly } from '../../../node/run-quickly.ts';
import { unsupported } from '../../failures.ts';

const LIMIT_MS = 10_000;
const SCHEMA = 'org.gnome.shell';
const VERSION = /^GNOME Shell (\d{1,3})(?:\.[\w.]+)?\s*$/;

/** The version of the installed GNOME Shell, such as 43. @throws DeskterityError ACTION_NOT_SUPPORTED */
export async function shellVersion(environment: Environment): Promise<number> {
  const { stdout, stderr } = await runQuickly(['gnome-shell', '--version'], {
    environment,
    limitMs: LIMIT_MS,
  });
  const version = VERSION.exec(stdout)?.[1];
  if (version !== undefined) return Number(version);
  throw unsupported(
    'GNOME Shell is not installed, or does not tell its version.',
    `${byPerson('Run this in the GNOME session that it is for')}.`,
    (stdout + stderr).slice(0, 200),
  );
}

/** Settings of GNOME Shell, through GLib's own program, which finds whichever store the session uses. */
export class ShellSettings {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Whether the settings name an extension at all, and whether the shell loads it. @throws DeskterityError ACTION_NOT_SUPPORTED */
  async stateOf(id: string): Promise<{ readonly isNamed: boolean; readonly isOn: boolean }> {
    const [on, off] = await Promise.all([
      this.#list('enabled-extensions'),
      this.#list('disabled-extensions'),
    ]);
    return { isNamed: on.includes(id) || off.includes(id), isOn: on.includes(id) && !off.includes(id) };
  }

  /** @throws DeskterityError ACTION_NOT_SUPPORTED */
  async turn(id: string, isOn: boolean): Promise<void> {
    await this.#change('enabled-extensions', id, isOn);
    // What is in this list is off, whatever is in the other one.
    await this.#change('disabled-extensions', id, false);
  }

  /** Whether the person has turned all extensions off. @throws DeskterityError ACTION_NOT_SUPPORTED */
  async areAllOff(): Promise<boolean> {
    return (await this.#run('get', 'disable-user-extensions')).trim() === 'true';
  }

  async #list(key: string): Promise<readonly string[]> {
    return textsIn(await this.#run('get', key));
  }

  async #change(key: string, id: string, isIn: boolean): Promise<void> {
    const before = await this.#list(key);
    if (before.includes(id) === isIn) return;
    const ids = isIn ? [...before, id] : before.filter((each) => each !== id);
    const list = ids.map((each) => `'${each.replaceAll(/[\\']/g, String.raw`\$&`)}'`).join(', ');
    await this.#run('set', key, `@as [${list}]`);
    // Where nothing keeps settings, as outside of a session, writing them seems to work.
    if ((await this.#list(key)).includes(id) !== isIn) throw unusable(`${key} was not kept`);
  }

  async #run(action: 'get' | 'set', key: string, ...value: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await runQuickly(['gsettings', action, SCHEMA, key, ...value], {
      environment: this.#environment,
      limitMs: LIMIT_MS,
    });
    if (exitCode === 0) return stdout;
    throw unusable(stderr.slice(0, 200));
  }
}

function unusable(detail: string): DeskterityError {
  return unsupported(
    'The settings of GNOME Shell cannot be read or written.',
    `${byPerson('Run this in the GNOME session that it is for, with gsettings of GLib installed')}.`,
    detail,
  );
}

/** The strings in an array of GVariant's text form. */
export function textsIn(text: string): readonly string[] {
  return [...text.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(([, single, double]) =>
    (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'),
  );
}
