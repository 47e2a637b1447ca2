import { isInside } from '../model/is-inside.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { byPerson, mentionCommand } from '../model/text/mention.ts';
import type { OperationsPort } from '../ports/operations.ts';

/**
 * The operations of one project: an agent that works on one folder neither sees nor ends what belongs to another.
 * @param project folder that the caller's commands are confined to; `undefined` if there is none, and so no operation either
 */
export function operationsOfProject(port: OperationsPort, project: string | undefined): OperationsPort {
  const isOwn = ({ scope }: { readonly scope: string }) => project !== undefined && isInside(project, scope);
  const own = async (operationId: string) => {
    const view = await port.status(operationId);
    if (!isOwn(view)) throw ofAnotherProject(operationId);
    return view;
  };
  return {
    ...port,
    status: own,
    list: async (filter) => (await port.list(filter)).filter((view) => isOwn(view)),
    wait: async (operationId, options) => {
      await own(operationId);
      return port.wait(operationId, options);
    },
    cancel: async (operationId) => {
      await own(operationId);
      return port.cancel(operationId);
    },
    read: async (operationId, query) => {
      await own(operationId);
      return port.read(operationId, query);
    },
  };
}

function ofAnotherProject(operationId: string): DeskterityError {
  return new DeskterityError('OPERATION_NOT_FOUND', `Operation ${operationId} belongs to another project.`, {
    suggestion: `List those of this one: ${mentionCommand('operation list')}. Those of all projects: ${byPerson('Use --all on the command line')}.`,
  });
}
