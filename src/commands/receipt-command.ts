import type { z } from 'zod';
import { Receipt } from '../model/effects/effect.ts';
import type { Guarantees } from '../model/effects/guarantees.ts';
import { defineCommand, outlineReceipt, pageOfReceipt, type CommandFacts } from '../registry/define.ts';

export type ReceiptFacts<I extends z.ZodObject> = Omit<
  CommandFacts<I, typeof Receipt>,
  'group' | 'output' | 'outline' | 'page'
> & { readonly guarantee: Guarantees };

/** A command that uses keyboard or pointer and answers with a receipt. */
export function inputCommand<I extends z.ZodObject>(facts: ReceiptFacts<I>) {
  return defineCommand({
    toolsets: ['input'],
    needs: ['input'],
    ...facts,
    group: 'input',
    kind: 'input',
    output: Receipt,
    outline: outlineReceipt,
    page: pageOfReceipt,
  });
}

/** A command that acts on elements by the best means and answers with a receipt. */
export function interactionCommand<I extends z.ZodObject>(facts: ReceiptFacts<I>) {
  return defineCommand({
    needs: ['tree'],
    ...facts,
    group: 'interaction',
    kind: 'act',
    output: Receipt,
    outline: outlineReceipt,
    page: pageOfReceipt,
  });
}
