import type { Configuration } from '../model/configuration/config.ts';
import type { OperationRequest, OperationsPort, OperationView } from '../ports/operations.ts';
import type { RunsPort, RunStep } from '../ports/runs.ts';
import type { SandboxPort } from '../ports/sandbox.ts';
import { plainSandbox } from '../ports/runs.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import { createConfiner, homeOf, placed } from './confinement/confine.ts';
import type { Around } from './confinement/confine.ts';
import type { SandboxMeans } from './confinement/sandbox-means.ts';
import { sandboxScope } from './confinement/sandbox-scope.ts';

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
  const asked = configuration.sandbox.scope;
  const scope = await sandboxScope({ caller, asked, own: guarded, sandbox: await parts.sandbox() });
  const isOpen = configuration.sandbox.mode === 'auto';
  const confiner = createConfiner({ ...parts, scope });

  const stepOf = async (
    { command, cwd, delayMs, sandbox: needs }: RunStep,
    known: Around,
  ): Promise<OperationRequest['steps'][number]> => {
    const confinement = await confiner.confinementOf(needs, known);
    const environment = await confiner.environmentOf(needs, known);
    return { command, cwd, delayMs, environment, confinement };
  };

  return {
    scope,
    home: homeOf(caller),
    guarded,
    start: async ({ tool, steps, timeoutMs, output = 'merged' }) => {
      const known = await confiner.around();
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
      const confinement = await confiner.confinementOf(plainSandbox(scope), await confiner.around());
      await parts.means.run({ asked: [confinement.by], isOpen }, (inPlaceOf) =>
        operations.prepare(placed(confinement, inPlaceOf)),
      );
    },
  };
}
