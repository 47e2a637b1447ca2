import type { z } from 'zod';
import { Receipt } from '../../model/effects/effect.ts';
import type { Guarantees } from '../../model/effects/guarantees.ts';
import { defineCommand, outlineReceipt, type CommandFacts } from '../../registry/define.ts';

/** A command that uses keyboard or pointer and answers with a receipt. */
export function inputCommand<I extends z.ZodObject>(
  facts: Omit<CommandFacts<I, typeof Receipt>, 'group' | 'output' | 'outline'> & {
    readonly guarantee: Guarantees;
  },
) {
  return defineCommand({
    toolsets: ['input'],
    needs: ['input'],
    ...facts,
    group: 'input',
    kind: 'input',
    output: Receipt,
    outline: outlineReceipt,
  });
}
