import { delimiter } from 'node:path';
import { within } from '../model/within.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { LogPort } from '../ports/log.ts';
import type { Platform } from '../ports/platform.ts';
import type { Environment } from '../model/sessions/caller.ts';

export interface CommandEnvironmentParts {
  /** Absent if the environment of this process is sufficient, as in a call from a terminal. */
  readonly ask: Platform['loginEnvironment'] | undefined;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
}

/** How long the first commands of a daemon wait for the shell; later ones do not wait. */
const PATIENCE_MS = 3000;
/** A shell that did not answer is run again after this time. */
const RETRY_MS = 60_000;

/** The only variables passed to the shell, as a client's environment must not reach other clients' commands. */
const SHELL_INPUT = ['HOME', 'SHELL', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ'];
/** Deskterity's settings are always the caller's. */
const SETTINGS = /^(?:DESKTERITY|AHMA)_/;
const SYSTEM_FOLDER = /^\/(?:usr\/)?(?:local\/)?s?bin\/?$|^\/usr\/(?:local\/)?games\/?$|^\/snap\/bin\/?$/;

interface Asked {
  readonly answer: Promise<Environment | undefined>;
  readonly at: number;
  hasFailed: boolean;
}

/**
 * Environments for command lines: the caller's, completed from the user's login shell, because clients started from a desktop lack its PATH
 * and the variables of version managers. Each user's shell runs once.
 */
export class CommandEnvironments {
  private readonly parts: CommandEnvironmentParts;
  private readonly asked = new Map<string, Asked>();

  constructor(parts: CommandEnvironmentParts) {
    this.parts = parts;
  }

  /** Never rejects, and waits a few seconds at most. */
  async of(environment: Environment): Promise<Environment> {
    const { answer, at } = this.askOnce(environment) ?? {};
    if (answer === undefined || at === undefined) return environment;
    const { clock } = this.parts;
    const found = await within(clock, answer, Math.max(0, at + PATIENCE_MS - clock.now()));
    return found?.value === undefined ? environment : completed(environment, found.value);
  }

  /** Runs the shell in advance, so that its answer is ready for the first command. */
  warm(environment: Environment): void {
    this.askOnce(environment);
  }

  private askOnce(environment: Environment): Asked | undefined {
    const { ask, clock, log } = this.parts;
    if (ask === undefined) return undefined;
    const input = Object.fromEntries(SHELL_INPUT.map((name) => [name, environment[name]]));
    const key = JSON.stringify([input['HOME'], input['SHELL']]);
    const known = this.asked.get(key);
    if (known !== undefined && !(known.hasFailed && clock.now() - known.at > RETRY_MS)) return known;
    const asking = ask(input).catch((error: unknown) => ({
      problem: error instanceof Error ? error.message : String(error),
    }));
    const asked: Asked = {
      at: clock.now(),
      hasFailed: false,
      answer: asking.then((answer) => {
        if ('environment' in answer) return answer.environment;
        asked.hasFailed = true;
        const fields = { problem: answer.problem };
        log.write({ level: 'warn', message: 'the login shell returned no environment', fields });
        return undefined;
      }),
    };
    this.asked.set(key, asked);
    return asked;
  }
}

/** The caller's variables, the login shell's for those it lacks, and the folders of both in PATH. */
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
 * The caller's order takes precedence if it has folders of its own, such as a virtual environment. A PATH with only system folders is that
 * of a launcher: then the login shell's order takes precedence, which has the user's folders first.
 */
function joinedPath(callerPath: string, loginPath: string): string {
  const folders = (path: string) => path.split(delimiter).filter((folder) => folder !== '');
  const [own, login] = [folders(callerPath), folders(loginPath)];
  const isSystemOnly = own.every((folder) => SYSTEM_FOLDER.test(folder));
  return [...new Set(isSystemOnly ? [...login, ...own] : [...own, ...login])].join(delimiter);
}
