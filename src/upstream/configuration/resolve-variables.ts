import type { Environment } from '../../model/sessions/caller.ts';

/** The forms of other clients: `${env:NAME}`, `${NAME}`, `${NAME:-otherwise}`, and `${workspaceFolder}`. */
const VARIABLE =
  /\$\{(?:(?<kind>env|input):(?<named>[^}]{1,128})|(?<plain>[A-Za-z_]\w{0,127})(?::-(?<otherwise>[^}]{0,1024}))?)\}/g;

/** A text with a variable is not longer than this. */
const LONGEST = 65_536;

export interface VariableSources {
  readonly environment: Environment;
  /** The project, if there is one. */
  readonly folder: string | undefined;
}

/** Replaces variables in the texts of one server, and notes what they were. Values are not looked at for more variables. */
export class Variables {
  private readonly sources: VariableSources;
  /** Values from the environment, which answers and logs must not repeat. */
  readonly values: string[] = [];
  /** Why a text could not be completed, as phrases. */
  readonly problems: string[] = [];

  constructor(sources: VariableSources) {
    this.sources = sources;
  }

  in(text: string): string {
    let size = text.length;
    return text.replaceAll(VARIABLE, (...found: unknown[]) => {
      const groups: unknown = found.at(-1);
      const value = this.valueOf(groupsOf(groups));
      size += value.length;
      if (size > LONGEST) {
        this.problems.push(`a text with its variables is longer than ${LONGEST} characters`);
        return '';
      }
      return value;
    });
  }

  private valueOf({ kind, named, plain, otherwise }: Readonly<Record<string, string | undefined>>): string {
    if (kind === 'input') {
      this.problems.push(
        `it uses the variable input:${named ?? ''}, which only its editor can ask for; use an environment variable`,
      );
      return '';
    }
    const name = named ?? plain ?? '';
    if (plain === 'workspaceFolder') {
      if (this.sources.folder !== undefined) return this.sources.folder;
      this.problems.push('it uses the variable workspaceFolder, and there is no project folder');
      return '';
    }
    const value = Object.hasOwn(this.sources.environment, name) ? this.sources.environment[name] : undefined;
    if (value !== undefined && value !== '') {
      this.values.push(value);
      return value;
    }
    if (otherwise !== undefined) return otherwise;
    if (value === undefined) this.problems.push(`the environment variable ${name} is not set`);
    return '';
  }
}

function groupsOf(groups: unknown): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(typeof groups === 'object' && groups !== null ? groups : {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : undefined,
    ]),
  );
}
