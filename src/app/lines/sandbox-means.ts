import type { Confinement } from '../../model/tools/confinement.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { SandboxLevel, SandboxPort } from '../../ports/sandbox.ts';

type Means = Confinement['by'];

/** What confines the commands of a run. */
export interface MeansChoice {
  /** What each of its steps asks for. */
  readonly asked: readonly Means[];
  /** Nobody has chosen: any sandbox that works here will do. */
  readonly isOpen: boolean;
}

/** How long it is taken for granted that Landlock does not work here. */
const CERTAIN_MS = 600_000;

/** What confines commands in this process: what was asked for or, where that is open and Landlock does not work here, bubblewrap. */
export class SandboxMeans {
  private readonly sandbox: () => Promise<SandboxPort>;
  private detecting: Promise<SandboxLevel> | undefined;
  private bubblewrapUntil = 0;

  constructor(sandbox: () => Promise<SandboxPort>) {
    this.sandbox = sandbox;
  }

  /**
   * Landlock is tried by using it, which costs nothing where it works; what this machine can do is looked at when it failed.
   * @param step is told what takes the place of what was asked for
   * @throws DeskterityError SANDBOX_UNAVAILABLE, and whatever the step throws
   */
  async run<T>(choice: MeansChoice, step: (inPlaceOf: (asked: Means) => Means) => Promise<T>): Promise<T> {
    const mayDiffer = choice.isOpen && choice.asked.includes('landlock');
    if (mayDiffer && performance.now() < this.bubblewrapUntil) return step(bubblewrapInstead);
    try {
      return await step((asked) => asked);
    } catch (error) {
      if (!(error instanceof DeskterityError) || error.code !== 'SANDBOX_UNAVAILABLE') throw error;
      const level = await this.level();
      const failing = choice.asked.filter((means) => means !== 'none' && !level[means].works);
      // Then it is not the machine that is at fault.
      if (failing.length === 0) throw error;
      if (failing.some((means) => meansHere(level, { asked: means, isOpen: choice.isOpen }) === means))
        throw noSandbox(level, { ...choice, cause: error });
      const answer = await step(bubblewrapInstead);
      this.bubblewrapUntil = performance.now() + CERTAIN_MS;
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

/** Pure: what confines where `asked` is asked for. */
export function meansHere<T extends Means>(
  level: Pick<SandboxLevel, 'landlock' | 'bubblewrap'>,
  { asked, isOpen }: { readonly asked: T; readonly isOpen: boolean },
): T | 'bubblewrap' {
  return isOpen && !level.landlock.works && level.bubblewrap.works ? bubblewrapInstead(asked) : asked;
}

function bubblewrapInstead<T extends Means>(asked: T): T | 'bubblewrap' {
  return asked === 'landlock' ? 'bubblewrap' : asked;
}

/** What to say where nothing can be confined as it should: what was found, what is missing, how to get it, and why nothing runs without it. */
export function noSandbox(
  level: SandboxLevel,
  { asked, isOpen, cause }: MeansChoice & { readonly cause?: unknown },
): DeskterityError {
  const { landlock, bubblewrap } = level;
  const abi = level.landlockAbi === undefined ? 'no Landlock' : `Landlock ABI ${level.landlockAbi}`;
  const wanted = (['landlock', 'bubblewrap'] as const).filter((means) => isOpen || asked.includes(means));
  const failing = wanted.map((means) => level[means]).filter(({ works }) => !works);
  const other = landlock.works
    ? ['Landlock works here: set sandbox.mode to "landlock" to use it for all commands.']
    : bubblewrap.works
      ? ['bubblewrap works here: set sandbox.mode to "auto" to use it.']
      : [];
  const nested = level.isNested
    ? ['Deskterity runs in the sandbox of another program, which may be what forbids it.']
    : [];
  const reasons = failing.flatMap(({ reason }) => reason ?? []);
  return new DeskterityError(
    'SANDBOX_UNAVAILABLE',
    [`Programs cannot be confined here (Linux ${level.kernel}, ${abi}).`, ...reasons].join(' '),
    {
      suggestion: [
        ...other,
        ...either(failing.flatMap(({ instruction }) => instruction ?? [])),
        ...nested,
        'Without a sandbox a program can read, change and delete everything that this user can; --no-sandbox accepts that.',
      ].join(' '),
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

/** One of them is enough. */
function either(ways: readonly string[]): string[] {
  return ways.map((way, index) => (index === 0 ? way : `Or: ${way}`));
}
