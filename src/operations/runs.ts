import type { Configuration } from '../model/configuration/config.ts';
import type { OperationRequest, OperationsPort, OperationView } from '../ports/operations.ts';
import type { SandboxPort } from '../ports/sandbox.ts';
import { plainSandbox, type RunsPort, type RunStep } from '../ports/runs.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import { createConfiner, homeOf, withSubstitute } from './confinement/confine.ts';
import type { ConfinementContext, ConfinerParts } from './confinement/confine.ts';
import type { SandboxSelector } from './confinement/sandbox-selector.ts';
import { scopeFolder } from './confinement/sandbox-scope.ts';

export interface RunsParts {
  readonly caller: Caller;
  readonly session: string;
  readonly configuration: Configuration;
  /** Folders of Deskterity itself. */
  readonly folders: { readonly state: string; readonly cache: string; readonly config: string };
  readonly operations: () => Promise<OperationsPort>;
  readonly onBegun: (view: OperationView) => void;
  readonly sandbox: () => Promise<SandboxPort>;
  readonly sandboxes: Pick<SandboxSelector, 'run'>;
  /** The environment for commands, before secrets are removed. */
  readonly environment: () => Promise<Environment>;
  /** As in {@link ConfinerParts}. */
  readonly onSecrets?: ConfinerParts['onSecrets'];
}

/** Runs command lines of one caller, in the sandbox of its settings. @throws DeskterityError SANDBOX_UNAVAILABLE if there is no folder for them */
export async function createRuns(parts: RunsParts): Promise<RunsPort> {
  const { caller, configuration, folders } = parts;
  const guarded = Object.values(folders);
  const asked = configuration.sandbox.scope;
  const folder = await scopeFolder({ caller, asked, own: guarded, sandbox: await parts.sandbox() });
  const { path: scope } = folder;
  const isOpen = configuration.sandbox.mode === 'auto';
  const confiner = createConfiner({ ...parts, scope: folder });

  const stepOf = async (
    { command, cwd, delayMs, sandbox: needs }: RunStep,
    context: ConfinementContext,
  ): Promise<OperationRequest['steps'][number]> => {
    const confinement = await confiner.confinementOf(needs, context);
    const environment = await confiner.environmentOf(needs, context);
    return { command, cwd, delayMs, environment, confinement };
  };

  return {
    scope,
    home: homeOf(caller),
    guarded,
    start: async ({ tool, steps, timeoutMs, output = 'merged' }) => {
      const context = await confiner.context();
      const operations = await parts.operations();
      const planned = await Promise.all(steps.map((step) => stepOf(step, context)));
      const asked = planned.map(({ confinement: { by } }) => by);
      const view = await parts.sandboxes.run({ asked, isOpen }, (substitute) =>
        operations.start({
          tool,
          steps: planned.map((step) => ({
            ...step,
            confinement: withSubstitute(step.confinement, substitute),
          })),
          scope,
          session: parts.session,
          owner: caller.owner,
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
      const confinement = await confiner.confinementOf(plainSandbox(scope), await confiner.context());
      await parts.sandboxes.run({ asked: [confinement.by], isOpen }, (substitute) =>
        operations.prepare(withSubstitute(confinement, substitute)),
      );
    },
  };
}
