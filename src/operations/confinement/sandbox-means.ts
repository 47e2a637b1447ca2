import type { ConfinementMeans } from '../../model/tools/confinement.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { SandboxLevel, SandboxPort } from '../../ports/sandbox.ts';

/** What confines the commands of a run. */
export interface MeansChoice {
  /** What each of its steps asks for. */
  readonly asked: readonly ConfinementMeans[];
  /** Nobody has chosen: any sandbox that works here will do. */
  readonly isOpen: boolean;
}

type InPlaceOf = (asked: ConfinementMeans) => ConfinementMeans;

/** How long it is taken for granted that a sandbox does not work here. */
const CERTAIN_MS = 600_000;

/** What confines commands in this process: what was asked for or, where that is open and does not work here, the next sandbox that does. */
export class SandboxMeans {
  private readonly sandbox: () => Promise<SandboxPort>;
  private detecting: Promise<SandboxLevel> | undefined;
  private replaced:
    | { readonly failing: readonly ConfinementMeans[]; readonly inPlaceOf: InPlaceOf; readonly until: number }
    | undefined;

  constructor(sandbox: () => Promise<SandboxPort>) {
    this.sandbox = sandbox;
  }

  /**
   * A sandbox is tried by using it, which costs nothing where it works; what this machine can do is looked at when it failed.
   * @param step is told what takes the place of what was asked for
   * @throws DeskterityError SANDBOX_UNAVAILABLE, and whatever the step throws
   */
  async run<T>({ asked, isOpen }: MeansChoice, step: (inPlaceOf: InPlaceOf) => Promise<T>): Promise<T> {
    const { replaced } = this;
    const isKnown = replaced !== undefined && performance.now() < replaced.until;
    if (isOpen && isKnown && asked.some((means) => replaced.failing.includes(means)))
      return step(replaced.inPlaceOf);
    try {
      return await step((means) => means);
    } catch (error) {
      if (!(error instanceof DeskterityError) || error.code !== 'SANDBOX_UNAVAILABLE') throw error;
      const level = await this.level();
      const failing = asked.filter((means) =>
        level.sandboxes.some((one) => one.name === means && !one.works),
      );
      // Then it is not the machine that is at fault.
      if (failing.length === 0) throw error;
      const inPlaceOf: InPlaceOf = (means) => meansHere(level, { asked: means, isOpen });
      if (failing.some((means) => inPlaceOf(means) === means))
        throw noSandbox(level, { asked, isOpen, cause: error });
      const answer = await step(inPlaceOf);
      this.replaced = { failing, inPlaceOf, until: performance.now() + CERTAIN_MS };
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

/** Pure: what confines where `asked` is asked for. Only what holds less takes its place: who asks for the last has a reason. */
export function meansHere<T extends ConfinementMeans>(
  { sandboxes }: Pick<SandboxLevel, 'sandboxes'>,
  { asked, isOpen }: { readonly asked: T; readonly isOpen: boolean },
): T | SandboxLevel['sandboxes'][number]['name'] {
  const at = sandboxes.findIndex(({ name }) => name === asked);
  if (!isOpen || sandboxes[at]?.works !== false) return asked;
  return sandboxes.slice(at + 1).find(({ works }) => works)?.name ?? asked;
}

/** What to say where nothing can be confined as it should: what was found, what is missing, how to get it, and why nothing runs without it. */
function noSandbox(
  { sandboxes, system, isNested }: SandboxLevel,
  { asked, isOpen, cause }: MeansChoice & { readonly cause: unknown },
): DeskterityError {
  const failing = sandboxes.filter(({ name, works }) => (isOpen || asked.includes(name)) && !works);
  const working = sandboxes.find(({ works }) => works);
  const [best] = sandboxes;
  const other =
    working === undefined
      ? []
      : working === best
        ? [`${working.title} works here: set sandbox.mode to "${working.name}" to use it for all commands.`]
        : [`${working.title} works here: set sandbox.mode to "auto" to use it.`];
  const nested = isNested
    ? ['Deskterity runs in the sandbox of another program, which may be what forbids it.']
    : [];
  const reasons = failing.flatMap(({ reason }) => reason ?? []);
  return new DeskterityError(
    'SANDBOX_UNAVAILABLE',
    [`Programs cannot be confined here (${system}).`, ...reasons].join(' '),
    {
      suggestion: [
        ...other,
        ...either(failing.flatMap(({ instruction }) => instruction ?? [])),
        ...nested,
        'Without a sandbox a program can read, change and delete everything that this user can; --no-sandbox accepts that.',
      ].join(' '),
      cause,
    },
  );
}

/** One of them is enough. */
function either(ways: readonly string[]): string[] {
  return ways.map((way, index) => (index === 0 ? way : `Or: ${way}`));
}
