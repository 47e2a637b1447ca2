import { z } from 'zod';
import { actTarget, performOn, timeout } from '../registry/define.ts';
import type { PointerGesture, SemanticActKind } from '../registry/define.ts';
import { inputCommand, interactionCommand, type ReceiptFacts } from './receipt-command.ts';

/** An element, and the means an act on it may use. */
export const ElementInput = z.object({ ...actTarget, timeout_ms: timeout(10_000) });

/** The input of a command that acts on one element and takes no other, and how it is performed. */
export function onElement(perform: Parameters<typeof performOn>[0]) {
  return { input: ElementInput, positionals: ['ref'], run: performOn(perform) } as const;
}

type ElementFacts<N> = Omit<
  ReceiptFacts<typeof ElementInput>,
  'name' | 'needs' | 'input' | 'positionals' | 'run'
> & { readonly name: N };

/** An element command that says what the element should become or do, by its name. */
export function semanticCommand(facts: ElementFacts<SemanticActKind>) {
  const act = facts.name;
  return interactionCommand({ ...facts, ...onElement((engine, request) => engine.act({ act, ...request })) });
}

/** An element command that only the pointer can perform, by its name. */
export function gestureCommand(facts: ElementFacts<PointerGesture>) {
  const gesture = facts.name;
  return inputCommand({
    ...facts,
    takesSeat: true,
    needs: ['tree', 'input'],
    ...onElement((engine, request) => engine.gesture({ gesture, ...request })),
  });
}
