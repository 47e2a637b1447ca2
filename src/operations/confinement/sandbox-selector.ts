import { byPerson } from '../../model/text/mention.ts';
import type { ConfinementMethod } from '../../model/tools/confinement.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { SandboxLevel, SandboxPort } from '../../ports/sandbox.ts';

/** The requested methods of confinement for a run. */
export interface MethodChoice {
  /** As requested by each of its steps. */
  readonly asked: readonly ConfinementMethod[];
  /** The user has not chosen, so any working sandbox may be used. */
  readonly isOpen: boolean;
}

type Substitute = (asked: ConfinementMethod) => ConfinementMethod;

/** How long a failing sandbox is not tried again. */
const REMEMBERED_MS = 600_000;

/** Chooses the method of confinement: the requested one, or if it does not work and the user has not chosen, the next one that does. */
export class SandboxSelector {
  private readonly sandbox: () => Promise<SandboxPort>;
  private detecting: Promise<SandboxLevel> | undefined;
  private replaced:
    | {
        readonly failing: readonly ConfinementMethod[];
        readonly substitute: Substitute;
        readonly until: number;
      }
    | undefined;

  constructor(sandbox: () => Promise<SandboxPort>) {
    this.sandbox = sandbox;
  }

  /**
   * Tries the requested sandbox first, which costs nothing if it works; detects what this machine supports only after a failure.
   * @param step receives the substitute for the requested method
   * @throws DeskterityError SANDBOX_UNAVAILABLE; errors of the step
   */
  async run<T>({ asked, isOpen }: MethodChoice, step: (substitute: Substitute) => Promise<T>): Promise<T> {
    const { replaced } = this;
    const isKnown = replaced !== undefined && performance.now() < replaced.until;
    if (isOpen && isKnown && asked.some((method) => replaced.failing.includes(method)))
      return step(replaced.substitute);
    try {
      return await step((method) => method);
    } catch (error) {
      if (!(error instanceof DeskterityError) || error.code !== 'SANDBOX_UNAVAILABLE') throw error;
      const level = await this.level();
      const failing = asked.filter((method) =>
        level.sandboxes.some((one) => one.name === method && !one.works),
      );
      // The machine is not the cause.
      if (failing.length === 0) throw error;
      const substitute: Substitute = (method) => availableMethod(level, { asked: method, isOpen });
      if (failing.some((method) => substitute(method) === method))
        throw noSandbox(level, { asked, isOpen, cause: error });
      const answer = await step(substitute);
      this.replaced = { failing, substitute, until: performance.now() + REMEMBERED_MS };
      return answer;
    }
  }

  private async level(): Promise<SandboxLevel> {
    this.detecting ??= this.sandbox()
      .then((port) => port.level())
      .finally(() => (this.detecting = undefined));
    return this.detecting;
  }
}

/** The requested method, or a weaker one that works. Never a stronger one, as a request for a weaker one is deliberate. */
export function availableMethod<T extends ConfinementMethod>(
  { sandboxes }: Pick<SandboxLevel, 'sandboxes'>,
  { asked, isOpen }: { readonly asked: T; readonly isOpen: boolean },
): T | SandboxLevel['sandboxes'][number]['name'] {
  const at = sandboxes.findIndex(({ name }) => name === asked);
  if (!isOpen || sandboxes[at]?.works !== false) return asked;
  return sandboxes.slice(at + 1).find(({ works }) => works)?.name ?? asked;
}

/** The error without a usable sandbox: the findings, how to fix them, and why nothing runs without one. */
function noSandbox(
  { sandboxes, system, isNested }: SandboxLevel,
  { asked, isOpen, cause }: MethodChoice & { readonly cause: unknown },
): DeskterityError {
  const failing = sandboxes.filter(({ name, works }) => (isOpen || asked.includes(name)) && !works);
  const working = sandboxes.find(({ works }) => works);
  const [best] = sandboxes;
  const other =
    working === undefined
      ? []
      : working === best
        ? [
            `${working.title} works here. ${byPerson(`Set sandbox.mode to "${working.name}" to use it for all commands`)}.`,
          ]
        : [`${working.title} works here. ${byPerson('Set sandbox.mode to "auto" to use it')}.`];
  const nested = isNested ? ['Deskterity itself runs in a sandbox, which may be the cause.'] : [];
  const reasons = failing.flatMap(({ reason }) => reason ?? []);
  return new DeskterityError(
    'SANDBOX_UNAVAILABLE',
    [`Programs cannot be confined here (${system}).`, ...reasons].join(' '),
    {
      suggestion: [
        ...other,
        ...either(failing.flatMap(({ instruction }) => instruction ?? [])),
        ...nested,
        `Without a sandbox, programs can read, change and delete everything that this user can. ${byPerson('Use --no-sandbox if that is acceptable')}.`,
      ].join(' '),
      cause,
    },
  );
}

/** Joins alternatives. */
function either(ways: readonly string[]): string[] {
  return ways.map((way, index) => (index === 0 ? way : `Or: ${way}`));
}
