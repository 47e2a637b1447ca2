import { afterCheck } from '../model/after-check.ts';
import { isInside } from '../model/is-inside.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import { byPerson, mentionCommand } from '../model/text/mention.ts';
import { unknownOperation } from './operation-records.ts';
import type { OperationsPort, OperationView } from '../ports/operations.ts';

/**
 * The operations of one project: an agent that works on one folder neither sees nor ends what belongs to another.
 * @param project folder that the caller's commands are confined to; `undefined` if there is none, and so no operation either
 */
export function operationsOfProject(port: OperationsPort, project: string | undefined): OperationsPort {
  const isOwn = ({ scope }: OperationView) => project !== undefined && isInside(project, scope);
  return partOf(port, isOwn, ofAnotherProject);
}

/** The operations that one client of a server has started, if the server tells its clients apart. */
export function operationsOfOwner(port: OperationsPort, owner: string | undefined): OperationsPort {
  return owner === undefined ? port : partOf(port, (view) => view.owner === owner, unknownOperation);
}

function partOf(
  port: OperationsPort,
  isOwn: (view: OperationView) => boolean,
  notOwn: (operationId: string) => DeskterityError,
): OperationsPort {
  const status = async (operationId: string) => {
    const view = await port.status(operationId);
    if (!isOwn(view)) throw notOwn(operationId);
    return view;
  };
  const own = afterCheck(status);
  return {
    ...port,
    status,
    list: async (filter) => (await port.list(filter)).filter((view) => isOwn(view)),
    wait: own(port.wait.bind(port)),
    cancel: own(port.cancel.bind(port)),
    read: own(port.read.bind(port)),
    onEnd: (listener) =>
      port.onEnd((view) => {
        if (isOwn(view)) listener(view);
      }),
  };
}

function ofAnotherProject(operationId: string): DeskterityError {
  return new DeskterityError('OPERATION_NOT_FOUND', `Operation ${operationId} belongs to another project.`, {
    suggestion: `List those of this one: ${mentionCommand('operation list')}. Those of all projects: ${byPerson('Use --all on the command line')}.`,
  });
}
