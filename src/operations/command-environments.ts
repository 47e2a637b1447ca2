import { delimiter } from 'node:path';
import type { ClockPort } from '../ports/clock.ts';
import type { LogPort } from '../ports/log.ts';
import type { Platform } from '../ports/platform.ts';
import type { Environment } from '../model/sessions/caller.ts';

export interface CommandEnvironmentParts {
  /** Absent where the environment of this process is good enough, as in a call from a terminal. */
  readonly ask: Platform['loginEnvironment'] | undefined;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
}

/** For the first commands of a daemon to wait for the shell; later ones do not wait. */
const PATIENCE_MS = 3000;
/** A shell that gave no answer is asked again after this time. */
const AGAIN_MS = 60_000;

/** All that the shell is told: what a client has in its environment is not for the commands of another. */
const TOLD = ['HOME', 'SHELL', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ'];
/** Settings of Deskterity are the caller's own. */
const SETTINGS = /^(?:DESKTERITY|AHMA)_/;
const SYSTEM_FOLDER = /^\/(?:usr\/)?(?:local\/)?s?bin\/?$|^\/usr\/(?:local\/)?games\/?$|^\/snap\/bin\/?$/;

interface Asked {
  readonly answer: Promise<Environment | undefined>;
  readonly at: number;
  hasFailed: boolean;
}

/**
 * Environments for command lines: the caller's own, completed from the user's login shell, as clients that were started from a desktop
 * have neither its PATH nor what version managers need. Each user's shell is asked once.
 */
export class CommandEnvironments {
  private readonly parts: CommandEnvironmentParts;
  private readonly asked = new Map<string, Asked>();

  constructor(parts: CommandEnvironmentParts) {
    this.parts = parts;
  }

  /** Never rejects, and never waits longer than some seconds. */
  async of(environment: Environment): Promise<Environment> {
    const { answer, at } = this.askOnce(environment) ?? {};
    if (answer === undefined || at === undefined) return environment;
    const { clock } = this.parts;
    const over = new AbortController();
    const left = Math.max(0, at + PATIENCE_MS - clock.now());
    const late = clock.sleep(left, over.signal).then(
      () => undefined,
      () => undefined,
    );
    const found = await Promise.race([answer, late]);
    over.abort();
    return found === undefined ? environment : completed(environment, found);
  }

  /** Asks now, so that the answer is there when the first command is to be run. */
  warm(environment: Environment): void {
    this.askOnce(environment);
  }

  private askOnce(environment: Environment): Asked | undefined {
    const { ask, clock, log } = this.parts;
    if (ask === undefined) return undefined;
    const told = Object.fromEntries(TOLD.map((name) => [name, environment[name]]));
    const key = JSON.stringify([told['HOME'], told['SHELL']]);
    const known = this.asked.get(key);
    if (known !== undefined && !(known.hasFailed && clock.now() - known.at > AGAIN_MS)) return known;
    const asking = ask(told).catch((error: unknown) => ({
      problem: error instanceof Error ? error.message : String(error),
    }));
    const asked: Asked = {
      at: clock.now(),
      hasFailed: false,
      answer: asking.then((answer) => {
        if ('environment' in answer) return answer.environment;
        asked.hasFailed = true;
        const fields = { problem: answer.problem };
        log.write({ level: 'warn', message: 'the login shell gave no environment', fields });
        return undefined;
      }),
    };
    this.asked.set(key, asked);
    return asked;
  }
}

/** Pure: the caller's variables, those of the login shell that it does not have, and the folders of both in PATH. */
export function completed(environment: Environment, login: Environment): Environment {
  const more = Object.entries(login).filter(
    ([name, value]) => value !== undefined && environment[name] === undefined && !SETTINGS.test(name),
  );
  return {
    ...environment,
    ...Object.fromEntries(more),
    PATH: joinedPath(environment['PATH'] ?? '', login['PATH'] ?? ''),
  };
}

/**
 * The caller's own order counts where it has folders of its own, as in a virtual environment. A PATH with the folders of the system alone is
 * that of a launcher: the order of the login shell counts then, which has the user's folders first.
 */
function joinedPath(ofCaller: string, ofLogin: string): string {
  const folders = (path: string) => path.split(delimiter).filter((folder) => folder !== '');
  const [own, login] = [folders(ofCaller), folders(ofLogin)];
  const isPoor = own.every((folder) => SYSTEM_FOLDER.test(folder));
  return [...new Set(isPoor ? [...login, ...own] : [...own, ...login])].join(delimiter);
}
