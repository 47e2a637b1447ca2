import { z } from 'zod';
import { Receipt } from '../model/effects/effect.ts';
import type { Guarantees } from '../model/effects/guarantees.ts';
import { actTarget, defineCommand, outlineReceipt, timeout } from '../registry/define.ts';
import type { CommandFacts } from '../registry/define.ts';

/** An element, and the means an act on it may use. */
export const ElementInput = z.object({ ...actTarget, timeout_ms: timeout(10_000) });

/** A command that acts on one element and takes no other input. */
export function elementCommand(
  definition: Omit<
    CommandFacts<typeof ElementInput, typeof Receipt>,
    'input' | 'positionals' | 'output' | 'outline'
  > & {
    readonly kind: 'act' | 'input';
    readonly guarantee: Guarantees;
  },
) {
  return defineCommand({
    ...definition,
    input: ElementInput,
    positionals: ['ref'],
    output: Receipt,
    outline: outlineReceipt,
  });
}
