import { parseArgs } from 'node:util';

/** Command-line arguments of a holder. Paths are absolute. */
export interface HolderArguments {
  readonly socket: string;
  readonly stateFolder: string;
  readonly logFolder: string;
  /** Bundle of the thread that starts confined programs. */
  readonly workerFile: string;
  readonly idleMs: number;
  readonly mostRunning: number;
}

/** Formats the arguments as a command line. */
export function toArguments(values: HolderArguments): string[] {
  return [
    `--socket=${values.socket}`,
    `--state=${values.stateFolder}`,
    `--logs=${values.logFolder}`,
    `--worker=${values.workerFile}`,
    `--idle-ms=${values.idleMs}`,
    `--most-running=${values.mostRunning}`,
  ];
}

/** @throws Error naming the missing or invalid argument */
export function parseArguments(args: readonly string[]): HolderArguments {
  const names = ['socket', 'state', 'logs', 'worker', 'idle-ms', 'most-running'];
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  });
  const number = (name: string) => {
    const value = Number(values[name]);
    if (!Number.isSafeInteger(value) || value <= 0) throw new Error(`--${name} must be a whole number`);
    return value;
  };
  const path = (name: string) => {
    const value = values[name];
    if (typeof value !== 'string' || !value.startsWith('/'))
      throw new Error(`--${name} must be an absolute path`);
    return value;
  };
  return {
    socket: path('socket'),
    stateFolder: path('state'),
    logFolder: path('logs'),
    workerFile: path('worker'),
    idleMs: number('idle-ms'),
    mostRunning: number('most-running'),
  };
}
