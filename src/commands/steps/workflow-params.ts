import { isReservedName, RESERVED_NAME } from '../../model/text/reserved-name.ts';
import { DeskterityError } from '../../model/effects/errors.ts';

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

function invalid(message: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, {
    suggestion: 'Names have letters, digits, underscores and dashes, such as folder=/tmp.',
    delivered: false,
  });
}
