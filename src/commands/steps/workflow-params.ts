import { isReservedName, RESERVED_NAME } from '../../model/text/reserved-name.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { nearestNames } from '../../model/text/nearest.ts';
import { referencesIn } from '../../model/workflow/references.ts';
import type { WorkflowStep } from '../../model/workflow/step.ts';

const NAME = /^[A-Za-z_][\w-]{0,63}$/;

/** The parameters of a workflow: those of its file, and those given as NAME=VALUE instead of them. @throws DeskterityError INVALID_ARGUMENT */
export function workflowParams(
  params: Readonly<Record<string, unknown>> = {},
  pairs: readonly string[] = [],
): ReadonlyMap<string, unknown> {
  const given = pairs.map((pair): readonly [string, string] => {
    const at = pair.indexOf('=');
    // What stands there may be a secret.
    if (at <= 0) throw invalid('A parameter is not of the form NAME=VALUE.');
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  const all: readonly (readonly [string, unknown])[] = [...Object.entries(params), ...given];
  for (const [name] of all)
    if (isReservedName(name)) throw invalid(`${JSON.stringify(name.slice(0, 80))} ${RESERVED_NAME}.`);
    else if (!NAME.test(name))
      throw invalid(`${JSON.stringify(name.slice(0, 80))} is not the name of a parameter.`);
  return new Map(all);
}

const MOST_NAMED = 20;
const MOST_SUGGESTED = 3;

/**
 * Checks that each NAME=VALUE names a parameter that the workflow declares or uses. A misspelt one would leave the declared value in use.
 * @throws DeskterityError INVALID_ARGUMENT; nothing was run
 */
export function requireKnownParams(
  pairs: readonly string[] = [],
  declared: Readonly<Record<string, unknown>> = {},
  steps: readonly WorkflowStep[],
): void {
  const used = steps.flatMap(({ input }) => referencesIn(input)).filter(({ head }) => head === 'param');
  const known = new Set([...Object.keys(declared), ...used.flatMap(({ path }) => path.slice(0, 1))]);
  const unknown = pairs.map((pair) => pair.slice(0, pair.indexOf('='))).find((name) => !known.has(name));
  if (unknown === undefined) return;
  const close = nearestNames(unknown, known, MOST_SUGGESTED);
  const names = [...known].slice(0, MOST_NAMED).join(', ');
  throw invalid(
    `The workflow has no parameter ${JSON.stringify(unknown)}: no step uses it, and params does not declare it. No step was run.`,
    close.length > 0
      ? `Did you mean ${close.join(' or ')}?`
      : known.size > 0
        ? `The parameters of the workflow are ${names}.`
        : 'Leave it out: the workflow has no parameters.',
  );
}

const NAMES = 'Names have letters, digits, underscores and dashes, such as folder=/tmp.';

function invalid(message: string, suggestion = NAMES): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, { suggestion, delivered: false });
}
