import type { Call } from '../errands/errand.ts';

/** What a task needs beside its application. */
export interface Setting {
  readonly home: string;
  /** Address of the server of the task. */
  readonly url: string;
}

/** A task of `examples/`, with the way an agent does it one command at a time, and the judge of what came of it. */
export interface Task {
  /** `examples/NAME.json`. */
  readonly name: string;
  readonly applications: readonly string[];
  /** The Debian 12 packages. */
  readonly packages: readonly string[];
  /** Files in HOME at the start, by their path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Other things that must be in HOME at the start. */
  readonly prepare?: (home: string) => Promise<void>;
  /** Serves what the task needs, on the loopback interface. */
  readonly serve?: (home: string) => Promise<{ readonly url: string; readonly stop: () => void }>;
  readonly params: (setting: Setting) => Readonly<Record<string, string>>;
  /**
   * The same task as an agent types it, one command for each act and a look where it needs one. `{{param.NAME}}` stands for a parameter, and
   * `<textbox "Name">` for the reference of the first such element in the latest answer that shows one.
   */
  readonly plain: readonly Call[];
  /** Judges files, servers and the application's own data alone; throws if the task was not done. */
  readonly check: (home: string) => Promise<void>;
}

/** The calls with the parameters in their places. @throws Error if there is no such parameter */
export function withParams(calls: readonly Call[], params: Readonly<Record<string, string>>): Call[] {
  return calls.map((call) =>
    call.map((arg) =>
      arg.replaceAll(/\{\{param\.([a-z_]+)\}\}/g, (_, name: string) => {
        const value = params[name];
        if (value === undefined) throw new Error(`there is no parameter ${name}`);
        return value;
      }),
    ),
  );
}
