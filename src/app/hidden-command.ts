import { z } from 'zod';
import { DeskterityError } from '../model/effects/errors.ts';
import type { CommandDefinition } from '../registry/define.ts';
import { registerCommand, type RegisteredCommand } from '../registry/registry.ts';

/**
 * A command without its parameters, to ask the policy about it: a client has called a tool that is hidden from it. The refusal is recorded and counted
 * as that of any other call.
 */
export function hiddenCommand(name: string, command: RegisteredCommand | undefined): RegisteredCommand {
  const { definition } = command ?? toolNamed(name);
  return registerCommand({
    ...definition,
    noDryRun: 'It does nothing.',
    foreignInput: undefined,
    input: z.object({}),
    deadlineMs: () => 1000,
    run: () =>
      Promise.reject(
        new DeskterityError('CONFLICT', `The policy has just changed, and allows ${name} now.`, {
          suggestion: 'List the tools again, and repeat the call.',
          retryable: true,
          delivered: false,
        }),
      ),
  });
}

/** Of a tool file or of another server, whose tools need not be read for this. */
function toolNamed(name: string): { readonly definition: CommandDefinition } {
  const [first = name, ...others] = name.split(' ');
  return registerCommand({
    name: [first, ...others],
    group: 'operations',
    kind: 'admin',
    summary: 'Run a tool.',
    input: z.object({}),
    output: z.object({}),
    examples: [],
    run: async () => ({}),
  });
}
