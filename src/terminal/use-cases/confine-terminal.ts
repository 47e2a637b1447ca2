import { isInside } from '../../model/is-inside.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import { plainSandbox } from '../../ports/runs.ts';
import type { StartTerminalParts } from './start-terminal.ts';
import { createConfiner, withSubstitute } from '../../operations/confinement/confine.ts';
import type { ConfinerParts } from '../../operations/confinement/confine.ts';
import type { SandboxMeans } from '../../operations/confinement/sandbox-means.ts';
import { sandboxScope } from '../../operations/confinement/sandbox-scope.ts';

export interface ConfineTerminalParts extends Omit<ConfinerParts, 'scope'> {
  readonly means: Pick<SandboxMeans, 'run'>;
}

/** Confines the terminals of a caller to their project. */
export function confineTerminal(parts: ConfineTerminalParts): StartTerminalParts['confine'] {
  return async (project, start) => {
    const confiner = createConfiner({ ...parts, scope: await scopeOf(parts, project) });
    const context = await confiner.context();
    const needs = plainSandbox(project);
    const confinement = await confiner.confinementOf(needs, context);
    const environment = await confiner.environmentOf(needs, context);
    const isOpen = parts.configuration.sandbox.mode === 'auto';
    return parts.means.run({ asked: [confinement.by], isOpen }, (substitute) =>
      start({ environment, confinement: withSubstitute(confinement, substitute) }),
    );
  };
}

/** The project, which must be inside the folder that the user confines all commands to. */
async function scopeOf(
  { caller, configuration, folders, sandbox: openSandbox }: ConfineTerminalParts,
  project: string,
): Promise<string> {
  const own = Object.values(folders);
  const sandbox = await openSandbox();
  const scope = await sandboxScope({ caller, asked: project, own, sandbox });
  const asked = configuration.sandbox.scope || (caller.environment['AHMA_SANDBOX_SCOPE'] ?? '');
  if (asked === '') return scope;
  const outer = await sandboxScope({ caller, asked, own, sandbox });
  if (isInside(outer, scope)) return scope;
  throw new DeskterityError(
    'SANDBOX_UNAVAILABLE',
    `The project ${quote(scope)} is outside ${quote(outer)}, the folder to which commands are confined.`,
    { suggestion: 'Use a project inside it or change sandbox.scope.' },
  );
}
