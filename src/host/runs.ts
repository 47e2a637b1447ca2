import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../model/config.ts';
import type { Confinement } from '../model/confinement.ts';
import { DeskterityError } from '../model/errors.ts';
import { quote } from '../model/untrusted-text.ts';
import type { OperationRequest, OperationsPort, OperationView } from '../ports/operations.ts';
import type { RunSandbox, RunsPort, RunStep } from '../ports/runs.ts';
import type { SandboxPort } from '../ports/sandbox.ts';
import { isInside } from '../registry/is-inside.ts';
import { plainSandbox } from '../registry/operation-parts.ts';
import type { Caller, Environment } from './caller.ts';
import { grantedPlaces } from './granted-places.ts';
import type { SandboxMeans } from './sandbox-means.ts';
import { nearestReal, sandboxScope } from './sandbox-scope.ts';

export interface RunsParts {
  readonly caller: Caller;
  readonly session: string;
  readonly configuration: Configuration;
  /** Folders of Deskterity itself. */
  readonly folders: { readonly state: string; readonly cache: string; readonly config: string };
  readonly operations: () => Promise<OperationsPort>;
  readonly onBegun: (view: OperationView) => void;
  readonly sandbox: () => Promise<SandboxPort>;
  readonly means: Pick<SandboxMeans, 'run'>;
  /** What commands get, before secrets are taken out of it. */
  readonly environment: () => Promise<Environment>;
}

/** Command lines of one caller, in the sandbox that its settings say. @throws DeskterityError SANDBOX_UNAVAILABLE where there is no folder for them */
export async function createRuns(parts: RunsParts): Promise<RunsPort> {
  const { caller, configuration, folders } = parts;
  const guarded = Object.values(folders);
  const scope = await sandboxScope({ caller, asked: configuration.sandbox.scope, own: guarded });
  const home = caller.environment['HOME'] || homedir();
  const isOpen = configuration.sandbox.mode === 'auto';

  const around = async (): Promise<Around> => {
    const [sandbox, folder, environment] = await Promise.all([
      parts.sandbox(),
      sandboxFolder(folders.cache, scope),
      parts.environment(),
    ]);
    const programs = await sandbox.programs({
      environment: { ...environment, HOME: home },
      withheld: guarded,
    });
    return { sandbox, folder, environment, programs };
  };

  const confinementOf = async (
    needs: RunSandbox,
    { folder, programs }: Pick<Around, 'folder' | 'programs'>,
  ): Promise<Confinement> => {
    const narrow = await realpath(needs.scope).catch(() => needs.scope);
    if (!isInside(scope, narrow)) throw outside(needs.scope, scope);
    const writable = [scope, folder];
    const own = await Promise.all(guarded.map((path) => nearestReal(path)));
    const write = await grantedPlaces(needs.write, { writable, guarded: own });
    const read = await grantedPlaces(needs.read, { writable: [...writable, ...write] });
    const isOnlyLooking = needs.isOnlyLooking === true;
    return {
      by: confinedBy(caller, configuration, needs.profile),
      scope: isOnlyLooking ? folder : narrow,
      read: [...new Set([...(isOnlyLooking ? [narrow] : []), ...programs, ...read])],
      write: [folder, ...write],
      network: needs.network,
      unixSockets: needs.unixSockets,
      denyReport: needs.denyReport || configuration.sandbox.deny_report,
    };
  };

  const stepOf = async (
    { command, cwd, delayMs, sandbox: needs }: RunStep,
    known: Around,
  ): Promise<OperationRequest['steps'][number]> => {
    const confinement = await confinementOf(needs, known);
    const environment = await known.sandbox.environment({
      environment: known.environment,
      folder: known.folder,
      ...needs,
    });
    return { command, cwd, delayMs, environment: { ...environment, ...needs.set }, confinement };
  };

  return {
    scope,
    home,
    guarded,
    start: async ({ tool, steps, timeoutMs, output = 'merged' }) => {
      const known = await around();
      const operations = await parts.operations();
      const planned = await Promise.all(steps.map((step) => stepOf(step, known)));
      const asked = planned.map(({ confinement: { by } }) => by);
      const view = await parts.means.run({ asked, isOpen }, (inPlaceOf) =>
        operations.start({
          tool,
          steps: planned.map((step) => ({ ...step, confinement: placed(step.confinement, inPlaceOf) })),
          scope,
          session: parts.session,
          timeoutMs,
          output,
          budgetBytes: configuration.operations.output_mb * 1024 * 1024,
        }),
      );
      parts.onBegun(view);
      return view;
    },
    prepare: async () => {
      const operations = await parts.operations();
      const confinement = await confinementOf(plainSandbox(scope), await around());
      await parts.means.run({ asked: [confinement.by], isOpen }, (inPlaceOf) =>
        operations.prepare(placed(confinement, inPlaceOf)),
      );
    },
  };
}

/** What all steps of a run have in common. */
interface Around {
  readonly sandbox: SandboxPort;
  /** Made for the scope. */
  readonly folder: string;
  readonly environment: Environment;
  /** Files and folders of the home with programs. */
  readonly programs: readonly string[];
}

function placed(
  confinement: Confinement,
  inPlaceOf: (asked: Confinement['by']) => Confinement['by'],
): Confinement {
  return { ...confinement, by: inPlaceOf(confinement.by) };
}

/** What a run asks to be confined by; see `SandboxMeans` for what happens where that cannot be had. */
export function confinedBy(
  { environment }: Pick<Caller, 'environment'>,
  { sandbox: { mode } }: Configuration,
  profile?: 'bubblewrap',
): Confinement['by'] {
  const off = environment['AHMA_NO_SANDBOX'] ?? '';
  if (mode === 'off' || (mode === 'auto' && off !== '' && off !== '0')) return 'none';
  return mode === 'bubblewrap' || (mode === 'auto' && profile === 'bubblewrap') ? 'bubblewrap' : 'landlock';
}

/** Home, temporary files and caches of everything that runs in one scope; kept, so that caches of package managers are. */
async function sandboxFolder(cache: string, scope: string): Promise<string> {
  const key = createHash('sha256').update(scope).digest('hex').slice(0, 16);
  const folder = join(cache, 'sandboxes', key);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return realpath(folder);
}

function outside(folder: string, scope: string): DeskterityError {
  return new DeskterityError('TOOL_INVALID', `The scope ${quote(folder)} is outside ${quote(scope)}.`, {
    suggestion: 'A tool file can only narrow the folder that tools work in.',
  });
}
